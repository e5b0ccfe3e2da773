// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often sequences of tokens (n-grams) appear in each row, also with tokens skipped between theirs at even distance.
// The sequences are a tree: a node and a token lead to another node.
#pragma once

#include "templates/selection/find_key.h"

namespace sinter {
namespace {

struct CountGramsParams {
  int64_t shortest, longest; ///< of the sequences that count
  int64_t most_skipped;      ///< tokens between two of a sequence
  int64_t tokens;            ///< numbers of tokens are below; this one is none
};

/// edges[i] = node * tokens + token leads to node i + 1, in order; the first node is 0. columns[i] is where a sequence
/// that ends there is counted, or -1.
template <class Y>
SINTER_FUNCTION void countGrams(const CountGramsParams &p, const View<const int64_t, 2> &x,
                                const View<const int64_t, 1> &edges, const View<const int64_t, 1> &columns,
                                const View<Y, 2> &y) {
  const int64_t length = x.sizes[1];
  for (int64_t row = 0; row < y.sizes[0]; ++row) {
    Y *const counts = y.data + row * y.strides[0];
    for (int64_t c = 0; c < y.sizes[1]; ++c)
      counts[c * y.strides[1]] = Y(0);
    // A sequence of one token has nothing between its tokens: it counts in the first round alone.
    const int64_t farthest = p.most_skipped < length ? p.most_skipped + 1 : length + 1;
    for (int64_t distance = 1, shortest = p.shortest; distance <= farthest && shortest <= p.longest;
         ++distance, shortest = shortest > 1 ? shortest : 2)
      for (int64_t start = 0; start < length; ++start) {
        int64_t node = 0;
        for (int64_t n = 1; n <= p.longest; ++n) {
          const int64_t at = start + (n - 1) * distance;
          const int64_t token = at < length ? x.data[row * x.strides[0] + at * x.strides[1]] : p.tokens;
          if (token >= p.tokens)
            break;
          const int64_t edge = node * p.tokens + token, place = lowerBound(edges, edge);
          if (place == edges.sizes[0] || edges.data[place] != edge)
            break;
          if (n >= shortest && columns.data[place] >= 0)
            counts[columns.data[place] * y.strides[1]] += Y(1);
          node = place + 1;
        }
      }
  }
}

} // namespace
} // namespace sinter
