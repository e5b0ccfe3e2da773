// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attention.h against its definition in double: few and many queries and keys, masks, causal, halves, caches in
// fewer bits.
#include "templates/attention/attention.h"
#include "templates/attention/quantize_rows.h"
#include "ulp.h"

#include <algorithm>
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
  std::vector<float> scratch(size_t(attentionScratch<kR, T, T>(s)));
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

/// Rows of a cache of T, and the same numbers as floats: attention over either is as good as equal, where of bytes the
/// floats' queries are rounded as well: what 14 bits of
/// weights leave is an eighth of the cache's own rounding, 4e-3. `write` makes a row of T of one of floats, and says
/// how many elements it takes.
template <class T, class Write>
void checkNarrow(int64_t queries, int64_t depth, Write write) {
  constexpr int64_t keys = 300;
  const int64_t most = depth + kScaleBytes;
  CAPTURE(queries);
  Random random(3);
  std::vector<T> narrow[2];
  std::vector<float> wide[2];
  int64_t pitch = 0;
  for (int which : {0, 1}) {
    narrow[which].resize(size_t(keys * most));
    for (int64_t j = 0; j < keys; ++j) {
      T *const row = narrow[which].data() + j * pitch;
      pitch = write(random.vector(size_t(depth)), row);
      float scale = 1;
      readScales(row, 0, depth, 1, &scale);
      for (int64_t d = 0; d < depth; ++d)
        wide[which].push_back(convert<float>(row[d]) * scale);
    }
  }
  const auto q = random.vector(size_t(queries * depth));
  auto asTaken = q;
  for (int64_t i = 0; i < queries && kIsByteRow<T>; ++i) {
    std::vector<int8_t> row(size_t(depth + kScaleBytes));
    quantizeRow(q.data() + i * depth, depth, row.data());
    float scale = 0;
    readScales(row.data(), 0, depth, 1, &scale);
    for (int64_t d = 0; d < depth; ++d)
      asTaken[size_t(i * depth + d)] = float(row[size_t(d)]) * scale;
  }
  const AttentionShape floats{queries, keys, depth, depth, depth, depth, depth, depth};
  AttentionShape shape = floats;
  shape.kPitch = shape.vPitch = pitch;
  std::vector<float> scratch(size_t(max(attentionScratch<kR>(floats), attentionScratch<kR, T, T>(shape)))),
      expected(q.size()), made(q.size());
  const auto all = [=](int64_t) { return keys; };
  attention<kR, kNR>(floats, asTaken.data(), wide[0].data(), wide[1].data(), expected.data(), scratch.data(),
                     Identity{}, all, Identity{});
  attention<kR, kNR>(shape, q.data(), narrow[0].data(), narrow[1].data(), made.data(), scratch.data(), Identity{}, all,
                     Identity{});
  for (size_t i = 0; i < made.size(); ++i)
    REQUIRE(std::fabs(made[i] - expected[i]) < (kIsByteRow<T> ? 5e-4 : 2e-6));
}

} // namespace

TEST_CASE("attention") {
  for (bool causal : {false, true})
    for (int64_t keys : {1, 2, 16, 33, 70, 128, 300})
      for (int64_t queries : {1, 2, 5, 31})
        check<float>({queries, keys, 24, 17, 0, 0, 0, 0}, causal && keys >= queries, 2e-6);
  check<f16>({20, 30, 16, 16, 0, 0, 0, 0}, true, 2e-3);
}

TEST_CASE("caches of halves and of bytes give what their numbers mean") {
  for (auto [queries, depth] : {std::pair(1, 24), {7, 9}, {1, 32}, {7, 64}, {20, 24}, {3, 80}, {20, 96}, {31, 128}}) {
    checkNarrow<f16>(queries, depth, [](const std::vector<float> &row, f16 *to) {
      for (size_t i = 0; i < row.size(); ++i)
        store(to + i, row[i]);
      return int64_t(row.size());
    });
    checkNarrow<int8_t>(queries, depth, [](const std::vector<float> &row, int8_t *to) {
      quantizeRow(row.data(), int64_t(row.size()), to);
      return int64_t(row.size()) + kScaleBytes;
    });
  }
}

TEST_CASE("a query's result over bytes does not depend on the queries beside it") {
  constexpr int64_t keys = 290, depth = 64, queries = 37;
  Random random(4);
  std::vector<int8_t> rows(size_t(keys * (depth + kScaleBytes)));
  for (int64_t j = 0; j < keys; ++j)
    quantizeRow(random.vector(depth).data(), depth, rows.data() + j * (depth + kScaleBytes));
  const auto q = random.vector(queries * depth);
  const auto run = [&](int64_t first, int64_t count) {
    AttentionShape s{count, keys, depth, depth, depth, depth + kScaleBytes, depth + kScaleBytes, depth};
    std::vector<float> scratch(size_t(attentionScratch<kR, int8_t, int8_t>(s))), out(size_t(count * depth));
    attention<kR, kNR>(
        s, q.data() + first * depth, rows.data(), rows.data(), out.data(), scratch.data(), Identity{},
        [&](int64_t i) { return keys - queries + first + i + 1; }, Identity{});
    return out;
  };
  const std::vector<float> all = run(0, queries);
  for (const auto &[first, count] : {std::pair<int64_t, int64_t>(0, 1), {5, 1}, {3, 7}, {20, 17}, {1, 35}}) {
    const std::vector<float> some = run(first, count);
    CHECK(std::equal(some.begin(), some.end(), all.begin() + first * depth));
  }
}

TEST_CASE("scratch is what the compiler reserves") { // test/compiler/passes/packing/narrow_caches.mlir
  CHECK(attentionScratch<kR, int8_t, int8_t>({1, 6, 8, 8, 8, 12, 12, 8}) == 1542);
}

TEST_CASE("a query that sees nothing gets zeros") {
  const float q[2] = {1, 1}, k[2] = {1, 2}, v[2] = {3, 4};
  float out[2] = {-7, -7}, scratch[64];
  attention<kR, kNR>(
      {2, 2, 1, 1, 1, 1, 1, 1}, q, k, v, out, scratch, Identity{}, [](int64_t i) { return i; }, Identity{});
  CHECK(out[0] == 0.0f);
  CHECK(out[1] == 3.0f);
}
