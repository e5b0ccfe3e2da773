// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// greedy TOKENS: a decoder with a cache of fixed size says, step by step, what was recorded: TOKENS is int64s, the
// first one given. The caches that a call writes are those that the next call reads.
#include "call_model.h"

#include <algorithm>
#include <cstdio>

int main(int, char **arguments) {
  std::vector<int64_t> recorded(1 << 12);
  std::FILE *file = std::fopen(arguments[1], "rb");
  if (!file)
    return std::printf("%s cannot be read\n", arguments[1]), 1;
  recorded.resize(std::fread(recorded.data(), sizeof(int64_t), recorded.size(), file));
  std::fclose(file);

  const sinter_model_info *info = model_info();
  auto elements = [](const sinter_tensor_info &tensor) {
    size_t count = 1;
    for (int i = 0; i < tensor.rank; ++i)
      count *= static_cast<size_t>(tensor.dims[i]);
    return count;
  };
  std::vector<float> logits(elements(info->outputs[0])), keys[2], values[2];
  for (int i = 0; i < 2; ++i) {
    keys[i].resize(elements(info->outputs[1]));
    values[i].resize(elements(info->outputs[2]));
  }
  for (size_t step = 0; step + 1 < recorded.size(); ++step) {
    int64_t position = static_cast<int64_t>(step);
    int from = static_cast<int>(step % 2), to = 1 - from;
    model_inputs in = {&recorded[step], &position, keys[from].data(), values[from].data()};
    model_outputs out = {logits.data(), keys[to].data(), values[to].data()};
    if (int status = callModel(in, out))
      return std::printf("step %zu ended with status %d\n", step, status), 1;
    int64_t said = std::max_element(logits.begin(), logits.end()) - logits.begin();
    if (said != recorded[step + 1])
      return std::printf("token %zu is %d instead of %d\n", step + 1, static_cast<int>(said),
                         static_cast<int>(recorded[step + 1])),
             1;
  }
  std::printf("%zu tokens as recorded\n", recorded.size());
  return recorded.size() < 2;
}
