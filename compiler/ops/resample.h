// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One axis of Resize: where an output position lies in the input, and the table of input places and weights that it is
// a sum over.
#pragma once

#include "norms.h"

namespace sinter {

/// What Resize's attributes ask for, the same for all axes.
struct Resampling {
  llvm::StringRef mode;        ///< nearest, linear, cubic
  llvm::StringRef coordinates; ///< coordinate_transformation_mode
  llvm::StringRef nearest;     ///< nearest_mode
  double cubicA = -0.75;
  bool excludeOutside = false, antialias = false;
};

struct ResampledAxis {
  int64_t axis;
  Size in, out;
  std::optional<double> scale;                              ///< known at compile time
  std::function<mlir::Value(const Scalars &)> runtimeScale; ///< otherwise; of type f64
  std::optional<std::pair<mlir::Value, mlir::Value>> roi;   ///< start and end, f32 or f64
};

/// Position of output `o` (index) in the input, as f64. `s` is over doubles.
mlir::Value originalPosition(const Scalars &s, const Resampling &how, const ResampledAxis &axis, mlir::Value o);
/// int64 [out]: the nearest input place of each output.
Tensor nearestPlaces(const Tensors &t, const Resampling &how, const ResampledAxis &axis);
/// i1 [out]: outside of the input, for tf_crop_and_resize.
Tensor outsidePlaces(const Tensors &t, const Resampling &how, const ResampledAxis &axis);

struct Taps {
  Tensor places;  ///< int64 [out, taps]
  Tensor weights; ///< [out, taps], of the element type that sums are done in
};
Taps tapsOf(const Tensors &t, const Resampling &how, const ResampledAxis &axis, ElementType sums);
/// y[.., o, ..] = sum over k of weights[o, k] * x[.., places[o, k], ..]; sums in the weights' element type, which is
/// the result's.
Tensor resampleAxis(const Tensors &t, Tensor x, int64_t axis, const Taps &taps);

} // namespace sinter
