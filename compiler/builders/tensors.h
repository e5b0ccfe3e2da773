// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors during conversion, and the structural operations lowerings are written in. All take run-time sizes as well as
// static ones.
#pragma once

#include "scalars.h"
#include "sizes.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sinter {

/// A ranked tensor of storageType(element) and the ONNX element type it stands for.
struct Tensor {
  mlir::Value value;
  ElementType element = ElementType::Undefined;

  mlir::RankedTensorType type() const { return llvm::cast<mlir::RankedTensorType>(value.getType()); }
  int64_t rank() const { return type().getRank(); }
  llvm::ArrayRef<int64_t> shape() const { return type().getShape(); }
  explicit operator bool() const { return value != nullptr; }
};

/// Builds tensor IR at one place, with one location. `sizes` are OpFoldResults: numbers or index values.
struct Tensors {
  mlir::OpBuilder &b;
  mlir::Location loc;

  using BodyFn = llvm::function_ref<mlir::Value(const Scalars &, mlir::ValueRange)>;

  Sizes sizes(Tensor x) const { return dimsOf(b, loc, x.value); }
  Size size(Tensor x, int64_t axis) const { return dimOf(b, loc, x.value, axis); }

  // New tensors.
  Tensor empty(llvm::ArrayRef<Size> sizes, ElementType element) const;
  Tensor filled(llvm::ArrayRef<Size> sizes, ElementType element, mlir::Value scalar) const; ///< scalar in storage form
  Tensor scalar(ElementType element, double value) const;                                   ///< rank 0
  Tensor integers(llvm::ArrayRef<int64_t> values) const;                                    ///< int64, rank 1
  Tensor fromElements(ElementType element, llvm::ArrayRef<mlir::Value> scalars) const;      ///< rank 1
  /// int64 rank 1 from index values: how sizes become data (Shape, Size).
  Tensor fromSizes(llvm::ArrayRef<Size> sizes) const;

  // Loop nests.
  /// y[i...] = body(inputs...[i...]) with ONNX multidirectional broadcasting. The body works on compute forms (f16
  /// widened to f32); its Scalars has the first input's type. The result is in compute form of `out`.
  Tensor elementwise(llvm::ArrayRef<Tensor> inputs, ElementType out, BodyFn body) const;
  /// The same without widening: for data movement (Where, Identity) the body sees storage.
  Tensor elementwiseRaw(llvm::ArrayRef<Tensor> inputs, ElementType out, BodyFn body) const;
  /// y[i...] over `sizes`; the body gets the coordinates (index values) and returns storage form; it may read
  /// `tensor.extract` from outside.
  Tensor generate(llvm::ArrayRef<Size> sizes, ElementType out,
                  llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange coordinates)> body) const;
  /// Reduces `axes` (non-negative, any order): acc = combine(acc, x), from `initial` (compute form). Kept axes have
  /// size 1 when `keep`. The accumulator is in compute form of `accumulator`; the result tensor has that element type
  /// (half types accumulate in float).
  Tensor reduce(Tensor x, llvm::ArrayRef<int64_t> axes, bool keep, ElementType accumulator,
                llvm::function_ref<mlir::Value(const Scalars &)> initial,
                llvm::function_ref<mlir::Value(const Scalars &, mlir::Value acc, mlir::Value x)> combine) const;

  // Shapes. Views where bufferization can make them.
  Tensor reshape(Tensor x, llvm::ArrayRef<Size> sizes) const;
  Tensor transpose(Tensor x, llvm::ArrayRef<int64_t> permutation) const; ///< result dim i is x's dim permutation[i]
  Tensor broadcastTo(Tensor x, llvm::ArrayRef<Size> sizes) const;        ///< numpy rules, right aligned; x must fit
  Tensor slice(Tensor x, llvm::ArrayRef<Size> offsets, llvm::ArrayRef<Size> sizes,
               llvm::ArrayRef<Size> strides) const; ///< strides > 0
  Tensor concat(llvm::ArrayRef<Tensor> inputs, int64_t axis) const;
  Tensor pad(Tensor x, llvm::ArrayRef<Size> low, llvm::ArrayRef<Size> high,
             mlir::Value scalar) const;                           ///< pads >= 0, storage scalar
  Tensor unsqueeze(Tensor x, llvm::ArrayRef<int64_t> axes) const; ///< axes in the result
  Tensor squeeze(Tensor x, llvm::ArrayRef<int64_t> axes) const;
  Tensor cast(Tensor x, ElementType to, bool saturate = true) const; ///< ONNX Cast
  Tensor flip(Tensor x, llvm::ArrayRef<int64_t> axes) const;

  /// The sizes that ONNX broadcasting gives; nothing when static sizes contradict.
  std::optional<Sizes> broadcastSizes(llvm::ArrayRef<Tensor> inputs) const;

private:
  Tensor contradiction(llvm::ArrayRef<Tensor> inputs, ElementType out) const;
  Tensor mapped(llvm::ArrayRef<Tensor> inputs, ElementType out, bool widened, BodyFn body) const;
};

} // namespace sinter
