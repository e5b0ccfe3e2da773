// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of few queries and many keys, of any types: a block for each query, whose warps share the keys
// (templates/cuda/attention_block.h).
#include "kernels/cuda/support/attention_sizes.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

/// As many as keep loads of keys under way; two of these blocks have room on any GPU.
constexpr int64_t warps = 16, warpThreads = 32, pass = 128;

KernelAttr settleAttentionBlock(KernelOp op, const Target &, StringRef &) {
  return KernelAttr::get(op.getContext(), "attention_block", DictionaryAttr::get(op.getContext()));
}

ContractionCall callOfAttentionBlock(KernelOp, const Target &) {
  ContractionCall call;
  call.kind = "attention_heads";
  call.why = "a block for each query, its warps share the keys: attentionHeadsBlock";
  call.headers = {"templates/cuda/attention_block.h"};
  call.function = "attentionHeadsBlock";
  call.templateArguments = {named("AttentionBlock<16>")};
  call.rows = 1;
  call.grid = GridOfTiles{warps * warpThreads, warps * (pass + 2) * 4};
  return call;
}

std::optional<GpuWork> workOfAttentionBlock(KernelOp op, const Target &) {
  std::optional<AttentionSizes> sizes = attentionSizesOf(op);
  return sizes ? std::optional(attentionRowsWork(*sizes, warps)) : std::nullopt;
}

} // namespace

Kernel attention_block_kernel() {
  TemplateKernel record{settleAttentionBlock, callOfAttentionBlock};
  record.work = workOfAttentionBlock;
  return {"attention_block", 1, record, "attention_heads"};
}

} // namespace sinter
