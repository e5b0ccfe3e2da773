// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverse-mode differentiation, operator by operator: from the adjoint of a node's result (the derivative of a sum by
// it) to those of its operands, in ordinary nodes. A table per kind of operators; who walks the graph:
// differentiate.cpp.
#pragma once

#include "form_nodes.h"

#include "llvm/ADT/SmallVector.h"
#include <string>

namespace sinter {

/// One node, whose results have adjoints, and what a rule writes.
class Adjoint {
public:
  /// `wanted` has the operands whose adjoints somebody asks for; `results` an adjoint for each result, null for 0.
  Adjoint(NodeOp node, mlir::OpBuilder builder, mlir::Location loc, llvm::ArrayRef<bool> wanted,
          llvm::ArrayRef<mlir::Value> results);

  // The node.
  size_t inputCount() { return node.getInputs().size(); }
  bool has(size_t i); ///< given and not absent
  mlir::Value x(size_t i = 0) { return node.getInputs()[i]; }
  mlir::Value y(size_t i = 0) { return node->getResult(static_cast<unsigned>(i)); }
  mlir::Value dy() { return results[0]; }
  bool wants(size_t i) const { return i < wanted.size() && wanted[i]; }
  int64_t integer(llvm::StringRef name, int64_t fallback);
  double real(llvm::StringRef name, double fallback);
  llvm::StringRef string(llvm::StringRef name);
  std::optional<llvm::ArrayRef<int64_t>> integers(llvm::StringRef name);

  // What a rule says. A wanted operand of which nothing is said has an adjoint of 0.
  void give(size_t i, mlir::Value adjoint) { given[i] = adjoint; }
  /// The same of what has been broadcast: summed over the dims along which operand i was.
  void giveSummed(size_t i, mlir::Value adjoint);
  void unsupported(const llvm::Twine &why) { problem = why.str(); }

  // Nodes of ai.onnx, all attributes stated where their schema's defaults are not meant to hold.
  mlir::Value op(llvm::StringRef type, llvm::ArrayRef<mlir::Value> inputs,
                 llvm::ArrayRef<mlir::NamedAttribute> attributes = {}, unsigned outputs = 1);
  /// Of domain "sinter" (ops/onnx/gradient.cpp).
  mlir::Value own(llvm::StringRef type, llvm::ArrayRef<mlir::Value> inputs);
  mlir::Value number(double value, mlir::Value like); ///< of like's type, rank 0
  mlir::Value integers(llvm::ArrayRef<int64_t> values) { return nodes.integers(values, ElementType::Int64); }
  mlir::Value integer(int64_t value) { return nodes.integers(value, ElementType::Int64, true); } ///< rank 0
  /// The node's first result for another first operand.
  mlir::Value again(mlir::Value first);
  mlir::NamedAttribute attribute(llvm::StringRef name, int64_t value) { return nodes.number(name, value); }
  mlir::NamedAttribute attribute(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    return nodes.numbers(name, values);
  }
  mlir::NamedAttribute attribute(llvm::StringRef name, llvm::StringRef value);
  mlir::NamedAttribute attribute(llvm::StringRef name, double value);
  mlir::NamedAttribute attribute(llvm::StringRef name, mlir::Attribute value);
  mlir::Attribute attributeOf(llvm::StringRef name) { return node.getAttrs().get(name); }

  mlir::Value add(mlir::Value a, mlir::Value b) { return op("Add", {a, b}); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return op("Sub", {a, b}); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return op("Mul", {a, b}); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return op("Div", {a, b}); }
  mlir::Value neg(mlir::Value a) { return op("Neg", {a}); }
  mlir::Value square(mlir::Value a) { return mul(a, a); }
  mlir::Value shape(mlir::Value a) { return op("Shape", {a}, {attribute("start", int64_t(0))}); }
  mlir::Value filled(double value, mlir::Value like) { return op("Expand", {number(value, like), shape(like)}); }
  mlir::Value reshapedLike(mlir::Value a, mlir::Value like) {
    return op("Reshape", {a, shape(like)}, {attribute("allowzero", int64_t(1))});
  }
  mlir::Value where(mlir::Value condition, mlir::Value a, mlir::Value b) { return op("Where", {condition, a, b}); }

  NodeOp node;
  llvm::SmallVector<mlir::Value> given; ///< by operand; null: 0
  llvm::SmallVector<mlir::Value> results;
  std::string problem; ///< not empty: this form has no rule

private:
  FormNodes nodes;
  mlir::OpBuilder builder;
  llvm::SmallVector<bool> wanted;
};

struct GradientRule {
  llvm::StringLiteral name;
  int64_t since; ///< the first version of the operator for which it holds
  void (*apply)(Adjoint &);
  llvm::StringLiteral domain = "";
};

/// Null: the operator has none in this version.
const GradientRule *findGradientRule(NodeOp node);

/// Whether the results have the derivative 0 wherever they have one.
bool isFlat(NodeOp node);

llvm::ArrayRef<GradientRule> elementwiseRules();
llvm::ArrayRef<GradientRule> reductionRules();
llvm::ArrayRef<GradientRule> productRules();
llvm::ArrayRef<GradientRule> movementRules();

} // namespace sinter
