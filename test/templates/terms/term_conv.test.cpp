// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// termConv over emulated tile registers against the definition: maps, volumes and lines in every layout, with strides
// and pads, groups whose channels fill blocks or do not, in row tiles and in shares of panels.
#include "templates/terms/term_conv.h"
#include "../dot4/emulated_tiles.h"
#include "../panels/conv_problem.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinter;
using test::Problem;

namespace {

template <class Shape>
Shape ofSize(int64_t batch, int64_t channels, int64_t filters, int64_t height, int64_t width) {
  Shape s;
  s.batch = batch, s.channels = channels, s.filters = filters;
  s.height = s.outHeight = height, s.width = s.outWidth = width;
  return s;
}

template <class Shape>
std::vector<uint32_t> scratchFor(const Shape &s, int NR) {
  const int64_t rows = s.batch * outputRows(s) * s.outWidth;
  return std::vector<uint32_t>(
      size_t(termScratchBytes(NR, rows, s.filters / s.groups, s.channels / s.groups * tapRows(s) * s.kernelW, 3, 3) /
             4),
      0x7fc07fc0); // no numbers
}

template <int NR, class Shape>
void check(const Shape &shape) {
  for (int layouts = 0; layouts < 5; ++layouts) {
    const int64_t inBlocks[] = {0, 16, 8, 1, 32}, outBlocks[] = {0, 16, 0, 1, 16};
    Problem<Shape> p(shape, inBlocks[layouts], outBlocks[layouts]);
    const auto weights =
        test::packFilters(p.weights, p.s.filters, p.s.channels / p.s.groups, p.taps, p.s.groups, false, NR);
    const auto in = p.laidOut();
    auto scratch = scratchFor(p.s, NR);
    const auto compute = [&](int64_t first, int64_t last, PanelRange range) {
      termConv<NR, EmulatedTiles>(p.s, in.data(), weights.data(), p.out.data(), scratch.data(), first, last,
                                  p.addBias(), nullptr, range);
      CHECK(!EmulatedTiles::state().isConfigured);
    };
    const int64_t rows = outputRows(p.s), half = rows / 2;
    const PanelRange all{0, 1 << 20};
    compute(0, rows, all);
    p.check();
    const std::vector<float> whole = p.out;
    std::fill(p.out.begin(), p.out.end(), -7.0f);
    compute(0, half, all);
    compute(half, rows, all);
    CHECK(p.out == whole);
    std::fill(p.out.begin(), p.out.end(), -7.0f);
    const int64_t panels = p.s.groups * ((p.s.filters / p.s.groups + NR - 1) / NR), part = (panels + 1) / 2;
    compute(0, rows, PanelRange{0, part});
    compute(0, rows, PanelRange{part, panels});
    CHECK(p.out == whole);
  }
}

} // namespace

TEST_CASE("termConv over sizes") {
  for (const int64_t channels : {1, 16, 24, 32, 40, 150})
    for (const int64_t filters : {1, 16, 20, 32, 50}) {
      check<32>(ofSize<ConvShape>(1, channels, filters, 5, 9));
      check<16>(ofSize<ConvShape>(3, channels, filters, 3, 7)); // blocks have pixels of two images
    }
  check<32>(ofSize<ConvShape>(1, 2100, 33, 4, 5)); // more channels than are split at a time
  check<32>(ofSize<ConvShape>(2, 20, 33, 17, 19)); // more pixels
  check<32>(ofSize<ConvShape>(0, 20, 33, 7, 9));
}

TEST_CASE("termConv with strides, pads and groups") {
  for (const int64_t stride : {1, 2, 3})
    for (const int64_t pad : {0, 1})
      for (const int64_t groups : {1, 2, 4}) {
        ConvShape s = ofSize<ConvShape>(2, groups * 24, groups * 40, 9, 8);
        s.groups = groups, s.strideH = stride, s.strideW = stride, s.padTop = s.padLeft = pad;
        test::setOutputSize(s, 1, pad);
        check<32>(s);
        check<16>(s);
      }
}

TEST_CASE("termConv of volumes") {
  for (const int64_t stride : {1, 2}) {
    VolumeShape s = ofSize<VolumeShape>(2, 40, 34, 5, 4);
    s.depth = 3, s.strideD = s.strideW = stride, s.padFront = stride - 1;
    s.outDepth = (s.depth + 2 * s.padFront - 1) / stride + 1;
    test::setOutputSize(s, 0, 0);
    check<32>(s);
  }
}

TEST_CASE("termConv of several taps") {
  for (const int64_t channels : {16, 32, 48})
    for (const int64_t stride : {1, 2})
      for (const int64_t groups : {1, 2}) {
        ConvShape s = ofSize<ConvShape>(2, groups * channels, groups * 40, 9, 8);
        s.groups = groups, s.kernelH = 3, s.kernelW = 2 + stride, s.dilationW = 3 - stride;
        s.strideH = s.strideW = stride, s.padTop = s.padLeft = 1;
        test::setOutputSize(s, 1, 1);
        check<32>(s);
        check<16>(s);
      }
  ConvShape s = ofSize<ConvShape>(1, 160, 33, 6, 5); // more numbers than are split at a time, which ends in a tap
  s.kernelH = s.kernelW = 3, s.padTop = s.padLeft = 1;
  check<32>(s);
  VolumeShape v = ofSize<VolumeShape>(1, 16, 20, 5, 4);
  v.depth = v.outDepth = 3, v.kernelD = 3, v.padFront = 1;
  check<32>(v);
}

TEST_CASE_TEMPLATE("termConv of halves gives the sums of the floats that they are", Half, f16, bf16) {
  Problem<ConvShape> p(ofSize<ConvShape>(1, 40, 24, 6, 9), 16, 16);
  const auto halves = [](std::vector<float> &floats) {
    std::vector<Half> all;
    for (float &x : floats) {
      all.push_back(convert<Half>(x));
      x = convert<float>(all.back());
    }
    return all;
  };
  std::vector<float> in = p.laidOut();
  const std::vector<Half> halfIn = halves(in);
  halves(p.in);
  const std::vector<Half> halfWeights = halves(p.weights);
  auto packed = test::packFilters(halfWeights, p.s.filters, p.s.channels, 1, 1, false, 32);
  auto scratch = scratchFor(p.s, 32);
  termConv<32, EmulatedTiles>(p.s, halfIn.data(), packed.data(), p.out.data(), scratch.data(), 0, p.s.outHeight,
                              p.addBias());
  p.check();
}
