// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tap_rows.h by way of conv.h, against the definition: windows and widths that are known, with borders that leave out
// columns at one side, at both, or all of a tap's.
#include "conv_problem.h"
#include "templates/panels/conv.h"

#include <algorithm>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Problem;

namespace {

/// A shape of which everything is known while compiling; the same pad at all sides.
template <int64_t kChannels, int64_t kFilters, int64_t kSize, int64_t kKernel, int64_t kStride, int64_t kDilation,
          int64_t kPad, int64_t kGroups, int64_t kBlock>
struct KnownShape {
  static constexpr int64_t sizeOf(int64_t size) {
    return (size + 2 * kPad - (kKernel - 1) * kDilation - 1) / kStride + 1;
  }
  [[maybe_unused]] static constexpr int64_t batch = 2, channels = kChannels, filters = kFilters, height = 5,
                                            width = kSize;
  static constexpr int64_t outHeight = sizeOf(5), outWidth = sizeOf(kSize);
  static constexpr int64_t kernelH = kKernel, kernelW = kKernel, strideH = kStride, strideW = kStride,
                           dilationH = kDilation, dilationW = kDilation;
  static constexpr int64_t padTop = kPad, padLeft = kPad, groups = kGroups;
  static constexpr ImageLayout in = blockedLayout(kChannels, 5, kSize, kBlock),
                               out = blockedLayout(kFilters, outHeight, outWidth, 8);

  static void check() {
    ConvShape s;
    s.batch = batch, s.channels = channels, s.filters = filters, s.height = height, s.width = width, s.groups = groups;
    s.kernelH = s.kernelW = kKernel, s.strideH = s.strideW = kStride, s.dilationH = s.dilationW = kDilation;
    s.padTop = s.padLeft = kPad, s.outHeight = outHeight, s.outWidth = outWidth;
    Problem<ConvShape> p(s, kBlock, 8);
    const auto packedWeights = p.packed(false);
    const auto image = p.laidOut();
    constexpr int64_t half = outHeight / 2;
    conv<kR, kNR>(KnownShape{}, image.data(), packedWeights.data(), p.out.data(), Fixed<0>{}, Fixed<half>{},
                  p.addBias());
    conv<kR, kNR>(KnownShape{}, image.data(), packedWeights.data(), p.out.data(), half, int64_t(outHeight),
                  p.addBias());
    p.check();
  }
};

} // namespace

TEST_CASE("rows of taps of every length, beside each other and apart") {
  KnownShape<5, 19, 33, 2, 1, 1, 0, 1, 5>::check();
  KnownShape<16, 16, 20, 3, 1, 1, 1, 1, 16>::check();
  KnownShape<20, 35, 29, 3, 2, 1, 1, 1, 8>::check(); // blocks, the last one not whole
  KnownShape<9, 12, 31, 4, 3, 1, 2, 1, 9>::check();
  KnownShape<8, 8, 27, 5, 1, 1, 2, 1, 4>::check();
  KnownShape<7, 16, 24, 6, 2, 1, 3, 1, 7>::check();
  KnownShape<6, 16, 40, 7, 1, 1, 3, 1, 6>::check();
  KnownShape<6, 16, 40, 3, 1, 3, 3, 1, 6>::check();
  KnownShape<6, 16, 41, 3, 2, 2, 2, 1, 6>::check();
}

TEST_CASE("rows of taps of narrow maps, wide pads, groups and many channels") {
  KnownShape<16, 32, 7, 3, 1, 1, 1, 1, 16>::check();
  KnownShape<4, 16, 9, 3, 1, 1, 6, 1, 4>::check();     // tiles that lie outside
  KnownShape<4, 16, 3, 5, 1, 1, 4, 1, 4>::check();     // wider than the map
  KnownShape<24, 36, 18, 3, 1, 1, 1, 3, 16>::check();  // blocks with channels of two groups
  KnownShape<300, 16, 9, 3, 1, 1, 1, 1, 300>::check(); // more products than one sum takes
}

TEST_CASE("which tiles a row has") {
  using Shape = KnownShape<16, 16, 20, 3, 1, 1, 1, 1, 16>;
  using Tiles = TapRowTiles<Shape, 7>;
  CHECK(Tiles::count == 3);
  CHECK(Tiles::at(0) == TapRowTile{7, 1, 0});
  CHECK(Tiles::at(1) == TapRowTile{7, 0, 0});
  CHECK(Tiles::at(2) == TapRowTile{6, 0, 1});
  CHECK(TapRowTiles<Shape, 4>::kinds().count == 3);
  CHECK(TapRowTiles<Shape, 20>::at(0) == TapRowTile{20, 1, 1});
}

namespace {
template <int64_t width, int64_t taps, int64_t stride, int64_t dilation, int64_t pad>
void checkKinds() {
  using Tiles = TapRowTiles<KnownShape<4, 4, width, taps, stride, dilation, pad, 1, 4>, 5>;
  constexpr TapRowKinds kinds = Tiles::kinds();
  if (kinds.count > TapRowKinds::kMost)
    return;
  for (int64_t i = 0; i < Tiles::count; ++i) {
    CAPTURE(i);
    CHECK(std::count(&kinds.at[0], &kinds.at[kinds.count], Tiles::at(i)) == 1);
  }
}
} // namespace

TEST_CASE("each tile is of one of the kinds, in rows of any length, which are not looked through") {
  checkKinds<1, 3, 1, 1, 1>();
  checkKinds<33, 3, 1, 1, 1>();
  checkKinds<34, 3, 1, 1, 0>();
  checkKinds<36, 5, 2, 1, 7>();
  checkKinds<57, 7, 3, 2, 2>();
  checkKinds<4000, 3, 1, 4, 4>();
  checkKinds<3'000'001, 5, 4, 1, 2>();
}
