// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by a warp for each query, of any types, strides and lengths: templates/cuda/attention_rows.h.
#include "kernels/cuda/support/attention_sizes.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

KernelAttr settleAttentionRows(KernelOp op, const Target &, StringRef &) {
  return KernelAttr::get(op.getContext(), "attention_rows", DictionaryAttr::get(op.getContext()));
}

std::optional<GpuWork> workOfAttentionRows(KernelOp op, const Target &) {
  std::optional<AttentionSizes> sizes = attentionSizesOf(op);
  return sizes ? std::optional(attentionRowsWork(*sizes)) : std::nullopt;
}

} // namespace

Kernel attention_rows_kernel() {
  TemplateKernel record{settleAttentionRows, nullptr};
  record.work = workOfAttentionRows;
  return {"attention_rows", 2, record, "attention_heads"};
}

} // namespace sinter
