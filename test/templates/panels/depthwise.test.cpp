// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// depthwise.h against the definition, in every layout: a filter per channel, and small groups.
#include "templates/panels/depthwise.h"
#include "conv_problem.h"

using namespace sinter;
using test::packDepthwise;
using test::Problem;
using test::shapes;

TEST_CASE_TEMPLATE("depthwise over shapes and layouts", Shape, ConvShape, VolumeShape, SpreadShape<ConvShape>,
                   SpreadShape<VolumeShape>) {
  for (Shape shape : shapes<Shape>())
    for (const int64_t block : {0, 16}) {
      shape.groups = shape.filters = shape.channels;
      Problem<Shape> p(shape, block, block);
      const auto weights = packDepthwise(p.weights, p.s.channels, p.taps);
      const auto in = p.laidOut();
      const auto run = [&](auto kernel) {
        kernel(p.s, in.data(), weights.data(), p.out.data(), 0, outputRows(p.s), p.addBias());
      };
      if (kHasSpread<Shape>)
        run([](auto... a) { depthwise<0, 0>(a...); });
      else if (p.s.kernelW == 3 && p.s.strideW == 1 && p.s.dilationW == 1)
        run([](auto... a) { depthwise<3, 1>(a...); });
      else if (p.s.kernelW == 3 && p.s.strideW == 2 && p.s.dilationW == 1)
        run([](auto... a) { depthwise<3, 2>(a...); });
      else
        run([](auto... a) { depthwise<0, 0>(a...); });
      p.check();
    }
}

TEST_CASE_TEMPLATE("small groups over shapes and layouts", Shape, ConvShape) {
  const auto check = [](Shape shape, auto group, int64_t channels, int64_t block) {
    constexpr int G = int(decltype(group)::value);
    shape.channels = shape.filters = channels;
    shape.groups = channels / G;
    Problem<Shape> p(shape, block, block);
    const auto weights = packDepthwise(p.weights, channels, G * p.taps, G);
    const auto in = p.laidOut();
    const auto run = [&](auto kernel) {
      kernel(p.s, in.data(), weights.data(), p.out.data(), 0, outputRows(p.s), p.addBias());
    };
    if (kHasSpread<Shape> || p.s.kernelW != 3 || p.s.dilationW != 1)
      run([](auto... a) { depthwise<0, 0, G>(a...); });
    else if (p.s.strideW == 1)
      run([](auto... a) { depthwise<3, 1, G>(a...); });
    else
      run([](auto... a) { depthwise<3, 2, G>(a...); });
    p.check();
  };
  for (const Shape &shape : shapes<Shape>()) {
    check(shape, Fixed<4>{}, 32, 16);
    check(shape, Fixed<4>{}, 20, 0);
    check(shape, Fixed<16>{}, 48, 0); // more than most vectors have lanes
  }
}

TEST_CASE_TEMPLATE("several filters per channel over shapes and layouts", Shape, ConvShape, VolumeShape) {
  const auto check = [](Shape shape, auto group, auto perChannel, int64_t channels, int64_t inBlock, int64_t outBlock) {
    constexpr int G = int(decltype(group)::value), M = int(decltype(perChannel)::value);
    shape.channels = channels;
    shape.filters = channels * M;
    shape.groups = channels / G;
    Problem<Shape> p(shape, inBlock, outBlock);
    const auto weights = packDepthwise(p.weights, shape.filters, G * p.taps, G, M);
    const auto in = p.laidOut();
    const auto run = [&](auto kernel) {
      kernel(p.s, in.data(), weights.data(), p.out.data(), 0, outputRows(p.s), p.addBias());
    };
    if (p.s.kernelW != 3 || p.s.dilationW != 1)
      run([](auto... a) { depthwise<0, 0, G, M>(a...); });
    else if (p.s.strideW == 1)
      run([](auto... a) { depthwise<3, 1, G, M>(a...); });
    else
      run([](auto... a) { depthwise<3, 2, G, M>(a...); });
    p.check();
  };
  for (const Shape &shape : shapes<Shape>()) {
    check(shape, Fixed<1>{}, Fixed<3>{}, 16, 16, 16);
    check(shape, Fixed<1>{}, Fixed<3>{}, 21, 0, 0); // vectors of all widths, and single channels
    if constexpr (!kHasSlices<Shape>) {             // slices are rows: they change nothing of channels and filters
      check(shape, Fixed<1>{}, Fixed<2>{}, 32, 16, 16);
      check(shape, Fixed<1>{}, Fixed<2>{}, 24, 0, 16);
      check(shape, Fixed<2>{}, Fixed<2>{}, 32, 16, 16);
      check(shape, Fixed<4>{}, Fixed<5>{}, 20, 0, 0); // as many channels as lanes, or half, or twice
    }
  }
}

TEST_CASE("windows whose taps come one by one") {
  for (const int64_t width : {3, 9, 16, 29})
    for (const int64_t kernel : {2, 8, 11})
      for (const int64_t dilation : {1, 2})
        for (const int64_t stride : {1, 3})
          for (const int64_t pad : {int64_t(0), kernel / 2 * dilation}) {
            ConvShape s;
            s.channels = s.filters = s.groups = 18;
            s.height = 5, s.width = width;
            s.kernelH = 2, s.kernelW = kernel, s.strideW = stride, s.dilationW = dilation, s.padTop = 1;
            s.padLeft = pad;
            if (width + 2 * pad <= (kernel - 1) * dilation)
              continue;
            test::setOutputSize(s, 0, pad);
            Problem<ConvShape> p(s, 0, 0);
            const auto weights = packDepthwise(p.weights, s.channels, p.taps);
            const auto in = p.laidOut();
            depthwise<0, 0>(p.s, in.data(), weights.data(), p.out.data(), 0, s.outHeight, p.addBias());
            p.check();
          }
}

namespace {

/// A shape of which everything is known while compiling; the same pads at all sides.
template <int64_t kChannels, int64_t kHeight, int64_t kWidth, int64_t kKernel, int64_t kStride, int64_t kPad,
          int64_t kGroup, int64_t kBlock>
struct KnownMap {
  static constexpr int64_t outOf(int64_t size) { return (size + 2 * kPad - kKernel) / kStride + 1; }
  static constexpr int64_t batch = 1, channels = kChannels, height = kHeight, width = kWidth, filters = kChannels,
                           outHeight = outOf(kHeight), outWidth = outOf(kWidth), groups = kChannels / kGroup;
  static constexpr int64_t kernelH = kKernel, kernelW = kKernel, strideH = kStride, strideW = kStride, dilationH = 1,
                           dilationW = 1, padTop = kPad, padLeft = kPad;
  static constexpr ImageLayout in = blockedLayout(kChannels, kHeight, kWidth, kBlock),
                               out = blockedLayout(kChannels, outHeight, outWidth, kBlock);

  static void check() {
    ConvShape s;
    s.channels = s.filters = channels, s.height = height, s.width = width, s.groups = groups;
    s.kernelH = s.kernelW = kKernel, s.strideH = s.strideW = kStride, s.padTop = s.padLeft = kPad;
    test::setOutputSize(s, kPad, kPad);
    Problem<ConvShape> p(s, kBlock, kBlock);
    const auto weights = packDepthwise(p.weights, channels, kGroup * p.taps, kGroup);
    const auto map = p.laidOut();
    static_assert(hasKnownRuns<kKernel, kStride, 8, KnownMap>());
    const int64_t half = s.outHeight / 2;
    for (const int64_t first : {int64_t(0), half})
      depthwise<kKernel, kStride, kGroup>(KnownMap{}, map.data(), weights.data(), p.out.data(), first,
                                          first == 0 ? half : s.outHeight, p.addBias());
    p.check();
  }
};

} // namespace

TEST_CASE("rows that are split into runs while compiling, with borders and without") {
  KnownMap<16, 5, 40, 3, 1, 1, 1, 16>::check();
  KnownMap<20, 6, 19, 3, 1, 1, 1, 20>::check();
  KnownMap<16, 7, 7, 3, 1, 1, 1, 16>::check();
  KnownMap<16, 9, 21, 3, 2, 1, 1, 16>::check();
  KnownMap<16, 8, 8, 5, 1, 2, 1, 16>::check();
  KnownMap<16, 7, 14, 7, 1, 3, 1, 16>::check();
  KnownMap<16, 2, 2, 3, 1, 1, 1, 16>::check(); // windows wider than the map
  KnownMap<16, 4, 9, 3, 1, 0, 1, 16>::check();
  KnownMap<16, 4, 12, 3, 1, 5, 1, 16>::check(); // outputs that see nothing of it
  KnownMap<32, 6, 18, 3, 1, 1, 4, 16>::check();
  KnownMap<48, 6, 11, 3, 2, 1, 16, 48>::check();
}

TEST_CASE("taps that meet in the cache are copied beside each other") {
  constexpr int block = kLanes<float> > 1 ? kLanes<float> : 16;
  using Far = KnownMap<512, 3, 9, 5, 1, 2, 1, block>;
  using Groups = KnownMap<512, 3, 9, 3, 1, 1, 4, block>;
  static_assert(kLanes<float> == 1 ||
                (tapsMeetInCache<1, 1, float, Far, float>() && tapsMeetInCache<1, 4, float, Groups, float>()));
  static_assert(!tapsMeetInCache<1, 1, float, KnownMap<496, 3, 9, 5, 1, 2, 1, block>, float>());
  Far::check();
  Groups::check();
}
