// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// conv_dots.h against the definition: maps and volumes, spread out ones too, groups, layouts, vectors narrower than the
// target's.
#include "templates/panels/conv_dots.h"
#include "conv_problem.h"

using namespace sinter;
using test::Problem;
using test::shapes;

namespace {

/// [k, c, taps] -> [k, taps, c].
std::vector<float> channelsLast(const std::vector<float> &weights, int64_t filters, int64_t channels, int64_t taps) {
  std::vector<float> turned(weights.size());
  for (int64_t k = 0; k < filters; ++k)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t t = 0; t < taps; ++t)
        turned[size_t((k * taps + t) * channels + c)] = weights[size_t((k * channels + c) * taps + t)];
  return turned;
}

template <int kWidth, class Shape>
void check(const Shape &shape, int64_t inBlock, int64_t outBlock) {
  Problem<Shape> p(shape, inBlock, outBlock);
  const auto weights = channelsLast(p.weights, p.s.filters, p.s.channels / p.s.groups, p.taps);
  const auto in = p.laidOut();
  const int64_t half = outputRows(p.s) / 2;
  convDots<2, kWidth>(p.s, in.data(), weights.data(), p.out.data(), 0, half, p.addBias());
  convDots<2, kWidth>(p.s, in.data(), weights.data(), p.out.data(), half, outputRows(p.s), p.addBias());
  p.check();
}

} // namespace

TEST_CASE_TEMPLATE("channels in lanes, over shapes and layouts", Shape, ConvShape, VolumeShape, SpreadShape<ConvShape>,
                   SpreadShape<VolumeShape>) {
  for (const Shape &shape : shapes<Shape>()) {
    check<kLanes<float>>(shape, 0, 0);
    check<kLanes<float>>(shape, 16, 1);
    check<4>(shape, 8, 16);
  }
}

TEST_CASE("as many filters as there are in a tile, and more") {
  for (const int64_t filters : {1, 2, 3, 4, 5, 9})
    for (const int64_t channels : {7, 8, 33}) {
      ConvShape s;
      s.channels = channels, s.filters = filters, s.height = 6, s.width = 31;
      s.kernelH = 3, s.kernelW = 5, s.padTop = 1, s.padLeft = 2;
      test::setOutputSize(s, 1, 2);
      check<kLanes<float>>(s, 0, 0);
      check<8>(s, 8, 0);
    }
}
