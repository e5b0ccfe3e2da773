// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products on the matrix unit against sums in double: all tiles, all types, sizes that are and are not whole tiles.
#include "device_test.h"

#include "templates/cuda/requantize_sums.h"
#include "templates/cuda/split_k.h"
#include "templates/quantized/requantize.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <class Tile>
emulation::Grid gridOf(int m, int n, int splits = 1) {
  emulation::Grid grid;
  grid.x = ceilDiv(m, Tile::kM);
  grid.y = ceilDiv(n, Tile::kN);
  grid.z = splits;
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  return grid;
}

struct Sizes {
  int m, n, k;
  int padding = 0; ///< between rows of A, B and C
};

/// The product's sums, in double.
template <class TA, class TB>
std::vector<double> sumsOf(const Tensor<TA> &a, int lda, const Tensor<TB> &b, int ldb, Sizes s) {
  std::vector<double> sums;
  for (int i = 0; i < s.m; ++i) {
    for (int j = 0; j < s.n; ++j) {
      double sum = 0;
      for (int k = 0; k < s.k; ++k)
        sum += a.at(i * lda + k) * b.at(j * ldb + k);
      sums.push_back(sum);
    }
  }
  return sums;
}

/// C holds 0.5 sum + j, and nothing is written between its rows. kAligned: lda and ldb are whole chunks.
template <class Tile, bool kAligned = true>
void checkGemm(Sizes s, int splits = 1) {
  using T = typename Tile::Element;
  CAPTURE(s.m);
  CAPTURE(s.n);
  CAPTURE(s.k);
  const int ld = s.k + s.padding, ldc = s.n + s.padding;
  const size_t shift = kAligned ? 0 : 1;
  Tensor<T> a(size_t(s.m * ld), 1, -1.0f, 1.0f, shift), b(size_t(s.n * ld), 2, -1.0f, 1.0f, shift);
  Tensor<T> c(size_t(s.m * ldc));
  Tensor<float> partials(size_t(gridOf<Tile>(s.m, s.n).x * gridOf<Tile>(s.m, s.n).y * splits * Tile::kM * Tile::kN));
  std::vector<uint32_t> counters(100);
  const auto epilogue = [](float sum, int, int j) { return sum * 0.5f + float(j); };
  runInAllOrders(gridOf<Tile>(s.m, s.n, splits), c, [&] {
    if (splits == 1)
      gemm<Tile, kAligned>(a.data(), ld, b.data(), ld, c.data(), ldc, s.m, s.n, s.k, epilogue);
    else
      splitGemm<Tile, kAligned>(a.data(), ld, b.data(), ld, c.data(), ldc, s.m, s.n, s.k, splits, partials.data(),
                                counters.data(), epilogue);
  });
  CHECK(counters == std::vector<uint32_t>(100));
  const std::vector<double> sums = sumsOf(a, ld, b, ld, s);
  double worst = 0;
  for (int i = 0; i < s.m; ++i) {
    for (int j = 0; j < s.n; ++j) {
      const double difference = std::fabs(c.at(i * ldc + j) - (0.5 * sums[size_t(i * s.n + j)] + j));
      if (!(difference / (s.n + 1.0) <= worst))
        worst = difference / (s.n + 1.0);
    }
    for (int j = s.n; j < ldc; ++j)
      CHECK(std::isnan(c.at(i * ldc + j)));
  }
  CHECK(worst < kTolerance<T>);
}

template <class T>
using Square = BlockTile<T, 64, 64, 128, 32, 32, 3>;
template <class T>
using Small = BlockTile<T, 32, 32, 128, 16, 16, 3>;

} // namespace

TEST_CASE("all tiles") {
  checkGemm<BlockTile<f16, 32, 32, 128, 16, 16, 3>>({40, 40, 200});
  checkGemm<BlockTile<f16, 32, 64, 128, 16, 32, 3>>({40, 72, 200});
  checkGemm<BlockTile<f16, 64, 64, 128, 32, 32, 3>>({70, 130, 256});
  checkGemm<BlockTile<f16, 64, 64, 128, 32, 32, 2>>({70, 66, 256});
  checkGemm<BlockTile<f16, 128, 64, 64, 64, 32, 3>>({130, 40, 96});
  checkGemm<BlockTile<f16, 128, 128, 64, 64, 32, 4>>({100, 130, 96});
  checkGemm<BlockTile<f16, 128, 128, 64, 64, 64, 3>>({100, 100, 64});
}

TEST_CASE("sizes that are no whole tiles, steps, chunks or pairs") {
  checkGemm<Small<f16>>({1, 1, 8});
  checkGemm<Small<f16>>({33, 31, 72});
  checkGemm<Small<f16>>({5, 34, 136, 8});
  checkGemm<Small<f16>, false>({7, 5, 3});
  checkGemm<Small<f16>, false>({33, 31, 77});
  checkGemm<Small<f16>, false>({16, 16, 130, 3});
}

TEST_CASE("chunks behind the end of k, which is known when compiled") {
  using Tile = BlockTile<int8_t, 32, 32, 128, 16, 16, 8>;
  Tensor<int8_t> a(64, 1, 0, 0), b(12 * 64, 2, 0, 0);
  Tensor<int32_t> c(12);
  const int8_t *rows = a.data(), *columns = b.data();
  int32_t *out = c.data();
  const std::string error = emulation::launch(gridOf<Tile>(1, 12), [=] {
    gemm<Tile, true>(rows, 64, columns, 64, out, 12, 1, 12, 64, [](int32_t sum, int, int) { return sum; });
  });
  CHECK(error == "");
  const std::vector<double> sums = sumsOf(a, 64, b, 64, {1, 12, 64});
  for (int j = 0; j < 12; ++j)
    CHECK(c[size_t(j)] == int32_t(sums[size_t(j)]));
}

TEST_CASE("k in slices: each slice of k counts once, also where there are more than steps") {
  checkGemm<Small<f16>>({40, 33, 520}, 3);
  checkGemm<Small<f16>>({20, 20, 128}, 5);
  checkGemm<Small<f16>, false>({20, 20, 333}, 2);
}

#if SINTER_CUDA_ARCH >= 800
TEST_CASE("bf16, and float by three products of TF32") {
  checkGemm<Square<bf16>>({70, 66, 256});
  checkGemm<Small<bf16>, false>({9, 11, 33});
  checkGemm<Square<float>>({70, 66, 128});
  checkGemm<Small<float>, false>({9, 11, 33});
  checkGemm<Small<float>>({33, 31, 300}, 2);
}

TEST_CASE("float's products stay as good as float over a long k, since sums leave the matrix unit") {
  // All positive: what rounding toward zero loses adds up.
  const Sizes s{8, 8, 2304};
  Tensor<float> a(size_t(s.m * s.k), 1, 0.0f, 1.0f), b(size_t(s.n * s.k), 2, 0.0f, 1.0f), c(size_t(s.m * s.n));
  runInAllOrders(gridOf<Small<float>>(s.m, s.n), c, [&] {
    gemm<Small<float>, true>(a.data(), s.k, b.data(), s.k, c.data(), s.n, s.m, s.n, s.k,
                             [](float sum, int, int) { return sum; });
  });
  CHECK(relativeError(c, sumsOf(a, s.k, b, s.k, s)) < 1e-6);
}
#endif

namespace {

/// Bytes, requantized: equal to the CPU's definition in every element.
template <class T>
void checkBytes(int m, int n, int k, int low, int high, int zero) {
  using Tile = Small<T>;
  Tensor<T> a(size_t(m * k), 1, 0, 0), c(size_t(m * n));
  Tensor<int8_t> b(size_t(n * k), 2, 0, 0);
  std::vector<int32_t> bias;
  std::vector<float> factor;
  Random random(4);
  for (int j = 0; j < n; ++j) {
    bias.push_back(int32_t(random.bits() % 20001) - 10000);
    factor.push_back(j % 3 ? random.uniform(0.0f, 0.003f) : 0x1p-9f); // of powers of two: many ties
  }
  runInAllOrders(gridOf<Tile>(m, n), c, [&] {
    gemm<Tile, true>(a.data(), k, b.data(), k, c.data(), n, m, n, k,
                     Requantize<T>{bias.data(), factor.data(), low, high, zero});
  });
  const sinter::Requantize onCpu{bias.data(), factor.data(), low, high, zero};
  const std::vector<double> sums = sumsOf(a, k, b, k, {m, n, k});
  for (int i = 0; i < m * n; ++i)
    CHECK(int(c[size_t(i)]) == onCpu(int32_t(sums[size_t(i)]), int64_t(0), int64_t(i % n)));
}

} // namespace

TEST_CASE("bytes agree with the CPU to the last integer") {
  checkBytes<int8_t>(40, 33, 272, -128, 127, 0);
  checkBytes<int8_t>(33, 20, 144, -128, 117, 10);
  checkBytes<uint8_t>(40, 36, 128, 0, 255, 0);
  checkBytes<uint8_t>(17, 9, 48, -3, 200, 3);
}

TEST_CASE("no two rows of a load of matrices meet in a bank") {
  const emulation::BankConflicts before = emulation::bankConflicts();
  checkGemm<Square<f16>>({64, 64, 256});
  checkGemm<BlockTile<f16, 128, 64, 64, 64, 32, 3>>({128, 64, 64});
  CHECK(emulation::bankConflicts().loads > before.loads);
  CHECK(emulation::bankConflicts().extra == before.extra);
}
