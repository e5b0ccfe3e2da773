// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "template_threads.h"

#include "ir/template_places.h"

namespace sinter {
namespace {

TemplateThreads byElement(llvm::StringRef kernel, llvm::StringRef header, int operand = -1) {
  return {kernel, ThreadForm::Element, header, {}, operand};
}
TemplateThreads byRow(llvm::StringRef kernel, std::vector<unsigned> dims) {
  return {kernel, ThreadForm::Row, "templates/cuda/row_of_warp.h", std::move(dims), -1, 128};
}
/// Threads and shared memory are those of templates/cuda/block_scan.h.
TemplateThreads byBlock(llvm::StringRef kernel, llvm::StringRef header) {
  return {kernel, ThreadForm::Block, header, {}, -1, 512, 128, "cuda::kBlockThreads", "cuda::kBlockBytes"};
}
TemplateThreads byUpdates(llvm::StringRef kernel) {
  TemplateThreads form = byElement(kernel, "templates/cuda/scatter_element.h");
  form.sharedBytes = 2048;
  form.threadsName = "kScatterThreads";
  form.sharedName = "kScatterBytes";
  return form;
}
/// A thread for each place, of a kernel that no function of templates/cuda computes.
TemplateThreads byPlace(llvm::StringRef kernel) {
  constexpr int64_t threads = 64; // each has a part that is long
  return {kernel, ThreadForm::Place, "", templatePlacesOf(kernel)->dims, -1, threads};
}

} // namespace

const TemplateThreads *threadsOf(llvm::StringRef kernel) {
  static const TemplateThreads all[] = {
      byElement("max_pool", "templates/cuda/pool_element.h"),
      byElement("max_pool_blocked", "templates/cuda/pool_element.h"),
      byElement("max_pool_indices", "templates/cuda/pool_element.h"),
      byElement("average_pool", "templates/cuda/pool_element.h"),
      byElement("average_pool_blocked", "templates/cuda/pool_element.h"),
      byElement("topk", "templates/cuda/topk_element.h", 0),
      byUpdates("scatter_elements"),
      byUpdates("scatter_nd"),
      byRow("softmax", {0, 2}),
      byRow("layer_norm", {0}),
      byRow("attention_heads", {0, 1, 2}),
      {"cumulate", ThreadForm::Lines, "templates/cuda/cumulate_lines.h"},
      {"fill_halo", ThreadForm::Lines, "templates/cuda/fill_halo_lines.h"},
      byBlock("non_zero", "templates/cuda/select_block.h"),
      byBlock("unique", "templates/cuda/select_block.h"),
      byBlock("non_max_suppression", "templates/cuda/select_block.h"),
      byBlock("determinant", "templates/cuda/determinant_block.h"),
      byPlace("quantized_average_pool"),
      byPlace("quantized_average_pool_blocked"),
      byPlace("quantized_softmax"),
      byPlace("roi_align"),
      byPlace("max_roi_pool"),
      byPlace("find_key"),
      byPlace("count_grams"),
      byPlace("tree_ensemble"),
  };
  for (const TemplateThreads &each : all)
    if (each.kernel == kernel)
      return &each;
  return nullptr;
}

} // namespace sinter
