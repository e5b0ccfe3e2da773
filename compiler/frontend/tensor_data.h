// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorProto -> elements attribute, without copying what is already in the file in the order that raw_data has.
#pragma once

#include "frontend/import_state.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace sinter {

/// Null when the tensor is invalid, which is reported. `what` names it in messages: `initializer "w"`. Equal elements
/// become a splat, up to 1 KiB a dense attribute, anything else a resource over the file's bytes (raw_data's form:
/// little-endian, bool one byte of 0 or 1, 4- and 2-bit elements packed low bits first, float6 as a stream of 6-bit
/// codes).
mlir::ElementsAttr readTensor(ImportState &state, const onnx::TensorProto &tensor, const llvm::Twine &what,
                              const ModelPlace &place);

/// SparseTensorProto made dense, within the budget on expanded bytes.
mlir::ElementsAttr readSparseTensor(ImportState &state, const onnx::SparseTensorProto &tensor, const llvm::Twine &what,
                                    const ModelPlace &place);

/// A tensor's elements in raw_data's form: where they are, and who keeps them there.
struct TensorBytes {
  llvm::StringRef bytes;
  std::shared_ptr<void> owner;          ///< null: the bytes are the program's own
  std::vector<llvm::StringRef> strings; ///< instead of bytes, for strings
};

/// Finds (or decodes) a tensor's elements: exactly bytesOf(elements) of them. None when that failed, which is reported.
std::optional<TensorBytes> readTensorBytes(ImportState &state, const onnx::TensorProto &tensor, ElementType type,
                                           uint64_t elements, const llvm::Twine &what, const ModelPlace &place);

/// Bytes of `elements` elements in raw_data's form. `elements` is within the budget, so that this does not overflow.
uint64_t bytesOf(ElementType type, uint64_t elements);

/// The attribute for elements in raw_data's form; `name` is what a resource is called.
mlir::ElementsAttr makeElements(mlir::RankedTensorType type, ElementType element, TensorBytes data,
                                llvm::StringRef name);

} // namespace sinter
