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
