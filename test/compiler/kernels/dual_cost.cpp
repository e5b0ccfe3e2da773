// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The estimates of dual kernels, on plain numbers.
#include "kernels/dual/support/dual_cost.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// 3x3 on a map of 8 x 8 pixels, 16 channels to 16 filters.
DualShape squares() {
  DualShape s;
  s.channels = s.filters = s.lineChannels = 16;
  s.width = s.outHeight = s.outWidth = 8;
  s.kernelH = s.kernelW = 3;
  s.padLeft = 1;
  s.byFours = true;
  s.run = 3 * 16 / 2;
  return s;
}

} // namespace

TEST_CASE("direct: 32 tiles of two pixels by four groups, 72 steps each, and each input widened") {
  CHECK(dualConvInstructions(squares()) == 32 * 4 * (14 * 72 + 100) + 2 * 64 * 16);
}

TEST_CASE("Winograd: 4 x 2 pairs of tiles, 16 positions of each channel and group") {
  CHECK(winogradInstructions(squares()) == 8 * (100 + 72 * 16 + 4 * (16 * (7 * 16 + 8) + 600)));
  CHECK(winogradInstructions(squares()) < dualConvInstructions(squares()));
  DualShape odd = squares();
  odd.outHeight = 7, odd.outWidth = 5; // half tiles cost what whole ones do
  CHECK(winogradInstructions(odd) == winogradInstructions(squares()));
}

TEST_CASE("Winograd's weights: 16 of two bytes for 9 in pairs, of filters in fours") {
  CHECK(winogradMoreWeights(squares()) == 16 * (32 * 16 - 2 * 72));
  DualShape five = squares();
  five.filters = 5;
  CHECK(winogradMoreWeights(five) == 8 * (32 * 16 - 2 * 72));
}

TEST_CASE("Winograd is for 3x3 with stride 1, channels by fours and a known height") {
  CHECK(isForWinograd(squares()));
  for (auto change : {+[](DualShape &s) { s.kernelH = 1; }, +[](DualShape &s) { s.kernelW = 5; },
                      +[](DualShape &s) { s.strideW = 2; }, +[](DualShape &s) { s.strideH = 2; },
                      +[](DualShape &s) { s.groups = 16; }, +[](DualShape &s) { s.byFours = false; },
                      +[](DualShape &s) { s.outHeight = 0; }}) {
    DualShape other = squares();
    change(other);
    CHECK_FALSE(isForWinograd(other));
  }
}
