// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's interface as planned IR states it, with the names that it gets in C: members of kws_inputs and
// kws_outputs, symbolic dims.
#pragma once

#include "codegen/text/names.h"
#include "ir/element_type.h"
#include "ir/named_polynomial.h"
#include "memory/arenas.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <variant>

namespace sinter {

struct InterfaceDim {
  int64_t size = -1;  ///< -1: varies
  int64_t max = -1;   ///< the largest size
  std::string symbol; ///< its name in the model; empty where it is an expression or depends on data
};

struct InterfaceTensor {
  std::string name;
  /// Of what is no tensor: "elements", "dims", "count" of a sequence, "keys", "values", "count" of a map, "present" and
  /// "value" of an optional; empty: a tensor.
  std::string part;
  Identifier member;
  std::optional<Identifier>
      within; ///< of a part: the member that is the struct of all of them, and `member` one of its
  std::optional<Identifier> dimsMember; ///< outputs whose size varies, growing states: of kws_outputs
  ElementType type;
  std::vector<InterfaceDim> dims;
  std::string state;   ///< of an input that the call updates in place: the graph output that it then holds
  int stateIndex = -1; ///< and that output's place among the graph's; -1: none
  std::optional<size_t>
      growingDim;  ///< of a state that grows: along it the buffer has its largest size, the call uses a part
  float scale = 0; ///< float in the model, integers here: real = scale * (value - zeroPoint); 0: as in the model
  int32_t zeroPoint = 0;
  float step = 0;    ///< of an output made of quantized tensors: one step of theirs (ops/output_step.h); 0: it is none
  float spacing = 0; ///< of an output made of half types: of theirs, as a share of the largest value; 0: it is none
  float range = 0;   ///< of an output of a bounded function, such as Sigmoid: the most that it can be; 0: not known
  std::vector<std::string> labels; ///< of an output that is a list of maps in the model: of the numbers of its last dim
  bool hasIntegerLabels = false;
  std::string form;                   ///< --input, --output: in words, what is other than in the model
  std::string staysFloat;             ///< --io quantized: why it is none of those
  std::optional<int64_t> arenaOffset; ///< --io-in-arena: where it lies in one block of memory
  std::optional<Identifier> region;   ///< --ram: and in which of the regions
  size_t regionNumber = 0;
  int64_t regionBegin = 0;
  SpaceAttr space;  ///< --io-in-arena: by planned IR; null: the host
  Identifier macro; ///< what it is called in macros: X in KWS_INPUT_X_SCALE

  bool isState() const { return stateIndex >= 0; }
  /// Where it is in the caller's struct: `x`, or `x.count`.
  PrintedCode place() const { return within ? PrintedCode(*within, ".", member) : PrintedCode(member); }
  /// A name of its own: `x`, or `x_count`.
  std::string variable() const;
  /// How many the caller's memory holds along dim i; -1: varies.
  int64_t heldSize(size_t i) const { return i == growingDim ? dims[i].max : dims[i].size; }
  bool isStatic() const;
  bool isEmpty() const; ///< known to hold no elements
  int64_t maxElements() const;
  int64_t maxBytes() const; ///< as the caller has them
};

struct SymbolicDim {
  std::string name;
  Identifier member;
  int64_t min, max;
  std::optional<NamedPolynomial> polynomial = std::nullopt; ///< of other dims, which a call keeps to
};

/// --ram: a part of the arena for which the caller has a pointer of its own.
struct InterfaceRegion : Arena {
  Identifier member;   ///< of kws_ram
  Identifier macro;    ///< FAST in KWS_ARENA_FAST_BYTES
  Identifier variable; ///< in run
};

struct Interface {
  std::vector<InterfaceTensor> inputs, outputs;
  std::vector<InterfaceRegion> regions; ///< none: the arena is one
  std::vector<SymbolicDim> dims;
  int64_t arenaBytes = 0;
  int64_t pinnedBytes = 0;    ///< on a GPU: of the host's memory, for what it and kernels work on
  bool mayAskForNone = false; ///< a call may have no outputs at all: it goes on with states alone
  int64_t weightsInRam = 0;   ///< the first bytes of the weights, copied there by start-up code
  std::string sha256;
  std::vector<std::string> libraries; ///< of the system, that programs are linked with: "jpeg"

  const SymbolicDim *findDim(llvm::StringRef name) const;
  /// The tensors whose sizes the call writes: outputs, then growing states.
  std::vector<const InterfaceTensor *> withDims() const;
  /// On a GPU: where a tensor lies among those that are not used in place, and how many bytes all take.
  int64_t placeOnDevice(const InterfaceTensor &tensor) const;
  int64_t bytesOnDevice() const;
  /// Where buffers of such a type lie; null if the host's arena is one.
  const InterfaceRegion *regionOf(SpaceAttr space) const;
};

/// Reads the attributes of `main`: sinter.inputs, sinter.outputs, sinter.dim_bounds, sinter.arena_bytes, sinter.arenas,
/// sinter.weights_in_ram, sinter.model_sha256 (of the module); and what ops need of libraries.
mlir::FailureOr<Interface> readInterface(mlir::ModuleOp module, llvm::StringRef macroPrefix);

/// The output that an op of planned IR is the buffer of: sinter.output, or a sinter.arena with the attribute
/// sinter.output (--io-in-arena).
std::optional<unsigned> outputOf(mlir::Operation *buffer);

/// The tensors that belong together, one after the other: a tensor, or the parts of a value.
llvm::SmallVector<llvm::ArrayRef<InterfaceTensor>> valuesOf(llvm::ArrayRef<InterfaceTensor> tensors);

/// What other languages and protocols call the tensors: the model's names, or the C members' where a name is no text or
/// there twice.
std::vector<std::string> publicNames(llvm::ArrayRef<InterfaceTensor> tensors);
/// `float32[1, seq, 64]`.
Comment describeTensor(const InterfaceTensor &tensor);
/// What a comment adds: what a part of a value says.
Comment describePart(const InterfaceTensor &tensor);
/// And of a state, of a quantized tensor, of one that could not be; nothing for others.
Comment describeMore(const InterfaceTensor &tensor);

} // namespace sinter
