// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "template_places.h"

namespace sinter {
namespace {

/// From inputs[0] to outputs[0], whose dims these are in both.
TemplatePlaces ofMaps(llvm::StringRef kernel, const std::vector<unsigned> &dims) {
  PlaceOfOperand place;
  for (unsigned i = 0; i < dims.size(); ++i)
    place.push_back({dims[i], i});
  return {kernel, dims, {place}, {place}};
}

} // namespace

const TemplatePlaces *templatePlacesOf(llvm::StringRef kernel) {
  const PlaceOfOperand heads = {{0, 0}, {1, 1}}, rowsOfHeads = {{0, 0}, {1, 1}, {2, 2}};
  static const TemplatePlaces all[] = {
      ofMaps("max_pool", {0, 1}),
      ofMaps("max_pool_blocked", {0, 1}),
      ofMaps("average_pool", {0, 1}),
      ofMaps("average_pool_blocked", {0, 1}),
      ofMaps("quantized_average_pool", {0, 1}),
      ofMaps("quantized_average_pool_blocked", {0, 1, 4}),
      ofMaps("softmax", {0}), // columns side by side are one call's
      ofMaps("softmax_by_table", {0, 2}),
      ofMaps("quantized_softmax", {0, 2}),
      ofMaps("layer_norm", {0}),
      ofMaps("find_key", {0}),
      ofMaps("count_grams", {0}),
      {"attention_heads", {0, 1, 2}, {rowsOfHeads, heads, heads, rowsOfHeads}, {rowsOfHeads}, true, "queries"},
      {"roi_align", {0, 1}, {{{1, 1}}, {{0, 0}}, {{0, 0}}}, {{{0, 0}, {1, 1}}}},
      {"max_roi_pool", {0, 1}, {{{1, 1}}, {{0, 0}}}, {{{0, 0}, {1, 1}}}},
      {"tree_ensemble", {0}, {{{0, 0}}}, {{{0, 0}}, {{0, 0}}}}, // rows, and of its keys; trees are everyone's
  };
  for (const TemplatePlaces &each : all)
    if (each.kernel == kernel)
      return &each;
  return nullptr;
}

} // namespace sinter
