// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// conv_winograd.h against the definition, in every layout, in shares and row tiles, and its errors beside conv.h's.
#include "templates/panels/conv_winograd.h"
#include "conv_problem.h"
#include "templates/panels/conv.h"

#include <algorithm>
#include <memory>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Problem;
using test::Random;

namespace {

constexpr int kTiles = 2 * kR;
template <int kTaps>
using F2 = WinogradF<(kTaps == 1 ? 1 : 2), kTaps>;
template <int kTaps>
using F4 = WinogradF<(kTaps == 1 ? 1 : 4), kTaps>;

/// The terms of G g along one dim, by their definition: per product its taps' factors. A product of the taps at a
/// point is divided by the product of that point's distances from the others of its part.
std::vector<std::vector<double>> factorsOf(WinogradTaps taps) {
  std::vector<std::vector<double>> factors(size_t(taps.products()), std::vector<double>(size_t(taps.taps), 0.0));
  if (taps.isPlain()) {
    factors[0][0] = 1;
    return factors;
  }
  const std::vector<double> all =
      taps.together == 2 ? std::vector<double>{0, 1, -1} : std::vector<double>{0, .625, -.625, 1.5, -1.5};
  for (int part = 0; part < taps.parts(); ++part) {
    const bool isThree = part < taps.threes();
    const int last = isThree ? 2 : 1;
    const size_t points = all.size() - (isThree ? 0 : 1);
    for (size_t i = 0; i < points; ++i) {
      double distances = 1;
      for (size_t j = 0; j < points; ++j)
        distances *= i == j ? 1 : all[i] - all[j];
      if (taps.together == 2) // the inputs' transform has the signs
        distances = std::fabs(distances);
      for (int tap = 0; tap <= last; ++tap)
        factors[size_t(taps.productsOf(int(i)) + part)][size_t(taps.firstTap(part) + tap)] =
            std::pow(all[i], tap) / distances;
    }
    factors[size_t(taps.productsOf(taps.sums() - 1) + part)][size_t(taps.firstTap(part) + last)] = 1;
  }
  return factors;
}

/// [group][panel][product of y][product of x][channel][filter in panel] of G g G'.
template <class Y = F2<3>, class X = F2<3>, class Shape>
std::vector<float> packedWinograd(const Problem<Shape> &p) {
  const WinogradTaps y = Y::kWinograd, x = X::kWinograd;
  const auto gy = factorsOf(y), gx = factorsOf(x);
  std::vector<float> products;
  const auto taps = size_t(p.s.kernelH * p.s.kernelW);
  for (size_t filter = 0; filter < p.weights.size() / taps; ++filter)
    for (const auto &row : gy)
      for (const auto &column : gx) {
        double sum = 0;
        for (size_t i = 0; i < row.size(); ++i)
          for (size_t j = 0; j < column.size(); ++j)
            sum += row[i] * column[j] * double(p.weights[filter * taps + i * column.size() + j]);
        products.push_back(float(sum));
      }
  return test::packFilters(products, p.s.filters, p.s.channels / p.s.groups, y.products() * x.products(), p.s.groups,
                           false);
}

ConvShape shapeOf(int64_t channels, int64_t filters, int64_t height, int64_t width, int64_t pad = 1,
                  int64_t groups = 1) {
  ConvShape s;
  s.channels = channels, s.filters = filters, s.height = height, s.width = width, s.groups = groups;
  s.kernelH = s.kernelW = 3, s.padTop = s.padLeft = pad;
  test::setOutputSize(s, pad, pad);
  return s;
}

/// Of ky by kx taps and such dilations, with pads that keep the size but for one row and column more.
template <int ky, int kx>
ConvShape tappedShape(int64_t height, int64_t width, int64_t dilationH = 1, int64_t dilationW = 1, int64_t groups = 1) {
  ConvShape s = shapeOf(32, 32, height, width, 0, groups);
  s.kernelH = ky, s.kernelW = kx, s.dilationH = dilationH, s.dilationW = dilationW;
  s.padTop = (ky - 1) * dilationH / 2, s.padLeft = (kx - 1) * dilationW / 2;
  test::setOutputSize(s, s.padTop + 1, s.padLeft + 1);
  return s;
}

/// Aligned as an arena is; what is read before it is written is NaN.
class Scratch {
public:
  Scratch(WinogradTaps y, WinogradTaps x, int64_t channels)
      : floats(size_t(convWinogradScratch(y, x, channels, kTiles, kNR)) + 16, NAN) {}
  float *data() {
    void *at = floats.data();
    size_t room = floats.size() * sizeof(float);
    return static_cast<float *>(std::align(64, room - 64, at, room));
  }

private:
  std::vector<float> floats;
};

/// Output rows first .. last - 1 of a problem, as a share of it.
template <class Y = F2<3>, class X = F2<3>, class Shape>
void runRows(const Problem<Shape> &p, const std::vector<float> &in, const std::vector<float> &weights, float *out,
             int64_t first, int64_t last) {
  Scratch scratch(Y::kWinograd, X::kWinograd, p.s.channels / p.s.groups);
  convWinograd<Y, X, kR, kNR, kTiles>(p.s, in.data(), weights.data(), out, scratch.data(), first, last, Fixed<0>{},
                                      Fixed<0>{}, p.addBias());
}

/// The whole, and the same bits in shares of rows.
template <class Y, class X>
void checkForm(const ConvShape &shape) {
  Problem<ConvShape> p(shape, 16, 0);
  const auto weights = packedWinograd<Y, X>(p);
  const auto in = p.laidOut();
  runRows<Y, X>(p, in, weights, p.out.data(), 0, p.s.outHeight);
  p.check();
  const std::vector<float> whole = p.out;
  for (const int64_t share : {1, 2, 3, 5}) {
    std::fill(p.out.begin(), p.out.end(), -7.0f);
    for (int64_t first = 0; first < p.s.outHeight; first += share)
      runRows<Y, X>(p, in, weights, p.out.data(), first, std::min(first + share, p.s.outHeight));
    CHECK(p.out == whole);
  }
}

template <int ky, int kx>
void checkTaps(const ConvShape &shape) {
  checkForm<F2<ky>, F2<kx>>(shape);
  if constexpr (kx > 1)
    checkForm<F2<ky>, F4<kx>>(shape);
}

struct Errors {
  double most = 0, squares = 0;
  void add(double error) {
    most = std::max(most, std::fabs(error));
    squares += error * error;
  }
};

} // namespace

TEST_CASE("convWinograd over shapes and layouts, in shares that begin with either row of a tile") {
  const ConvShape all[] = {shapeOf(16, 16, 8, 8),       shapeOf(16, 48, 7, 9),  shapeOf(32, 19, 5, 30, 0),
                           shapeOf(20, 40, 9, 4, 2),    shapeOf(24, 5, 3, 3),   shapeOf(48, 16, 1, 1),
                           shapeOf(64, 64, 4, 6, 1, 2), shapeOf(16, 32, 2, 65), shapeOf(5, 7, 6, 6)};
  for (const ConvShape &shape : all)
    for (const int64_t block : {0, 16}) {
      if (block && (shape.channels % block || shape.filters % block))
        continue;
      Problem<ConvShape> p(shape, block, block);
      const auto weights = packedWinograd(p);
      const auto in = p.laidOut();
      runRows(p, in, weights, p.out.data(), 0, p.s.outHeight);
      p.check();
      const std::vector<float> whole = p.out;
      for (const int64_t share : {1, 2, 3}) {
        std::fill(p.out.begin(), p.out.end(), -7.0f);
        for (int64_t first = 0; first < p.s.outHeight; first += share)
          runRows(p, in, weights, p.out.data(), first, std::min(first + share, p.s.outHeight));
        CHECK(p.out == whole);
      }
    }
}

TEST_CASE("convWinograd of several images") {
  ConvShape shape = shapeOf(16, 16, 5, 7);
  shape.batch = 3;
  Problem<ConvShape> p(shape, 16, 16);
  runRows(p, p.laidOut(), packedWinograd(p), p.out.data(), 0, p.s.outHeight);
  p.check();
}

TEST_CASE("convWinograd of volumes, slice by slice, in shares that begin and end within slices") {
  for (const int64_t block : {0, 16}) {
    VolumeShape shape;
    static_cast<ConvShape &>(shape) = shapeOf(32, 48, 7, 9);
    shape.batch = 2, shape.depth = shape.outDepth = 4;
    Problem<VolumeShape> p(shape, block, block);
    const auto weights = packedWinograd(p);
    const auto in = p.laidOut();
    const int64_t rows = outputRows(p.s);
    runRows(p, in, weights, p.out.data(), 0, rows);
    p.check();
    const std::vector<float> whole = p.out;
    for (const int64_t share : {1, 3, 10}) {
      std::fill(p.out.begin(), p.out.end(), -7.0f);
      for (int64_t first = 0; first < rows; first += share)
        runRows(p, in, weights, p.out.data(), first, std::min(first + share, rows));
      CHECK(p.out == whole);
    }
  }
}

TEST_CASE("convWinograd of any taps, square or not, along lines, dilated, in groups") {
  checkTaps<1, 2>(tappedShape<1, 2>(1, 33));
  checkTaps<1, 3>(tappedShape<1, 3>(3, 12));
  checkTaps<3, 1>(tappedShape<3, 1>(12, 3));
  checkTaps<1, 4>(tappedShape<1, 4>(1, 18));
  checkTaps<5, 1>(tappedShape<5, 1>(30, 1));
  checkTaps<1, 7>(tappedShape<1, 7>(5, 9, 1, 1, 2));
  checkTaps<1, 11>(tappedShape<1, 11>(1, 40));
  checkTaps<2, 2>(tappedShape<2, 2>(5, 6));
  checkTaps<4, 3>(tappedShape<4, 3>(7, 5));
  checkTaps<5, 5>(tappedShape<5, 5>(9, 10));
  checkTaps<7, 7>(tappedShape<7, 7>(8, 8));
  checkTaps<3, 3>(tappedShape<3, 3>(11, 13, 2, 3));
  checkTaps<1, 3>(tappedShape<1, 3>(1, 29, 1, 9));
  checkTaps<5, 1>(tappedShape<5, 1>(17, 2, 4, 7));
}

TEST_CASE("convWinograd of some panels leaves the others' filters alone") {
  for (const int64_t groups : {1, 2}) {
    ConvShape shape = shapeOf(32, 4 * kNR, 6, 7, 1, groups);
    Problem<ConvShape> p(shape, 0, 0);
    const auto weights = packedWinograd(p);
    const auto in = p.laidOut();
    runRows(p, in, weights, p.out.data(), 0, p.s.outHeight);
    std::vector<float> shares(p.out.size(), -7.0f);
    for (const PanelRange range : {PanelRange{0, 1}, PanelRange{1, 3}, PanelRange{3, 4}}) {
      Scratch scratch({3}, {3}, p.s.channels / groups);
      convWinograd<F2<3>, F2<3>, kR, kNR, kTiles>(p.s, in.data(), weights.data(), shares.data(), scratch.data(),
                                                  Fixed<0>{}, p.s.outHeight, Fixed<0>{}, Fixed<0>{}, p.addBias(),
                                                  nullptr, range);
      if (range.first == 0)
        CHECK(shares[size_t(kNR)] == -7.0f);
    }
    CHECK(shares == p.out);
  }
}

TEST_CASE("row tiles that have only the rows of their windows give the sums of the whole map") {
  Problem<ConvShape> p(shapeOf(16, 16, 9, 7), 0, 0);
  const auto weights = packedWinograd<F2<3>, F4<3>>(p);
  const auto in = p.laidOut();
  runRows<F2<3>, F4<3>>(p, in, weights, p.out.data(), 0, p.s.outHeight);
  for (int64_t first = 0; first < p.s.outHeight; ++first)
    for (int64_t last = first + 1; last <= p.s.outHeight; ++last) {
      const int64_t low = std::max(first - 1, int64_t(0)), high = std::min(last + 1, p.s.height);
      ConvShape tile = p.s;
      tile.height = high - low, tile.outHeight = last - first, tile.padTop = low - (first - 1);
      const std::vector<float> rows(in.begin() + low * p.s.in.row, in.begin() + high * p.s.in.row);
      std::vector<float> out(size_t(tile.outHeight * p.s.out.row), -7.0f);
      Scratch scratch({3}, {3, 4}, p.s.channels);
      convWinograd<F2<3>, F4<3>, kR, kNR, kTiles>(tile, rows.data(), weights.data(), out.data(), scratch.data(),
                                                  Fixed<0>{}, tile.outHeight, first % 2, Fixed<0>{}, p.addBias());
      CHECK(std::equal(out.begin(), out.end(), p.out.begin() + first * p.s.out.row));
    }
}

TEST_CASE("tiles of a line that have only what their windows read give the sums of the whole line") {
  constexpr int64_t taps = 5, dilation = 3, reach = (taps - 1) * dilation;
  using X = F2<taps>;
  Problem<ConvShape> p(tappedShape<1, taps>(1, 40, 1, dilation), 0, 0);
  const auto weights = packedWinograd<F2<1>, X>(p);
  const auto in = p.laidOut();
  runRows<F2<1>, X>(p, in, weights, p.out.data(), 0, 1);
  for (int64_t first = 0; first < p.s.outWidth; ++first) {
    const int64_t last = std::min(first + 7, p.s.outWidth), begin = first - p.s.padLeft;
    const int64_t low = std::max(begin, int64_t(0)), high = std::min(begin + last - first + reach, p.s.width);
    ConvShape tile = p.s;
    tile.width = high - low, tile.outWidth = last - first, tile.padLeft = low - begin;
    const std::vector<float> columns(in.begin() + low * p.s.in.pixel, in.begin() + high * p.s.in.pixel);
    std::vector<float> out(size_t(tile.outWidth * p.s.out.pixel), -7.0f);
    Scratch scratch({1}, X::kWinograd, p.s.channels);
    convWinograd<F2<1>, X, kR, kNR, kTiles>(tile, columns.data(), weights.data(), out.data(), scratch.data(),
                                            Fixed<0>{}, Fixed<1>{}, Fixed<0>{}, first % (2 * dilation), p.addBias());
    CHECK(std::equal(out.begin(), out.end(), p.out.begin() + first * p.s.out.pixel));
  }
}

namespace {
template <class Y, class X>
void checkErrors() {
  constexpr int ky = Y::kWinograd.taps, kx = X::kWinograd.taps;
  static_assert(X::kWinograd.together == 2 || hasSmallErrorsByFours(Y::kWinograd, X::kWinograd));
  for (const int64_t channels : {32, 256}) {
    ConvShape shape = tappedShape<ky, kx>(16, 16);
    shape.channels = channels;
    Problem<ConvShape> p(shape, 0, 0);
    for (float &x : p.in) // as behind a Relu
      x = std::max(x, 0.0f);
    const auto in = p.laidOut();
    std::vector<float> direct(p.out.size());
    conv<kR, kNR>(p.s, in.data(), p.packed(false).data(), direct.data(), Fixed<0>{}, p.s.outHeight, Identity{});
    std::fill(p.bias.begin(), p.bias.end(), 0.0f);
    runRows<Y, X>(p, in, packedWinograd<Y, X>(p), p.out.data(), 0, p.s.outHeight);
    Errors ofDirect, own;
    for (int64_t k = 0; k < p.s.filters; k += 5) // more would take longer to define than to compute
      for (int64_t h = 0; h < p.s.outHeight; ++h)
        for (int64_t w = 0; w < p.s.outWidth; ++w) {
          const double want = test::convAt(p.volume, p.in, p.weights, 0, k, 0, h, w);
          const auto at = size_t(test::offsetOf(p.s.out, 0, k, h, w));
          ofDirect.add(double(direct[at]) - want);
          own.add(double(p.out[at]) - want);
        }
    CAPTURE(channels);
    CAPTURE(ky);
    CAPTURE(kx);
    CAPTURE(X::kWinograd.together);
    CAPTURE(own.squares / ofDirect.squares);
    CAPTURE(own.most / ofDirect.most);
    CHECK(own.squares < 4 * ofDirect.squares);
    CHECK(own.most < 3 * ofDirect.most);
  }
}
} // namespace

TEST_CASE("errors of convWinograd are at most twice those of conv, in the mean") {
  checkErrors<F2<3>, F2<3>>();
  checkErrors<F2<1>, F2<2>>();
  checkErrors<F2<1>, F2<3>>();
  checkErrors<F2<1>, F2<5>>();
  checkErrors<F2<5>, F2<5>>();
  checkErrors<F2<7>, F2<7>>();
  checkErrors<F2<3>, F4<3>>();
  checkErrors<F2<1>, F4<3>>();
  checkErrors<F2<1>, F4<4>>();
  checkErrors<F2<1>, F4<11>>();
  checkErrors<F2<6>, F4<3>>();
  checkErrors<F2<5>, F4<5>>();
  checkErrors<F2<3>, F4<8>>();
}
