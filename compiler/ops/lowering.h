// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that an operator's file needs: what it is given (typed operands, attributes with defaults), what it builds with
// (Tensors, Scalars), how it says no. An operator's file: docs/adding-an-operator.md. The walk over the graph that
// calls lowerings: convert.cpp.
#pragma once

#include "builders/tensors.h"
#include "diagnostics/diagnostics.h"
#include "interpreter/interpreter.h"
#include "registry.h"

namespace sinter {

class Conversion;
struct Dequantized;

/// One node being lowered. Attribute getters return the schema's default where the node has none; without a default,
/// give a fallback.
class Op : public Tensors {
public:
  Op(Conversion &conversion, NodeOp node, mlir::OpBuilder &builder);

  mutable NodeOp node; ///< mutable: MLIR's op handles have no const getters
  int64_t since;       ///< version of the schema: 13 for a Softmax of opset 17

  // Operands.
  unsigned inputCount() const { return node.getInputs().size(); }
  bool has(unsigned i) const; ///< given and not absent
  Tensor input(unsigned i) const;
  Tensor inputOr(unsigned i, llvm::function_ref<Tensor()> fallback) const { return has(i) ? input(i) : fallback(); }
  Tensor inputOrNone(unsigned i) const { return has(i) ? input(i) : Tensor(); }
  llvm::SmallVector<Tensor> inputs() const; ///< all given ones, for variadic operators
  /// The integers that input i is made of by DequantizeLinear, or null.
  const Dequantized *dequantized(unsigned i) const;
  unsigned outputCount() const { return node.getNumResults(); }
  bool wants(unsigned i) const; ///< output i is asked for

  // Attributes.
  bool hasAttribute(llvm::StringRef name) const;
  int64_t integer(llvm::StringRef name, int64_t fallback = 0) const;
  double real(llvm::StringRef name, double fallback = 0) const;
  llvm::StringRef string(llvm::StringRef name, llvm::StringRef fallback = "") const;
  llvm::SmallVector<int64_t> integers(llvm::StringRef name, llvm::ArrayRef<int64_t> fallback = {}) const;
  llvm::SmallVector<double> reals(llvm::StringRef name) const;
  llvm::SmallVector<llvm::StringRef> strings(llvm::StringRef name) const;
  mlir::Attribute attribute(llvm::StringRef name) const;
  using Tensors::integers;

  // Contents of operands.
  /// Known at compile time, or nothing.
  std::optional<HostTensor> contents(unsigned i) const;
  std::optional<llvm::SmallVector<int64_t>> constantIntegers(unsigned i) const;
  std::optional<llvm::SmallVector<double>> constantReals(unsigned i) const;
  /// Each element of a small tensor (rank 0 or 1), read from run-time data, in storage form; fails with a diagnostic
  /// naming operand `what` where there are many, or nobody knows how many.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> scalars(unsigned i, llvm::StringRef what) const;
  /// Each element of a small integer tensor (rank 0 or 1) as a number or an index value; fails where `scalars` does.
  /// Elements computed from run-time data come back as index values read from the tensor.
  mlir::FailureOr<Sizes> elements(unsigned i, llvm::StringRef what) const;
  /// Axis attribute or element, made non-negative; fails with a diagnostic when out of range for `rank`.
  mlir::FailureOr<int64_t> axis(int64_t value, int64_t rank) const;
  mlir::FailureOr<llvm::SmallVector<int64_t>> axes(llvm::ArrayRef<int64_t> values, int64_t rank) const;

  // Results.
  mlir::LogicalResult result(Tensor y) const { return results({y}); }
  mlir::LogicalResult result(mlir::FailureOr<Tensor> y) const {
    return mlir::failed(y) ? mlir::failure() : results({*y});
  }
  mlir::LogicalResult results(llvm::ArrayRef<Tensor> values) const; ///< one per output; null for outputs not asked for
  /// Result i, which is bound, was made of integers in this way.
  void noteDequantized(unsigned i, const std::optional<Dequantized> &source) const;
  /// Reports a problem at this node and fails.
  mlir::LogicalResult fail(Code code, const llvm::Twine &message, const llvm::Twine &hint = "") const;
  mlir::LogicalResult unsupported(const llvm::Twine &message, const llvm::Twine &hint = "") const {
    return fail(Code::UnsupportedForm, message, hint);
  }

  /// Reports shapes that do not broadcast.
  mlir::LogicalResult checkBroadcast(llvm::ArrayRef<Tensor> inputs) const;
  /// `elementwise`, `elementwiseRaw` after that check.
  mlir::LogicalResult resultElementwise(llvm::ArrayRef<Tensor> inputs, ElementType out, BodyFn body) const;
  mlir::LogicalResult resultElementwiseRaw(llvm::ArrayRef<Tensor> inputs, ElementType out, BodyFn body) const;
  /// y = body(x) with x's type.
  mlir::LogicalResult resultUnary(llvm::function_ref<mlir::Value(const Scalars &, mlir::Value)> body) const;
  /// y = body(a, b) with a's type.
  mlir::LogicalResult
  resultBinary(llvm::function_ref<mlir::Value(const Scalars &, mlir::Value, mlir::Value)> body) const;

  /// A kernel of templates/<name>.h on tensors: inits are made empty with the given sizes; results in order.
  struct KernelOutput {
    Sizes sizes;
    ElementType element;
  };
  llvm::SmallVector<Tensor> kernel(llvm::StringRef name, llvm::ArrayRef<Tensor> inputs,
                                   llvm::ArrayRef<KernelOutput> outputs,
                                   llvm::ArrayRef<mlir::NamedAttribute> params = {}) const;
  mlir::NamedAttribute param(llvm::StringRef name, int64_t value) const {
    return b.getNamedAttr(name, b.getI64IntegerAttr(value));
  }
  mlir::NamedAttribute param(llvm::StringRef name, bool value) const {
    return b.getNamedAttr(name, b.getBoolAttr(value));
  }
  mlir::NamedAttribute paramReal(llvm::StringRef name, double value) const {
    return b.getNamedAttr(name, b.getF64FloatAttr(value));
  }
  mlir::NamedAttribute param(llvm::StringRef name, llvm::ArrayRef<int64_t> values) const {
    return b.getNamedAttr(name, b.getDenseI64ArrayAttr(values));
  }

  /// Lowers another operator in this node's place: how one operator is written in terms of others (`since` as that
  /// operator's schema has it).
  mlir::FailureOr<llvm::SmallVector<Tensor>> call(llvm::StringRef opType, int64_t since, llvm::ArrayRef<Tensor> inputs,
                                                  llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                                                  unsigned outputs = 1, llvm::StringRef domain = "") const;

  Conversion &conversion;
};

} // namespace sinter
