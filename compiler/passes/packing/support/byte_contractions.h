// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the packing of contractions of bytes has in common, whatever the kernel: pack_dot4.cpp, pack_im2col.cpp.
#pragma once

#include "builders/tensors.h"
#include "interpreter/interpreter.h"

namespace sinter {

bool isByte(mlir::Value value);
/// Bytes times a matrix of bytes, not packed yet.
bool isByteContraction(MatmulOp matmul);

/// Makes ops that lay weights out, at compile time.
struct BytePacker {
  mlir::OpBuilder &b;
  mlir::Location loc;
  EvaluationCache &cache;

  Tensors tensors() const { return {b, loc}; }
  Tensor bytes(mlir::Value value) const { return {value, ElementType::Int8}; }
  Tensor reshaped(Tensor x, llvm::ArrayRef<int64_t> shape) const { return tensors().reshape(x, sizesOf(b, shape)); }
  Tensor padded(Tensor x, int64_t axis, int64_t low, int64_t high) const;
  /// Elements first .. first + count - 1 of the last dim.
  Tensor part(Tensor x, int64_t first, int64_t count) const;
  /// The weights less their zero point, as signed bytes; nothing where they do not fit.
  std::optional<Tensor> weights(mlir::Value value, bool isUnsigned, int64_t zero);
  /// The same where they do not fit, as all of 0 .. 255 less 140: less what `zero` then is short of that.
  std::optional<Tensor> nearWeights(mlir::Value value, bool isUnsigned, int64_t &zero);
  /// -zero * the sum of each filter's weights [n, ...], int32 [n].
  Tensor correction(Tensor weights, int64_t zero);
};

/// The epilogue first takes zero * the sum of each filter's weights [n, ...] off the accumulator: what kernels add up
/// that do not take the zero point off the input. Where it adds constants to the accumulator already, these become the
/// sum.
void takeZeroOff(ConvOp op, Tensor weights, int64_t zero, BytePacker &packer);
void takeZeroOff(MatmulOp op, Tensor weights, int64_t zero, BytePacker &packer);
/// The epilogue takes zero * the sum of what an output reads off the accumulator: what weights lack that are `zero` too
/// large. Of a convolution of one group, or of as many as filters, and one result, the sums are a convolution of their
/// own, which is returned, not packed; of an operand of a product, they are those of its elements less `less` along dim
/// k, for dim `place` of the output.
ConvOp addSums(ConvOp op, int64_t zero, BytePacker &packer);
void addSums(MatmulOp op, Tensor operand, int64_t k, int64_t less, int64_t zero, int64_t place, BytePacker &packer);
/// The same of both zero points of a product of bytes that nobody has packed, by sums that a call makes:
/// (a - y) (b - z) = a b - z a - y (b - z). Kernels for any operands take no zero points.
void takeZerosOff(MatmulOp op, EvaluationCache &cache);

/// Sizes of a convolution of one or two spatial dims on channels-last maps; nothing where it is none.
struct ConvSizes {
  int64_t spatial, channels, filters, groups;
  llvm::SmallVector<int64_t> in, out, taps;
};
std::optional<ConvSizes> sizesOfBytes(ConvOp conv);

} // namespace sinter
