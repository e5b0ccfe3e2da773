// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// conv.h, conv_planar.h, depthwise.h against the definition, in every layout.
#include "templates/panels/conv.h"
#include "conv_reference.h"
#include "packing.h"
#include "templates/direct/conv_rows.h"
#include "templates/panels/conv_planar.h"
#include "templates/panels/depthwise.h"

#include <string>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Random;

namespace {

/// A convolution's data: the input and weights as ONNX has them, the output as the kernel leaves it.
struct Problem {
  ConvShape s;
  std::vector<float> in, weights, bias, out;
  Problem(ConvShape shape, int64_t inBlock, int64_t outBlock) : s(shape) {
    s.in = blockedLayout(s.channels, s.height, s.width, inBlock ? inBlock : s.channels);
    s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, outBlock ? outBlock : s.filters);
    Random random(3);
    in = random.vector(size_t(s.batch * s.channels * s.height * s.width));
    weights = random.vector(size_t(s.filters * (s.channels / s.groups) * s.kernelH * s.kernelW));
    bias = random.vector(size_t(s.filters));
    out.assign(size_t(s.batch * s.out.batch), -7.0f);
  }
  std::vector<float> packed(bool planar) const {
    return test::packFilters(weights, s.filters, s.channels / s.groups, s.kernelH * s.kernelW, s.groups, planar);
  }
  std::vector<float> laidOut() const { return test::inLayout(in, s.in, s.batch, s.channels, s.height, s.width); }
  auto addBias() const {
    return [this](auto v, int64_t, int64_t k, int64_t, int64_t) { return v + load<decltype(v)>(bias.data() + k); };
  }
  void check() const {
    INFO("n " << s.batch << " c " << s.channels << " k " << s.filters << " hw " << s.height << "x" << s.width
              << " kernel " << s.kernelH << "x" << s.kernelW << " stride " << s.strideH << " dilation " << s.dilationH
              << " groups " << s.groups << " blocks " << s.in.block << " -> " << s.out.block);
    test::checkConv(s, in, weights, bias, out);
  }
};

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
    Problem p(s, 0, 16);
    const auto packedWeights = p.packed(false);
    const auto image = p.laidOut();
    conv<kR, kNR>(FixedShape{}, image.data(), packedWeights.data(), p.out.data(), Fixed<0>{}, Fixed<kHeight>{},
                  p.addBias());
    p.check();
  }
};

} // namespace

TEST_CASE("conv over shapes and layouts") {
  for (const ConvShape &shape : test::convShapes())
    for (int layouts = 0; layouts < 4; ++layouts) {
      const int64_t inBlocks[] = {0, 16, 8, 0}, outBlocks[] = {0, 16, 0, 1};
      Problem p(shape, inBlocks[layouts], outBlocks[layouts]);
      const auto weights = p.packed(false);
      const auto in = p.laidOut();
      // In two row tiles, as a fused or a shared computation would have it.
      const int64_t half = p.s.outHeight / 2;
      conv<kR, kNR>(p.s, in.data(), weights.data(), p.out.data(), 0, half, p.addBias());
      conv<kR, kNR>(p.s, in.data(), weights.data(), p.out.data(), half, p.s.outHeight, p.addBias());
      p.check();
    }
}

TEST_CASE("conv of a shape known while compiling") {
  FixedShape<5, 19, 9, 30, 3>::check();   // its last vector is not whole
  FixedShape<5, 48, 9, 30, 3>::check();   // whole vectors, not whole panels
  FixedShape<16, 16, 7, 5, 3>::check();   // tiles run over the ends of rows
  FixedShape<1600, 16, 5, 7, 1>::check(); // in row tiles, the last one shorter with longer tiles
}

TEST_CASE("conv from NCHW over shapes") {
  for (const ConvShape &shape : test::convShapes())
    for (const int64_t outBlock : {0, 16, 1}) {
      Problem p(shape, 1, outBlock);
      const auto weights = p.packed(true);
      convPlanar<kR, kNR>(p.s, p.in.data(), weights.data(), p.out.data(), 0, p.s.outHeight, p.addBias());
      p.check();
    }
}

TEST_CASE("depthwise over shapes and layouts") {
  for (ConvShape shape : test::convShapes())
    for (const int64_t block : {0, 16}) {
      shape.groups = shape.filters = shape.channels;
      Problem p(shape, block, block);
      const auto weights = test::packDepthwise(p.weights, p.s.channels, p.s.kernelH * p.s.kernelW);
      const auto in = p.laidOut();
      const auto run = [&](auto kernel) {
        kernel(p.s, in.data(), weights.data(), p.out.data(), 0, p.s.outHeight, p.addBias());
      };
      if (p.s.kernelW == 3 && p.s.strideW == 1 && p.s.dilationW == 1)
        run([](auto... a) { depthwise<3, 1>(a...); });
      else if (p.s.kernelW == 3 && p.s.strideW == 2 && p.s.dilationW == 1)
        run([](auto... a) { depthwise<3, 2>(a...); });
      else
        run([](auto... a) { depthwise<0, 0>(a...); });
      p.check();
    }
}

TEST_CASE("conv along rows and direct, over shapes") {
  for (const ConvShape &shape : test::convShapes()) {
    Problem p(shape, 1, 1);
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
        direct, p.in.data(), p.weights.data(), p.out.data(),
        [&](auto v, int64_t, int64_t k, int64_t, int64_t) { return v + splat<decltype(v)>(p.bias[size_t(k)]); });
    p.check();
    p.out.assign(p.out.size(), -7.0f);
    convDirect<float>(direct, p.in.data(), p.weights.data(), p.out.data(), p.addBias());
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
  convRows<int32_t>(s, in.data(), w.data(), out.data(), Identity{});
  std::vector<int32_t> direct(out.size());
  convDirect<int32_t>(s, in.data(), w.data(), direct.data(), Identity{});
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
