// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// to_step.h at every edge, quantized_average_pool.h and its blocked form, quantized_softmax.h and its form with a
// table, against the definition written out in double precision.
#include "templates/norm/quantized_softmax.h"
#include "templates/norm/softmax_by_table.h"
#include "templates/pool/quantized_average_pool.h"
#include "templates/pool/quantized_average_pool_blocked.h"
#include "ulp.h"
#include "views.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

using namespace sinter;
using test::dense;
using test::Random;

namespace {

template <class T>
void checkSteps() {
  const float low = float(std::numeric_limits<T>::min()), high = float(std::numeric_limits<T>::max());
  for (const float whole : {low, low + 1, -2.0f, -1.0f, 0.0f, 1.0f, 2.0f, high - 1, high}) {
    if (whole < low)
      continue;
    CHECK(float(toStep<T>(whole)) == whole);
    for (const float part : {-0.5f, -0.25f, 0.25f, 0.5f}) {
      const double nearest = std::nearbyint(double(whole) + double(part)); // ties to even
      const double expected = nearest < low ? low : nearest > high ? high : nearest;
      CHECK(double(toStep<T>(whole + part)) == expected);
    }
  }
  for (const float beyond : {1.5f, 1e6f, 3e9f, 1e30f, std::numeric_limits<float>::infinity()}) {
    CHECK(float(toStep<T>(high + beyond)) == high);
    CHECK(float(toStep<T>(low - beyond)) == low);
  }
  CHECK(float(toStep<T>(std::nanf(""))) == low);
  // Raised by 128 a tie falls where the unsigned byte's does.
  if constexpr (sizeof(T) == 1 && T(-1) < T(0))
    for (int i = 0; i < 256; ++i)
      for (const float part : {-0.5f, 0.0f, 0.5f})
        CHECK(int(toStep<T>(float(i) + part, 128)) + 128 == int(toStep<uint8_t>(float(i) + part)));
}

/// The mean of a window, as the kernels have it; the window's elements less the zero point.
template <class T>
int meanStep(const std::vector<int> &window, int64_t count, const QuantizedAveragePoolParams &p) {
  const float scale = float(p.x_scale), step = float(p.y_scale);
  const int lift = std::numeric_limits<T>::min() < 0 ? 128 : 0;
  float value;
  if (p.integer_sums) {
    int sum = 0;
    for (int x : window)
      sum += x;
    value = std::nearbyint(float(sum) * (scale / (step * float(count)))) + float(p.y_zero);
  } else {
    float sum = 0;
    for (int x : window)
      sum += scale * float(x);
    value = std::nearbyint(sum / float(count) / step + float(p.y_zero + lift)) - float(lift);
  }
  const float low = float(std::numeric_limits<T>::min()), high = float(std::numeric_limits<T>::max());
  return int(value < low ? low : value > high ? high : value);
}

template <class T>
void checkPool(int64_t channels, int64_t height, int64_t width, int64_t block, const QuantizedAveragePoolParams &p) {
  const int64_t outHeight = (height + p.pads[0] + p.pads[2] - p.kernel[0]) / p.strides[0] + 1,
                outWidth = (width + p.pads[1] + p.pads[3] - p.kernel[1]) / p.strides[1] + 1;
  Random random(7);
  std::vector<T> in(size_t(2 * channels * height * width)), out(size_t(2 * channels * outHeight * outWidth)),
      packed(in.size()), blocked(out.size());
  for (T &x : in) // both ends often
    x = T(std::numeric_limits<T>::min() + std::min(255, std::max(0, int(random.uniform(-40, 295)))));
  quantizedAveragePool(p, dense<const T>(in.data(), 2, channels, height, width),
                       dense(out.data(), 2, channels, outHeight, outWidth));
  const auto at = [&](int64_t n, int64_t c, int64_t y, int64_t x, int64_t rows, int64_t columns) {
    return size_t(((n * channels + c) * rows + y) * columns + x);
  };
  const auto inBlock = [&](int64_t n, int64_t c, int64_t y, int64_t x, int64_t rows, int64_t columns) {
    return size_t((((n * channels / block + c / block) * rows + y) * columns + x) * block + c % block);
  };
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x)
          packed[inBlock(n, c, y, x, height, width)] = in[at(n, c, y, x, height, width)];
  const QuantizedAveragePoolBlockedParams same{p.kernel,       p.strides, p.dilations, p.pads,   p.count_include_pad,
                                               p.integer_sums, p.x_scale, p.y_scale,   p.x_zero, p.y_zero};
  quantizedAveragePoolBlocked(same, dense<const T>(packed.data(), 2, channels / block, height, width, block),
                              dense(blocked.data(), 2, channels / block, outHeight, outWidth, block));
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t oy = 0; oy < outHeight; ++oy)
        for (int64_t ox = 0; ox < outWidth; ++ox) {
          std::vector<int> window;
          for (int64_t ky = 0; ky < p.kernel[0]; ++ky)
            for (int64_t kx = 0; kx < p.kernel[1]; ++kx) {
              const int64_t y = oy * p.strides[0] - p.pads[0] + ky, x = ox * p.strides[1] - p.pads[1] + kx;
              if (y >= 0 && y < height && x >= 0 && x < width)
                window.push_back(int(in[at(n, c, y, x, height, width)]) - int(p.x_zero));
            }
          const int64_t count = p.count_include_pad ? p.kernel[0] * p.kernel[1] : int64_t(window.size());
          const int expected = meanStep<T>(window, count, p);
          CHECK(int(out[at(n, c, oy, ox, outHeight, outWidth)]) == expected);
          CHECK(int(blocked[inBlock(n, c, oy, ox, outHeight, outWidth)]) == expected);
        }
}

/// Along the middle dim; more than 512 elements are computed in vectors, which is to be the same.
template <class T>
void checkSoftmax(double scale, double steps, int64_t zero, int64_t outer = 3, int64_t n = 7, int64_t inner = 2) {
  Random random(7);
  std::vector<T> in(size_t(outer * n * inner)), out(in.size()), outByTable(in.size());
  std::vector<uint32_t> table(256);
  for (size_t difference = 0; difference < 256; ++difference)
    table[difference] =
        uint32_t(std::nearbyint((0x1p32 / (2 * steps + double(n)) - 2) * std::exp(-scale * double(difference))));
  for (T &x : in)
    x = T(random.uniform(float(std::numeric_limits<T>::min()), float(std::numeric_limits<T>::max())));
  const View<const T, 3> x = dense<const T>(in.data(), outer, n, inner);
  const View<T, 3> y = dense(out.data(), outer, n, inner);
  quantizedSoftmax({scale, steps, zero}, x, y);
  softmaxByTable({int64_t(steps), zero}, x, dense<const uint32_t>(table.data(), 256),
                 dense(outByTable.data(), outer, n, inner));
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      const auto at = [&](int64_t j) { return size_t((o * n + j) * inner + i); };
      int most = in[at(0)];
      double total = 0;
      float sum = 0; // in the order of the elements
      for (int64_t j = 0; j < n; ++j)
        most = std::max(most, int(in[at(j)]));
      const auto share = [&](int64_t j) { return expNegative(float(int(in[at(j)]) - most) * float(scale)); };
      for (int64_t j = 0; j < n; ++j) {
        total += std::exp(scale * double(in[at(j)] - most));
        sum += share(j);
      }
      for (int64_t j = 0; j < n; ++j) {
        const double exact = std::exp(scale * double(in[at(j)] - most)) / total * steps + double(zero);
        const double limited = std::min(exact, double(std::numeric_limits<T>::max()));
        CHECK(std::abs(double(out[at(j)]) - limited) < 0.5001);
        CHECK(std::abs(double(outByTable[at(j)]) - limited) < 0.5001);
        CHECK(out[at(j)] == toStep<T>(std::nearbyint(share(j) * float(steps) / sum) + float(zero)));
      }
    }
}

} // namespace

TEST_CASE("to a step: ties to even, saturated, NaN") {
  checkSteps<int8_t>();
  checkSteps<uint8_t>();
  checkSteps<int16_t>();
}

TEST_CASE("averages of bytes") {
  const int64_t two[2] = {2, 2}, three[2] = {3, 3}, ones[2] = {1, 1}, none[4] = {}, around[4] = {1, 1, 1, 1},
                whole[2] = {5, 7};
  for (const bool counted : {false, true})
    for (const bool integers : {false, true}) {
      // Equal scales: a quarter of all means of four end halfway. Zero points at both ends.
      checkPool<int8_t>(6, 8, 8, 3, {two, two, ones, none, counted, integers, 0.0147574, 0.0147574, -128, -128});
      checkPool<uint8_t>(6, 8, 8, 6, {two, two, ones, none, counted, integers, 0.0147574, 0.0147574, 0, 0});
      checkPool<int8_t>(19, 5, 7, 19, {three, ones, ones, around, counted, integers, 0.1, 0.07, 127, 127});
      checkPool<uint8_t>(4, 5, 7, 2, {three, two, ones, around, counted, integers, 0.1, 0.03, 255, 128});
    }
  checkPool<int8_t>(33, 5, 7, 33, {whole, ones, ones, none, false, true, 0.5, 0.25, -7, 3});
}

TEST_CASE("averages of bytes: planes by vectors") {
  const int64_t two[2] = {2, 2}, three[2] = {3, 3}, wide[2] = {3, 4}, ones[2] = {1, 1}, none[4] = {},
                around[4] = {1, 1, 1, 1}, uneven[4] = {2, 3, 1, 0}, whole[2] = {12, 13}, rows[2] = {12, 5};
  for (const bool counted : {false, true}) {
    // Along the row: steps of one, two and three, with windows over the border, and rows of few vectors.
    checkPool<uint8_t>(3, 6, 37, 3, {three, ones, ones, around, counted, false, 0.1, 0.03, 255, 128});
    checkPool<int8_t>(3, 7, 41, 3, {wide, two, ones, uneven, counted, false, 0.1, 0.03, -9, 4});
    checkPool<int8_t>(2, 9, 16, 2, {two, two, ones, none, counted, false, 0.0147574, 0.0147574, -128, -128});
    checkPool<uint8_t>(2, 7, 52, 2, {two, three, ones, around, counted, false, 0.2, 0.1, 3, 77});
    checkPool<uint8_t>(2, 7, 13, 2, {three, ones, ones, around, counted, false, 0.2, 0.1, 3, 77});
    // One window or few: planes side by side, and a rest of them.
    checkPool<uint8_t>(19, 12, 13, 19, {whole, ones, ones, none, counted, false, 0.1, 0.07, 131, 77});
    checkPool<int8_t>(17, 12, 7, 17, {rows, ones, ones, none, counted, false, 0.1, 0.07, 31, -7});
    // Integers: a run of many rows, and rows apart.
    checkPool<uint8_t>(5, 12, 13, 5, {whole, ones, ones, none, counted, true, 0.1, 0.07, 131, 77});
    checkPool<int8_t>(5, 25, 39, 5, {rows, three, ones, around, counted, true, 0.1, 0.07, 31, -7});
  }
  // More than 128 bytes to a lane of 16 bits, at both ends.
  std::vector<uint8_t> high(128 * 64 + 77, 255);
  std::vector<int8_t> low(high.size(), -128);
  CHECK(byteSum(high.data(), int64_t(high.size())) == 255 * int32_t(high.size()));
  CHECK(byteSum(low.data(), int64_t(low.size())) == -128 * int32_t(low.size()));
}

TEST_CASE("softmax of bytes") {
  checkSoftmax<int8_t>(0.05, 254, -128);
  checkSoftmax<uint8_t>(0.2, 256, 0);
  checkSoftmax<int8_t>(3, 255, -128);
  checkSoftmax<uint8_t>(0.05, 256, 0, 9, 67, 1);
  checkSoftmax<int8_t>(0.3, 256, -128, 6, 131, 1);
  checkSoftmax<uint8_t>(0.02, 256, 0, 5, 33, 5);
}

TEST_CASE("to steps: vectors as their lanes") {
  if constexpr (kLanes<float> > 1) {
    using V = Vec<float, kLanes<float>>;
    for (float x = -300; x < 300; x += 0.25f) {
      const V all = splat<V>(x);
      CHECK(toStep<uint8_t>(all)[0] == toStep<uint8_t>(x));
      CHECK(toStep<int8_t>(all, 128)[kLanes<float> - 1] == toStep<int8_t>(x, 128));
    }
    CHECK(toStep<int8_t>(splat<V>(std::nanf("")))[0] == -128);
  }
}
