// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the two branches of an If, only the chosen one's kernels are called: the costly one has at least three of its own.
#include "call_model.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>

static std::set<int> kernelsFor(float x) {
  std::vector<float> input(16 * 32, x), output(16 * 32);
  std::set<int> called;
  sinter_trace trace = {
      [](void *set, int kernel, const void *const *, int) { static_cast<std::set<int> *>(set)->insert(kernel); },
      &called};
  model_inputs in = {input.data()};
  model_outputs out = {output.data()};
  if (int status = callModel(in, out, &trace))
    std::printf("status %d\n", status), called.clear();
  return called;
}

int main() {
  std::set<int> costly = kernelsFor(1), cheap = kernelsFor(-1), onlyCostly, onlyCheap;
  std::set_difference(costly.begin(), costly.end(), cheap.begin(), cheap.end(),
                      std::inserter(onlyCostly, onlyCostly.end()));
  std::set_difference(cheap.begin(), cheap.end(), costly.begin(), costly.end(),
                      std::inserter(onlyCheap, onlyCheap.end()));
  std::printf("%zu kernels for one branch alone, %zu for the other\n", onlyCostly.size(), onlyCheap.size());
  return onlyCostly.size() >= 3 && onlyCheap.size() == 1 ? 0 : 1;
}
