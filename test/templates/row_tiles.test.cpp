// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A feature map made in row tiles, of which each kernel is given only the rows that the row tile reads, has the
// bits of the map made at once: what --fit and --arena-limit promise (docs/output-format.md). The same for shares of
// rows.
#include "conv_reference.h"
#include "packing.h"
#include "templates/direct/conv_rows.h"
#include "templates/panels/conv.h"
#include "templates/panels/conv_planar.h"
#include "templates/panels/depthwise.h"
#include "templates/pool/pool.h"

#include <cstring>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Random;

namespace {

/// Shapes of float convolutions whose sums are long enough to be cut, on maps that are narrower and wider than a tile.
std::vector<ConvShape> shapes() {
  std::vector<ConvShape> all = test::convShapes();
  Random random(11);
  for (int i = 0; i < 60; ++i) {
    ConvShape s;
    s.channels = s.filters = 1 + random.below(90);
    s.filters = 1 + random.below(40);
    s.height = 1 + random.below(12);
    s.width = 1 + random.below(i % 3 == 0 ? 40 : 12);
    s.kernelH = 1 + random.below(4), s.kernelW = 1 + random.below(4);
    s.strideH = 1 + random.below(2), s.strideW = 1 + random.below(2);
    s.dilationH = 1 + random.below(2), s.dilationW = 1 + random.below(2);
    s.padTop = random.below(int(s.kernelH) + 1), s.padLeft = random.below(int(s.kernelW) + 1);
    test::setOutputSize(s, random.below(4), random.below(4));
    if (s.outHeight > 0 && s.outWidth > 0)
      all.push_back(s);
  }
  return all;
}

/// run(shape, in, out) on the whole map, then on row tiles of 1, 2, 3 rows, each with the input rows that it reads.
template <class Run>
void checkRowTiles(ConvShape s, int64_t inBlock, int64_t outBlock, Run run) {
  s.in = blockedLayout(s.channels, s.height, s.width, inBlock ? inBlock : s.channels);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, outBlock ? outBlock : s.filters);
  Random random(5);
  const auto nchw = random.vector(size_t(s.batch * s.channels * s.height * s.width));
  const auto in = test::inLayout(nchw, s.in, s.batch, s.channels, s.height, s.width);
  std::vector<float> whole(size_t(s.batch * s.out.batch), -7.0f), tiled(whole);
  run(s, in.data(), whole.data());
  for (int64_t rows = 1; rows <= 3; ++rows) {
    tiled.assign(tiled.size(), -7.0f);
    for (int64_t begin = 0; begin < s.outHeight; begin += rows) {
      ConvShape part = s;
      part.outHeight = std::min(rows, s.outHeight - begin);
      const int64_t from = begin * s.strideH - s.padTop,
                    to = from + (part.outHeight - 1) * s.strideH + (s.kernelH - 1) * s.dilationH + 1;
      const int64_t first = std::min(std::max<int64_t>(from, 0), s.height),
                    last = std::min(std::max(to, first), s.height);
      part.height = last - first;
      part.padTop = first - from;
      run(part, in.data() + first * s.in.row, tiled.data() + begin * s.out.row);
    }
    INFO("c " << s.channels << " k " << s.filters << " hw " << s.height << "x" << s.width << " kernel " << s.kernelH
              << "x" << s.kernelW << " stride " << s.strideH << "x" << s.strideW << " dilation " << s.dilationH
              << " pads " << s.padTop << "," << s.padLeft << " groups " << s.groups << " rows " << rows);
    REQUIRE(std::memcmp(whole.data(), tiled.data(), whole.size() * sizeof(float)) == 0);
  }
}

std::vector<float> weightsOf(const ConvShape &s) {
  return Random(9).vector(size_t(s.filters * (s.channels / s.groups) * s.kernelH * s.kernelW));
}
std::vector<float> packedWeights(const ConvShape &s, bool planar) {
  return test::packFilters(weightsOf(s), s.filters, s.channels / s.groups, s.kernelH * s.kernelW, s.groups, planar);
}

} // namespace

TEST_CASE("conv in row tiles") {
  for (const ConvShape &s : shapes()) {
    const auto weights = packedWeights(s, false);
    for (const int64_t block : {0, 16})
      checkRowTiles(s, block, block, [&](const ConvShape &part, const float *in, float *out) {
        conv<kR, kNR>(part, in, weights.data(), out, 0, part.outHeight, Identity{});
      });
  }
}

TEST_CASE("conv in shares of rows") {
  for (const ConvShape &s : shapes()) {
    const auto weights = packedWeights(s, false);
    ConvShape shape = s;
    shape.in = blockedLayout(s.channels, s.height, s.width, s.channels);
    shape.out = blockedLayout(s.filters, s.outHeight, s.outWidth, s.filters);
    const auto in = Random(5).vector(size_t(s.batch * shape.in.batch));
    std::vector<float> whole(size_t(s.batch * shape.out.batch)), shared(whole);
    conv<kR, kNR>(shape, in.data(), weights.data(), whole.data(), 0, s.outHeight, Identity{});
    for (int64_t row = 0; row < s.outHeight; ++row)
      conv<kR, kNR>(shape, in.data(), weights.data(), shared.data(), row, row + 1, Identity{});
    REQUIRE(std::memcmp(whole.data(), shared.data(), whole.size() * sizeof(float)) == 0);
  }
}

TEST_CASE("conv from NCHW in row tiles") {
  for (const ConvShape &s : shapes()) {
    const auto weights = packedWeights(s, true);
    checkRowTiles(s, 1, 0, [&](const ConvShape &part, const float *in, float *out) {
      convPlanar<kR, kNR>(part, in, weights.data(), out, 0, part.outHeight, Identity{});
    });
  }
}

TEST_CASE("conv along rows and direct, in row tiles") {
  for (const ConvShape &s : shapes()) {
    const auto weights = weightsOf(s);
    const auto direct = [](const ConvShape &part) {
      return ConvDirectShape<2>{part.batch,
                                part.channels,
                                part.filters,
                                part.groups,
                                part.in,
                                part.out,
                                {{part.height, part.outHeight, part.kernelH, part.strideH, part.dilationH, part.padTop,
                                  part.in.row, part.out.row},
                                 {part.width, part.outWidth, part.kernelW, part.strideW, part.dilationW, part.padLeft,
                                  part.in.pixel, part.out.pixel}}};
    };
    checkRowTiles(s, 1, 1, [&](const ConvShape &part, const float *in, float *out) {
      convRows<float>(direct(part), in, weights.data(), out, 0, part.outHeight, Identity{});
    });
    checkRowTiles(s, 0, 0, [&](const ConvShape &part, const float *in, float *out) {
      convDirect<float>(direct(part), in, weights.data(), out, 0, part.outHeight, Identity{});
    });
  }
}

TEST_CASE("depthwise in row tiles") {
  for (ConvShape s : shapes()) {
    s.groups = s.filters = s.channels;
    const auto weights = test::packDepthwise(weightsOf(s), s.channels, s.kernelH * s.kernelW);
    const auto check = [&](auto kernel) {
      checkRowTiles(s, 0, 0, [&](const ConvShape &part, const float *in, float *out) {
        kernel(part, in, weights.data(), out, 0, part.outHeight, Identity{});
      });
    };
    if (s.kernelW == 3 && s.strideW == 1 && s.dilationW == 1)
      check([](auto... a) { depthwise<3, 1>(a...); });
    else if (s.kernelW == 3 && s.strideW == 2 && s.dilationW == 1)
      check([](auto... a) { depthwise<3, 2>(a...); });
    else
      check([](auto... a) { depthwise<0, 0>(a...); });
  }
}

TEST_CASE("averages in row tiles") {
  for (ConvShape s : shapes()) {
    s.groups = s.filters = s.channels;
    for (const int64_t block : {0, 16, 1})
      checkRowTiles(s, block, block, [&](const ConvShape &part, const float *in, float *out) {
        PoolShape shape;
        static_cast<ConvShape &>(shape) = part;
        pool<float>(shape, AveragePool{false}, in, out, 0, part.outHeight, Identity{});
      });
  }
}
