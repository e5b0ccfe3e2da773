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

/// [group][panel][product][channel][filter in panel] of G g G'.
std::vector<float> packedWinograd(const Problem<ConvShape> &p) {
  constexpr double g[4][3] = {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}};
  std::vector<float> products;
  for (size_t filter = 0; filter < p.weights.size() / 9; ++filter)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        double sum = 0;
        for (int y = 0; y < 3; ++y)
          for (int x = 0; x < 3; ++x)
            sum += g[i][y] * g[j][x] * double(p.weights[filter * 9 + size_t(3 * y + x)]);
        products.push_back(float(sum));
      }
  return test::packFilters(products, p.s.filters, p.s.channels / p.s.groups, 16, p.s.groups, false);
}

ConvShape shapeOf(int64_t channels, int64_t filters, int64_t height, int64_t width, int64_t pad = 1,
                  int64_t groups = 1) {
  ConvShape s;
  s.channels = channels, s.filters = filters, s.height = height, s.width = width, s.groups = groups;
  s.kernelH = s.kernelW = 3, s.padTop = s.padLeft = pad;
  test::setOutputSize(s, pad, pad);
  return s;
}

/// Aligned as an arena is; what is read before it is written is NaN.
class Scratch {
public:
  explicit Scratch(int64_t channels) : floats(size_t(convWinogradScratch(channels, kTiles, kNR)) + 16, NAN) {}
  float *data() {
    void *at = floats.data();
    size_t room = floats.size() * sizeof(float);
    return static_cast<float *>(std::align(64, room - 64, at, room));
  }

private:
  std::vector<float> floats;
};

/// Output rows first .. last - 1 of a problem, as a share of it.
void runRows(const Problem<ConvShape> &p, const std::vector<float> &in, const std::vector<float> &weights, float *out,
             int64_t first, int64_t last) {
  Scratch scratch(p.s.channels / p.s.groups);
  convWinograd<kR, kNR, kTiles>(p.s, in.data(), weights.data(), out, scratch.data(), first, last, Fixed<0>{},
                                p.addBias());
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
      Scratch scratch(p.s.channels);
      convWinograd<kR, kNR, kTiles>(tile, rows.data(), weights.data(), out.data(), scratch.data(), Fixed<0>{},
                                    tile.outHeight, first % 2, p.addBias());
      CHECK(std::equal(out.begin(), out.end(), p.out.begin() + first * p.s.out.row));
    }
}

TEST_CASE("errors of convWinograd are at most twice those of conv, in the mean") {
  for (const int64_t channels : {32, 256}) {
    Problem<ConvShape> p(shapeOf(channels, 32, 16, 16), 0, 0);
    for (float &x : p.in) // as behind a Relu
      x = std::max(x, 0.0f);
    const auto in = p.laidOut();
    std::vector<float> direct(p.out.size());
    conv<kR, kNR>(p.s, in.data(), p.packed(false).data(), direct.data(), Fixed<0>{}, p.s.outHeight, Identity{});
    std::fill(p.bias.begin(), p.bias.end(), 0.0f);
    runRows(p, in, packedWinograd(p), p.out.data(), 0, p.s.outHeight);
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
    CHECK(own.squares < 4 * ofDirect.squares);
    CHECK(own.most < 3 * ofDirect.most);
  }
}
