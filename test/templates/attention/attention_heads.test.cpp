// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attention_heads.h against its definition in double: heads between rows, masks broadcast, rows with nothing to see.
#include "templates/attention/attention_heads.h"
#include "ulp.h"
#include "views.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

constexpr int64_t kBatch = 2, kHeads = 3, kDepth = 9, kWidth = 7;

/// [b, h, l, e] of memory in the order [b, l, h, e].
template <class T>
View<T, 4> headsBetweenRows(T *data, int64_t length, int64_t width) {
  return {data, {kBatch, kHeads, length, width}, {length * kHeads * width, width, kHeads * width, 1}};
}
double at(const View<const float, 4> &v, int64_t n, int64_t h, int64_t i, int64_t j) {
  return double(v.data[n * v.strides[0] + h * v.strides[1] + i * v.strides[2] + j * v.strides[3]]);
}

/// The mask is [b, 1, l, s]; with `hidden`, query 0 may see nothing.
void check(int64_t queries, int64_t keys, bool masked, bool hidden) {
  CAPTURE(queries);
  CAPTURE(keys);
  CAPTURE(masked);
  Random random(17);
  const auto values = [&](int64_t length, int64_t width) {
    return random.vector(size_t(kBatch * length * kHeads * width));
  };
  const auto qData = values(queries, kDepth), kData = values(keys, kDepth), vData = values(keys, kWidth);
  auto maskData = random.vector(size_t(kBatch * queries * keys));
  for (int64_t j = 0; hidden && j < keys; ++j)
    maskData[size_t(j)] = -INFINITY;
  std::vector<float> out(size_t(kBatch * queries * kHeads * kWidth), -7.0f);
  const View<const float, 4> q = headsBetweenRows(qData.data(), queries, kDepth),
                             k = headsBetweenRows(kData.data(), keys, kDepth),
                             v = headsBetweenRows(vData.data(), keys, kWidth);
  const View<const float, 4> mask = test::dense<const float>(maskData.data(), kBatch, 1, queries, keys);
  std::vector<float> scratch(size_t(attentionScratch<kAttentionRows>({queries, keys, kDepth, kWidth, 0, 0, 0, 0})));
  const View<float, 1> work = test::dense(scratch.data(), scratch.size());
  const View<float, 4> y = headsBetweenRows(out.data(), queries, kWidth);
  const AttentionHeadsParams params{0.3, hidden};
  if (masked)
    attentionHeads(params, q, k, v, mask, y, work);
  else
    attentionHeads(params, q, k, v, y, work);
  for (int64_t n = 0; n < kBatch; ++n)
    for (int64_t h = 0; h < kHeads; ++h)
      for (int64_t i = 0; i < queries; ++i) {
        std::vector<double> weights;
        double total = 0;
        for (int64_t j = 0; j < keys; ++j) {
          double dot = 0;
          for (int64_t d = 0; d < kDepth; ++d)
            dot += at(q, n, h, i, d) * at(k, n, h, j, d);
          weights.push_back(std::exp(dot * 0.3 + (masked ? at(mask, n, 0, i, j) : 0)));
          total += weights.back();
        }
        for (int64_t d = 0; d < kWidth; ++d) {
          double want = 0;
          for (int64_t j = 0; j < keys && total > 0; ++j)
            want += weights[size_t(j)] / total * at(v, n, h, j, d);
          REQUIRE(std::fabs(at({y.data, {}, {y.strides[0], y.strides[1], y.strides[2], 1}}, n, h, i, d) - want) < 2e-6);
        }
      }
}

} // namespace

TEST_CASE("attention over batch and heads") {
  for (const int64_t keys : {1, 17, 33, 290})
    for (const int64_t queries : {1, 3, 5, 31}) {
      check(queries, keys, false, false);
      check(queries, keys, true, false);
      check(queries, keys, true, true);
    }
}

TEST_CASE("keys behind the last that a mask shows are not looked at") {
  constexpr int64_t keys = 600, n = 4;
  const auto check = [&](float hidden, int64_t shown) {
    test::Random random(9);
    const auto q = random.vector(n), k = random.vector(keys * n);
    auto v = random.vector(keys * n), mask = std::vector<float>(keys, 0.0f);
    std::vector<float> out(n), before(n), scratch(4096);
    for (size_t j = size_t(shown); j < keys; ++j)
      mask[j] = hidden;
    const auto run = [&](std::vector<float> &to) {
      attentionHeads({1.0, false}, test::dense<const float>(q.data(), 1, 1, 1, n),
                     test::dense<const float>(k.data(), 1, 1, keys, n),
                     test::dense<const float>(v.data(), 1, 1, keys, n),
                     test::dense<const float>(mask.data(), 1, 1, 1, keys), test::dense(to.data(), 1, 1, 1, n),
                     test::dense(scratch.data(), scratch.size()));
    };
    run(before);
    for (size_t j = size_t(shown * n); j < v.size(); ++j)
      v[j] = NAN;
    run(out);
    CHECK(out == before);
    mask[size_t(shown)] = NAN; // is seen, so that it shows
    run(out);
    CHECK(out[0] != out[0]);
  };
  for (const float hidden : {-INFINITY, -3.4e38f})
    for (const int64_t shown : {1, 17, 140, 344, 472, 583, 599})
      check(hidden, shown);
}

TEST_CASE("a mask of all heads hides as much from each, one of each head what it says") {
  constexpr int64_t heads = 3, queries = 2, keys = 300, n = 4;
  for (const int64_t masks : {int64_t(1), heads}) {
    test::Random random(11);
    const auto q = random.vector(heads * queries * n), k = random.vector(heads * keys * n);
    const auto v = random.vector(heads * keys * n);
    std::vector<float> mask(size_t(masks * queries * keys), 0.0f), scratch(8192);
    for (int64_t row = 0; row < masks * queries; ++row)
      for (int64_t j = keys - 40 * (row + 1); j < keys; ++j)
        mask[size_t(row * keys + j)] = -INFINITY;
    std::vector<float> together(heads * queries * n), alone = together;
    const auto run = [&](int64_t first, int64_t count, int64_t mask0, int64_t ofMask, std::vector<float> &to) {
      attentionHeads({1.0, false}, test::dense<const float>(q.data() + first * queries * n, 1, count, queries, n),
                     test::dense<const float>(k.data() + first * keys * n, 1, count, keys, n),
                     test::dense<const float>(v.data() + first * keys * n, 1, count, keys, n),
                     test::dense<const float>(mask.data() + mask0 * queries * keys, 1, ofMask, queries, keys),
                     test::dense(to.data() + first * queries * n, 1, count, queries, n),
                     test::dense(scratch.data(), scratch.size()));
    };
    run(0, heads, 0, masks, together);
    for (int64_t h = 0; h < heads; ++h)
      run(h, 1, masks == 1 ? 0 : h, 1, alone);
    CHECK(together == alone);
  }
}

TEST_CASE("queries go through the rows of a mask again and again") {
  constexpr int64_t batch = 2, keys = 150, n = 4;
  for (const int64_t heads : {1, 2, 7})
    for (const int64_t rows : {1, 2, 5, 16}) {
      CAPTURE(heads);
      CAPTURE(rows);
      const int64_t queries = heads * rows;
      test::Random random(13);
      const auto q = random.vector(size_t(batch * queries * n)), k = random.vector(batch * keys * n);
      const auto v = random.vector(batch * keys * n);
      auto mask = random.vector(size_t(batch * rows * keys));
      for (int64_t row = 0; row < batch * rows; ++row) // each sees as many as no other
        for (int64_t j = keys - 4 * row; j < keys; ++j)
          mask[size_t(row * keys + j)] = -INFINITY;
      std::vector<float> spread;
      for (int64_t member = 0; member < batch; ++member)
        for (int64_t head = 0; head < heads; ++head)
          spread.insert(spread.end(), mask.begin() + member * rows * keys, mask.begin() + (member + 1) * rows * keys);
      const auto run = [&](const std::vector<float> &from, int64_t lines) {
        std::vector<float> made(size_t(batch * queries * n)), scratch(8192);
        attentionHeads({1.0, false}, test::dense<const float>(q.data(), batch, 1, queries, n),
                       test::dense<const float>(k.data(), batch, 1, keys, n),
                       test::dense<const float>(v.data(), batch, 1, keys, n),
                       test::dense<const float>(from.data(), batch, 1, lines, keys),
                       test::dense(made.data(), batch, 1, queries, n), test::dense(scratch.data(), scratch.size()));
        return made;
      };
      CHECK(run(mask, rows) == run(spread, queries));
    }
}
