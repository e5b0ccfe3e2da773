// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over pixels against a plain loop: any number of channels and pixels, rows apart, bytes of either sign.
#include "templates/dual/channel_sums.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sinter;

namespace {

template <class X>
void check(int64_t height, int64_t width, int64_t channels, int64_t gap, int32_t zero) {
  const int64_t row = width * channels + gap, image = height * row;
  std::vector<X> x(size_t(2 * image));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i % 5 ? X(i * 37 + i / 7) : X(255); // large ones too
  std::vector<int32_t> sums(size_t(2 * channels), 11), wanted = sums;
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t h = 0; h < height; ++h)
      for (int64_t i = 0; i < width * channels; ++i)
        wanted[size_t(n * channels + i % channels)] += x[size_t(n * image + h * row + i)] - zero;
  channelSums(ChannelSumsParams{zero},
              View<X, 5>{x.data(), {2, 1, height, width, channels}, {image, image, row, channels, 1}},
              View<int32_t, 3>{sums.data(), {2, 1, channels}, {channels, channels, 1}});
  CHECK(sums == wanted);
}

} // namespace

TEST_CASE("sums of channels are the sums of their pixels") {
  for (const int64_t channels : {1, 4, 7, 64})
    for (const int64_t width : {1, 5, 300}) {
      check<int8_t>(3, width, channels, 0, -128);
      check<uint8_t>(3, width, channels, 0, 130);
      check<int8_t>(2, width, channels, 9, 5);
      check<uint8_t>(2, width, channels, 1, 0);
    }
  std::vector<int8_t> low(300, int8_t(-128));
  std::vector<uint8_t> high(300, uint8_t(255));
  int32_t sum = 0;
  channelSums(ChannelSumsParams{0}, View<int8_t, 5>{low.data(), {1, 1, 1, 300, 1}, {300, 300, 300, 1, 1}},
              View<int32_t, 3>{&sum, {1, 1, 1}, {1, 1, 1}});
  CHECK(sum == -300 * 128);
  channelSums(ChannelSumsParams{0}, View<uint8_t, 5>{high.data(), {1, 1, 1, 300, 1}, {300, 300, 300, 1, 1}},
              View<int32_t, 3>{&sum, {1, 1, 1}, {1, 1, 1}});
  CHECK(sum == -300 * 128 + 300 * 255);
}
