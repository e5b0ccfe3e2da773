// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the two branches of an If, only the chosen one's kernels are called: the costly one has at least three of its own.
#include "model.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <vector>

static std::set<int> kernelsFor(float x) {
  std::vector<float> input(16 * 32, x), output(16 * 32);
  std::vector<char> memory(MODEL_ARENA_BYTES + MODEL_ARENA_ALIGN);
  std::set<int> called;
  sinter_trace trace = {
      [](void *set, int kernel, const void *const *, int) { static_cast<std::set<int> *>(set)->insert(kernel); },
      &called};
  sinter_env env = {};
  env.size = sizeof(env);
  env.arena = memory.data() + (MODEL_ARENA_ALIGN - reinterpret_cast<uintptr_t>(memory.data()) % MODEL_ARENA_ALIGN);
  env.trace = &trace;
  model_inputs in = {input.data()};
  model_outputs out = {output.data()};
  if (int status = model_run_with(&in, &out, &env))
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
