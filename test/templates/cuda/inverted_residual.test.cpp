// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fused blocks of mobile nets over odd sizes: what three convolutions one after the other give, their maps rounded to
// the element type, and equal bits whatever the order of blocks.
#include "device_test.h"

#include "templates/cuda/inverted_residual.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

using Map = std::vector<double>;

/// [n][y][x][c] by [filter][r][s][c]; depthwise: by [r][s][c]. `finish(sum, channel, place)`.
template <class T, class Finish>
Map convolve(const Map &in, const ResidualConv &c, int images, Tensor<T> &filters, int count, bool isDepthwise,
             int outHeight, int outWidth, Finish finish) {
  Map out;
  for (int n = 0; n < images; ++n)
    for (int y = 0; y < outHeight; ++y)
      for (int x = 0; x < outWidth; ++x)
        for (int f = 0; f < count; ++f) {
          double sum = 0;
          for (int r = 0; r < c.kernelHeight; ++r)
            for (int q = 0; q < c.kernelWidth; ++q) {
              const int row = y * c.strideY - c.padTop + r * c.dilationY;
              const int column = x * c.strideX - c.padLeft + q * c.dilationX;
              if (row < 0 || row >= c.height || column < 0 || column >= c.width)
                continue;
              for (int k = isDepthwise ? f : 0; k < (isDepthwise ? f + 1 : c.channels); ++k) {
                const int tap = (r * c.kernelWidth + q) * c.channels + k;
                const size_t at = c.hasPlanes ? size_t(((n * c.channels + k) * c.height + row) * c.width + column)
                                              : size_t(((n * c.height + row) * c.width + column) * c.pitch + k);
                sum += in[at] * filters.at(isDepthwise ? tap : f * c.depth() + tap);
              }
            }
          out.push_back(double(toFloat(stored<T>(finish(float(sum), f, int(out.size()))))));
        }
  return out;
}

template <class Sizes, class T>
void check(int images) {
  constexpr ResidualShape s = Sizes::shape();
  constexpr ResidualConv first = s.hasExpand() ? s.expand : s.depthwise, d = s.depthwise;
  CAPTURE(s.depthwise.channels);
  CAPTURE(s.filters);
  const int pitch = s.filters + (s.filters % 2 ? 2 : 4);
  Tensor<T> in(size_t(images * first.height * first.width * (first.hasPlanes ? first.channels : first.pitch)), 1, -1.0f,
               1.0f);
  Tensor<T> expand(size_t(d.channels * s.expand.depth()), 2, -1.0f, 1.0f);
  Tensor<T> depthwise(size_t(d.kernelHeight * d.kernelWidth * d.channels), 3, -1.0f, 1.0f);
  Tensor<T> project(size_t(s.filters * d.channels), 4, -1.0f, 1.0f);
  Tensor<float> bias(size_t(d.channels + s.filters), 5, -0.5f, 0.5f);
  const auto relu6 = [&](float sum, int channel, int) {
    const float v = sum + bias[size_t(channel)];
    return v < 0 ? 0.0f : v > 6 ? 6.0f : v;
  };
  const auto addPlace = [&](float sum, int channel, int pixel) {
    return sum + bias[size_t(channel)] + float(pixel % 5);
  };
  Map from;
  for (size_t i = 0; i < in.size(); ++i)
    from.push_back(in.at(i));
  if (s.hasExpand())
    from = convolve(from, s.expand, images, expand, d.channels, false, d.height, d.width, relu6);
  Map middle = convolve(from, d, images, depthwise, d.channels, true, s.outHeight, s.outWidth, relu6);
  const ResidualConv one{s.outHeight, s.outWidth, d.channels, 1, 1, 1, 1, 1, 1, 0, 0, d.channels, false};
  const Map expected = convolve(middle, one, images, project, s.filters, false, s.outHeight, s.outWidth,
                                [&](float sum, int f, int place) { return addPlace(sum, f, place / s.filters); });
  emulation::Grid grid;
  grid.x = images * s.tilesOfImage(), grid.y = s.tile.splits;
  grid.threads = s.tile.threads;
  grid.sharedBytes = s.sharedBytes();
  Tensor<T> out(size_t(images * s.outHeight * s.outWidth * pitch));
  Tensor<float> partials(size_t(s.partials(images)));
  std::vector<uint32_t> counters(size_t(images * s.tilesOfImage()));
  runInAllOrders(grid, out, [&] {
    const auto ofHidden = [&](float sum, int, int channel, int, int) { return relu6(sum, channel, 0); };
    invertedResidual<T, Sizes>(in.data(), expand.data(), depthwise.data(), project.data(), out.data(), pitch,
                               partials.data(), counters.data(), ofHidden, ofHidden,
                               [&](float sum, int n, int f, int y, int x) {
                                 return addPlace(sum, f, (n * s.outHeight + y) * s.outWidth + x);
                               });
  });
  for (uint32_t counter : counters)
    CHECK(counter == 0);
  Tensor<T> dense(expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    dense[i] = out[i / size_t(s.filters) * size_t(pitch) + i % size_t(s.filters)];
  CHECK(relativeError(dense, expected) < kTolerance<T>);
}

/// 3 x 3, stride 1, pads 1, as most blocks are; a tile at each border that is cut.
template <int kBytes, int kSplits>
struct Plain {
  static constexpr ResidualShape shape() {
    return {{9, 11, 16, 1, 1, 1, 1, 1, 1, 0, 0, 24, false},
            {9, 11, 48, 3, 3, 1, 1, 1, 1, 1, 1, 48, false},
            9,
            11,
            24,
            kBytes,
            {4, 4, 16, kSplits, 64, 4, 2}};
  }
};
/// 5 x 5 of stride 2, one pad only, channels that are no whole chunks of 16 bytes.
template <int kBytes, int kSplits>
struct Odd {
  static constexpr ResidualShape shape() {
    return {{10, 7, 5, 1, 1, 1, 1, 1, 1, 0, 0, 5, false},
            {10, 7, 37, 5, 5, 2, 1, 1, 1, 2, 1, 37, false},
            5,
            5,
            7,
            kBytes,
            {3, 2, 16, kSplits, 96, 2, 4}};
  }
};
/// Nothing expands; taps lie apart.
template <int kBytes, int kChannels>
struct NoExpand {
  static constexpr ResidualShape shape() {
    return {{}, {8, 9, kChannels, 3, 3, 1, 2, 2, 1, 2, 1, kChannels, false}, 8, 5, 16, kBytes, {2, 4, 16, 2, 64, 4, 4}};
  }
};
/// A net's first convolution of a picture of planes expands.
template <int kBytes>
struct Stem {
  static constexpr ResidualShape shape() {
    return {{13, 15, 3, 3, 3, 2, 2, 1, 1, 1, 1, 3, true},
            {7, 8, 32, 3, 3, 1, 1, 1, 1, 1, 1, 32, false},
            7,
            8,
            16,
            kBytes,
            {4, 8, 32, 1, 128, 4, 4}};
  }
};

} // namespace

TEST_CASE("expand, depthwise, project in one kernel, in float") {
  check<Plain<4, 1>, float>(2);
  check<Plain<4, 3>, float>(2);
  check<Odd<4, 1>, float>(1);
  check<Odd<4, 2>, float>(2);
}
TEST_CASE("expand, depthwise, project in one kernel, in halves") {
  check<Plain<2, 1>, f16>(1);
  check<Plain<2, 2>, f16>(2);
  check<Odd<2, 2>, f16>(1);
#if SINTER_CUDA_ARCH >= 800
  check<Plain<2, 3>, bf16>(1);
#endif
}
TEST_CASE("a block without an expansion reads the hidden map") {
  check<NoExpand<4, 20>, float>(2);
  check<NoExpand<4, 19>, float>(1);
  check<NoExpand<2, 40>, f16>(1);
}
TEST_CASE("a net's first convolution expands") {
  check<Stem<4>, float>(2);
  check<Stem<2>, f16>(1);
}
