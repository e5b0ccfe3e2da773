// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pointwise.h and point_sums.h by conv.h: single taps whose sums stay in registers, or go through memory from tiles of
// their own, give the bits that lists of segments give, in whole maps, row tiles and shares of panels, and agree with
// the definition.
#include "conv_problem.h"
#include "templates/panels/conv.h"
#include "templates/panels/point_sums.h"

#include <algorithm>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Problem;

namespace {

/// All but the heights, which a row tile does not know.
template <int64_t kChannels, int64_t kFilters, int64_t kOutHeight, int64_t kOutWidth, int64_t kStride, int64_t kGroups,
          int64_t kInBlock, int64_t kOutBlock>
struct PointRows {
  [[maybe_unused]] static constexpr int64_t batch = 2, channels = kChannels, width = kOutWidth * kStride,
                                            filters = kFilters, outWidth = kOutWidth;
  [[maybe_unused]] static constexpr int64_t kernelH = 1, kernelW = 1, strideH = kStride, strideW = kStride,
                                            dilationH = 1, dilationW = 1, padTop = 0, padLeft = 0, groups = kGroups;
  static constexpr int64_t rows = kOutHeight;
  static constexpr ImageLayout in = blockedLayout(kChannels, kOutHeight *kStride, width, kInBlock),
                               out = blockedLayout(kFilters, kOutHeight, kOutWidth, kOutBlock);
};
template <class Rows>
struct Whole : Rows {
  static constexpr int64_t height = Rows::rows * Rows::strideH, outHeight = Rows::rows;
};
/// A volume of three slices, of which each or every second one is read.
template <class Rows, int64_t kStrideD>
struct Volume : Whole<Rows> {
  static constexpr int64_t depth = 3 * kStrideD, outDepth = 3, kernelD = 1, strideD = kStrideD, dilationD = 1,
                           padFront = 0;
  static constexpr ImageLayout in = blockedLayout(Rows::channels, Whole<Rows>::height, Rows::width, Rows::in.block,
                                                  depth),
                               out =
                                   blockedLayout(Rows::filters, Rows::rows, Rows::outWidth, Rows::out.block, outDepth);
};
template <class Rows>
struct Tile : Rows {
  int64_t height, outHeight;
};

/// Has a residual, so that it depends on where an element stands.
template <bool kIsCostly, class Problem, class Shape, class T, class First, class Last, class Range = AllPanels>
void run(Problem &p, const Shape &s, const std::vector<T> &in, const std::vector<T> &weights, First first, Last last,
         Range range = {}) {
  const float *bias = p.bias.data();
  conv<kR, kNR, kIsCostly>(
      s, in.data(), weights.data(), p.out.data(), first, last,
      [=](auto v, int64_t n, int64_t k, auto... at) {
        int64_t place = n;
        ((place = place * 3 - at), ...);
        return v + load<decltype(v)>(bias + k) + splat<decltype(v)>(float(place % 64));
      },
      nullptr, range);
}

/// Whether a convolution of T is one of pointwise.h or of point_sums.h.
template <bool kIsCostly, class T, class Shape>
constexpr bool isOfPoints() {
  return !kPaysToKeepSums || mayKeepSums<kIsCostly, T, Shape>() || kVectorRegisters >= 32 || sumsPoints<T, Shape>();
}

/// Register tiles that keep their sums, or of known channels, against lists: those of sizes that are not known.
template <bool kIsCostly, class Rows>
void checkPoints() {
  static_assert(isOfPoints<kIsCostly, float, Whole<Rows>>(), "the case is of these kernels");
  static_assert(!kIsCostly || !mayKeepSums<kIsCostly, float, Whole<Rows>>(), "its epilogue needs the registers");
  constexpr Whole<Rows> whole{};
  ConvShape s;
  s.batch = whole.batch, s.channels = whole.channels, s.filters = whole.filters, s.groups = whole.groups;
  s.height = whole.height, s.width = whole.width, s.outHeight = whole.outHeight, s.outWidth = whole.outWidth;
  s.strideH = whole.strideH, s.strideW = whole.strideW;
  Problem<ConvShape> p(s, whole.in.block, whole.out.block);
  const auto weights = p.packed(false), in = p.laidOut();
  conv<kR, kNR>(p.s, in.data(), weights.data(), p.out.data(), 0, p.s.outHeight, p.addBias());
  p.check();
  std::fill(p.out.begin(), p.out.end(), -7.0f);
  run<kIsCostly>(p, p.s, in, weights, 0, p.s.outHeight);
  const std::vector<float> expected = p.out;
  const auto clear = [&] { std::fill(p.out.begin(), p.out.end(), -7.0f); };

  clear();
  run<kIsCostly>(p, whole, in, weights, Fixed<0>{}, Fixed<Rows::rows>{});
  CHECK(p.out == expected);
  clear();
  Tile<Rows> tile;
  tile.height = whole.height, tile.outHeight = whole.outHeight;
  run<kIsCostly>(p, tile, in, weights, 0, tile.outHeight / 2);
  run<kIsCostly>(p, tile, in, weights, tile.outHeight / 2, tile.outHeight);
  CHECK(p.out == expected);
  clear();
  const int64_t panels = whole.groups * ((whole.filters / whole.groups + kNR - 1) / kNR), part = (panels + 1) / 2;
  run<kIsCostly>(p, whole, in, weights, Fixed<0>{}, Fixed<Rows::rows>{}, PanelRange{part, panels});
  run<kIsCostly>(p, whole, in, weights, Fixed<0>{}, Fixed<Rows::rows>{}, PanelRange{0, part});
  CHECK(p.out == expected);
}
/// The rows of all slices, in one share and in two that meet within a slice.
template <class Rows, int64_t kStrideD>
void checkVolume() {
  constexpr Volume<Rows, kStrideD> whole{};
  static_assert(!kPaysToKeepSums || mayKeepSums<false, float, Volume<Rows, kStrideD>>(), "the case is of this kernel");
  VolumeShape s;
  s.batch = whole.batch, s.channels = whole.channels, s.filters = whole.filters, s.groups = whole.groups;
  s.height = whole.height, s.width = whole.width, s.outHeight = whole.outHeight, s.outWidth = whole.outWidth;
  s.strideH = whole.strideH, s.strideW = whole.strideW;
  s.depth = whole.depth, s.outDepth = whole.outDepth, s.strideD = whole.strideD;
  Problem<VolumeShape> p(s, whole.in.block, whole.out.block);
  const auto weights = p.packed(false), in = p.laidOut();
  constexpr int64_t rows = whole.outDepth * whole.outHeight, some = whole.outHeight + whole.outHeight / 2;
  conv<kR, kNR>(p.s, in.data(), weights.data(), p.out.data(), 0, rows, p.addBias());
  p.check();
  run<false>(p, p.s, in, weights, 0, rows);
  const std::vector<float> expected = p.out;
  std::fill(p.out.begin(), p.out.end(), -7.0f);
  run<false>(p, whole, in, weights, Fixed<0>{}, Fixed<rows>{});
  CHECK(p.out == expected);
  std::fill(p.out.begin(), p.out.end(), -7.0f);
  run<false>(p, whole, in, weights, 0, some);
  run<false>(p, whole, in, weights, some, rows);
  CHECK(p.out == expected);
}
/// The same of halves, which are read by vectors.
template <class Rows>
void checkHalves() {
  static_assert(isOfPoints<false, f16, Whole<Rows>>(), "the case is of these kernels");
  constexpr Whole<Rows> whole{};
  ConvShape s;
  s.batch = whole.batch, s.channels = whole.channels, s.filters = whole.filters, s.groups = whole.groups;
  s.height = whole.height, s.width = whole.width, s.outHeight = whole.outHeight, s.outWidth = whole.outWidth;
  s.strideH = whole.strideH, s.strideW = whole.strideW;
  Problem<ConvShape> p(s, whole.in.block, whole.out.block);
  const auto halves = [](const std::vector<float> &numbers) {
    std::vector<f16> all(numbers.size());
    std::transform(numbers.begin(), numbers.end(), all.begin(), [](float x) { return convert<f16>(x); });
    return all;
  };
  const auto weights = halves(p.packed(false)), in = halves(p.laidOut());
  run<false>(p, p.s, in, weights, 0, p.s.outHeight);
  const std::vector<float> expected = p.out;
  std::fill(p.out.begin(), p.out.end(), -7.0f);
  run<false>(p, whole, in, weights, Fixed<0>{}, Fixed<Rows::rows>{});
  CHECK(p.out == expected);
}
template <class Rows>
void check() {
  checkPoints<false, Rows>();
  checkPoints<true, Rows>();
}

} // namespace

TEST_CASE("points over channels, filters and widths") {
  check<PointRows<16, 96, 4, 28, 1, 1, 16, 16>>();
  check<PointRows<24, 144, 3, 17, 1, 1, 24, 16>>(); // tiles of two sizes, half a panel
  check<PointRows<5, 24, 7, 7, 1, 1, 5, 24>>();     // tiles run over the ends of rows, a narrower last vector
  check<PointRows<32, 20, 5, 15, 2, 1, 16, 20>>();  // by every second pixel, a last vector in parts
  check<PointRows<16, 32, 8, 8, 2, 1, 16, 16>>();   // the same in rows that are shorter than a tile
  check<PointRows<3, 3, 2, 30, 1, 1, 3, 3>>();      // no whole vector
  check<PointRows<64, 31, 3, 1, 1, 1, 16, 31>>();   // columns of one pixel
}

TEST_CASE("points of more channels than are added up one by one") {
  check<PointRows<136, 48, 3, 17, 1, 1, 8, 8>>();    // blocks of a vector or less
  check<PointRows<264, 40, 2, 13, 1, 1, 264, 40>>(); // one block of all
  check<PointRows<260, 24, 3, 9, 2, 1, 260, 24>>();  // fours behind, every second pixel
  check<PointRows<272, 32, 3, 7, 1, 2, 8, 8>>();     // in groups
}

TEST_CASE("points of halves") {
  checkHalves<PointRows<16, 64, 3, 17, 1, 1, 16, 16>>();
  checkHalves<PointRows<272, 24, 2, 13, 1, 1, 16, 24>>();
}

TEST_CASE("points of volumes") {
  checkVolume<PointRows<24, 54, 4, 14, 1, 1, 24, 54>, 1>(); // tiles run on over rows and slices
  checkVolume<PointRows<16, 96, 4, 28, 1, 1, 16, 16>, 2>(); // slices between are left out
  checkVolume<PointRows<32, 20, 5, 15, 2, 1, 16, 20>, 1>(); // pixels between, too
  checkVolume<PointRows<5, 24, 7, 7, 1, 1, 5, 24>, 2>();    // rows that are shorter than a tile
}

TEST_CASE("points in groups") {
  check<PointRows<32, 64, 3, 16, 1, 2, 16, 16>>(); // a block is a group's
  check<PointRows<32, 64, 3, 16, 1, 4, 16, 16>>(); // a group's are part of a block
}
