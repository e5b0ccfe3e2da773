// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which template kernels have threads of their own on a GPU.
#include "codegen/cuda/template_threads.h"

#include "codegen/amalgamate.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("by element, by row, in turns, by a block, along dims that nothing goes across, or one thread") {
  REQUIRE(threadsOf("max_pool"));
  CHECK(threadsOf("max_pool")->form == ThreadForm::Element);
  CHECK(threadsOf("topk")->operand == 0); // elements of the input
  CHECK(threadsOf("softmax")->form == ThreadForm::Row);
  CHECK(threadsOf("softmax")->dims == std::vector<unsigned>{0, 2});
  CHECK(threadsOf("cumulate")->form == ThreadForm::Lines);
  CHECK(threadsOf("non_zero")->form == ThreadForm::Block);
  CHECK(threadsOf("quantized_softmax")->form == ThreadForm::Place);
  CHECK(threadsOf("tree_ensemble")->dims == std::vector<unsigned>{0});
  CHECK(threadsOf("no_such_kernel") == nullptr);
}

TEST_CASE("the headers are there, with what the launch is held to") {
  for (llvm::StringRef kernel :
       {"max_pool", "max_pool_blocked", "max_pool_indices", "average_pool", "average_pool_blocked", "topk",
        "scatter_elements", "scatter_nd", "softmax", "layer_norm", "attention_heads", "cumulate", "fill_halo",
        "non_zero", "unique", "non_max_suppression", "determinant"}) {
    REQUIRE(threadsOf(kernel));
    CHECK(readTemplate(threadsOf(kernel)->header, "").has_value());
    CHECK(threadsOf(kernel)->threadsName.empty() == (threadsOf(kernel)->sharedBytes == 0));
  }
  CHECK(threadsOf("quantized_softmax")->header.empty()); // the CPU's template, for a part
}
