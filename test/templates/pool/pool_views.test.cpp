// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// max_pool.h, max_pool_indices.h, average_pool.h and the *_blocked.h on views against the definition: one to three
// spatial dims, odd sizes, steps between elements, dilated and partly outside.
#include "templates/loops/index_walk.h"
#include "templates/pool/average_pool.h"
#include "templates/pool/average_pool_blocked.h"
#include "templates/pool/max_pool.h"
#include "templates/pool/max_pool_blocked.h"
#include "templates/pool/max_pool_indices.h"
#include "ulp.h"
#include "views.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

template <int S>
struct Geometry {
  int64_t size[S], kernel[S], strides[S], dilations[S], pads[2 * S]; // pads: low ones, then high ones
  int64_t out(int d) const {
    return (size[d] + pads[d] + pads[S + d] - (kernel[d] - 1) * dilations[d] - 1) / strides[d] + 1;
  }
};

struct Window {
  std::vector<float> inside;
  std::vector<int64_t> places; // in the image, row-major
  int64_t padded = 0;          // elements of the padded image
  double sum() const {
    double total = 0;
    for (float x : inside)
      total += double(x);
    return total;
  }
};

/// The window of one output, `image` its channel.
template <int S>
Window windowOf(const Geometry<S> &g, const float *image, const int64_t (&index)[S + 2]) {
  Window result;
  forEachRow(g.kernel, -1, [&](const int64_t(&tap)[S]) {
    bool inside = true, padded = true;
    int64_t place = 0;
    for (int d = 0; d < S; ++d) {
      const int64_t x = index[d + 2] * g.strides[d] - g.pads[d] + tap[d] * g.dilations[d];
      inside = inside && x >= 0 && x < g.size[d];
      padded = padded && x < g.size[d] + g.pads[S + d];
      place = place * g.size[d] + x;
    }
    result.padded += padded;
    if (inside) {
      result.inside.push_back(image[place]);
      result.places.push_back(place);
    }
  });
  return result;
}

template <int S>
void check(const Geometry<S> &g, int64_t step) {
  constexpr int64_t batch = 2, channels = 3;
  int64_t inSizes[S + 2] = {batch, channels}, outSizes[S + 2] = {batch, channels}, image = 1,
                      outputs = batch * channels;
  for (int d = 0; d < S; ++d) {
    inSizes[d + 2] = g.size[d], outSizes[d + 2] = g.out(d);
    image *= g.size[d], outputs *= g.out(d);
  }
  Random random(5);
  std::vector<float> in, laidOut;
  for (int64_t i = 0; i < batch * channels * image; ++i) {
    in.push_back(float(random.below(9) - 4)); // with ties
    laidOut.push_back(in.back());
    laidOut.insert(laidOut.end(), size_t(step - 1), NAN); // between elements
  }
  const View<const float, S + 2> x = test::spaced<const float>(laidOut.data(), step, inSizes);
  const auto output = [&](auto &data) {
    data.assign(data.size(), -7);
    return test::spaced(data.data(), 1, outSizes);
  };
  const auto every = [&](auto compare) {
    int64_t at = 0;
    forEachRow(outSizes, -1, [&](const int64_t(&index)[S + 2]) {
      const int64_t first = (index[0] * channels + index[1]) * image;
      compare(size_t(at++), windowOf(g, in.data() + first, index), first);
    });
  };
  std::vector<float> out(static_cast<size_t>(outputs));
  std::vector<int64_t> places(out.size());
  const auto greatest = [](const Window &w) { return std::max_element(w.inside.begin(), w.inside.end()); };

  maxPool(MaxPoolParams{g.kernel, g.strides, g.dilations, g.pads}, x, output(out));
  every([&](size_t i, const Window &w, int64_t) { REQUIRE(out[i] == *greatest(w)); });

  maxPoolIndices(MaxPoolIndicesParams{g.kernel, g.strides, g.dilations, false}, x,
                 test::dense<const int64_t>(g.pads, S), output(out), output(places));
  every([&](size_t i, const Window &w, int64_t first) {
    REQUIRE(out[i] == *greatest(w));
    REQUIRE(places[i] == first + w.places[size_t(greatest(w) - w.inside.begin())]);
  });

  for (const bool countsPads : {false, true}) {
    averagePool(AveragePoolParams{g.kernel, g.strides, g.dilations, g.pads, countsPads, false}, x, output(out));
    every([&](size_t i, const Window &w, int64_t) {
      const double count = double(countsPads ? w.padded : int64_t(w.inside.size()));
      REQUIRE(std::fabs(double(out[i]) - w.sum() / count) < 1e-6);
    });
  }
  averagePool(AveragePoolParams{g.kernel, g.strides, g.dilations, g.pads, false, true}, x, output(out));
  every([&](size_t i, const Window &w, int64_t) { REQUIRE(double(out[i]) == w.sum()); });
}

template <int S>
void checkBlocked(const Geometry<S> &g, int64_t block) {
  const int64_t channels = 2 * block;
  int64_t inSizes[S + 3] = {1, 2}, outSizes[S + 3] = {1, 2}, planes[S + 2] = {1, channels}, image = 1, pixels = 1;
  for (int d = 0; d < S; ++d) {
    inSizes[d + 2] = g.size[d], planes[d + 2] = outSizes[d + 2] = g.out(d);
    image *= g.size[d], pixels *= g.out(d);
  }
  inSizes[S + 2] = outSizes[S + 2] = block;
  Random random(6);
  const auto in = random.vector(size_t(channels * image));
  std::vector<float> blocked(in.size()), out(size_t(channels * pixels));
  const auto x = test::spaced<const float>(blocked.data(), 1, inSizes);
  const auto y = test::spaced(out.data(), 1, outSizes);
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t i = 0; i < image; ++i)
      blocked[size_t((c / block * image + i) * block + c % block)] = in[size_t(c * image + i)];
  const auto every = [&](auto reference) {
    forEachRow(planes, -1, [&](const int64_t(&index)[S + 2]) {
      const int64_t c = index[1];
      int64_t place = c / block;
      for (int d = 0; d < S; ++d)
        place = place * g.out(d) + index[d + 2];
      const double want = reference(windowOf(g, in.data() + c * image, index));
      REQUIRE(std::fabs(double(out[size_t(place * block + c % block)]) - want) < 1e-6);
    });
  };
  maxPoolBlocked(MaxPoolBlockedParams{g.kernel, g.strides, g.dilations, g.pads}, x, y);
  every([](const Window &w) { return double(*std::max_element(w.inside.begin(), w.inside.end())); });
  for (const bool countsPads : {false, true}) {
    averagePoolBlocked(AveragePoolBlockedParams{g.kernel, g.strides, g.dilations, g.pads, countsPads}, x, y);
    every([&](const Window &w) { return w.sum() / double(countsPads ? w.padded : int64_t(w.inside.size())); });
  }
}

const Geometry<1> kLines[] = {{{33}, {4}, {3}, {2}, {2, 3}},
                              {{1}, {1}, {1}, {1}, {0, 0}},
                              {{1000}, {3}, {2}, {1}, {1, 1}},
                              {{700}, {70}, {1}, {3}, {69, 5}}};
const Geometry<3> kVolumes[] = {{{5, 3, 11}, {3, 2, 3}, {2, 1, 1}, {1, 2, 1}, {1, 1, 1, 0, 1, 1}},
                                {{4, 6, 19}, {2, 3, 3}, {2, 2, 2}, {1, 1, 1}, {0, 1, 1, 0, 1, 1}}};
const Geometry<2> kImages[] = {
    {{7, 35}, {3, 3}, {2, 2}, {1, 1}, {1, 1, 1, 1}},
    {{9, 12}, {2, 3}, {1, 2}, {3, 2}, {2, 1, 1, 3}},
    {{5, 1}, {5, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
    {{6, 17}, {1, 4}, {1, 3}, {1, 1}, {0, 2, 0, 3}},
};

} // namespace

TEST_CASE("pools of views") {
  for (const int64_t step : {1, 2}) {
    for (const Geometry<1> &g : kLines)
      check(g, step);
    for (const Geometry<2> &g : kImages)
      check(g, step);
    for (const Geometry<3> &g : kVolumes)
      check(g, step);
  }
}

TEST_CASE("pools of views in channel blocks") {
  for (const int64_t block : {1, 3, 8, 16, 19}) {
    for (const Geometry<1> &g : kLines)
      checkBlocked(g, block);
    for (const Geometry<2> &g : kImages)
      checkBlocked(g, block);
    for (const Geometry<3> &g : kVolumes)
      checkBlocked(g, block);
  }
}

TEST_CASE("max pool: NaN wins, and places may count columns first") {
  const float x[6] = {1, 9, 2, 3, NAN, 4};
  const int64_t kernel[2] = {2, 2}, ones[2] = {1, 1}, none[2] = {0, 0};
  float y[2];
  int64_t places[2];
  maxPool(MaxPoolParams{kernel, ones, ones, none}, test::dense(x, 1, 1, 2, 3), test::dense(y, 1, 1, 1, 2));
  CHECK(y[0] != y[0]);
  const float plain[6] = {1, 9, 2, 3, 5, 10};
  maxPoolIndices(MaxPoolIndicesParams{kernel, ones, ones, true}, test::dense(plain, 1, 1, 2, 3), test::dense(none, 2),
                 test::dense(y, 1, 1, 1, 2), test::dense(places, 1, 1, 1, 2));
  CHECK(places[0] == 2); // row 0, column 1 of two rows
  CHECK(places[1] == 5);
}

TEST_CASE_TEMPLATE("max pool with places: rows in lanes as one by one", T, float, double, int8_t, uint8_t) {
  constexpr int64_t rows = 4, kernel[2] = {2, 3}, dilations[2] = {1, 2}, pads[2] = {1, 2};
  int64_t columns = 0;
  // Of some a vector's lanes are more than their windows, and half of them.
  SUBCASE("long rows") { columns = 71; }
  SUBCASE("13 columns") { columns = 13; }
  SUBCASE("9 columns") { columns = 9; }
  SUBCASE("18 columns") { columns = 18; }
  SUBCASE("few columns") { columns = 5; }
  CAPTURE(columns);
  Random random(7);
  std::vector<T> dense, apart; // elements with a gap between them are no lanes
  for (int64_t i = 0; i < 2 * rows * columns; ++i) {
    dense.push_back(i % 41 == 9 && T(0.5) != T(0) ? T(NAN) : T(random.below(7)));
    apart.insert(apart.end(), 2, dense.back());
  }
  for (const int64_t stride : {1, 2, 3})
    for (const bool columnMajor : {false, true}) {
      const int64_t strides[2] = {1, stride}, sizes[4] = {1, 2, rows, columns};
      const int64_t outSizes[4] = {1, 2, rows + 2, (columns + 4 - 5) / stride + 1};
      const MaxPoolIndicesParams params{kernel, strides, dilations, columnMajor};
      std::vector<T> y(size_t(2 * outSizes[2] * outSizes[3]), T(9)), want = y;
      std::vector<int64_t> places(y.size()), wantPlaces = places;
      maxPoolIndices(params, test::spaced<const T>(dense.data(), 1, sizes), test::dense(pads, 2),
                     test::spaced(y.data(), 1, outSizes), test::spaced(places.data(), 1, outSizes));
      maxPoolIndices(params, test::spaced<const T>(apart.data(), 2, sizes), test::dense(pads, 2),
                     test::spaced(want.data(), 1, outSizes), test::spaced(wantPlaces.data(), 1, outSizes));
      REQUIRE(places == wantPlaces);
      for (size_t i = 0; i < y.size(); ++i)
        REQUIRE((y[i] == want[i] || (y[i] != y[i] && want[i] != want[i])));
    }
}
