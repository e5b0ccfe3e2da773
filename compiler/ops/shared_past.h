// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of past keys and values [n, heads, length, size] that a decoder's attention shares with what it makes
// (past_present_share_buffer): new rows are put behind those of the past.
#pragma once

#include "heads_attention.h"

namespace sinter {

struct SharedPast {
  Tensor key, value;        ///< the buffers
  unsigned length, origins; ///< operands past_sequence_length and, where it is given, cache_indirection
  bool staysApart = false;  ///< attention tells rows of the past from new ones
};

/// The buffers with a's keys and values in them. What attention sees from then on is all that counts of them: of each
/// beam, with cache_indirection, the rows of the beams that it came from. Rows that have no place in the buffers end
/// the call.
mlir::FailureOr<std::pair<Tensor, Tensor>> putIntoPast(Op &op, Heads &a, const SharedPast &past);

} // namespace sinter
