// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which template kernels have threads of their own on a GPU.
#include "codegen/cuda/template_threads.h"

#include "codegen/amalgamate.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("by element, by row, along dims that nothing goes across, or one thread") {
  REQUIRE(threadsOf("max_pool"));
  CHECK(threadsOf("max_pool")->rows.empty());
  CHECK(threadsOf("softmax")->rows == std::vector<unsigned>{0, 2});
  CHECK(threadsOf("quantized_softmax")->independent.size() == 2); // an input and an output
  CHECK(threadsOf("topk") == nullptr);
}

TEST_CASE("the headers are there") {
  for (llvm::StringRef kernel : {"max_pool", "max_pool_blocked", "average_pool", "average_pool_blocked", "softmax",
                                 "layer_norm", "attention_heads"}) {
    REQUIRE(threadsOf(kernel));
    CHECK(readTemplate(threadsOf(kernel)->header, "").has_value());
  }
  CHECK(threadsOf("quantized_softmax")->header.empty()); // the CPU's template, for a part
}
