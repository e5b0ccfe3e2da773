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

/// The terms of G g along one dim, by their definition: per product its taps' factors.
std::vector<std::vector<double>> factorsOf(WinogradTaps taps) {
  std::vector<std::vector<double>> factors(size_t(taps.products()), std::vector<double>(size_t(taps.taps), 0.0));
  if (taps.taps == 1) {
    factors[0][0] = 1;
    return factors;
  }
  const auto set = [&](int sum, int part, int tap, double factor) {
    factors[size_t(taps.productsOf(sum) + part)][size_t(taps.firstTap(part) + tap)] = factor;
  };
  for (int part = 0; part < taps.parts(); ++part) {
    const bool isThree = part < taps.threes();
    const int last = isThree ? 2 : 1;
    set(0, part, 0, 1);
    set(3, part, last, 1);
    for (int tap = 0; tap <= last; ++tap) {
      set(1, part, tap, isThree ? .5 : 1);
      if (isThree)
        set(2, part, tap, tap == 1 ? -.5 : .5);
    }
  }
  return factors;
}

/// [group][panel][product of y][product of x][channel][filter in panel] of G g G'.
std::vector<float> packedWinograd(const Problem<ConvShape> &p) {
  const WinogradTaps y{int(p.s.kernelH)}, x{int(p.s.kernelW)};
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
  Scratch(int ky, int kx, int64_t channels)
      : floats(size_t(convWinogradScratch({ky}, {kx}, channels, kTiles, kNR)) + 16, NAN) {}
  float *data() {
    void *at = floats.data();
    size_t room = floats.size() * sizeof(float);
    return static_cast<float *>(std::align(64, room - 64, at, room));
  }

private:
  std::vector<float> floats;
};

/// Output rows first .. last - 1 of a problem, as a share of it.
template <int ky = 3, int kx = 3>
void runRows(const Problem<ConvShape> &p, const std::vector<float> &in, const std::vector<float> &weights, float *out,
             int64_t first, int64_t last) {
  Scratch scratch(ky, kx, p.s.channels / p.s.groups);
  convWinograd<ky, kx, kR, kNR, kTiles>(p.s, in.data(), weights.data(), out, scratch.data(), first, last, Fixed<0>{},
                                        Fixed<0>{}, p.addBias());
}

/// The whole, and the same bits in shares of rows.
template <int ky, int kx>
void checkTaps(const ConvShape &shape) {
  Problem<ConvShape> p(shape, 16, 0);
  const auto weights = packedWinograd(p);
  const auto in = p.laidOut();
  runRows<ky, kx>(p, in, weights, p.out.data(), 0, p.s.outHeight);
  p.check();
  const std::vector<float> whole = p.out;
  for (const int64_t share : {1, 2, 3}) {
    std::fill(p.out.begin(), p.out.end(), -7.0f);
    for (int64_t first = 0; first < p.s.outHeight; first += share)
      runRows<ky, kx>(p, in, weights, p.out.data(), first, std::min(first + share, p.s.outHeight));
    CHECK(p.out == whole);
  }
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
      Scratch scratch(3, 3, p.s.channels / groups);
      convWinograd<3, 3, kR, kNR, kTiles>(p.s, in.data(), weights.data(), shares.data(), scratch.data(), Fixed<0>{},
                                          p.s.outHeight, Fixed<0>{}, Fixed<0>{}, p.addBias(), nullptr, range);
      if (range.first == 0)
        CHECK(shares[size_t(kNR)] == -7.0f);
    }
    CHECK(shares == p.out);
  }
}

TEST_CASE("row tiles that have only the rows of their windows give the sums of the whole map") {
  Problem<ConvShape> p(shapeOf(16, 16, 9, 7), 0, 0);
  const auto weights = packedWinograd(p);
  const auto in = p.laidOut();
  runRows(p, in, weights, p.out.data(), 0, p.s.outHeight);
  for (int64_t first = 0; first < p.s.outHeight; ++first)
    for (int64_t last = first + 1; last <= p.s.outHeight; ++last) {
      const int64_t low = std::max(first - 1, int64_t(0)), high = std::min(last + 1, p.s.height);
      ConvShape tile = p.s;
      tile.height = high - low, tile.outHeight = last - first, tile.padTop = low - (first - 1);
      const std::vector<float> rows(in.begin() + low * p.s.in.row, in.begin() + high * p.s.in.row);
      std::vector<float> out(size_t(tile.outHeight * p.s.out.row), -7.0f);
      Scratch scratch(3, 3, p.s.channels);
      convWinograd<3, 3, kR, kNR, kTiles>(tile, rows.data(), weights.data(), out.data(), scratch.data(), Fixed<0>{},
                                          tile.outHeight, first % 2, Fixed<0>{}, p.addBias());
      CHECK(std::equal(out.begin(), out.end(), p.out.begin() + first * p.s.out.row));
    }
}

TEST_CASE("tiles of a line that have only what their windows read give the sums of the whole line") {
  constexpr int64_t taps = 5, dilation = 3, reach = (taps - 1) * dilation;
  Problem<ConvShape> p(tappedShape<1, taps>(1, 40, 1, dilation), 0, 0);
  const auto weights = packedWinograd(p);
  const auto in = p.laidOut();
  runRows<1, taps>(p, in, weights, p.out.data(), 0, 1);
  for (int64_t first = 0; first < p.s.outWidth; ++first) {
    const int64_t last = std::min(first + 7, p.s.outWidth), begin = first - p.s.padLeft;
    const int64_t low = std::max(begin, int64_t(0)), high = std::min(begin + last - first + reach, p.s.width);
    ConvShape tile = p.s;
    tile.width = high - low, tile.outWidth = last - first, tile.padLeft = low - begin;
    const std::vector<float> columns(in.begin() + low * p.s.in.pixel, in.begin() + high * p.s.in.pixel);
    std::vector<float> out(size_t(tile.outWidth * p.s.out.pixel), -7.0f);
    Scratch scratch(1, taps, p.s.channels);
    convWinograd<1, taps, kR, kNR, kTiles>(tile, columns.data(), weights.data(), out.data(), scratch.data(), Fixed<0>{},
                                           Fixed<1>{}, Fixed<0>{}, first % (2 * dilation), p.addBias());
    CHECK(std::equal(out.begin(), out.end(), p.out.begin() + first * p.s.out.pixel));
  }
}

namespace {
template <int ky, int kx>
void checkErrors() {
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
    runRows<ky, kx>(p, in, packedWinograd(p), p.out.data(), 0, p.s.outHeight);
    Errors ofDirect, own;
    for (int64_t k = 0; k < p.s.filters; ++k)
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
    CHECK(own.squares < 4 * ofDirect.squares);
    CHECK(own.most < 3 * ofDirect.most);
  }
}
} // namespace

TEST_CASE("errors of convWinograd are at most twice those of conv, in the mean") {
  checkErrors<3, 3>();
  checkErrors<1, 2>();
  checkErrors<1, 3>();
  checkErrors<1, 5>();
  checkErrors<5, 5>();
  checkErrors<7, 7>();
}
