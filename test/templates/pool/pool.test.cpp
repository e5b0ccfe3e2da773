// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pool.h against the definition: max, average with and without padding, Lp; blocks and NCHW; windows past the end (ceil
// mode).
#include "templates/pool/pool.h"
#include "conv_reference.h"
#include "templates/panels/segments.h"

using namespace sinter;
using test::Random;

namespace {

struct Window {
  std::vector<double> inside;
  int64_t padded = 0;
};

Window window(const PoolShape &s, const std::vector<float> &in, int64_t n, int64_t c, int64_t h, int64_t w) {
  Window result;
  for (int64_t kh = 0; kh < s.kernelH; ++kh)
    for (int64_t kw = 0; kw < s.kernelW; ++kw) {
      const int64_t y = h * s.strideH - s.padTop + kh * s.dilationH, x = w * s.strideW - s.padLeft + kw * s.dilationW;
      if (y < s.height + s.padBottom && x < s.width + s.padRight)
        ++result.padded;
      if (y >= 0 && y < s.height && x >= 0 && x < s.width)
        result.inside.push_back(double(in[size_t(((n * s.channels + c) * s.height + y) * s.width + x)]));
    }
  return result;
}

std::vector<PoolShape> shapes() {
  std::vector<PoolShape> all;
  const auto add = [&](int64_t n, int64_t c, int64_t h, int64_t w, int64_t k, int64_t stride, int64_t dilation,
                       int64_t pad, int64_t padEnd, int64_t extra) {
    PoolShape s;
    s.batch = n, s.channels = s.filters = c, s.height = h, s.width = w, s.kernelH = s.kernelW = k;
    s.strideH = s.strideW = stride, s.dilationH = s.dilationW = dilation, s.padTop = s.padLeft = pad;
    s.padBottom = s.padRight = padEnd;
    test::setOutputSize(s, padEnd + extra, padEnd + extra);
    all.push_back(s);
  };
  add(1, 1, 4, 4, 2, 2, 1, 0, 0, 0);
  add(2, 17, 7, 35, 3, 2, 1, 1, 1, 0);
  add(1, 16, 8, 600, 3, 1, 1, 1, 1, 0);
  add(1, 5, 9, 20, 3, 2, 1, 0, 0, 1); // ceil mode: a window runs over the end
  add(1, 33, 9, 12, 2, 1, 3, 2, 1, 0);
  add(1, 3, 7, 7, 7, 1, 1, 0, 0, 0);
  add(1, 9, 1, 1, 2, 1, 2, 1, 1, 0);   // the window steps over the only element
  add(1, 17, 9, 70, 5, 1, 1, 2, 2, 0); // windows that share columns, more than are reduced at once
  add(1, 16, 13, 13, 13, 1, 1, 6, 6, 0);
  add(2, 20, 20, 90, 9, 2, 1, 4, 4, 0);
  add(1, 8, 20, 40, 5, 1, 2, 4, 4, 0);
  add(1, 3, 40, 40, 33, 1, 1, 16, 16, 0); // wider than what is kept of columns
  return all;
}

template <class Op, class Reference>
void check(Op op, Reference reference) {
  for (PoolShape s : shapes())
    for (const int64_t block : {0, 8, 1}) {
      CAPTURE(s.channels);
      CAPTURE(block);
      s.in = blockedLayout(s.channels, s.height, s.width, block ? block : s.channels);
      s.out = blockedLayout(s.channels, s.outHeight, s.outWidth, block ? block : s.channels);
      Random random(9);
      const auto in = random.vector(size_t(s.batch * s.channels * s.height * s.width));
      const auto laidOut = test::inLayout(in, s.in, s.batch, s.channels, s.height, s.width);
      std::vector<float> out(size_t(s.batch * s.out.batch), -7.0f);
      if (block == 1)
        poolPlanar<float>(s, op, laidOut.data(), out.data(), 0, s.outHeight, Identity{});
      else
        pool<float>(s, op, laidOut.data(), out.data(), 0, s.outHeight, Identity{});
      for (int64_t n = 0; n < s.batch; ++n)
        for (int64_t c = 0; c < s.channels; ++c)
          for (int64_t h = 0; h < s.outHeight; ++h)
            for (int64_t w = 0; w < s.outWidth; ++w) {
              const double want = reference(window(s, in, n, c, h, w));
              const auto got = double(out[size_t(test::offsetOf(s.out, n, c, h, w))]);
              if (!(std::fabs(got - want) < 1e-5 * std::max(1.0, std::fabs(want))))
                REQUIRE(got == want);
            }
    }
}

double sumOf(const Window &w) {
  double sum = 0;
  for (double x : w.inside)
    sum += x;
  return sum;
}

} // namespace

TEST_CASE("max pool") {
  check(MaxPool{}, [](const Window &w) {
    double m = -INFINITY;
    for (double x : w.inside)
      m = std::max(m, x);
    return m;
  });
}
TEST_CASE("average pool") {
  check(AveragePool{false}, [](const Window &w) { return sumOf(w) / double(std::max(w.inside.size(), size_t(1))); });
  check(AveragePool{true}, [](const Window &w) { return sumOf(w) / double(w.padded); });
}
TEST_CASE("Lp pool") {
  check(L2Pool{}, [](const Window &w) {
    double sum = 0;
    for (double x : w.inside)
      sum += x * x;
    return std::sqrt(sum);
  });
  check(L1Pool{}, [](const Window &w) {
    double sum = 0;
    for (double x : w.inside)
      sum += std::fabs(x);
    return sum;
  });
}
TEST_CASE("max pool of int8") {
  PoolShape s;
  s.channels = s.filters = 3, s.height = s.width = 2, s.kernelH = s.kernelW = 2;
  s.in = blockedLayout(3, 2, 2, 3);
  s.out = blockedLayout(3, 1, 1, 3);
  const int8_t in[12] = {-128, 5, -3, -127, 4, -4, -128, 127, -5, -128, 0, -6};
  int8_t out[3];
  pool<int8_t>(s, MaxPool{}, in, &out[0], 0, 1, Identity{});
  CHECK(out[0] == -127);
  CHECK(out[1] == 127);
  CHECK(out[2] == -3);
}
