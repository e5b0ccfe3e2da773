// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether each string is in a regular language, by a deterministic automaton over its bytes: one step per byte, no
// memory.
#pragma once

#include "runtime-lite/types.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

/// Bytes that no rule tells apart are one kind. The automaton begins in state 0; from a state that is no number of a
/// state none is accepted any more.
template <class State>
static inline void matchText(const View<const sinter_string, 1> &x, const View<const uint8_t, 1> &kindOf,
                             const View<const State, 2> &next, const View<const bool, 1> &accepts,
                             const View<bool, 1> &y) {
  const int64_t states = next.sizes[0];
  for (int64_t i = 0; i < y.sizes[0]; ++i) {
    const sinter_string text = x.data[i * x.strides[0]];
    int64_t state = 0;
    for (size_t at = 0; at < text.size && state < states; ++at)
      state = next.data[state * next.strides[0] + kindOf.data[static_cast<unsigned char>(text.data[at])]];
    y.data[i * y.strides[0]] = state < states && accepts.data[state];
  }
}

} // namespace
} // namespace sinter
