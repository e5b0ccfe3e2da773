// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax and LogSoftmax over a contiguous axis (lanes along it) and over one with others inside of it (lanes along
// those). Three passes: the largest element, the sum of exponentials, the result. In place is fine.
#pragma once

#include "runtime-lite/view.h"
#include "templates/loops/gather.h"
#include "templates/loops/map.h"
#include "templates/loops/reduce_lanes.h"
#include "templates/math/math_log.h"

namespace sinter {
namespace {

/// What the exponentials of a row are computed in.
template <class T>
using FunctionType = typename IfType<kSame<T, double>, double, float>::Type;

/// The larger one; a if one of both is NaN. An element that is NaN makes NaN of all results by the sum.
struct LargerNumber {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return firstIfLarger(b, a);
  }
};

/// One row of n elements. `epilogue(v, j)`. Where n is no multiple of a vector's lanes the last vector begins earlier,
/// so that no element is left alone: it is computed of what was there before the others are stored.
template <bool kLog, class TA, class TC, class Epilogue>
SINTER_INLINE void softmaxRow(const TA *a, TC *c, int64_t n, Epilogue epilogue) {
  using E = FunctionType<TA>;
  constexpr int lanes = kLanes<E>;
  using V = Vec<E, lanes>;
  // Kept where the output can hold it, else computed again.
  constexpr bool keeps = !kLog && kSame<TC, E>;
  const bool hasTail = lanes > 1 && n > lanes && n % lanes != 0;
  const int64_t tail = hasTail ? n - lanes : 0, count = hasTail ? n - n % lanes : n;
  const auto eachAndTail = [&](auto work, auto finish, bool storesTail) {
    V atTail{};
    if (hasTail)
      atTail = work(Tag<V>{}, tail);
    map<E>(count, [&](auto tag, int64_t j) { finish(work(tag, j), j); });
    if (hasTail && storesTail)
      store(c + tail, atTail);
    return atTail;
  };
  E largest = reduceLanes<E>(
      count, [&](auto tag, int64_t j) { return load<typename decltype(tag)::Type>(a + j); }, E(-float(SINTER_INFINITY)),
      LargerNumber{});
  if (hasTail)
    largest = firstIfLarger(mergeLanes(load<V>(a + tail), LargerNumber{}), largest);
  V several{};
  E rest{};
  const V atTail = eachAndTail(
      [&](auto tag, int64_t j) {
        using W = typename decltype(tag)::Type;
        return expNegative(W(load<W>(a + j) - largest));
      },
      [&](auto e, int64_t j) {
        if constexpr (keeps)
          store(c + j, e);
        if constexpr (kSame<decltype(e), V>)
          several += e;
        else
          rest += e;
      },
      keeps);
  if constexpr (lanes > 1)
    if (hasTail)
      several += select(iota<V>(E(0)) >= E(count - tail), atTail, V{});
  const E total = sum(several) + rest;
  const E factor = E(1) / total;
  const E shift = kLog ? largest + log(total) : largest;
  eachAndTail(
      [&](auto tag, int64_t j) {
        using W = typename decltype(tag)::Type;
        if constexpr (kLog)
          return epilogue(W(load<W>(a + j) - shift), j);
        else if constexpr (keeps)
          return epilogue(W(load<W>(c + j) * factor), j);
        else
          return epilogue(W(expNegative(W(load<W>(a + j) - shift)) * factor), j);
      },
      [&](auto v, int64_t j) { store(c + j, v); }, true);
}

/// As many rows as a vector has lanes, of fewer elements than that: each in a lane. `epilogue(v, i, j)`.
template <bool kLog, class TA, class TC, class Epilogue>
SINTER_INLINE void softmaxShortRows(const TA *in, int64_t inStride, TC *out, int64_t outStride, int64_t n,
                                    Epilogue epilogue) {
  using E = FunctionType<TA>;
  constexpr int lanes = kLanes<E>;
  using V = Vec<E, lanes>;
  V columns[lanes];
  V largest = splat<V>(E(-float(SINTER_INFINITY)));
  for (int64_t j = 0; j < n; ++j) {
    columns[j] = loadApart<V>(in + j, inStride);
    largest = firstIfLarger(columns[j], largest);
  }
  V total{};
  for (int64_t j = 0; j < n; ++j) {
    const V e = expNegative(V(columns[j] - largest));
    total += e;
    if constexpr (!kLog)
      columns[j] = e;
  }
  const V last = [&] {
    if constexpr (kLog)
      return V(largest + log(total));
    else
      return V(E(1) / total);
  }();
  E elements[lanes];
  for (int64_t j = 0; j < n; ++j) {
    store(&elements[0], kLog ? V(columns[j] - last) : V(columns[j] * last));
    for (int64_t i = 0; i < lanes; ++i)
      store(out + i * outStride + j, epilogue(elements[i], i, j));
  }
}

/// `rows` rows of n elements, inStride and outStride apart. `epilogue(v, i, j)`. No scratch, no alignment.
template <bool kLog, class TA, class TC, class Epilogue>
SINTER_HOST_DEVICE void softmaxRows(const TA *in, int64_t inStride, TC *out, int64_t outStride, int64_t rows, int64_t n,
                                    Epilogue epilogue) {
  constexpr int lanes = kLanes<FunctionType<TA>>;
  int64_t i = 0;
  if constexpr (lanes > 1)
    for (; n < lanes && i + lanes <= rows; i += lanes)
      softmaxShortRows<kLog>(in + i * inStride, inStride, out + i * outStride, outStride, n,
                             [&](auto v, int64_t row, int64_t j) { return epilogue(v, i + row, j); });
  for (; i < rows; ++i)
    softmaxRow<kLog>(in + i * inStride, out + i * outStride, n, [&](auto v, int64_t j) { return epilogue(v, i, j); });
}

/// Columns of n elements, stride apart: kMany vectors of them side by side, so that the lines of a row are read whole.
/// Of a single vector the first `width` lanes are meant: the others read what the columns beside them hold, and are not
/// stored. `epilogue(v, j, i)`.
template <bool kLog, int kMany, class V, class TA, class TC, class Epilogue>
SINTER_INLINE void softmaxLanes(const TA *a, TC *c, int64_t n, int64_t stride, int64_t width, Epilogue epilogue) {
  using E = ElementOf<V>;
  constexpr int lanes = kLanesOf<V>;
  // Kept where the output can hold it, else computed again.
  constexpr bool keeps = !kLog && kSame<TC, E>;
  // Of the last rows no element behind the tensor is read.
  const auto at = [&](const auto *p, int64_t j, int u) {
    if constexpr (kMany == 1 && lanes > 1)
      if (width < lanes && (n - 1 - j) * stride + width < lanes)
        return gather<V>(p + j * stride,
                         noMore(iota<Like<V, int32_t>>(0), splat<Like<V, int32_t>>(int32_t(width - 1))));
    return load<V>(p + j * stride + u * lanes);
  };
  const auto put = [&](int64_t j, int u, auto v) {
    if (kMany > 1 || width == lanes)
      store(c + j * stride + u * lanes, v);
    else
      storeN(c + j * stride, v, width);
  };
  const auto eachOf = [&](auto body) {
    for (int64_t j = 0; j < n; ++j)
      for (int u = 0; u < kMany; ++u)
        body(j, u);
  };
  V largest[kMany], total[kMany], factor[kMany];
  for (int u = 0; u < kMany; ++u) {
    largest[u] = splat<V>(E(-float(SINTER_INFINITY)));
    total[u] = V{};
  }
  eachOf([&](int64_t j, int u) { largest[u] = firstIfLarger(at(a, j, u), largest[u]); });
  eachOf([&](int64_t j, int u) {
    const V e = expNegative(V(at(a, j, u) - largest[u]));
    total[u] += e;
    if constexpr (keeps)
      put(j, u, e);
  });
  for (int u = 0; u < kMany; ++u) {
    factor[u] = E(1) / total[u];
    if constexpr (kLog)
      largest[u] += log(total[u]);
  }
  eachOf([&](int64_t j, int u) {
    if constexpr (kLog)
      put(j, u, epilogue(V(at(a, j, u) - largest[u]), j, u * lanes));
    else if constexpr (keeps)
      put(j, u, epilogue(V(at(c, j, u) * factor[u]), j, u * lanes));
    else
      put(j, u, epilogue(V(expNegative(V(at(a, j, u) - largest[u])) * factor[u]), j, u * lanes));
  });
}

/// Element (o, j, i) at o * n * inner + j * inner + i, softmax over j. `epilogue(v, o, j, i)`. No scratch, no
/// alignment.
template <bool kLog, class TA, class TC, class Epilogue>
SINTER_HOST_DEVICE void softmaxColumns(const TA *in, TC *out, int64_t outer, int64_t n, int64_t inner,
                                       Epilogue epilogue) {
  using E = FunctionType<TA>;
  constexpr int lanes = kLanes<E>, many = lanes > 1 ? 4 : 1;
  for (int64_t o = 0; o < outer; ++o) {
    const TA *a = in + o * n * inner;
    TC *c = out + o * n * inner;
    const auto at = [&](int64_t first) {
      return [=](auto v, int64_t j, int64_t i) { return epilogue(v, o, j, first + i); };
    };
    int64_t i = 0;
    if constexpr (many > 1)
      for (; i + many * lanes <= inner; i += many * lanes)
        softmaxLanes<kLog, many, Vec<E, lanes>>(a + i, c + i, n, inner, many * lanes, at(i));
    for (; i < inner; i += lanes)
      softmaxLanes<kLog, 1, Vec<E, lanes>>(a + i, c + i, n, inner, inner - i < lanes ? inner - i : lanes, at(i));
  }
}

/// One row of any stride: what views of parts of tensors need.
template <bool kLog, class TA, class TC>
SINTER_HOST_DEVICE void softmaxStrided(const TA *in, int64_t inStride, TC *out, int64_t outStride, int64_t n) {
  using E = FunctionType<TA>;
  E largest = E(-float(SINTER_INFINITY));
  for (int64_t j = 0; j < n; ++j)
    largest = firstIfLarger(convert<E>(in[j * inStride]), largest);
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
