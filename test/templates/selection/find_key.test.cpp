// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// find_key.h on numbers with NaN and on strings; count_grams.h and pairwise_votes.h on cases worked out by hand;
// pairwise_coupling.h where the pairs agree.
#include "templates/selection/find_key.h"
#include "doctest/doctest.h"
#include "templates/linear_algebra/pairwise_coupling.h"
#include "templates/selection/count_grams.h"
#include "templates/selection/pairwise_votes.h"
#include "views.h"

#include <cmath>
#include <vector>

using namespace sinter;
using test::dense;

TEST_CASE("find_key: the number of the key, or of all keys") {
  const float keys[] = {-1, 0, 2.5f, NAN}, x[] = {2.5f, 1, NAN, -0.0f, -1, -2, INFINITY};
  int64_t places[7];
  findKey(dense(x, 7), dense(keys, 4), dense(places, 7));
  CHECK(std::vector<int64_t>(places, places + 7) == std::vector<int64_t>{2, 4, 3, 1, 0, 4, 4});
  const sinter_string words[] = {{"a", 1}, {"ab", 2}, {"b", 1}}, given[] = {{"ab", 2}, {"", 0}, {"b", 1}, {"abc", 3}};
  findKey(dense(given, 4), dense(words, 3), dense(places, 4));
  CHECK(std::vector<int64_t>(places, places + 4) == std::vector<int64_t>{1, 3, 2, 3});
  findKey(dense(x, 2), dense(keys, 0), dense(places, 2));
  CHECK(places[0] == 0);
}

TEST_CASE("count_grams: pairs with tokens skipped between; a token counts once") {
  // Two tokens; the sequences are 0, 0 1 and 1 1.
  const int64_t edges[] = {0, 1, 3, 5}, columns[] = {0, -1, 1, 2}, x[] = {0, 1, 2, 1, 0, 1};
  float y[3];
  const auto count = [&](CountGramsParams p) {
    countGrams(p, dense(x, 1, 6), dense(edges, 4), dense(columns, 4), dense(y, 1, 3));
    return std::vector<float>(y, y + 3);
  };
  CHECK(count({1, 2, 0, 2}) == std::vector<float>{2, 2, 0});
  CHECK(count({1, 2, 1, 2}) == std::vector<float>{2, 2, 2});
  CHECK(count({2, 2, 2, 2}) == std::vector<float>{0, 3, 2});
  CHECK(count({1, 1, 9, 2}) == std::vector<float>{2, 0, 0});
}

TEST_CASE("pairwise_votes: the class that wins most pairs, the first of equal ones") {
  const float scores[] = {1, 1, 1, -1, -1, 1, 1, -1, 1}; // pairs (0, 1), (0, 2), (1, 2)
  int64_t winner[3], votes[3];
  pairwiseVotes(dense(scores, 3, 3), dense(winner, 3), dense(votes, 3));
  CHECK(winner[0] == 0);
  CHECK(winner[1] == 1);
  CHECK(winner[2] == 0);
}

TEST_CASE("pairwise_coupling: pairs that agree with probabilities give these back") {
  const double want[] = {0.5, 0.3, 0.2};
  const double first[] = {0.5 / 0.8, 0.5 / 0.7, 0.3 / 0.5};
  double p[3], q[9], qp[3];
  pairwiseCoupling(dense(first, 1, 3), dense(p, 1, 3), dense(q, 3, 3), dense(qp, 3));
  for (int i = 0; i < 3; ++i)
    CHECK(std::fabs(p[i] - want[i]) < 0.005);
}
