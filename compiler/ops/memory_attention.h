// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of a recurrent state to a memory that stays the same over all steps, as Bahdanau has it: a score for each
// entry of the memory is v . tanh(key + query), its softmax weighs the entries.
#pragma once

#include "lowering.h"

namespace sinter {

struct MemoryAttention {
  Tensor keys, entries; ///< [rows, entries, A] and [rows, entries, E]
  Tensor query, v;      ///< [state, A], [A]
  Tensor lengths;       ///< of the memory of each row; null: all entries count
  Tensor layer;         ///< [state + E, Z]: the result is state and context times this; null: the context

  /// Of entries [rows, entries, E] and weights of the keys [E, A]. `lengths` are from 1 to the number of entries.
  MemoryAttention(Op &op, Tensor entries, Tensor keyWeights, Tensor query, Tensor v, Tensor lengths, Tensor layer);
  /// What a state [rows, state] gets.
  Tensor of(Op &op, Tensor state) const;
};

} // namespace sinter
