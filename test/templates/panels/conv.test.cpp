// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// conv.h, conv_planar.h, and those of direct/, against the definition, in every layout.
#include "templates/panels/conv.h"
#include "conv_problem.h"
#include "templates/direct/conv_rows.h"
#include "templates/panels/conv_planar.h"

#include <algorithm>
#include <string>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Problem;
using test::Random;
using test::shapes;

namespace {

/// A shape of which everything is known while compiling; kKernel taps each way and pads that keep the size.
template <int64_t kChannels, int64_t kFilters, int64_t kHeight, int64_t kWidth, int64_t kKernel>
struct FixedShape {
  [[maybe_unused]] static constexpr int64_t batch = 1, channels = kChannels, height = kHeight, width = kWidth,
                                            filters = kFilters, outHeight = kHeight, outWidth = kWidth;
  static constexpr int64_t kernelH = kKernel, kernelW = kKernel, strideH = 1, strideW = 1, dilationH = 1, dilationW = 1;
  static constexpr int64_t padTop = kKernel / 2, padLeft = kKernel / 2, groups = 1;
  static constexpr ImageLayout in = blockedLayout(kChannels, kHeight, kWidth, kChannels),
                               out = blockedLayout(kFilters, kHeight, kWidth, 16);

  static void check() {
    ConvShape s;
    s.channels = channels, s.filters = filters, s.height = s.outHeight = height, s.width = s.outWidth = width;
    s.kernelH = s.kernelW = kKernel, s.padTop = padTop, s.padLeft = padLeft;
    Problem<ConvShape> p(s, 0, 16);
    const auto packedWeights = p.packed(false);
    const auto image = p.laidOut();
    conv<kR, kNR>(FixedShape{}, image.data(), packedWeights.data(), p.out.data(), Fixed<0>{}, Fixed<kHeight>{},
                  p.addBias());
    p.check();
  }
};

} // namespace

TEST_CASE_TEMPLATE("conv over shapes and layouts", Shape, ConvShape, VolumeShape, SpreadShape<ConvShape>,
                   SpreadShape<VolumeShape>) {
  for (const Shape &shape : shapes<Shape>())
    for (int layouts = 0; layouts < 4; ++layouts) {
      const int64_t inBlocks[] = {0, 16, 8, 0}, outBlocks[] = {0, 16, 0, 1};
      Problem<Shape> p(shape, inBlocks[layouts], outBlocks[layouts]);
      const auto weights = p.packed(false);
      const auto in = p.laidOut();
      // In two row tiles, as a fused or a shared computation would have it.
      const int64_t half = outputRows(p.s) / 2;
      conv<kR, kNR>(p.s, in.data(), weights.data(), p.out.data(), 0, half, p.addBias());
      conv<kR, kNR>(p.s, in.data(), weights.data(), p.out.data(), half, outputRows(p.s), p.addBias());
      p.check();
      // In shares of panels.
      const std::vector<float> whole = p.out;
      std::fill(p.out.begin(), p.out.end(), -7.0f);
      const int64_t panels = p.s.groups * ((p.s.filters / p.s.groups + kNR - 1) / kNR), part = (panels + 1) / 2;
      for (const PanelRange range : {PanelRange{0, part}, PanelRange{part, panels}})
        conv<kR, kNR>(p.s, in.data(), weights.data(), p.out.data(), 0, outputRows(p.s), p.addBias(), nullptr, range);
      CHECK(p.out == whole);
    }
}

TEST_CASE("conv of a shape known while compiling") {
  FixedShape<5, 19, 9, 30, 3>::check();   // its last vector is not whole
  FixedShape<5, 48, 9, 30, 3>::check();   // whole vectors, not whole panels
  FixedShape<16, 16, 7, 5, 3>::check();   // tiles run over the ends of rows
  FixedShape<1600, 16, 5, 7, 1>::check(); // in row tiles, the last one shorter with longer tiles
}

TEST_CASE_TEMPLATE("conv of halfs gives the sums of the floats that they are", Half, f16, bf16) {
  for (const int64_t channels : {16, 40, 5}) {
    ConvShape shape;
    shape.channels = channels, shape.filters = 24, shape.height = 6, shape.width = 9;
    shape.kernelH = shape.kernelW = 3, shape.padTop = shape.padLeft = 1;
    test::setOutputSize(shape, 1, 1);
    Problem<ConvShape> p(shape, 0, 0);
    const auto halfs = [](std::vector<float> &floats) {
      std::vector<Half> all;
      for (float &x : floats) {
        all.push_back(convert<Half>(x));
        x = convert<float>(all.back());
      }
      return all;
    };
    std::vector<float> in = p.laidOut(), weights = p.packed(false), out(p.out.size());
    const std::vector<Half> halfIn = halfs(in), halfWeights = halfs(weights);
    conv<kR, kNR>(p.s, in.data(), weights.data(), out.data(), Fixed<0>{}, p.s.outHeight, Identity{});
    conv<kR, kNR>(p.s, halfIn.data(), halfWeights.data(), p.out.data(), Fixed<0>{}, p.s.outHeight, Identity{});
    CHECK(p.out == out);
  }
}

TEST_CASE_TEMPLATE("conv from NCHW over shapes", Shape, ConvShape, VolumeShape) {
  for (const Shape &shape : shapes<Shape>())
    for (const int64_t outBlock : {0, 16, 1}) {
      Problem<Shape> p(shape, 1, outBlock);
      const auto weights = p.packed(true);
      convPlanar<kR, kNR>(p.s, p.in.data(), weights.data(), p.out.data(), 0, outputRows(p.s), p.addBias());
      p.check();
    }
}

TEST_CASE("conv along rows and direct, over shapes") {
  for (const ConvShape &shape : test::convShapes()) {
    Problem<ConvShape> p(shape, 1, 1);
    const ConvShape &s = p.s;
    const ConvDirectShape<2> direct = {
        s.batch,
        s.channels,
        s.filters,
        s.groups,
        s.in,
        s.out,
        {{s.height, s.outHeight, s.kernelH, s.strideH, s.dilationH, s.padTop, s.in.row, s.out.row},
         {s.width, s.outWidth, s.kernelW, s.strideW, s.dilationW, s.padLeft, s.in.pixel, s.out.pixel}}};
    convRows<float>(
        direct, p.in.data(), p.weights.data(), p.out.data(), 0, s.outHeight,
        [&](auto v, int64_t, int64_t k, int64_t, int64_t) { return v + splat<decltype(v)>(p.bias[size_t(k)]); });
    p.check();
    p.out.assign(p.out.size(), -7.0f);
    convDirect<float>(direct, p.in.data(), p.weights.data(), p.out.data(), 0, s.outHeight, p.addBias());
    p.check();
  }
  for (const auto &shape : shapes<SpreadShape<ConvShape>>()) {
    Problem<SpreadShape<ConvShape>> p(shape, 1, 1);
    const auto &s = p.s;
    const ConvDirectShape<2> direct = {
        s.batch,
        s.channels,
        s.filters,
        s.groups,
        s.in,
        s.out,
        {{s.height, s.outHeight, s.kernelH, 1, s.dilationH, s.padTop, s.in.row, s.out.row, s.spreadH},
         {s.width, s.outWidth, s.kernelW, 1, s.dilationW, s.padLeft, s.in.pixel, s.out.pixel, s.spreadW}}};
    convDirect<float>(direct, p.in.data(), p.weights.data(), p.out.data(), 0, s.outHeight, p.addBias());
    p.check();
  }
}

TEST_CASE("conv of a volume along rows, dilated, of bytes with zero points") {
  // Channels 2, filters 5; 4 x 5 x 37; kernel 3 x 1 x 3, dilation 1 x 1 x 2, pads 1, 0, 2.
  const int64_t size[3] = {4, 5, 37};
  std::vector<uint8_t> in(2 * 4 * 5 * 37);
  std::vector<int8_t> w(5 * 2 * 9);
  Random random(8);
  for (uint8_t &x : in)
    x = uint8_t(random.bits());
  for (int8_t &x : w)
    x = int8_t(random.bits());
  std::vector<int32_t> out(5 * 4 * 5 * 37);
  const ImageLayout layout = {1, 0, 740, 0, 0};
  const ConvDirectShape<3> s = {1,
                                2,
                                5,
                                1,
                                layout,
                                layout,
                                {{4, 4, 3, 1, 1, 1, 185, 185}, {5, 5, 1, 1, 1, 0, 37, 37}, {37, 37, 3, 1, 2, 2, 1, 1}},
                                200,
                                -3};
  convRows<int32_t>(s, in.data(), w.data(), out.data(), 0, 7, Identity{});
  convRows<int32_t>(s, in.data(), w.data(), out.data(), 7, 20, Identity{}); // another share of the rows of all slices
  std::vector<int32_t> direct(out.size());
  convDirect<int32_t>(s, in.data(), w.data(), direct.data(), 13, 20, Identity{});
  convDirect<int32_t>(s, in.data(), w.data(), direct.data(), 0, 13, Identity{});
  CHECK(direct == out);
  for (int64_t k = 0; k < 5; ++k)
    for (int64_t z = 0; z < 4; ++z)
      for (int64_t y = 0; y < 5; ++y)
        for (int64_t x = 0; x < 37; ++x) {
          int32_t want = 0;
          for (int64_t c = 0; c < 2; ++c)
            for (int64_t kz = 0; kz < 3; ++kz)
              for (int64_t kx = 0; kx < 3; ++kx) {
                const int64_t iz = z + kz - 1, ix = x + 2 * kx - 2;
                if (iz >= 0 && iz < size[0] && ix >= 0 && ix < size[2])
                  want += (in[size_t(((c * 4 + iz) * 5 + y) * 37 + ix)] - 200) *
                          (w[size_t(((k * 2 + c) * 3 + kz) * 3 + kx)] + 3);
              }
          REQUIRE(out[size_t(((k * 4 + z) * 5 + y) * 37 + x)] == want);
        }
}
