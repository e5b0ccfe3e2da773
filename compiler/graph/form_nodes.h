// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How passes put nodes of their own into node IR: with all attributes, also those that have defaults.
#pragma once

#include "ir/dialect.h"
#include "ir/element_type.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"

namespace sinter {

/// An operator of ONNX ("") or of another domain, in the version that came with opset `since`.
struct NodeKind {
  llvm::StringRef domain, type;
  int64_t since;
};

/// Another node makes the result of `node`, under its name; `node` is erased.
void replaceNode(NodeOp node, NodeKind kind, mlir::Location loc, llvm::ArrayRef<mlir::Value> operands,
                 llvm::ArrayRef<mlir::NamedAttribute> attributes);

class FormNodes {
public:
  FormNodes(mlir::OpBuilder builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// The first result; `types` are those of all.
  mlir::Value node(llvm::StringRef opType, int64_t since, llvm::ArrayRef<mlir::Value> operands,
                   llvm::ArrayRef<mlir::Type> types, llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::NamedAttribute number(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute numbers(llvm::StringRef name, llvm::ArrayRef<int64_t> values);

  /// Constants: of floats, as [1, C, 1, 1] for channels at `dim` of `rank` dims, or a scalar where there is one number.
  mlir::Value floats(llvm::ArrayRef<double> values, int64_t dim = 0, int64_t rank = 0);
  mlir::Value integers(llvm::ArrayRef<int64_t> values, ElementType type, bool isScalar = false);

  /// The dims in another order.
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> order);
  mlir::Value gather(mlir::Value value, llvm::ArrayRef<int64_t> indices, int64_t axis);

private:
  mlir::OpBuilder builder;
  mlir::Location loc;
};

} // namespace sinter
