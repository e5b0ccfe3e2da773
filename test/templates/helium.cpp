// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// im2col rows in Helium's instructions (row_core_mve.h) on an emulated Cortex-M55, which helium.test runs: sizes
// that are known while compiling, as in generated code. Ends with the number of cases that are wrong, and names them.
#include "dual_reference.h"
#include "semihosting.h"
#include "templates/im2col/im2col_rows.h"
#include "templates/im2col/row_core_mve.h"

using namespace sinter;
using sinter::test::QuantShape;

namespace {

constexpr int32_t kMost = 8192, kZero = -3;
alignas(16) int8_t image[kMost], results[kMost];
alignas(16) uint8_t packed[kMost], scratch[kMost];
int8_t weights[kMost];
int32_t biases[64];
float factors[64];

int32_t next() {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return int32_t(state >> 24) - 128;
}

/// A map of S by rows of kRuns runs, with these limits; the number of wrong elements.
template <class S, int kRuns>
int wrongOf(int32_t low, int32_t high, int32_t zero, bool hasOneFactor) {
  constexpr int32_t k = int32_t(S::kernelH * S::kernelW * S::channels), run = k / kRuns;
  constexpr int32_t length = int32_t(im2colLength<VectorRows>(run)), filters = int32_t(S::filters);
  static_assert((filters + 3) / 4 * 4 * kRuns * length <= kMost && S::in.batch + 32 <= kMost && S::out.batch <= kMost);
  for (int8_t &x : image)
    x = int8_t(next());
  for (int32_t i = 0; i < k * filters; ++i)
    weights[i] = int8_t(next());
  memset(packed, 0, sizeof(packed));
  for (int32_t f = 0; f < filters; ++f)
    for (int32_t i = 0; i < k; ++i) {
      const int32_t at = i / run * length + i % run;
      packed[(f / 4 * kRuns * length + at / 16 * 16) * 4 + f % 4 * 16 + at % 16] = uint8_t(weights[f * k + i]);
    }
  for (int32_t f = 0; f < filters; ++f) {
    biases[f] = next() * 40;
    factors[f] = hasOneFactor ? factors[0] : float(next() + 200) * 1e-5f;
  }
  memset(results, 77, sizeof(results));
  const Requantize epilogue{biases, factors, low, high, zero, hasOneFactor ? 0 : 1};
  convIm2col<VectorRows, kRuns>(S{}, &image[0], kZero, &packed[0], &results[0], &scratch[0], 0, S::outHeight, epilogue);
  int wrong = 0;
  for (int h = 0; h < S::outHeight; ++h)
    for (int w = 0; w < S::outWidth; ++w)
      for (int f = 0; f < filters; ++f) {
        int32_t sum = biases[f], total = 0;
        for (int i = 0; i < k; ++i)
          total += weights[f * k + i]; // outside of the image is the zero point
        sum += kZero * total + S::sum(
                                   &image[0], kZero,
                                   [&](int filter, int c, int y, int x) {
                                     return weights[filter * k + (y * int(S::kernelW) + x) * int(S::channels) + c];
                                   },
                                   f, h, w);
        const float inside = clamp(float(sum) * factors[f], float(low), float(high));
        wrong += results[h * S::out.row + w * S::out.pixel + f] != nearestInt<int32_t>(inside) + zero;
      }
  return wrong;
}

int wrongCases = 0, cases = 0;

template <int kRuns, class S>
void check(const char *name, S) {
  const auto one = [&](int wrong) {
    ++cases;
    if (wrong == 0)
      return;
    ++wrongCases;
    semihosting::print(name);
    semihosting::print(" is wrong\n");
  };
  factors[0] = 1e-3f;
  one(wrongOf<S, kRuns>(-123, 132, -5, false)); // what a byte holds, so that saturation is enough
  one(wrongOf<S, kRuns>(-100, 90, 3, false));
  one(wrongOf<S, kRuns>(0, 255, -128, true));
}

} // namespace

int main() {
  check<1>("1x1 of 8, steps of 8 pixels", QuantShape<8, 5, 7, 12, 1, 1, 1, 0, 0, 5, 7>{});
  check<1>("1x1 of 16, a rest of filters", QuantShape<16, 4, 4, 9, 1, 1, 1, 0, 0, 4, 4>{});
  check<1>("1x1 of 20", QuantShape<20, 3, 5, 8, 1, 1, 1, 0, 0, 3, 5>{});
  check<1>("1x1 of 40, stride 2", QuantShape<40, 5, 5, 8, 1, 1, 2, 0, 0, 3, 3>{});
  check<1>("1x1 of 64", QuantShape<64, 3, 3, 8, 1, 1, 1, 0, 0, 3, 3>{});
  check<1>("1x1 of 100", QuantShape<100, 3, 3, 4, 1, 1, 1, 0, 0, 3, 3>{});
  check<1>("3x3 of 3, gathered", QuantShape<3, 9, 10, 8, 3, 3, 1, 1, 1, 9, 10>{});
  check<1>("1x1 of one pixel", QuantShape<32, 1, 1, 4, 1, 1, 1, 0, 0, 1, 1>{});
  check<3>("3x3 of 3 by rows, stride 2", QuantShape<3, 13, 12, 8, 3, 3, 2, 0, 0, 6, 5>{});
  check<3>("3x3 of 8 by rows", QuantShape<8, 7, 6, 8, 3, 3, 1, 1, 1, 7, 6>{});
  check<3>("3x3 of 16 by rows", QuantShape<16, 6, 7, 8, 3, 3, 1, 1, 1, 6, 7>{});
  check<3>("3x3 of 24 by rows", QuantShape<24, 5, 5, 4, 3, 3, 1, 1, 1, 5, 5>{});
  check<2>("2x3 of 16 by rows", QuantShape<16, 6, 6, 4, 2, 3, 1, 0, 0, 5, 4>{});
  semihosting::print(cases > 0 && wrongCases == 0 ? "all cases agree\n" : "");
  return wrongCases;
}
