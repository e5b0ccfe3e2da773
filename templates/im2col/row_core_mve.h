// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// im2col rows for Cortex-M55 (Helium): sixteen products at a time into one register, four filters with each sixteen
// inputs, and the four sums requantized as a vector. Weights: [filters / 4][runs * length / 16][4][16].
#pragma once

#include "templates/im2col/row_core_plain.h"

namespace sinter {
namespace {

using Four = FourInts;

/// Four sums of the filters from c on, requantized; `left`: how many of them there are, others are dropped.
template <class TC>
SINTER_INLINE void putFour(const Requantize &epilogue, int32_t c, int32_t left, Four sums, TC *to) {
  if (left >= 4)
    store(to, epilogue.apply(sums, c));
  else
    for (int q = 0; q < 4 && q < left; ++q)
      store(to + q, epilogue.apply(int32_t(sums[q]), c + q));
}

struct VectorRows {
  [[maybe_unused]] static constexpr int32_t kStep = 16, kHeader = 0, kRows = 1;
  [[maybe_unused]] static constexpr bool kFour = true, kTakesRuns = true;
  template <class TA>
  static constexpr bool reads() {
    return kSame<TA, int8_t>;
  }
  /// Gathers with stores of sixteen bytes.
  struct Row : PlainRows::Row {
    using PlainRows::Row::Row;
#if SINTER_MVE
    SINTER_INLINE_MEMBER void copy(const int8_t *from, int32_t n) {
      if (__builtin_constant_p(n) && n <= 16) {
        __asm__ volatile("vctp.8 %[n]\n vpstt\n vldrbt.8 q0, [%[from]]\n vstrbt.8 q0, [%[to]]\n"
                         :
                         : [n] "r"(n), [from] "r"(from), [to] "r"(at)
                         : "q0", "memory" SINTER_AND_P0);
      } else {
        const int8_t *end = from; // moves on by whole vectors
        uint8_t *to = at;
        __asm__ volatile(
            "wlstp.8 lr, %[n], 2f\n 1: vldrb.8 q0, [%[from]], #16\n vstrb.8 q0, [%[to]], #16\n letp lr, 1b\n 2:\n"
            : [from] "+r"(end), [to] "+r"(to)
            : [n] "r"(n)
            : "lr", "q0", "memory" SINTER_AND_P0);
      }
      at += n;
    }
    using PlainRows::Row::copy;
#endif
  };

#if SINTER_MVE
  /// Around the products of some rows: what is written before or behind them stays there.
  SINTER_INLINE_MEMBER static void fence() { __asm__ volatile("" : : : "memory"); }
// Sixteen inputs, four filters; vmladav where the sums begin.
#define SINTER_STEP(op)                                                                                                \
  "vldrb.8 q0, [%[a]], #16\n"                                                                                          \
  "vldrw.32 q1, [%[w]], #16\n" op " %[s0], q0, q1\n vldrw.32 q1, [%[w]], #16\n" op " %[s1], q0, q1\n"                  \
  "vldrw.32 q1, [%[w]], #16\n" op " %[s2], q0, q1\n vldrw.32 q1, [%[w]], #16\n" op " %[s3], q0, q1\n"
#define SINTER_ADD SINTER_STEP("vmladava.s8")
#define SINTER_FIRST SINTER_STEP("vmladav.s8")
  SINTER_INLINE_MEMBER static Four fourOf(int32_t s0, int32_t s1, int32_t s2, int32_t s3) {
    Four v;
    __asm__("vmov %q0[2], %q0[0], %1, %3\n vmov %q0[3], %q0[1], %2, %4" : "=w"(v) : "r"(s0), "r"(s1), "r"(s2), "r"(s3));
    return v;
  }
  /// The sums of four filters over a row. That this reads memory is not said to the compiler, which would forget all
  /// that it holds in registers: see fence.
  SINTER_INLINE_MEMBER static Four four(const uint8_t *a, const Im2colRows &rows, const uint8_t *w) {
    int32_t s0, s1, s2, s3;
    const int32_t steps = rows.length / 16, runs = rows.runs;
#define SINTER_STEPS(text, how)                                                                                        \
  __asm__ volatile(text                                                                                                \
                   : [s0] how(s0), [s1] how(s1), [s2] how(s2), [s3] how(s3), [a] "+r"(a), [w] "+r"(w)                  \
                   :                                                                                                   \
                   : "q0", "q1")
    const auto more = [&](int32_t n) SINTER_INLINE_LAMBDA {
      for (; n >= 4; n -= 4)
        SINTER_STEPS(SINTER_ADD SINTER_ADD SINTER_ADD SINTER_ADD, "+Te");
      if (__builtin_constant_p(n) && n == 3)
        SINTER_STEPS(SINTER_ADD SINTER_ADD SINTER_ADD, "+Te");
      else if (__builtin_constant_p(n) && n == 2)
        SINTER_STEPS(SINTER_ADD SINTER_ADD, "+Te");
      else
        for (; n > 0; --n)
          SINTER_STEPS(SINTER_ADD, "+Te");
    };
// Three runs of a few steps, the usual ones, in one piece.
#define SINTER_RUNS(first, next)                                                                                       \
  __asm__ volatile(first "add %[a], %[a], %[skip]\n" next "add %[a], %[a], %[skip]\n" next                             \
                   : [s0] "=&Te"(s0), [s1] "=&Te"(s1), [s2] "=&Te"(s2), [s3] "=&Te"(s3), [a] "+&r"(a), [w] "+&r"(w)    \
                   : [skip] "r"(rows.runPitch - rows.length)                                                           \
                   : "q0", "q1")
    if (__builtin_constant_p(steps) && runs == 3 && steps <= 3) {
      if (steps == 1)
        SINTER_RUNS(SINTER_FIRST, SINTER_ADD);
      else if (steps == 2)
        SINTER_RUNS(SINTER_FIRST SINTER_ADD, SINTER_ADD SINTER_ADD);
      else
        SINTER_RUNS(SINTER_FIRST SINTER_ADD SINTER_ADD, SINTER_ADD SINTER_ADD SINTER_ADD);
    } else {
      if (steps >= 4) {
        SINTER_STEPS(SINTER_FIRST SINTER_ADD SINTER_ADD SINTER_ADD, "=&Te");
        more(steps - 4);
      } else {
        SINTER_STEPS(SINTER_FIRST, "=&Te");
        more(steps - 1);
      }
      SINTER_UNROLL
      for (int32_t run = 1; run < runs; ++run) {
        a += rows.runPitch - rows.length;
        more(steps);
      }
    }
#undef SINTER_RUNS
#undef SINTER_STEPS
    return fourOf(s0, s1, s2, s3);
  }
#else
  static void fence() {}
  static Four four(const uint8_t *a, const Im2colRows &rows, const uint8_t *w) {
    Four v{};
    for (int32_t run = 0; run < rows.runs; ++run, a += rows.runPitch - rows.length)
      for (int32_t i = 0; i < rows.length; i += 16, a += 16, w += 64)
        for (int q = 0; q < 4; ++q)
          for (int j = 0; j < 16; ++j)
            v[q] += int8_t(a[j]) * int8_t(w[q * 16 + j]);
    return v;
  }
#endif

#if SINTER_MVE
// vcvtn rounds to nearest even and saturates; a whole byte needs no limits of its own.
#define SINTER_JOINED "vmov q0[2], q0[0], %[s0], %[s2]\n vmov q0[3], q0[1], %[s1], %[s3]\n"
#define SINTER_SCALED                                                                                                  \
  "vadd.i32 q0, q0, %q[bias]\n vcvt.f32.s32 q0, q0\n vmul.f32 q0, q0, %q[factor]\n vcvtn.s32.f32 q0, q0\n"
#define SINTER_WHOLE "vqadd.s32 q0, q0, %[zero]\n vqmovnb.s32 q0, q0\n vqmovnb.s16 q0, q0\n"
#define SINTER_LIMITED "vmax.s32 q0, q0, %q[least]\n vmin.s32 q0, q0, %q[most]\n vadd.i32 q0, q0, %[zero]\n"
#define SINTER_NEXT "vstrb.32 q0, [%[to]]\n add %[a], %[a], %[next]\n add %[to], %[to], %[step]\n"
#define SINTER_OPERANDS , [least] "w"(least), [most] "w"(most)
#define SINTER_ROWS(size, products, limits, operands)                                                                  \
  __asm__ volatile("dls lr, %[s0]\n 1:\n" products SINTER_JOINED SINTER_SCALED limits SINTER_NEXT                      \
                   "sub %[w], %[w], %[used]\n le lr, 1b\n"                                                             \
                   : [s0] "+&Te"(s0), [s1] "=&Te"(s1), [s2] "=&Te"(s2), [s3] "=&Te"(s3), [a] "+&r"(at),                \
                     [w] "+&r"(weights), [to] "+&l"(to)                                                                \
                   : [next] "r"(next), [step] "r"(step), [zero] "r"(zero), [skip] "r"(rows.runs > 1 ? skip : step),    \
                     [used] "n"(size), [bias] "w"(bias), [factor] "w"(factor)operands                                  \
                   : "lr", "q0", "q1", "memory")
#define SINTER_OF_BOTH(size, products)                                                                                 \
  do {                                                                                                                 \
    if (isWhole)                                                                                                       \
      SINTER_ROWS(size, products, SINTER_WHOLE, );                                                                     \
    else                                                                                                               \
      SINTER_ROWS(size, products, SINTER_LIMITED, SINTER_OPERANDS);                                                    \
  } while (false)
#define SINTER_RUNS_OF(first, next) first "add %[a], %[a], %[skip]\n" next "add %[a], %[a], %[skip]\n" next
#if defined(__OPTIMIZE__) // without, the compiler finds no registers for it
  /// Whether fourFilters takes rows of these sizes.
  SINTER_INLINE_MEMBER static bool inOnePiece(const Im2colRows &rows) {
    const int32_t length = rows.length;
    return __builtin_constant_p(length) && (rows.runs == 1 ? length <= 64 : rows.runs == 3 && length <= 48);
  }
  /// Four filters over rows, requantized, outputs `step` apart. In one piece from the first row to the last: the
  /// compiler would move its registers to the stack and back for every row.
  template <class TC>
  SINTER_INLINE_MEMBER static void fourFilters(const Im2colRows &rows, const uint8_t *weights,
                                               const Requantize &epilogue, int32_t c, TC *to, int32_t step) {
    const uint8_t *at = rows.at;
    const int32_t zero = epilogue.zero, length = rows.length, skip = rows.runPitch - length;
    const int32_t next = rows.pitch - length - (rows.runs - 1) * rows.runPitch;
    const Four bias = load<Four>(epilogue.bias + c), least = splat<Four>(epilogue.low),
               most = splat<Four>(epilogue.high);
    const Vec<float, 4> factor = load<Vec<float, 4>>(epilogue.factor + c * epilogue.step);
    const bool isWhole = epilogue.low + zero == -128 && epilogue.high + zero == 127;
    int32_t s0 = rows.count, s1, s2, s3; // the count is read before the sum is written
    if (rows.runs == 1 && length == 16) {
      if (isWhole) { // the weights stay in registers
        using Step = Vec<int8_t, 16>;
        const int32_t rest = rows.pitch;
        const Step w0 = load<Step>(weights), w1 = load<Step>(weights + 16), w2 = load<Step>(weights + 32),
                   w3 = load<Step>(weights + 48);
        __asm__ volatile(
            "dls lr, %[s0]\n 1:\n vldrb.8 q0, [%[a]]\n vmladav.s8 %[s0], q0, %q[w0]\n"
            "vmladav.s8 %[s1], q0, %q[w1]\n vmladav.s8 %[s2], q0, %q[w2]\n"
            "vmladav.s8 %[s3], q0, %q[w3]\n" SINTER_JOINED SINTER_SCALED SINTER_WHOLE SINTER_NEXT "le lr, 1b\n"
            : [s0] "+&Te"(s0), [s1] "=&Te"(s1), [s2] "=&Te"(s2), [s3] "=&Te"(s3), [a] "+&r"(at), [to] "+&l"(to)
            : [next] "r"(rest), [step] "r"(step), [zero] "r"(zero), [w0] "w"(w0), [w1] "w"(w1), [w2] "w"(w2),
              [w3] "w"(w3), [bias] "w"(bias), [factor] "w"(factor)
            : "lr", "q0", "memory");
        return;
      }
      SINTER_ROWS(64, SINTER_FIRST, SINTER_LIMITED, SINTER_OPERANDS);
    } else if (rows.runs == 1 && length == 32) {
      SINTER_OF_BOTH(128, SINTER_FIRST SINTER_ADD);
    } else if (rows.runs == 1 && length == 48) {
      SINTER_OF_BOTH(192, SINTER_FIRST SINTER_ADD SINTER_ADD);
    } else if (rows.runs == 1) {
      SINTER_OF_BOTH(256, SINTER_FIRST SINTER_ADD SINTER_ADD SINTER_ADD);
    } else if (length == 16) {
      SINTER_OF_BOTH(192, SINTER_RUNS_OF(SINTER_FIRST, SINTER_ADD));
    } else if (length == 32) {
      SINTER_OF_BOTH(384, SINTER_RUNS_OF(SINTER_FIRST SINTER_ADD, SINTER_ADD SINTER_ADD));
    } else {
      SINTER_OF_BOTH(576, SINTER_RUNS_OF(SINTER_FIRST SINTER_ADD SINTER_ADD, SINTER_ADD SINTER_ADD SINTER_ADD));
    }
  }
#endif
#endif

  /// All filters, requantized; at(i) is where row i's outputs go.
  template <class At>
  SINTER_INLINE_MEMBER static void requantized(const Im2colRows &rows, const uint8_t *weights, int32_t filters,
                                               const Requantize &epilogue, At at) {
    fence();
    int32_t c = 0;
#if SINTER_MVE && defined(__OPTIMIZE__)
    if (sizeof(*at(0)) == 1 && inOnePiece(rows)) {
      const int32_t step = int32_t(at(1) - at(0));
      if (at(rows.count - 1) - at(0) == (rows.count - 1) * step)
        for (; c + 4 <= filters; c += 4, weights += 4 * rows.runs * rows.length)
          fourFilters(rows, weights, epilogue, c, at(0) + c, step);
    }
#endif
    for (; c < filters; c += 4, weights += 4 * rows.runs * rows.length) {
      const uint8_t *row = rows.at;
      int32_t i = 0;
#if SINTER_MVE
      if (sizeof(*at(0)) == 1 && c + 4 <= filters) {
        const Four bias = load<Four>(epilogue.bias + c), least = splat<Four>(epilogue.low),
                   most = splat<Four>(epilogue.high);
        const Vec<float, 4> factor = load<Vec<float, 4>>(epilogue.factor + c * epilogue.step);
        const int32_t zero = epilogue.zero;
        for (; i < rows.count; ++i, row += rows.pitch) {
          const Four v = four(row, rows, weights);
          __asm__ volatile("vmov q0, %q[v]\n" SINTER_SCALED SINTER_LIMITED "vstrb.32 q0, [%[to]]\n"
                           :
                           : [v] "w"(v), [bias] "w"(bias), [factor] "w"(factor), [least] "w"(least), [most] "w"(most),
                             [zero] "r"(zero), [to] "l"(at(i) + c)
                           : "q0", "memory");
        }
      }
#endif
      for (; i < rows.count; ++i, row += rows.pitch)
        putFour(epilogue, c, filters - c, four(row, rows, weights), at(i) + c);
    }
    fence();
  }
};
#if SINTER_MVE
#undef SINTER_RUNS_OF
#undef SINTER_OF_BOTH
#undef SINTER_ROWS
#undef SINTER_OPERANDS
#undef SINTER_NEXT
#undef SINTER_LIMITED
#undef SINTER_WHOLE
#undef SINTER_SCALED
#undef SINTER_JOINED
#undef SINTER_STEP
#undef SINTER_FIRST
#undef SINTER_ADD
#endif

} // namespace
} // namespace sinter
