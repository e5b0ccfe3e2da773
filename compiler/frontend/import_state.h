// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the importer share during one import. Private to compiler/frontend.
#pragma once

#include "frontend/external_data.h"
#include "frontend/import.h"

#include "frontend/schema.h"
#include "ir/element_type.h"
#include "onnx-ml.pb.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MemoryBuffer.h"

namespace sinter {

/// Opset versions by domain ("ai.onnx" is "").
using Opsets = llvm::StringMap<int64_t>;

struct ImportState {
  /// `folder`: where external data may lie.
  ImportState(const ImportOptions &options, mlir::MLIRContext *context, Diagnostics &diagnostics,
              std::shared_ptr<llvm::MemoryBuffer> buffer, llvm::StringRef folder)
      : options(options), context(context), diagnostics(diagnostics), file(std::move(buffer)), bytes(file->getBuffer()),
        external(folder, options.externalRoots, options.untrusted) {}
  /// For bytes of the program itself.
  ImportState(const ImportOptions &options, mlir::MLIRContext *context, Diagnostics &diagnostics, llvm::StringRef bytes)
      : options(options), context(context), diagnostics(diagnostics), bytes(bytes), external("", {}, true) {}

  const ImportOptions &options;
  mlir::MLIRContext *context;
  Diagnostics &diagnostics;
  std::shared_ptr<llvm::MemoryBuffer>
      file; ///< what TensorPlaces point into; null for a schema's body, whose bytes are the program's
  llvm::StringRef bytes;
  ExternalData external;

  /// Dims with a value, by symbol.
  llvm::StringMap<DimValue> symbols;
  std::vector<std::string> valuelessDims;       ///< those without, in the order of the inputs
  llvm::StringSet<> missingDims, missingOpsets; ///< already reported
  /// Model-local functions by functionKey.
  llvm::StringMap<const onnx::FunctionProto *> functions;
  /// Defaults of schema attributes, once read.
  llvm::DenseMap<const SchemaAttribute *, mlir::Attribute> defaults;
  /// Tensors of attributes and functions, which inlining meets many times.
  llvm::DenseMap<const onnx::TensorProto *, mlir::ElementsAttr> tensors;
  uint64_t fileNodes = 0, expandedNodes = 0, expandedBytes = 0;
  unsigned depth = 0; ///< of regions

  /// Nodes of functions that had a problem: a function called a hundred times tells it once.
  llvm::DenseSet<const onnx::NodeProto *> reported;
  llvm::StringSet<> noted;
  bool muted = false;
  bool exhausted = false; ///< a budget is used up: what else goes wrong follows from that

  /// False: a problem would not be told, so that nothing costly need be done to describe it.
  bool reports() const { return !muted && !exhausted && diagnostics.all().size() < options.limits.problems; }
  void report(Problem problem) {
    if (reports())
      diagnostics.report(std::move(problem));
  }
  void report(Code code, const llvm::Twine &message, const ModelPlace &place = {}, const llvm::Twine &hint = "") {
    report({code, message.str(), place, hint.str()});
  }
  /// What was read other than as it stands; said once.
  void note(const llvm::Twine &text) {
    if (reports() && noted.insert(text.str()).second)
      diagnostics.note(text.str());
  }
  void reportExhausted(Code code, const llvm::Twine &message, const ModelPlace &place) {
    report(code, message, place);
    exhausted = true;
  }
};

/// A name of the model within a message: quoted, and cut where it is longer than anybody reads.
std::string quoted(llvm::StringRef name);

/// The number of elements of a static shape within the budgets on rank and elements; none (and a report) otherwise.
/// `what` begins the message.
std::optional<uint64_t> checkedElements(ImportState &state, llvm::ArrayRef<int64_t> dims, const llvm::Twine &what,
                                        const ModelPlace &place);

/// TensorProto.DataType as far as this program knows it; Undefined otherwise.
ElementType elementTypeOfCode(int64_t code);

} // namespace sinter
