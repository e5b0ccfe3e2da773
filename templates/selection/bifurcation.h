// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aggressive decoding (arXiv 2205.10350): predicted tokens are taken over as far as they are those of the source, and
// one more; then the place behind the only appearance of the last tokens in the source.
#pragma once

#include "runtime-lite/index.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

struct BifurcationParams {
  int64_t least, most; ///< tokens that must appear again
};

/// Where `count` of `tokens` from `from` on begin in `source`, at `first` or behind; its length where they do not.
SINTER_FUNCTION int64_t appearance(const View<const int64_t, 1> &source, int64_t first, const View<int64_t, 1> &tokens,
                                   int64_t from, int64_t count) {
  for (int64_t at = first; at + count <= source.sizes[0]; ++at) {
    int64_t same = 0;
    while (same < count &&
           source.data[(at + same) * source.strides[0]] == tokens.data[(from + same) * tokens.strides[0]])
      ++same;
    if (same == count)
      return at;
  }
  return source.sizes[0];
}

/// Without predictions `predicted` is empty. `tokens` has room for `current` and `predicted`.
SINTER_FUNCTION int bifurcation(const BifurcationParams &p, const View<const int64_t, 1> &source,
                                const View<const int64_t, 1> &current, const View<const int64_t, 1> &previous,
                                const View<const int64_t, 1> &predicted, const View<int64_t, 1> &tokens,
                                const View<int64_t, 0> &count, const View<int64_t, 1> &next) {
  const int64_t length = source.sizes[0];
  int64_t all = 0;
  const auto append = [&](const View<const int64_t, 1> &from, int64_t i) {
    tokens.data[all++ * tokens.strides[0]] = from.data[i * from.strides[0]];
  };
  for (int64_t i = 0; i < current.sizes[0]; ++i)
    append(current, i);
  *count.data = all;
  if (predicted.sizes[0]) {
    const int64_t start = *previous.data;
    if (start < 0 || start > length || predicted.sizes[0] != length + 1 - start)
      return kInvalidData;
    int64_t i = 0;
    while (start + i < length &&
           predicted.data[i * predicted.strides[0]] == source.data[(start + i) * source.strides[0]])
      append(predicted, i++);
    append(predicted, i);
    *count.data = all;
  }
  int64_t place = -1;
  for (int64_t run = p.least; run <= p.most && run <= all; ++run) {
    const int64_t at = appearance(source, 0, tokens, all - run, run);
    if (at == length)
      break;
    place = at + run;
    if (place >= length)
      break;
    if (appearance(source, at + 1, tokens, all - run, run) != length)
      place = -1;
  }
  *next.data = place;
  return 0;
}

} // namespace
} // namespace sinter
