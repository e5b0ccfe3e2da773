// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax and LogSoftmax over a contiguous axis (lanes along it) and over one with others inside of it (lanes along
// those). Three passes: the largest element, the sum of exponentials, the result. In place is fine.
#pragma once

#include "runtime-lite/view.h"
#include "templates/loops/map.h"
#include "templates/math/math_log.h"

namespace sinter {
namespace {

/// What the exponentials of a row are computed in.
template <class T>
using FunctionType = typename IfType<kSame<T, double>, double, float>::Type;

/// The greatest of in[0 .. n - 1], NaN if there is one; -infinity for none.
template <class E, class T>
SINTER_INLINE E rowMax(const T *in, int64_t n) {
  using V = Vec<E, kLanes<E>>;
  const E none = E(-float(SINTER_INFINITY));
  V several = splat<V>(none);
  E rest = none;
  map<E>(n, [&](auto tag, int64_t j) {
    using W = typename decltype(tag)::Type;
    if constexpr (kSame<W, V>)
      several = max(several, load<W>(in + j));
    else
      rest = max(rest, load<W>(in + j));
  });
  return max(maxOf(several), rest);
}

/// `rows` rows of n elements, inStride and outStride apart. `epilogue(v, i, j)`. No scratch, no alignment.
template <bool kLog, class TA, class TC, class Epilogue>
SINTER_HOST_DEVICE void softmaxRows(const TA *in, int64_t inStride, TC *out, int64_t outStride, int64_t rows, int64_t n,
                                    Epilogue epilogue) {
  using E = FunctionType<TA>;
  using V = Vec<E, kLanes<E>>;
  for (int64_t i = 0; i < rows; ++i) {
    const TA *a = in + i * inStride;
    TC *c = out + i * outStride;
    const E largest = rowMax<E>(a, n);
    V several{};
    E rest{};
    map<E>(n, [&](auto tag, int64_t j) {
      using W = typename decltype(tag)::Type;
      const W e = expNegative(W(load<W>(a + j) - largest));
      // Kept where the output can hold it, else computed again.
      if constexpr (!kLog && kSame<TC, E>)
        store(c + j, e);
      if constexpr (kSame<W, V>)
        several += e;
      else
        rest += e;
    });
    const E total = sum(several) + rest;
    const E factor = E(1) / total;
    const E shift = kLog ? largest + log(total) : largest;
    map<E>(n, [&](auto tag, int64_t j) {
      using W = typename decltype(tag)::Type;
      if constexpr (kLog)
        store(c + j, epilogue(W(load<W>(a + j) - shift), i, j));
      else if constexpr (kSame<TC, E>)
        store(c + j, epilogue(W(load<W>(c + j) * factor), i, j));
      else
        store(c + j, epilogue(W(expNegative(W(load<W>(a + j) - shift)) * factor), i, j));
    });
  }
}

/// Element (o, j, i) at o * n * inner + j * inner + i, softmax over j. `epilogue(v, o, j, i)`. No scratch, no
/// alignment.
template <bool kLog, class TA, class TC, class Epilogue>
SINTER_HOST_DEVICE void softmaxColumns(const TA *in, TC *out, int64_t outer, int64_t n, int64_t inner,
                                       Epilogue epilogue) {
  using E = FunctionType<TA>;
  for (int64_t o = 0; o < outer; ++o) {
    const TA *a = in + o * n * inner;
    TC *c = out + o * n * inner;
    map<E>(inner, [&](auto tag, int64_t i) {
      using V = typename decltype(tag)::Type;
      V largest = splat<V>(E(-float(SINTER_INFINITY)));
      for (int64_t j = 0; j < n; ++j)
        largest = max(largest, load<V>(a + j * inner + i));
      V total{};
      for (int64_t j = 0; j < n; ++j)
        total += expNegative(V(load<V>(a + j * inner + i) - largest));
      const V factor = E(1) / total;
      const V shift = [&] {
        if constexpr (kLog)
          return V(largest + log(total));
        else
          return largest;
      }();
      for (int64_t j = 0; j < n; ++j) {
        const V x = load<V>(a + j * inner + i) - shift;
        if constexpr (kLog)
          store(c + j * inner + i, epilogue(x, o, j, i));
        else
          store(c + j * inner + i, epilogue(V(expNegative(x) * factor), o, j, i));
      }
    });
  }
}

/// One row of any stride: what views of parts of tensors need.
template <bool kLog, class TA, class TC>
SINTER_HOST_DEVICE void softmaxStrided(const TA *in, int64_t inStride, TC *out, int64_t outStride, int64_t n) {
  using E = FunctionType<TA>;
  E largest = E(-float(SINTER_INFINITY));
  for (int64_t j = 0; j < n; ++j)
    largest = max(largest, convert<E>(in[j * inStride]));
  E total{};
  for (int64_t j = 0; j < n; ++j)
    total += expNegative(E(convert<E>(in[j * inStride]) - largest));
  for (int64_t j = 0; j < n; ++j) {
    const E x = convert<E>(in[j * inStride]) - largest;
    out[j * outStride] = convert<TC>(kLog ? x - log(total) : expNegative(x) / total);
  }
}

struct SoftmaxParams {
  bool logarithm;
};

template <bool kLog, class T>
SINTER_HOST_DEVICE void softmaxOf(View<const T, 3> x, View<T, 3> y) {
  const int64_t outer = x.sizes[0], n = x.sizes[1], inner = x.sizes[2];
  const auto plain = [](auto v, auto...) { return v; };
  if (inner == 1 && x.strides[1] == 1 && y.strides[1] == 1) {
    softmaxRows<kLog>(x.data, x.strides[0], y.data, y.strides[0], outer, n, plain);
    return;
  }
  const bool adjacent = x.strides[2] == 1 && y.strides[2] == 1 && x.strides[1] == inner && y.strides[1] == inner;
  for (int64_t o = 0; o < outer; ++o) {
    const T *in = x.data + o * x.strides[0];
    T *out = y.data + o * y.strides[0];
    if (adjacent)
      softmaxColumns<kLog>(in, out, 1, n, inner, plain);
    else
      for (int64_t i = 0; i < inner; ++i)
        softmaxStrided<kLog>(in + i * x.strides[2], x.strides[1], out + i * y.strides[2], y.strides[1], n);
  }
}

/// The kernel "softmax": along the middle dim of [outer, n, inner].
template <class T>
SINTER_HOST_DEVICE void softmax(const SoftmaxParams &params, View<const T, 3> x, View<T, 3> y) {
  if (params.logarithm)
    softmaxOf<true>(x, y);
  else
    softmaxOf<false>(x, y);
}

} // namespace
} // namespace sinter
