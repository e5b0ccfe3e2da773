// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of the model that are no tensors: each is several buffers that are only read, its parts, which the caller
// gives in one struct.
#pragma once

#include "conversion.h"

namespace sinter {

/// What the ABI is told of a tensor at the model's edge. `part`: of the value of that name, where it is no tensor.
/// `attributes`: of the argument or result, which may know of a quantization (--io quantized).
mlir::DictionaryAttr describeAtEdge(mlir::OpBuilder &builder, llvm::StringRef name, llvm::StringRef part,
                                    ElementType element, llvm::ArrayRef<mlir::Attribute> dims,
                                    llvm::ArrayRef<mlir::NamedAttribute> attributes);

/// A part of an input, or all of one, which comes next among `inputs`.
mlir::Value inputBuffer(mlir::OpBuilder &builder, mlir::Location loc, const llvm::Twine &name, mlir::MemRefType type,
                        llvm::ArrayRef<mlir::Value> sizes, llvm::ArrayRef<mlir::Attribute> inputs);

/// Makes the parts of one input, and adds their descriptions to `inputs`.
class InputParts {
public:
  InputParts(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
             llvm::SmallVectorImpl<mlir::Attribute> &inputs)
      : builder(builder), loc(loc), name(name), inputs(inputs) {}

  Tensor add(llvm::StringRef part, ElementType element, llvm::ArrayRef<int64_t> shape);
  /// A sequence or a map, whose lengths and sizes `extents` has (frontend/input_structures.cpp); fails where it holds
  /// what the interface has no form for.
  mlir::FailureOr<Converted> addValue(mlir::Type type, mlir::DictionaryAttr extents);

private:
  mlir::FailureOr<Converted> addSequence(mlir::Type element, mlir::DictionaryAttr extents);
  mlir::FailureOr<Converted> addMap(mlir::Type key, mlir::Type value, mlir::DictionaryAttr extents);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::StringRef name;
  llvm::SmallVectorImpl<mlir::Attribute> &inputs;
};

} // namespace sinter
