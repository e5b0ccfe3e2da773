// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution of 8-bit channels-last images for Cortex-M55 (Helium). Four rows of input are woven into
// columns of four bytes per channel; the window of an output is then four columns, one vector of 16 bytes, and one
// instruction multiplies it with the channel's weights and adds up. With stride 1 the same columns serve two rows of
// outputs.
//
// Weights: [channels filled up to fours][1 or 2 rows of outputs][4 columns][4 rows], zero where the kernel has no tap;
// for the second row of outputs one row further down.
#pragma once

#include "templates/im2col/row_core_mve.h"

namespace sinter {
namespace {

/// Rows of outputs from one set of columns.
SINTER_INLINE constexpr int64_t columnRows(int64_t kernelH, int64_t strideH) {
  return kernelH <= 3 && strideH == 1 ? 2 : 1;
}
/// Columns, a row of zero points, and room for whole vectors behind both.
SINTER_INLINE constexpr int64_t columnScratch(int64_t channels, int64_t outWidth, int64_t strideW) {
  return ((outWidth - 1) * strideW + 4) * channels * 4 + 64 + (channels + 15) / 16 * 16;
}

/// n columns of the four rows: columns[x][channel][4].
SINTER_INLINE void weaveColumns(const int8_t *const (&rows)[4], int32_t channels, int8_t *columns) {
  const int8_t *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
#if SINTER_MVE
  for (int32_t left = channels; left > 0; left -= 16, columns += 64)
    __asm__ volatile("vctp.8 %[n]\n vpstttt\n vldrbt.8 q0, [%[a]], #16\n vldrbt.8 q1, [%[b]], #16\n"
                     "vldrbt.8 q2, [%[c]], #16\n vldrbt.8 q3, [%[d]], #16\n"
                     "vst40.8 {q0, q1, q2, q3}, [%[to]]\n vst41.8 {q0, q1, q2, q3}, [%[to]]\n"
                     "vst42.8 {q0, q1, q2, q3}, [%[to]]\n vst43.8 {q0, q1, q2, q3}, [%[to]]\n"
                     : [a] "+r"(r0), [b] "+r"(r1), [c] "+r"(r2), [d] "+r"(r3)
                     : [n] "r"(left), [to] "r"(columns)
                     : "q0", "q1", "q2", "q3", "memory" SINTER_AND_P0);
#else
  for (int32_t c = 0; c < channels; ++c) {
    *columns++ = r0[c];
    *columns++ = r1[c];
    *columns++ = r2[c];
    *columns++ = r3[c];
  }
#endif
}

/// Sums of four channels, for kRows rows of outputs. `at`: the addresses of four columns of the first channel, which
/// move on to the next four.
struct ColumnAddress {
#if SINTER_MVE
  Vec<uint32_t, 4> at;
  SINTER_INLINE_MEMBER ColumnAddress(const int8_t *columns, int32_t pitch) {
    const uint32_t first = uint32_t(columns), step = uint32_t(pitch);
    const uint32_t each[4] = {first, first + step, first + 2 * step, first + 3 * step};
    memcpy(&at, &each, sizeof(at));
  }
#define SINTER_ONE(j, s, t)                                                                                            \
  "vldrw.u32 q0, [%q[at], #4*" #j "]\n vldrw.32 q1, [%[w], #16*" #j "]\n vmladav.s8 %[" s "], q0, q1\n"
#define SINTER_TWO(j, s, t)                                                                                            \
  "vldrw.u32 q0, [%q[at], #4*" #j "]\n vldrw.32 q1, [%[w], #32*" #j "]\n vmladav.s8 %[" s "], q0, q1\n"                \
  "vldrw.32 q1, [%[w], #32*" #j "+16]\n vmladav.s8 %[" t "], q0, q1\n"
  SINTER_INLINE_MEMBER void dots(const int8_t *w, Four (&v)[1]) {
    int32_t s0, s2;
    __asm__ volatile(SINTER_ONE(0, "s0", "") SINTER_ONE(2, "s2", "") "vmov %q[a][2], %q[a][0], %[s0], %[s2]\n" //
                     SINTER_ONE(1, "s0", "") SINTER_ONE(3, "s2", "") "vmov %q[a][3], %q[a][1], %[s0], %[s2]\n"
                     : [a] "=&w"(v[0]), [s0] "=&Te"(s0), [s2] "=&Te"(s2)
                     : [at] "w"(at), [w] "r"(w)
                     : "q0", "q1", "memory");
    __asm__("vadd.i32 %q0, %q0, %1" : "+w"(at) : "r"(16));
  }
  SINTER_INLINE_MEMBER void dots(const int8_t *w, Four (&v)[2]) {
    int32_t s0, s2, t0, t2;
    __asm__ volatile(
        SINTER_TWO(0, "s0", "t0") SINTER_TWO(2, "s2", "t2") //
        "vmov %q[a][2], %q[a][0], %[s0], %[s2]\n vmov %q[b][2], %q[b][0], %[t0], %[t2]\n" SINTER_TWO(1, "s0", "t0")
            SINTER_TWO(3, "s2", "t2") //
        "vmov %q[a][3], %q[a][1], %[s0], %[s2]\n vmov %q[b][3], %q[b][1], %[t0], %[t2]\n"
        : [a] "=&w"(v[0]), [b] "=&w"(v[1]), [s0] "=&Te"(s0), [s2] "=&Te"(s2), [t0] "=&Te"(t0), [t2] "=&Te"(t2)
        : [at] "w"(at), [w] "r"(w)
        : "q0", "q1", "memory");
    __asm__("vadd.i32 %q0, %q0, %1" : "+w"(at) : "r"(16));
  }
#undef SINTER_ONE
#undef SINTER_TWO
#else
  const int8_t *at;
  int32_t pitch;
  SINTER_INLINE_MEMBER ColumnAddress(const int8_t *columns, int32_t step) : at(columns), pitch(step) {}
  template <int kRows>
  SINTER_INLINE_MEMBER void dots(const int8_t *w, Four (&v)[kRows]) {
    for (int r = 0; r < kRows; ++r) {
      v[r] = Four{};
      for (int c = 0; c < 4; ++c)
        for (int i = 0; i < 16; ++i)
          v[r][c] += int32_t(at[i / 4 * pitch + c * 4 + i % 4]) * w[(c * kRows + r) * 16 + i];
    }
    at += 16;
  }
#endif
};

/// Four channels of one or two rows of outputs, requantized to bytes. All pointers move on to the next four.
#if SINTER_MVE
#define SINTER_REQUANTIZE(v)                                                                                           \
  "vadd.i32 " v ", " v ", q0\n vcvt.f32.s32 " v ", " v "\n vmul.f32 " v ", " v ", q1\n vcvtn.s32.f32 " v ", " v "\n"   \
  "vmax.s32 " v ", " v ", %q[least]\n vmin.s32 " v ", " v ", %q[most]\n vadd.i32 " v ", " v ", %[zero]\n"
#define SINTER_FROM                                                                                                    \
  [bias] "+r"(bias),                                                                                                   \
      [factor] "+r"(factor) : [least] "w"(least), [most] "w"(most), [zero] "r"(zero) : "q0", "q1", "memory"
SINTER_INLINE void putColumns(Four (&v)[1], const int32_t *&bias, const float *&factor, Four least, Four most,
                              int32_t zero, int8_t *&to, int8_t *&) {
  __asm__ volatile("vldrw.32 q0, [%[bias]], #16\n vldrw.32 q1, [%[factor]], #16\n" SINTER_REQUANTIZE("%q[v]") //
                   "vstrb.32 %q[v], [%[to]], #4\n"
                   : [v] "+w"(v[0]), [to] "+l"(to), SINTER_FROM);
}
SINTER_INLINE void putColumns(Four (&v)[2], const int32_t *&bias, const float *&factor, Four least, Four most,
                              int32_t zero, int8_t *&to, int8_t *&below) {
  __asm__ volatile("vldrw.32 q0, [%[bias]], #16\n vldrw.32 q1, [%[factor]], #16\n" //
                   SINTER_REQUANTIZE("%q[u]") SINTER_REQUANTIZE("%q[v]")           //
                   "vstrb.32 %q[u], [%[below]], #4\n vstrb.32 %q[v], [%[to]], #4\n"
                   : [v] "+w"(v[0]), [u] "+w"(v[1]), [to] "+l"(to), [below] "+l"(below), SINTER_FROM);
}
#undef SINTER_REQUANTIZE
#undef SINTER_FROM
#endif

/// One or two rows of outputs, from h on. Where only one of two is wanted, the other goes to the same place before it.
template <int kRows, class Shape, class TC, class Epilogue>
SINTER_INLINE void columnOutputs(const Shape &s, const int8_t *columns, const int8_t *weights, TC *out, int32_t rows,
                                 int32_t n, int32_t h, const Epilogue &epilogue) {
  const int32_t channels = int32_t(s.channels), pitch = channels * 4;
  for (int32_t w = 0; w < s.outWidth; ++w, columns += int32_t(s.strideW) * pitch, out += int32_t(s.out.pixel)) {
    ColumnAddress address(columns, pitch);
    const int8_t *taps = weights;
    int32_t c = 0;
#if SINTER_MVE
    if constexpr (kIsRequantize<Epilogue> && sizeof(TC) == 1) {
      const Four least = splat<Four>(epilogue.low), most = splat<Four>(epilogue.high);
      const int32_t *bias = epilogue.bias, zero = epilogue.zero;
      const float *factor = epilogue.factor;
      int8_t *to = reinterpret_cast<int8_t *>(out), *below = to + (rows - 1) * int32_t(s.out.row);
      for (; c + 4 <= channels; c += 4, taps += 64 * kRows) {
        Four v[kRows];
        address.dots(taps, v);
        putColumns(v, bias, factor, least, most, zero, to, below);
        if (epilogue.step == 0)
          factor = epilogue.factor;
      }
    }
#endif
    for (; c < channels; c += 4, taps += 64 * kRows) {
      Four v[kRows];
      address.dots(taps, v);
      for (int r = 0; r < rows; ++r) {
        TC *to = out + r * int32_t(s.out.row) + c;
        if constexpr (kIsRequantize<Epilogue>)
          putFour(epilogue, c, channels - c, v[r], to);
        else
          for (int q = 0; q < 4 && q < channels - c; ++q)
            store(to + q, epilogue(int32_t(v[r][q]), n, c + q, h + r, w));
      }
    }
  }
}

/// groups == channels == filters, all in one block; kernels of at most 4 by 4 without dilation. `zero` is the input's
/// zero point; what depends on weights only is in the epilogue's bias. `scratch`: columnScratch bytes, 4 bytes aligned.
template <int kRows, class Shape, class TC, class Epilogue>
void depthwiseColumns(const Shape &s, const int8_t *in, int32_t zero, const int8_t *weights, TC *out, int8_t *scratch,
                      int64_t firstRow, int64_t lastRow, Epilogue epilogue) {
  const int32_t channels = int32_t(s.channels), width = int32_t((s.outWidth - 1) * s.strideW + 4);
  int8_t *const columns = scratch + (channels + 15) / 16 * 16;
  memset(scratch, zero, size_t((channels + 15) / 16 * 16));
  for (int32_t n = 0; n < s.batch; ++n)
    for (int32_t h = int32_t(firstRow); h < lastRow; h += kRows) {
      const int32_t y = h * int32_t(s.strideH) - int32_t(s.padTop);
      for (int32_t i = 0; i < width; ++i) {
        const int32_t x = i - int32_t(s.padLeft);
        const int8_t *rows[4] = {scratch, scratch, scratch, scratch};
        if (x >= 0 && x < s.width)
          for (int32_t r = 0; r < 4; ++r)
            if (y + r >= 0 && y + r < s.height)
              rows[r] = in + n * int32_t(s.in.batch) + (y + r) * int32_t(s.in.row) + x * int32_t(s.in.pixel);
        weaveColumns(rows, channels, columns + i * channels * 4);
      }
      const int32_t rows = int32_t(lastRow) - h < kRows ? int32_t(lastRow) - h : kRows;
      columnOutputs<kRows>(s, columns, weights, out + n * int32_t(s.out.batch) + h * int32_t(s.out.row), rows, n, h,
                           epilogue);
    }
}

} // namespace
} // namespace sinter
