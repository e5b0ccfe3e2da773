// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gemm.h, gemm_unpacked.h, matmul_direct.h against a triple loop in double, over odd sizes, element types and
// epilogues.
#include "templates/panels/gemm.h"
#include "packing.h"
#include "templates/direct/gemm_turned.h"
#include "templates/direct/gemm_unpacked.h"
#include "templates/direct/matmul_direct.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::kNR;
using test::kR;
using test::packPanels;
using test::Random;

namespace {

struct Problem {
  int64_t m, n, k, lda, ldc;
  std::vector<float> a, b, bias;
  std::vector<double> expected; // with bias, before any rounding
  Problem(int64_t m, int64_t n, int64_t k, uint64_t seed = 1) : m(m), n(n), k(k), lda(k + 3), ldc(n + 5) {
    Random random(seed);
    a = random.vector(size_t(m * lda));
    b = random.vector(size_t(k * n));
    bias = random.vector(size_t(n));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double s = double(bias[size_t(j)]);
        for (int64_t p = 0; p < k; ++p)
          s += double(a[size_t(i * lda + p)]) * double(b[size_t(p * n + j)]);
        expected.push_back(s);
      }
  }
  /// Right inside, untouched outside.
  void check(const std::vector<float> &c, double tolerance) const {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < ldc; ++j) {
        const auto got = double(c[size_t(i * ldc + j)]);
        const double want = j < n ? expected[size_t(i * n + j)] : -7;
        if (std::fabs(got - want) > (j < n ? tolerance * double(k + 1) : 0)) {
          CAPTURE(i);
          CAPTURE(j);
          REQUIRE(got == want);
        }
      }
  }
  std::vector<float> output() const { return std::vector<float>(size_t(m * ldc), -7.0f); }
};

const int64_t kSizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 17, 29, 31, 32, 33, 49, 65};

} // namespace

TEST_CASE("gemm over odd sizes") {
  for (int64_t m : {int64_t(0), int64_t(1), int64_t(2), int64_t(4), int64_t(5), int64_t(14), int64_t(15), int64_t(29)})
    for (int64_t n : kSizes)
      for (int64_t k : {int64_t(0), int64_t(1), int64_t(17), int64_t(40)}) {
        const Problem p(m, n, k);
        const auto packed = packPanels(p.b, n, k);
        auto c = p.output();
        gemm<kR, kNR>(p.a.data(), p.lda, Fixed<1>{}, packed.data(), c.data(), p.ldc, m, n, k,
                      [&](auto v, int64_t, int64_t j) { return v + load<decltype(v)>(p.bias.data() + j); });
        p.check(c, 1e-6);

        std::vector<float> apart(size_t(3 * m * k + 1)); // elements of a row are three apart
        for (int64_t i = 0; i < m; ++i)
          for (int64_t q = 0; q < k; ++q)
            apart[size_t(3 * (i * k + q))] = p.a[size_t(i * p.lda + q)];
        c = p.output();
        gemm<kR, kNR>(apart.data(), 3 * k, int64_t(3), packed.data(), c.data(), p.ldc, m, n, k,
                      [&](auto v, int64_t, int64_t j) { return v + load<decltype(v)>(p.bias.data() + j); });
        p.check(c, 1e-6);
      }
}

TEST_CASE("gemm with sizes known while compiling") {
  const Problem p(49, 40, 33);
  const auto packed = packPanels(p.b, 40, 33);
  auto c = p.output();
  gemm<kR, kNR>(p.a.data(), Fixed<36>{}, Fixed<1>{}, packed.data(), c.data(), Fixed<45>{}, Fixed<49>{}, Fixed<40>{},
                Fixed<33>{}, [&](auto v, int64_t, int64_t j) { return v + load<decltype(v)>(p.bias.data() + j); });
  p.check(c, 1e-6);
  auto row = p.output();
  gemm<kR, kNR>(p.a.data(), Fixed<36>{}, Fixed<1>{}, packed.data(), row.data(), Fixed<45>{}, Fixed<1>{}, Fixed<40>{},
                Fixed<33>{}, [&](auto v, int64_t, int64_t j) { return v + load<decltype(v)>(p.bias.data() + j); });
  for (size_t j = 0; j < 40; ++j)
    CHECK(row[j] == doctest::Approx(double(c[j])).epsilon(1e-5));
}

TEST_CASE("gemm with halves and doubles") {
  const Problem p(15, 33, 17);
  std::vector<f16> a, b;
  for (float x : p.a)
    a.push_back(convert<f16>(x));
  for (float x : p.b)
    b.push_back(convert<f16>(x));
  const auto packed = packPanels(b, 33, 17);
  auto c = p.output();
  const auto addBias = [&](auto v, int64_t, int64_t j) { return v + load<decltype(v)>(p.bias.data() + j); };
  gemm<kR, kNR>(a.data(), p.lda, Fixed<1>{}, packed.data(), c.data(), p.ldc, p.m, p.n, p.k, addBias);
  p.check(c, 1e-3);

  std::vector<double> ad(p.a.begin(), p.a.end()), bd(p.b.begin(), p.b.end()), cd(size_t(p.m * p.ldc));
  const auto packedDouble = packPanels(bd, 33, 17);
  gemm<4, kNR>(ad.data(), p.lda, Fixed<1>{}, packedDouble.data(), cd.data(), p.ldc, p.m, p.n, p.k, addBias);
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j)
      REQUIRE(std::fabs(cd[size_t(i * p.ldc + j)] - p.expected[size_t(i * p.n + j)]) < 1e-12);
}

TEST_CASE("gemm of B in rows and of B transposed, over odd sizes") {
  for (int64_t m : {int64_t(1), int64_t(3), int64_t(5), int64_t(15)})
    for (int64_t n : kSizes)
      for (int64_t k : {int64_t(0), int64_t(1), int64_t(3), int64_t(7), int64_t(16), int64_t(37)}) {
        const Problem p(m, n, k);
        const auto addBias = [&](auto v, int64_t, int64_t j) { return v + load<decltype(v)>(p.bias.data() + j); };
        auto c = p.output();
        gemmRows<kR, kNR>(p.a.data(), p.lda, Fixed<1>{}, p.b.data(), n, c.data(), p.ldc, m, n, k, addBias);
        p.check(c, 1e-6);

        if (k == 3) { // few products, known while compiling: rows of tiles one after the other
          c = p.output();
          gemmRows<kR, kNR>(p.a.data(), p.lda, Fixed<1>{}, p.b.data(), n, c.data(), p.ldc, m, n, Fixed<3>{}, addBias);
          p.check(c, 1e-6);
        }

        std::vector<float> at(size_t(k * m + 1));
        for (int64_t i = 0; i < m; ++i)
          for (int64_t q = 0; q < k; ++q)
            at[size_t(q * m + i)] = p.a[size_t(i * p.lda + q)];
        c = p.output();
        gemmRows<kR, kNR>(at.data(), Fixed<1>{}, m, p.b.data(), n, c.data(), p.ldc, m, n, k, addBias);
        p.check(c, 1e-6);

        std::vector<float> bt(size_t(k * n + 1));
        for (int64_t q = 0; q < k; ++q)
          for (int64_t j = 0; j < n; ++j)
            bt[size_t(j * k + q)] = p.b[size_t(q * n + j)];
        c = p.output();
        gemmDots(p.a.data(), p.lda, bt.data(), k, c.data(), p.ldc, m, n, k, addBias);
        p.check(c, 1e-6);

        std::vector<float> panel(size_t(k * kNR) + 1, -7.0f);
        c = p.output();
        gemmTurned<kR, kNR>(p.a.data(), p.lda, Fixed<1>{}, bt.data(), k, c.data(), p.ldc, m, n, k, panel.data(),
                            addBias);
        p.check(c, 1e-6);
        CHECK(panel.back() == -7.0f); // and no more of the scratch
        c = p.output();
        gemmTurned<kR, kNR>(at.data(), Fixed<1>{}, m, bt.data(), k, c.data(), p.ldc, m, n, k, panel.data(), addBias);
        p.check(c, 1e-6);

        c = p.output();
        gemmTurned<kR, kNR>(p.a.data(), p.lda, Fixed<1>{}, bt.data(), k, c.data(), p.ldc, m, n, k, panel.data(),
                            addBias);
        std::vector<float> copied = p.output();
        gemmCopied<kR, kNR>(p.a.data(), p.lda, Fixed<1>{}, p.b.data(), n, copied.data(), p.ldc, m, n, k, panel.data(),
                            addBias);
        p.check(copied, 1e-6);
        CHECK(copied == c); // to the last bit: panels hold the same
        CHECK(panel.back() == -7.0f);

        c = p.output();
        matmulDirect<float>([&](int64_t i, int64_t q) { return p.a[size_t(i * p.lda + q)]; },
                            [&](int64_t q, int64_t j) { return bt[size_t(j * k + q)]; }, c.data(), p.ldc, 1, m, n, k,
                            addBias);
        p.check(c, 1e-6);
      }
}

TEST_CASE("gemm of integers wraps") {
  const int8_t a[3] = {-128, 127, 5};
  const auto packed = packPanels(std::vector<int8_t>{-128, -128, 7}, 1, 3);
  int32_t c = 0;
  gemm<kR, kNR>(a, int64_t(3), Fixed<1>{}, packed.data(), &c, int64_t(1), int64_t(1), int64_t(1), int64_t(3),
                Identity{});
  CHECK(c == 128 * 128 - 127 * 128 + 35);
}
