// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// conv_planar.h on shapes that are known while compiling: rows of short taps (planar_row.h), whole columns
// (maps/column_as_row.h), borders of rows longer than the copies' buffer.
#include "templates/panels/planar_row.h"
#include "conv_problem.h"
#include "templates/panels/conv_planar.h"

using namespace sinter;
using test::kNR;
using test::kR;
using test::Problem;

namespace {

/// Windows that are known; the batch is not.
template <int64_t kChannels, int64_t kFilters, int64_t kH, int64_t kW, int64_t kKH, int64_t kKW, int64_t kSH,
          int64_t kSW, int64_t kDilation, int64_t kTop, int64_t kLeft, int64_t kOutH, int64_t kOutW>
struct Known {
  int64_t batch = 2;
  static constexpr int64_t channels = kChannels, filters = kFilters, groups = 1;
  static constexpr int64_t height = kH, width = kW, outHeight = kOutH, outWidth = kOutW;
  static constexpr int64_t kernelH = kKH, kernelW = kKW, strideH = kSH, strideW = kSW;
  static constexpr int64_t dilationH = kDilation, dilationW = kDilation, padTop = kTop, padLeft = kLeft;
  static constexpr ImageLayout in = blockedLayout(kChannels, kH, kW, 1),
                               out = blockedLayout(kFilters, kOutH, kOutW, 16);

  static void check() {
    ConvShape s;
    s.batch = 2, s.channels = kChannels, s.filters = kFilters, s.height = kH, s.width = kW;
    s.outHeight = kOutH, s.outWidth = kOutW, s.kernelH = kKH, s.kernelW = kKW, s.strideH = kSH, s.strideW = kSW;
    s.dilationH = s.dilationW = kDilation, s.padTop = kTop, s.padLeft = kLeft;
    Problem<ConvShape> p(s, 1, 16);
    const auto weights = p.packed(true);
    convPlanar<kR, kNR>(Known{}, p.in.data(), weights.data(), p.out.data(), Fixed<0>{}, Fixed<kOutH>{}, p.addBias());
    p.check();
    p.out.assign(p.out.size(), -7.0f);
    convPlanar<kR, kNR>(Known{}, p.in.data(), weights.data(), p.out.data(), 0, kOutH / 3, p.addBias());
    convPlanar<kR, kNR>(Known{}, p.in.data(), weights.data(), p.out.data(), kOutH / 3, kOutH, p.addBias());
    p.check();
    checkHalfs<f16>(p, weights);
    checkHalfs<bf16>(p, weights);
  }
  /// Halfs give the sums of the floats that they are.
  template <class Half>
  static void checkHalfs(Problem<ConvShape> &p, std::vector<float> weights) {
    const auto halfs = [](std::vector<float> &floats) {
      std::vector<Half> all;
      for (float &x : floats) {
        all.push_back(convert<Half>(x));
        x = convert<float>(all.back());
      }
      return all;
    };
    std::vector<float> in = p.in, expected = p.out; // what no filter is of stays
    const std::vector<Half> halfIn = halfs(in), halfWeights = halfs(weights);
    convPlanar<kR, kNR>(Known{}, in.data(), weights.data(), expected.data(), Fixed<0>{}, Fixed<kOutH>{}, Identity{});
    convPlanar<kR, kNR>(Known{}, halfIn.data(), halfWeights.data(), p.out.data(), Fixed<0>{}, Fixed<kOutH>{},
                        Identity{});
    CHECK(p.out == expected);
  }
};

} // namespace

TEST_CASE("short rows of taps, known while compiling") {
  static_assert(hasShortTapRows<kR, Known<3, 19, 17, 41, 3, 3, 2, 2, 1, 1, 1, 9, 21>>() == (kLanes<float> > 1));
  Known<3, 19, 17, 41, 3, 3, 2, 2, 1, 1, 1, 9, 21>::check();
  Known<3, 70, 13, 64, 7, 7, 2, 2, 1, 3, 3, 7, 32>::check();  // several panels; sums in parts
  Known<1, 8, 28, 28, 5, 5, 1, 1, 1, 2, 2, 28, 28>::check();  // every tile is at the border
  Known<2, 5, 9, 9, 3, 3, 1, 1, 2, 2, 2, 9, 9>::check();      // taps two apart
  Known<3, 16, 20, 33, 3, 3, 2, 2, 1, 0, 0, 10, 17>::check(); // a border at the end alone
  Known<1, 16, 1, 3, 1, 3, 1, 1, 1, 0, 9, 1, 19>::check();    // windows that meet nothing
}

TEST_CASE("columns are computed as rows") {
  using Short = Known<2, 24, 67, 1, 9, 1, 4, 1, 1, 4, 0, 17, 1>;
  static_assert(kIsColumn<Short>);
  Short::check();
  Known<1, 32, 1400, 1, 1200, 1, 2, 1, 1, 500, 0, 601, 1>::check(); // longer than the copies' buffer
  Known<2, 6, 300, 1, 3, 1, 90, 1, 7, 7, 0, 4, 1>::check();         // neither do a tile's pixels fit in
  using Beside = Known<2, 24, 67, 1, 9, 1, 4, 3, 1, 4, 2, 17, 1>;   // every window lies left of the column
  static_assert(!kIsColumn<Beside>);
  Beside::check();
}

TEST_CASE("rows of taps longer than the copies' buffer") {
  Known<1, 32, 1, 1400, 1, 1200, 1, 2, 1, 0, 500, 1, 601>::check();
  Known<1, 5, 2, 700, 1, 300, 1, 1, 2, 0, 290, 2, 350>::check();
}
