// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that slide over spatial dims: the attributes that convolutions and pools share, and the sizes and pads that
// follow from them.
#pragma once

#include "contraction.h"

namespace sinter {

/// One entry per spatial dim.
struct Window {
  llvm::SmallVector<int64_t> strides, dilations;
  Sizes kernel;    ///< index values where a filter comes at run time, with dims that are known then
  Sizes low, high; ///< pads; index values where SAME padding of a run-time size needs them
  Sizes outputs;

  int64_t rank() const { return kernel.size(); }
  /// (kernel - 1) * dilation + 1
  Size extent(const Tensors &t, int64_t i) const;
  /// The kernel of a pool.
  llvm::SmallVector<int64_t> constantKernel() const;
  /// The low pads as numbers, if they are.
  std::optional<llvm::SmallVector<int64_t>> constantLow() const;
  bool hasPads() const;
};

/// Reads strides, dilations, pads, auto_pad and ceil_mode; `spatial` are x's dims from 2 on. Fails with a diagnostic
/// where attributes do not fit.
mlir::FailureOr<Window> windowOf(const Op &op, llvm::ArrayRef<Size> spatial, llvm::ArrayRef<Size> kernel);

/// Whether there is one window, of all of x.
bool coversAll(const Op &op, Tensor x, const Window &window);

/// The dims of x [n, c, ...] that windows slide over.
llvm::SmallVector<int64_t> spatialAxes(Tensor x);

/// N-d convolution in layout "nchw", without a bias: x [n, c, ...], w [k, c / group, ...]. The result has x's type
/// unless another is given (int32 for sums of int8, whose operands have zero points).
Tensor convolve(const Tensors &t, Tensor x, Tensor w, const Window &window, int64_t group,
                ElementType result = ElementType::Undefined, ZeroPoints zeros = {});
/// y + bias, a vector over dim 1 whose type the result has.
Tensor addChannelBias(const Tensors &t, Tensor y, Tensor bias);
/// Convolution with a bias, if there is one. Sums of half floats are floats in front of it: they are rounded once,
/// behind.
Tensor convolveWithBias(const Tensors &t, Tensor x, Tensor w, const Window &window, int64_t group,
                        std::optional<Tensor> bias);
/// Windows over x [n, c, ...]. Precondition: the window's low pads are numbers, and those of a mean or sum the high
/// ones too.
Tensor pool(const Tensors &t, Tensor x, const Window &window, PoolKind kind, bool countIncludePad = false,
            PoolScalesAttr scales = {});
/// x with pads of `value` (storage form) around its spatial dims; negative ones crop.
Tensor padSpatial(const Tensors &t, Tensor x, llvm::ArrayRef<Size> low, llvm::ArrayRef<Size> high, mlir::Value value);

} // namespace sinter
