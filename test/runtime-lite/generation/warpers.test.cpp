// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warpers.h: small cases by hand; test/generation/logits.py compares with transformers.
#include "runtime-lite/generation/warpers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace sinter;

namespace {

/// What is kept of these probabilities.
template <class Keep>
std::vector<int32_t> keptOf(std::vector<float> probabilities, Keep keep) {
  const int32_t n = int32_t(probabilities.size());
  for (float &p : probabilities)
    p = std::log(p);
  std::vector<int32_t> ids(probabilities.size()), work(ids);
  std::vector<uint64_t> bins(kMassBins);
  float maxima[1];
  const LogitScan scan = scanLogits(probabilities.data(), n, 1, maxima);
  Candidates c = allCandidates(probabilities.data(), n, scan, 0, ids.data(), bins.data(), work.data());
  keep(c);
  return {ids.begin(), ids.begin() + c.count};
}
using Ids = std::vector<int32_t>;

} // namespace

TEST_CASE("warpers: -inf is never a candidate") {
  CHECK(keptOf({0.5f, 0.0f, 0.5f}, [](Candidates &) {}) == Ids{0, 2});
}
TEST_CASE("warpers: top-k keeps ties, top-p the lower ids") {
  const std::vector<float> p = {0.1f, 0.3f, 0.2f, 0.2f, 0.2f};
  CHECK(keptOf(p, [](Candidates &c) { keepTopK(c, 2); }) == Ids{1, 2, 3, 4});
  CHECK(keptOf(p, [](Candidates &c) { keepTopP(c, 0.6f, 1); }) == Ids{1, 2, 3});
  CHECK(keptOf(p, [](Candidates &c) { keepTopP(c, 0.01f, 1); }) == Ids{1});
  CHECK(keptOf(p, [](Candidates &c) { keepTopP(c, 0.01f, 2); }) == Ids{1, 2});
}
TEST_CASE("warpers: min-p, and typical without the likeliest") {
  const std::vector<float> p = {0.5f, 0.2f, 0.2f, 0.09f, 0.01f};
  CHECK(keptOf(p, [](Candidates &c) { keepNear(c, minusLn(0.39f), 1, Ties::cut); }) == Ids{0, 1, 2});
  CHECK(keptOf(p, [](Candidates &c) { keepTypical(c, 0.3f, 1); }) == Ids{1, 2});
  CHECK(keptOf(p, [](Candidates &c) {
          keepTypical(c, 0.3f, 1);
          keepTopP(c, 0.5f, 1);
        }) == Ids{1});
}
TEST_CASE("warpers: a draw takes each by its share") {
  keptOf({0.25f, 0.5f, 0.25f}, [](Candidates &c) {
    CHECK(draw(c, 0) == 1);
    CHECK(draw(c, uint64_t(0x7fff) << 48) == 1);
    CHECK(draw(c, uint64_t(0x8001) << 48) == 0);
    CHECK(draw(c, uint64_t(0xbfff) << 48) == 0);
    CHECK(draw(c, uint64_t(0xc001) << 48) == 2);
    CHECK(draw(c, ~uint64_t(0)) == 2);
  });
}
