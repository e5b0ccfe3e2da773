// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of compiler/memory/kernel_orders.def write over their own input: at the least distance that the planner
// (compiler/memory/row_order.cpp) leaves between the two, results are those of memory apart.
#include "dual_cases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace sinter;

namespace {

/// How far the output must begin below the input, as the planner computes it; of planes, a multiple of a pixel.
template <class S>
int64_t leastDistance() {
  const bool isPlanes = S::groups > 1, isPixels = !isPlanes && S::kernelH * S::kernelW * S::strideH * S::strideW == 1;
  const int64_t each = isPixels ? S::width : 1, rows = S::outHeight * each, inRows = S::height * each;
  const int64_t rowBytes = S::outWidth * S::filters / each, inRowBytes = S::width * S::channels / each;
  int64_t distance = -inRows * inRowBytes;
  for (int64_t written = 1; written < rows; ++written) {
    const int64_t next =
        isPlanes ? written * S::strideH - S::padTop : (written - 1) * S::strideH - S::padTop + S::kernelH;
    if (next < inRows)
      distance = std::max(distance, written * rowBytes - std::max<int64_t>(next, 0) * inRowBytes);
  }
  if (isPlanes) // the next multiple
    distance = (distance + (distance > 0 ? S::channels - 1 : 0)) / S::channels * S::channels;
  return std::min(distance, rows * rowBytes);
}

/// Elements that differ when the output begins `distance` bytes below the input.
template <class S, class TA, class TC, test::Rule kRule>
int64_t wrongAt(int64_t distance) {
  using Case = test::ConvCase<S, TA, TC, kRule>;
  const int64_t inBytes = S::channels * S::height * S::width, outBytes = S::filters * S::outHeight * S::outWidth;
  if (Case::check().wrong != 0) // leaves input, words and output where they are
    return outBytes;
  const TA *in = test::storage<TA, 0>();
  const TC *expected = test::storage<TC, 6>();
  const int64_t margin = 4 * inBytes + outBytes;
  std::vector<uint8_t> memory(static_cast<size_t>(2 * margin + inBytes + outBytes));
  uint8_t *out = memory.data() + margin, *source = out + distance;
  std::copy(in, in + inBytes, source);
  Case::run(reinterpret_cast<const TA *>(source), test::storage<int32_t, 5>(), int32_t(S::filters + 3) / 4,
            reinterpret_cast<TC *>(out), test::storage<int16_t, 7>());
  int64_t wrong = 0;
  for (int64_t i = 0; i < outBytes; ++i)
    wrong += TC(out[i]) != expected[i];
  return wrong;
}

} // namespace

TEST_CASE("kernels write over their input at the least distance that the planner leaves") {
  int64_t shapes = 0, noticed = 0;
  const auto each = [&](auto shape) {
    using S = decltype(shape);
    const int64_t distance = leastDistance<S>();
    CAPTURE(shapes);
    CAPTURE(distance);
    CHECK(wrongAt<S, int8_t, int8_t, test::Rule::Proved>(distance) == 0);
    CHECK(wrongAt<S, uint8_t, uint8_t, test::Rule::Defined>(distance) == 0);
    CHECK(wrongAt<S, int8_t, uint8_t, test::Rule::Lambda>(distance) == 0);
    const int64_t row = S::width * S::channels;
    noticed += wrongAt<S, int8_t, int8_t, test::Rule::Proved>(distance - 3 * row) != 0;
    ++shapes;
  };
  // channels, height, width, filters, kernel, stride, pads, output; groups
  each(test::QuantShape<64, 5, 5, 64, 1, 1, 1, 0, 0, 5, 5>{});
  each(test::QuantShape<8, 6, 5, 16, 1, 1, 1, 0, 0, 6, 5>{});
  each(test::QuantShape<16, 5, 7, 8, 1, 1, 1, 0, 0, 5, 7>{});
  each(test::QuantShape<7, 3, 4, 5, 1, 1, 1, 0, 0, 3, 4>{});
  each(test::QuantShape<16, 8, 8, 12, 1, 1, 2, 0, 0, 4, 4>{});
  each(test::QuantShape<3, 10, 10, 16, 3, 3, 1, 1, 1, 10, 10>{});
  each(test::QuantShape<3, 12, 12, 8, 3, 3, 2, 0, 0, 6, 6>{});
  each(test::QuantShape<16, 9, 8, 16, 3, 3, 1, 1, 1, 9, 8>{});
  each(test::QuantShape<8, 9, 5, 8, 3, 3, 1, 1, 1, 9, 5>{});
  each(test::QuantShape<8, 9, 5, 16, 3, 3, 1, 1, 1, 9, 5>{});
  each(test::QuantShape<1, 49, 10, 16, 10, 4, 2, 4, 1, 25, 5>{});
  each(test::QuantShape<8, 25, 5, 8, 3, 3, 1, 1, 1, 25, 5, 8>{});
  each(test::QuantShape<6, 6, 6, 6, 3, 3, 1, 1, 1, 6, 6, 6>{});
  each(test::QuantShape<4, 48, 48, 4, 3, 3, 1, 1, 1, 48, 48, 4>{});
  each(test::QuantShape<4, 48, 48, 4, 3, 3, 2, 0, 0, 24, 24, 4>{});
  each(test::QuantShape<5, 13, 14, 5, 3, 3, 2, 0, 0, 6, 6, 5>{});
  each(test::QuantShape<4, 60, 16, 4, 3, 3, 1, 1, 1, 60, 16, 4>{});
  each(test::QuantShape<4, 9, 10, 4, 3, 3, 2, 1, 1, 5, 5, 4>{});
  each(test::QuantShape<4, 5, 9, 4, 2, 3, 1, 1, 2, 5, 9, 4>{});
  CHECK(noticed > shapes / 2); // nearer, results change: the test sees what it is for
}
