// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats on the matrix unit, as three products of TF32: how far sums are off, against double and against the chain of
// fused multiply-adds that simt_gemm.h has; what is infinite, no number, or overflows comes out as of that chain.
#include "device_test.h"

#include "templates/cuda/split_k.h"
#include "templates/cuda/tile_conv.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

#if SINTER_CUDA_ARCH >= 800
namespace {

using Small = BlockTile<float, 32, 32, 128, 16, 16, 3>;
using Square = BlockTile<float, 64, 64, 128, 32, 32, 3>;
using Large = BlockTile<float, 128, 128, 64, 64, 32, 3>;

template <class Tile>
emulation::Grid gridOf(int m, int n, int splits = 1) {
  emulation::Grid grid;
  grid.x = ceilDiv(m, Tile::kM), grid.y = ceilDiv(n, Tile::kN), grid.z = splits;
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  return grid;
}
constexpr auto asIs = [](float sum, int, int) { return sum; };

/// Numbers in low .. 1, times a power of two from 2^-spread to 2^spread.
void fill(Tensor<float> &to, uint64_t seed, float low, int spread) {
  Random random(seed);
  for (size_t i = 0; i < to.size(); ++i) {
    const float mantissa = random.uniform(low, 1.0f);
    to[i] = std::ldexp(mantissa, spread == 0 ? 0 : int(random.bits() % uint32_t(2 * spread + 1)) - spread);
  }
}

struct Errors {
  double unit = 0, chain = 0; ///< the greatest, by the sum of the products' magnitudes
};
template <class Tile>
Errors errorsOf(int k, float low, int spread) {
  const int m = 40, n = 40;
  Tensor<float> a(size_t(m * k)), b(size_t(n * k)), c(size_t(m * n));
  fill(a, 1, low, spread);
  fill(b, 2, low, spread);
  REQUIRE(emulation::launch(gridOf<Tile>(m, n), [&] {
            gemm<Tile, true>(a.data(), k, b.data(), k, c.data(), n, m, n, k, asIs);
          }).empty());
  Errors errors;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double exact = 0, magnitude = 0;
      float chain = 0;
      for (int p = 0; p < k; ++p) {
        const float x = a[size_t(i * k + p)], y = b[size_t(j * k + p)];
        exact += double(x) * double(y);
        magnitude += std::fabs(double(x) * double(y));
        chain = std::fma(x, y, chain);
      }
      errors.unit = std::fmax(errors.unit, std::fabs(c.at(i * n + j) - exact) / magnitude);
      errors.chain = std::fmax(errors.chain, std::fabs(double(chain) - exact) / magnitude);
    }
  }
  return errors;
}

/// A's rows, or a picture's pixels, and B's rows, with all that is not finite among them.
void spoil(Tensor<float> &a, int lda, Tensor<float> &b, int ldb) {
  a[size_t(3 * lda + 5)] = INFINITY;
  a[size_t(20 * lda + 6)] = -INFINITY;
  a[size_t(33 * lda)] = NAN;
  a[size_t(34 * lda + 1)] = 1e30f;
  b[size_t(7 * ldb + 9)] = INFINITY;
  b[size_t(8 * ldb + 5)] = 0; // times an infinity
  b[size_t(9 * ldb + 1)] = -1e30f;
  b[size_t(30 * ldb + 3)] = NAN;
}
void checkLike(float got, float chain) {
  if (std::isnan(chain))
    CHECK(std::isnan(got));
  else if (std::isinf(chain))
    CHECK(got == chain);
  else
    CHECK(std::fabs(got - chain) < 1e-5f * std::fmax(std::fabs(chain), 1.0f));
}
float chainOf(const float *x, const float *y, int k) {
  float sum = 0;
  for (int p = 0; p < k; ++p)
    sum = std::fma(x[p], y[p], sum);
  return sum;
}

template <class Tile, bool kAligned>
void checkSpecial(int k, int splits = 1) {
  CAPTURE(k);
  const int m = 45, n = 37;
  Tensor<float> a(size_t(m * k), 1, -1.0f, 1.0f), b(size_t(n * k), 2, -1.0f, 1.0f), c(size_t(m * n));
  spoil(a, k, b, k);
  const emulation::Grid grid = gridOf<Tile>(m, n, splits);
  Tensor<float> partials(size_t(grid.x * grid.y * splits * Tile::kM * Tile::kN));
  std::vector<uint32_t> counters(100);
  runInAllOrders(grid, c, [&] {
    if (splits == 1)
      gemm<Tile, kAligned>(a.data(), k, b.data(), k, c.data(), n, m, n, k, asIs);
    else
      splitGemm<Tile, kAligned>(a.data(), k, b.data(), k, c.data(), n, m, n, k, splits, partials.data(),
                                counters.data(), asIs);
  });
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      checkLike(c[size_t(i * n + j)], chainOf(a.data() + i * k, b.data() + j * k, k));
}

template <bool kAligned>
void checkSpecialConv(const ConvShape &s, int splits = 1) {
  const int n = 37;
  Tensor<float> in(size_t(s.images * s.image()), 1, -1.0f, 1.0f), filters(size_t(n * s.depth()), 2, -1.0f, 1.0f);
  Tensor<float> out(size_t(s.rows() * n)), row(size_t(s.depth()));
  spoil(in, s.hasPlanes ? 1 : s.channels, filters, s.depth());
  const emulation::Grid grid = gridOf<Small>(s.rows(), n, splits);
  Tensor<float> partials(size_t(grid.x * grid.y * splits * Small::kM * Small::kN));
  std::vector<uint32_t> counters(100);
  runInAllOrders(grid, out, [&] {
    if (splits == 1)
      conv<Small, kAligned>(in.data(), filters.data(), s.depth(), out.data(), n, s, n, asIs);
    else
      splitConv<Small, kAligned>(in.data(), filters.data(), s.depth(), out.data(), n, s, n, splits, partials.data(),
                                 counters.data(), asIs);
  });
  for (int pixel = 0; pixel < s.rows(); ++pixel) {
    const int x = pixel % s.outWidth, y = pixel / s.outWidth % s.outHeight, image = pixel / s.outWidth / s.outHeight;
    for (int k = 0; k < s.depth(); ++k) {
      const int c = k % s.channels, tap = k / s.channels;
      const int line = y * s.strideY - s.padTop + tap / s.kernelWidth * s.dilationY;
      const int column = x * s.strideX - s.padLeft + tap % s.kernelWidth * s.dilationX;
      const int at = s.hasPlanes ? ((image * s.channels + c) * s.height + line) * s.width + column
                                 : ((image * s.height + line) * s.width + column) * s.pixel() + c;
      row[size_t(k)] = s.contains(line, column) ? in[size_t(at)] : 0.0f;
    }
    for (int f = 0; f < n; ++f)
      checkLike(out[size_t(pixel * n + f)], chainOf(row.data(), filters.data() + f * s.depth(), s.depth()));
  }
}

} // namespace

TEST_CASE("accuracy: products of floats are as good as chains of fused multiply-adds") {
  for (const int k : {64, 576, 2304}) {
    for (const float low : {-1.0f, 0.0f}) { // all positive: what rounding toward zero loses adds up
      for (const int spread : {0, 6, 20}) {
        const Errors small = errorsOf<Small>(k, low, spread);
        CAPTURE(k);
        CAPTURE(low);
        CAPTURE(spread);
        CAPTURE(small.chain);
        // A single product loses up to 2^-19, where it is nearly all of a sum: the product of the low parts, and the
        // two bits that the unit does not take of them.
        const double most = std::fmax(1.5 * small.chain, spread == 20 ? 0x1p-19 : 3.5e-7);
        CHECK(small.unit < most);
        if (k == 576)
          CHECK(errorsOf<Large>(k, low, spread).unit < most);
      }
    }
  }
}

TEST_CASE("one product of TF32 takes 11 bits of each operand") {
  using Fast = BlockTile<float, 32, 32, 128, 16, 16, 3, Tf32Unit>;
  for (const int k : {64, 576}) {
    const Errors errors = errorsOf<Fast>(k, 0.0f, 0);
    CHECK(errors.unit < 0x1p-9);
    CHECK(errors.unit > 0x1p-13);
  }
}

TEST_CASE("infinities, NaN and sums that overflow come out as of floats") {
  checkSpecial<Small, true>(72);
  checkSpecial<Small, false>(71);
  checkSpecial<Square, true>(40);
  checkSpecial<Large, true>(40);
}
TEST_CASE("the same with k in slices") {
  checkSpecial<Small, true>(200, 3);
  checkSpecial<Small, false>(131, 2);
}
TEST_CASE("the same in windows of a picture") {
  checkSpecialConv<true>({1, 7, 9, 12, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1});
  checkSpecialConv<true>({2, 9, 8, 8, 3, 2, 5, 4, 2, 2, 1, 1, 1, 0}, 2);
  checkSpecialConv<false>({1, 11, 10, 3, 7, 7, 6, 5, 2, 2, 1, 1, 3, 3});
  checkSpecialConv<false>({1, 9, 8, 5, 3, 3, 5, 4, 1, 1, 2, 2, 0, 0, 0, true});
}

TEST_CASE("a product that adds to what the one before stored at the same places reads each place before it writes") {
  const int m = 45, n = 37, k = 72;
  Tensor<float> a(size_t(m * k), 1, -1.0f, 1.0f), b(size_t(n * k), 2, -1.0f, 1.0f), c(size_t(m * n));
  spoil(a, k, b, k);
  runInAllOrders(gridOf<Small>(m, n), c, [&] {
    gemm<Small, true>(a.data(), k, b.data(), k, c.data(), n, m, n, k, asIs);
    syncBlock();
    gemm<Small, true>(a.data(), k, b.data(), k, c.data(), n, m, n, k,
                      [&](float sum, int i, int j) { return sum + c[size_t(i * n + j)]; });
  });
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      const float chain = chainOf(a.data() + i * k, b.data() + j * k, k);
      checkLike(c[size_t(i * n + j)], chain + chain);
    }
  }
}
#endif
