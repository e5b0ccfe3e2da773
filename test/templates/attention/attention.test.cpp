// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attention.h against its definition in double: few and many queries, masks, causal, halves.
#include "templates/attention/attention.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

constexpr int kR = SINTER_VECTOR_BYTES == 64 ? 14 : 4, kNR = SINTER_VECTOR_BYTES == 64 ? 32 : 16;

template <class T>
void check(AttentionShape s, bool causal, double tolerance) {
  CAPTURE(s.queries);
  CAPTURE(s.keys);
  CAPTURE(causal);
  Random random(17);
  const auto values = [&](int64_t n) {
    std::vector<T> v;
    for (int64_t i = 0; i < n; ++i)
      v.push_back(convert<T>(random.uniform()));
    return v;
  };
  s.qPitch = s.depth + 3, s.kPitch = s.depth + 1, s.vPitch = s.width + 2, s.oPitch = s.width + 4;
  const auto q = values(s.queries * s.qPitch), k = values(s.keys * s.kPitch), v = values(s.keys * s.vPitch);
  const auto mask = random.vector(size_t(s.queries * s.keys));
  std::vector<T> out(size_t(s.queries * s.oPitch), convert<T>(-7.0f));
  std::vector<float> scratch(size_t(attentionScratch<kR>(s)));
  const float scale = 0.3f;
  const auto visible = [&](int64_t i) { return causal ? min(s.keys, s.keys - s.queries + i + 1) : s.keys; };
  attention<kR, kNR>(
      s, q.data(), k.data(), v.data(), out.data(), scratch.data(),
      [&](auto x, int64_t i, int64_t j) {
        return fma(x, splat<decltype(x)>(scale), load<decltype(x)>(mask.data() + i * s.keys + j));
      },
      visible, Identity{});
  const auto at = [](const std::vector<T> &m, int64_t i) { return double(convert<float>(m[size_t(i)])); };
  for (int64_t i = 0; i < s.queries; ++i) {
    const int64_t n = visible(i);
    std::vector<double> p;
    double largest = -INFINITY, total = 0;
    for (int64_t j = 0; j < n; ++j) {
      double dot = 0;
      for (int64_t d = 0; d < s.depth; ++d)
        dot += at(q, i * s.qPitch + d) * at(k, j * s.kPitch + d);
      p.push_back(dot * double(scale) + double(mask[size_t(i * s.keys + j)]));
      largest = std::max(largest, p.back());
    }
    for (double &x : p)
      total += x = std::exp(x - largest);
    for (int64_t d = 0; d < s.oPitch; ++d) {
      double want = d < s.width ? 0 : -7;
      for (int64_t j = 0; j < n && d < s.width; ++j)
        want += p[size_t(j)] / total * at(v, j * s.vPitch + d);
      REQUIRE(std::fabs(at(out, i * s.oPitch + d) - want) < tolerance);
    }
  }
}

} // namespace

TEST_CASE("attention") {
  for (bool causal : {false, true})
    for (int64_t keys : {1, 2, 16, 33, 70})
      for (int64_t queries : {1, 2, 5, 31})
        check<float>({queries, keys, 24, 17, 0, 0, 0, 0}, causal && keys >= queries, 2e-6);
  check<f16>({20, 30, 16, 16, 0, 0, 0, 0}, true, 2e-3);
}

TEST_CASE("a query that sees nothing gets zeros") {
  const float q[2] = {1, 1}, k[2] = {1, 2}, v[2] = {3, 4};
  float out[2] = {-7, -7}, scratch[64];
  attention<kR, kNR>(
      {2, 2, 1, 1, 1, 1, 1, 1}, q, k, v, out, scratch, Identity{}, [](int64_t i) { return i; }, Identity{});
  CHECK(out[0] == 0.0f);
  CHECK(out[1] == 3.0f);
}
