// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of the kernel attention_heads (templates/attention), with the scratch that it takes on any target.
#pragma once

#include "lowering.h"

namespace sinter {

struct AttentionCall {
  Tensor q, k, v; ///< [batch, heads, length, size]
  Tensor mask;    ///< added to scores, or none
  double scale = 1;
  bool zeroMaskedRows = false; ///< rows of which nothing is seen give zeros, else NaN
};

Tensor attentionHeads(const Op &op, const AttentionCall &call);

} // namespace sinter
