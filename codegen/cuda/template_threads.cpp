// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "template_threads.h"

namespace sinter {

const TemplateThreads *threadsOf(llvm::StringRef kernel) {
  static const TemplateThreads all[] = {
      {"max_pool", "templates/cuda/pool_element.h", {}, {}},
      {"max_pool_blocked", "templates/cuda/pool_element.h", {}, {}},
      {"average_pool", "templates/cuda/pool_element.h", {}, {}},
      {"average_pool_blocked", "templates/cuda/pool_element.h", {}, {}},
      {"softmax", "templates/cuda/row_of_warp.h", {0, 2}, {}},
      {"layer_norm", "templates/cuda/row_of_warp.h", {0}, {}},
      {"attention_heads", "templates/cuda/row_of_warp.h", {0, 1, 2}, {}},
      {"quantized_average_pool", "", {}, {{0, 1}, {0, 1}}},
      {"quantized_softmax", "", {}, {{0, 2}, {0, 2}}},
  };
  for (const TemplateThreads &each : all)
    if (each.kernel == kernel)
      return &each;
  return nullptr;
}

} // namespace sinter
