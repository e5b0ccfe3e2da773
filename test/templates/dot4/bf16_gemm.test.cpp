// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bf16_gemm.h against a triple loop in double, over odd sizes; rests of k touch nothing beside them and keep
// infinities.
#include "templates/dot4/bf16_gemm.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace sinter;

namespace {

bf16 number(int64_t i) { return convert<bf16>(float((i * 7919 + 13) % 401 - 200) / 64.0f); }

/// [k, n] as the kernel reads it.
template <int NR>
std::vector<bf16> packed(const std::vector<bf16> &b, int64_t n, int64_t k) {
  const int64_t steps = (k + 3) / 4, panels = (n + NR - 1) / NR;
  std::vector<bf16> to(size_t(panels * steps * NR * 4 + 1), convert<bf16>(0.0f));
  for (int64_t p = 0; p < k; ++p)
    for (int64_t j = 0; j < n; ++j)
      to[size_t(((j / NR * steps + p / 4) * NR + j % NR) * 4 + p % 4)] = b[size_t(p * n + j)];
  return to;
}

template <int R, int NR, class M, class N, class K>
void check(M m, N n, K k) {
  const int64_t lda = k + 5, ldc = n + 2;
  std::vector<bf16> a, b;
  for (int64_t i = 0; i < m * lda + 1; ++i)
    a.push_back(i % lda < k ? number(i) : convert<bf16>(std::numeric_limits<float>::infinity()));
  for (int64_t i = 0; i < k * n; ++i)
    b.push_back(number(i + 100));
  const std::vector<bf16> panels = packed<NR>(b, n, k);
  std::vector<float> c(size_t(m * ldc), -7.0f);
  bf16Gemm<R, NR>(a.data(), lda, panels.data(), c.data(), ldc, m, n, k, [](auto v, int64_t, int64_t) {
    using V = decltype(v);
    return v + splat<V>(0.5f);
  });
  INFO("m " << int64_t(m) << " n " << int64_t(n) << " k " << int64_t(k));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < ldc; ++j) {
      double sum = 0.5, size = 1;
      for (int64_t p = 0; p < k && j < n; ++p) {
        const double term =
            double(convert<float>(a[size_t(i * lda + p)])) * double(convert<float>(b[size_t(p * n + j)]));
        sum += term;
        size += std::fabs(term);
        REQUIRE(convert<float>(packedElement<NR, Bf16Squares>(panels.data(), k, p, j)) ==
                convert<float>(b[size_t(p * n + j)]));
      }
      const auto got = double(c[size_t(i * ldc + j)]);
      if (j >= n)
        REQUIRE(got == -7);
      else
        REQUIRE(std::fabs(got - sum) <= 1e-6 * size);
    }
}

} // namespace

TEST_CASE("products of bf16 are those of their numbers") {
  for (int64_t m : {0, 1, 2, 3, 4, 7, 13})
    for (int64_t n : {1, 3, 8, 17, 70})
      for (int64_t k : {0, 1, 3, 4, 7, 8, 13, 64}) {
        check<4, 16>(m, n, k);
        check<6, 8>(m, n, k);
      }
  check<4, 16>(Fixed<1>{}, Fixed<33>{}, Fixed<19>{});
  check<2, 4>(Fixed<5>{}, Fixed<6>{}, Fixed<8>{});
  check<12, 8>(Fixed<9>{}, Fixed<8>{}, Fixed<2>{});
}

TEST_CASE("an infinite element gives an infinite sum") {
  const bf16 one = convert<bf16>(1.0f), infinite = convert<bf16>(std::numeric_limits<float>::infinity());
  for (int64_t k = 1; k < 20; ++k)
    for (int64_t place = 0; place < k; ++place) {
      std::vector<bf16> a(size_t(k), one);
      a[size_t(place)] = infinite;
      const std::vector<bf16> b = packed<4>(std::vector<bf16>(size_t(k), one), 1, k);
      float sum = 0;
      bf16Gemm<2, 4>(a.data(), k, b.data(), &sum, int64_t(1), Fixed<1>{}, Fixed<1>{}, k, Identity{});
      REQUIRE(sum == std::numeric_limits<float>::infinity());
    }
}
