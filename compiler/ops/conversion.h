// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over node IR: calls each node's lowering with converted operands. What lowerings see of it: lowering.h.
#pragma once

#include "builders/tensors.h"
#include "diagnostics/diagnostics.h"
#include "frontend/limits.h"
#include "interpreter/interpreter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>
#include <memory>
#include <set>

namespace sinter {

/// What DequantizeLinear made its result of: (x - zero) * scale. The zero point may be null; scale and zero point are
/// numbers, or vectors along `axis`.
struct Dequantized {
  Tensor x, scale, zero;
  std::optional<int64_t> axis; ///< none: one number for all
};

struct Stacked;
struct ValueFacts;
struct Choice;
struct Map;

/// What a node IR value became: a tensor, a sequence of tensors, a map, or an optional of these. What differs from call
/// to call: forms.h.
struct Converted {
  Tensor tensor; ///< of a sequence or a choice: no value, only the type of the tensors, if that is known
  std::vector<Converted> elements;
  bool isSequence = false;
  bool isAbsent = false;
  std::optional<Dequantized> dequantized = std::nullopt; ///< the integers behind the tensor
  std::shared_ptr<const Stacked> stacked = nullptr;      ///< a sequence that only a call knows, in place of `elements`
  Tensor present = {};                                   ///< bool[]: whether there is a value, where only a call knows
  std::shared_ptr<const Choice> choice = nullptr;        ///< a tensor whose rank only a call knows
  std::shared_ptr<const Map> map = nullptr;              ///< maps.h
};

/// Replaces a node by the nodes of its schema's function body; fails when it has none. The frontend's, given by the
/// driver.
using ExpandBodyFn = std::function<mlir::LogicalResult(NodeOp, mlir::OpBuilder &)>;

class Op;

/// Where strings lie that kernels make (text.h); null as long as none does.
struct TextBuffers {
  mlir::Value bytes, used;
  int64_t wanted = 0;
  std::optional<int64_t> stated; ///< --text-bytes
};

class Conversion {
public:
  Conversion(Diagnostics &diagnostics) : diagnostics(diagnostics) {}

  /// Lowers the nodes of `block` in order at the builder's place; its terminator is left to the caller. Goes on after a
  /// problem as far as it can.
  mlir::LogicalResult convertNodes(mlir::Block &block, mlir::OpBuilder &builder);
  /// Lowers a subgraph (a region of `node`) with its block arguments bound to `arguments`; returns the yielded values.
  mlir::FailureOr<llvm::SmallVector<Converted>> convertRegion(mlir::Region &region, llvm::ArrayRef<Converted> arguments,
                                                              mlir::OpBuilder &builder);
  mlir::LogicalResult convertNode(NodeOp node, mlir::OpBuilder &builder);
  /// Reports, for `node`, that what is unrolled is beyond the budget with so many nodes or elements of sequences more.
  mlir::LogicalResult spend(NodeOp node, uint64_t count);
  /// What operand i became, to go on as a result: a copy only where others read it too.
  mlir::FailureOr<Converted> take(NodeOp node, unsigned i);

  const Converted *find(mlir::Value value) const;
  void bind(mlir::Value value, Converted converted) { values[value] = std::move(converted); }
  void forget(mlir::Value value) { values.erase(value); }
  /// The run-time value of a symbolic dim: one op for the whole model.
  mlir::Value symbol(llvm::StringRef name) const { return symbols.lookup(name); }

  Diagnostics &diagnostics;
  ExpandBodyFn expandBody;
  uint64_t mostUnrolled = 0;
  EvaluationCache evaluations;
  llvm::StringMap<mlir::Value> symbols;

  struct StatedBound {
    int64_t most;
    bool isUsed = false;
  };
  llvm::StringMap<StatedBound> bounds; ///< --bound NODE:OUTPUT=N, by "NODE:OUTPUT"
  std::vector<std::string> boundable;  ///< where --bound may stand, collected if it was given

  TextBuffers text;
  std::optional<int64_t> nchwcBlock; ///< --nchwc-block, or what the model tells (nchwc_maps.h)

  /// Pairs of sizes that an assertion in a region has said to broadcast (size_relation.h).
  std::set<std::tuple<void *, void *, mlir::Region *>> broadcasting;

  int64_t valueCount = 0; ///< of values named so far (ir/value_names.h)

  /// Conditions (tensors of one element) whose truth is known where the nodes are that are being lowered: they stand on
  /// a path that only this truth leads to.
  llvm::DenseMap<mlir::Value, bool> assumed;

  /// What is known of values by their address, which those that come next may have: after ops are erased.
  void forgetErased() {
    evaluations.clear();
    broadcasting.clear();
  }

private:
  class InCases;

  /// Lowers a node once for each rank that its operand may have.
  mlir::LogicalResult convertCases(NodeOp node, mlir::OpBuilder &builder, mlir::Value operand);
  mlir::LogicalResult checkSizes(const Op &op) const;
  mlir::LogicalResult checkMade(NodeOp node) const;

  llvm::DenseMap<mlir::Value, Converted> values;
  llvm::DenseSet<mlir::Region *> convertedRegions;
  uint64_t unrolled = 0;
  uint64_t combinations = 1; ///< in which nodes are lowered that stand in others which are lowered for several ranks
  NodeOp inCases = nullptr;  ///< the innermost of these
};

/// What the user says of a model beside its dims, and what conversion needs of others.
struct ConversionOptions {
  ExpandBodyFn expandBody;
  /// Nodes of subgraphs that are lowered more than once, and elements of sequences.
  uint64_t mostUnrolled = Limits().expanded(0);
  std::vector<std::string> states;   ///< --state OUT=IN
  llvm::StringMap<int64_t> bounds;   ///< --bound NODE:OUTPUT=N, by "NODE:OUTPUT"
  std::optional<int64_t> textBytes;  ///< --text-bytes
  std::optional<int64_t> nchwcBlock; ///< --nchwc-block
  bool strict = false;               ///< what the model declares of its outputs holds, or it is refused
  ValueFacts *facts = nullptr;       ///< what is learnt of values goes here, also where not all nodes are converted
};

/// Node IR's @main becomes tensor IR's @main: no arguments, sinter.input and sinter.output at its edges. Every problem
/// is reported.
mlir::LogicalResult convertToTensorIR(mlir::ModuleOp module, Diagnostics &diagnostics,
                                      const ConversionOptions &options = {});

/// Element `index` of a small tensor as a scalar value built from what made the tensor, without reading memory: shape
/// computations become index arithmetic. Falls back to tensor.extract.
mlir::Value elementOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor, llvm::ArrayRef<int64_t> index,
                      EvaluationCache &evaluations);

/// What a tensor holds, if that is known at compile time: its integers read as ONNX's type has them, where those of
/// tensor IR have no sign.
std::optional<HostTensor> contentsOf(Tensor tensor, EvaluationCache &evaluations);

/// Name, operator and opset of a node, for diagnostics.
ModelPlace placeOf(NodeOp node);

} // namespace sinter
