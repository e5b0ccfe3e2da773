// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels behind LayerNormalization and RMSNormalization: rows normalised (norm.h), scaled, shifted.
#pragma once

#include "runtime-lite/view.h"
#include "templates/norm/norm.h"

namespace sinter {
namespace {

struct LayerNormParams {
  double epsilon;
  bool centered; ///< else RMSNormalization
};

/// Lanes of V from a vector of any stride.
template <class V, class T>
SINTER_INLINE V lanesAt(View<const T, 1> vector, int64_t j) {
  return vector.strides[0] == 1 ? load<V>(vector.data + j)
                                : loadStrided<V>(vector.data + j * vector.strides[0], vector.strides[0]);
}

/// `finish(v, j)` is what happens to element j of a normalised row.
template <class T, class Finish>
SINTER_HOST_DEVICE void layerNormRows(const LayerNormParams &params, View<const T, 2> x, View<T, 2> y, Finish finish) {
  using E = StatisticsType<T>;
  const int64_t rows = x.sizes[0], n = x.sizes[1];
  const auto epilogue = [&](auto v, int64_t, int64_t, int64_t j) { return finish(v, j); };
  const E epsilon = E(params.epsilon);
  E *const none = nullptr;
  if (x.strides[1] == 1 && y.strides[1] == 1) {
    if (params.centered)
      normRows<true>(x.data, x.strides[0], y.data, y.strides[0], rows, 1, n, epsilon, none, none, epilogue);
    else
      normRows<false>(x.data, x.strides[0], y.data, y.strides[0], rows, 1, n, epsilon, none, none, epilogue);
    return;
  }
  for (int64_t i = 0; i < rows; ++i) { // parts of tensors, with steps between elements
    const auto at = [&](int64_t j) { return convert<E>(x.data[i * x.strides[0] + j * x.strides[1]]); };
    E mean{}, squares{};
    for (int64_t j = 0; params.centered && j < n; ++j)
      mean += at(j) / E(n);
    for (int64_t j = 0; j < n; ++j)
      squares += (at(j) - mean) * (at(j) - mean);
    const E scale = rsqrt(squares / E(n) + epsilon);
    for (int64_t j = 0; j < n; ++j)
      y.data[i * y.strides[0] + j * y.strides[1]] = convert<T>(finish(E((at(j) - mean) * scale), j));
  }
}

template <class T, class S>
SINTER_HOST_DEVICE void layerNorm(const LayerNormParams &params, View<const T, 2> x, View<const S, 1> scale,
                                  View<T, 2> y) {
  layerNormRows(params, x, y, [&](auto v, int64_t j) { return decltype(v)(v * lanesAt<decltype(v)>(scale, j)); });
}

template <class T, class S>
SINTER_HOST_DEVICE void layerNorm(const LayerNormParams &params, View<const T, 2> x, View<const S, 1> scale,
                                  View<const S, 1> bias, View<T, 2> y) {
  layerNormRows(params, x, y, [&](auto v, int64_t j) {
    using V = decltype(v);
    return V(fma(v, lanesAt<V>(scale, j), lanesAt<V>(bias, j)));
  });
}

} // namespace
} // namespace sinter
