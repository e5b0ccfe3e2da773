// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX's LSTM, GRU and RNN, one direction of one layer per call. The input's products are one GEMM for many steps at
// once; each step then adds the state's and runs the cell. Activations are objects of activation.h.
#pragma once

#include "templates/activation.h"
#include "templates/gemm.h"
#include "templates/map.h"

namespace sinter {
namespace {

/// Sizes and distances (in elements): x(t, b, i) at t * xStep + b * xBatch + i, y(t, b, j) at t * yStep + b * yBatch +
/// j, which serves both of ONNX's layouts and several directions in one y. `stepsAtOnce` trades scratch for speed: at
/// least 1.
/// Batch and AtOnce may be Fixed: with both Fixed<1>, a cell needs the code of one matrix-vector product only.
template <class Batch = int64_t, class AtOnce = int64_t>
struct RecurrentShape {
  int64_t steps;
  Batch batch;
  int64_t input, hidden;
  int64_t xStep, xBatch, yStep, yBatch;
  bool reverse;
  AtOnce stepsAtOnce;
};
/// Elements of float scratch that a cell with `gates` gates needs (LSTM 4, GRU 3, RNN 1).
template <class Shape>
SINTER_INLINE int64_t recurrentScratch(const Shape &s, int64_t gates) {
  return s.stepsAtOnce * s.batch * gates * s.hidden + s.batch * s.hidden;
}

/// Fills gates[step][batch][n] = x W + bias for steps first .. first + count - 1, n columns of packed W.
template <int R, int NR, class Shape, class TX, class TW>
SINTER_INLINE void inputGates(const Shape &s, const TX *x, const TW *w, const float *bias, int64_t first, int64_t count,
                              int64_t n, float *gates) {
  const auto addBias = [&](auto v, int64_t, int64_t j) { return bias ? v + load<decltype(v)>(bias + j) : v; };
  const auto rows = [&] {
    if constexpr (kSame<decltype(s.stepsAtOnce), Fixed<1>>)
      return Fixed<1>{};
    else
      return count;
  }();
  if (s.batch == 1)
    gemm<R, NR>(x + first * s.xStep, s.xStep, w, gates, n, rows, n, s.input, addBias);
  else if constexpr (!kSame<decltype(s.batch), Fixed<1>>) {
    if (s.xStep == s.batch * s.xBatch)
      gemm<R, NR>(x + first * s.xStep, s.xBatch, w, gates, n, count * s.batch, n, s.input, addBias);
    else
      for (int64_t b = 0; b < s.batch; ++b)
        gemm<R, NR>(x + first * s.xStep + b * s.xBatch, s.xStep, w, gates + b * n, s.batch * n, count, n, s.input,
                    addBias);
  }
}
/// c[batch][n] += h R, n columns of packed R, rows of c `pitch` apart.
template <int R, int NR, class Shape, class TW>
SINTER_INLINE void addState(const Shape &s, const float *h, const TW *r, int64_t n, float *c, int64_t pitch) {
  gemm<R, NR>(h, s.hidden, r, c, pitch, s.batch, n, s.hidden,
              [&](auto v, int64_t i, int64_t j) { return v + load<decltype(v)>(c + i * pitch + j); });
}

/// Walks the steps, in chunks of which the input's part is computed at once, and calls cell(gates of the step, t).
template <int R, int NR, class Shape, class TX, class TW, class Cell>
SINTER_INLINE void eachStep(const Shape &s, const TX *x, const TW *w, const float *bias, int64_t n, float *gates,
                            Cell cell) {
  for (int64_t done = 0; done < s.steps; done += s.stepsAtOnce) {
    const int64_t count = s.steps - done < s.stepsAtOnce ? s.steps - done : s.stepsAtOnce;
    const int64_t first = s.reverse ? s.steps - done - count : done;
    inputGates<R, NR>(s, x, w, bias, first, count, n, gates);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = s.reverse ? count - 1 - i : i;
      cell(gates + at * s.batch * n, first + at);
    }
  }
}
/// A sequence that is over at step t keeps its state; its output is 0.
SINTER_INLINE bool isOver(const int32_t *lengths, int64_t b, int64_t t) { return lengths && t >= lengths[b]; }
template <class TY>
SINTER_INLINE void zeroRow(TY *y, int64_t n) {
  map<float>(n, [&](auto tag, int64_t j) { store(y + j, typename decltype(tag)::Type{}); });
}

/// w, r: packed by gemm_pack.h, 4 * hidden columns in ONNX's order i, o, f, c, of W^T and R^T. `bias`: Wb + Rb, or
/// null. `peephole`: [i, o, f][hidden], or null. `lengths`: one per sequence, or null. h, c: [batch][hidden], the state
/// before and after. y: all states, or null. f, g, h: activations; `clip`: infinity for none. `coupled`: ONNX's
/// input_forget.
template <int R, int NR, class Shape, class TX, class TW, class TY, class F, class G, class H>
void lstm(const Shape &s, const TX *x, const TW *w, const TW *r, const float *bias, const float *peephole,
          const int32_t *lengths, float *h, float *c, TY *y, float *scratch, float clip, bool coupled, F f, G g,
          H hOf) {
  const int64_t n = 4 * s.hidden;
  eachStep<R, NR>(s, x, w, bias, n, scratch, [&](float *gates, int64_t t) {
    addState<R, NR>(s, h, r, n, gates, n);
    for (int64_t b = 0; b < s.batch; ++b) {
      TY *out = y ? y + t * s.yStep + b * s.yBatch : nullptr;
      if (isOver(lengths, b, t)) {
        if (out)
          zeroRow(out, s.hidden);
        continue;
      }
      const float *gate = gates + b * n;
      float *cell = c + b * s.hidden, *state = h + b * s.hidden;
      map<float>(s.hidden, [&](auto tag, int64_t j) {
        using V = typename decltype(tag)::Type;
        const auto in = [&](int64_t which, V carried) {
          V v = load<V>(gate + which * s.hidden + j);
          if (peephole && which < 3)
            v = fma(load<V>(peephole + which * s.hidden + j), carried, v);
          return clamp(v, splat<V>(-clip), splat<V>(clip));
        };
        const V before = load<V>(cell + j);
        const V i = f(in(0, before));
        const V forget = coupled ? V(1.0f - i) : f(in(2, before));
        const V after = fma(forget, before, V(i * g(in(3, before))));
        const V result = f(in(1, after)) * hOf(after);
        store(cell + j, after);
        store(state + j, result);
        if (out)
          store(out + j, result);
      });
    }
  });
}

/// w: packed, 3 * hidden columns in ONNX's order z, r, h. rZr: its first 2 * hidden columns of R^T, rH the last hidden
/// ones. `bias`: [3 * hidden], Wb + Rb, without Rb in the last third where `linearBeforeReset`, which takes it as
/// `biasH`; or null.
template <int R, int NR, class Shape, class TX, class TW, class TY, class F, class G>
void gru(const Shape &s, const TX *x, const TW *w, const TW *rZr, const TW *rH, const float *bias, const float *biasH,
         const int32_t *lengths, float *h, TY *y, float *scratch, float clip, bool linearBeforeReset, F f, G g) {
  const int64_t n = 3 * s.hidden;
  float *reset = scratch + s.stepsAtOnce * s.batch * n; // [batch][hidden]: r h, or h R for linearBeforeReset
  eachStep<R, NR>(s, x, w, bias, n, scratch, [&](float *gates, int64_t t) {
    addState<R, NR>(s, h, rZr, 2 * s.hidden, gates, n);
    const auto limited = [&](auto v) { return clamp(v, splat<decltype(v)>(-clip), splat<decltype(v)>(clip)); };
    if (linearBeforeReset) {
      gemm<R, NR>(h, s.hidden, rH, reset, s.hidden, s.batch, s.hidden, s.hidden,
                  [&](auto v, int64_t, int64_t j) { return biasH ? v + load<decltype(v)>(biasH + j) : v; });
    } else {
      for (int64_t b = 0; b < s.batch; ++b)
        map<float>(s.hidden, [&](auto tag, int64_t j) {
          using V = typename decltype(tag)::Type;
          store(reset + b * s.hidden + j,
                V(f(limited(load<V>(gates + b * n + s.hidden + j))) * load<V>(h + b * s.hidden + j)));
        });
      addState<R, NR>(s, reset, rH, s.hidden, gates + 2 * s.hidden, n);
    }
    for (int64_t b = 0; b < s.batch; ++b) {
      TY *out = y ? y + t * s.yStep + b * s.yBatch : nullptr;
      if (isOver(lengths, b, t)) {
        if (out)
          zeroRow(out, s.hidden);
        continue;
      }
      const float *gate = gates + b * n;
      float *state = h + b * s.hidden;
      map<float>(s.hidden, [&](auto tag, int64_t j) {
        using V = typename decltype(tag)::Type;
        V candidate = load<V>(gate + 2 * s.hidden + j);
        if (linearBeforeReset)
          candidate = fma(f(limited(load<V>(gate + s.hidden + j))), load<V>(reset + b * s.hidden + j), candidate);
        candidate = g(limited(candidate));
        const V z = f(limited(load<V>(gate + j)));
        const V result = fma(z, V(load<V>(state + j) - candidate), candidate);
        store(state + j, result);
        if (out)
          store(out + j, result);
      });
    }
  });
}

/// w, r: packed, hidden columns of W^T and R^T. `bias`: Wb + Rb, or null.
template <int R, int NR, class Shape, class TX, class TW, class TY, class F>
void rnn(const Shape &s, const TX *x, const TW *w, const TW *r, const float *bias, const int32_t *lengths, float *h,
         TY *y, float *scratch, float clip, F f) {
  const int64_t n = s.hidden;
  eachStep<R, NR>(s, x, w, bias, n, scratch, [&](float *gates, int64_t t) {
    addState<R, NR>(s, h, r, n, gates, n);
    for (int64_t b = 0; b < s.batch; ++b) {
      TY *out = y ? y + t * s.yStep + b * s.yBatch : nullptr;
      if (isOver(lengths, b, t)) {
        if (out)
          zeroRow(out, s.hidden);
        continue;
      }
      map<float>(s.hidden, [&](auto tag, int64_t j) {
        using V = typename decltype(tag)::Type;
        const V result = f(clamp(load<V>(gates + b * n + j), splat<V>(-clip), splat<V>(clip)));
        store(h + b * n + j, result);
        if (out)
          store(out + j, result);
      });
    }
  });
}

} // namespace
} // namespace sinter
