// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call with any size just outside of its bounds, or far from them, ends with status 3 and writes nothing; at the
// bounds it runs. Knows the model by its info, and its structs as the contract lays them out: a pointer per tensor,
// then the sizes.
#include "call_model.h"

#include <cstdio>
#include <cstring>

static std::vector<std::vector<char>> buffersFor(const sinter_tensor_info *tensors, int count, char fill) {
  std::vector<std::vector<char>> buffers;
  for (int i = 0; i < count; ++i) {
    const int64_t *dims = tensors[i].max_dims ? tensors[i].max_dims : tensors[i].dims;
    size_t bytes = 16; // the largest element
    for (int d = 0; d < tensors[i].rank; ++d)
      bytes *= static_cast<size_t>(dims[d]);
    buffers.emplace_back(bytes, fill);
  }
  return buffers;
}

int main() {
  const sinter_model_info *info = model_info();
  int failures = info->dim_count == 0;
  auto run = [&](int dim, int64_t size) {
    auto inputs = buffersFor(info->inputs, info->input_count, 0),
         outputs = buffersFor(info->outputs, info->output_count, 'x');
    auto untouched = outputs;
    model_inputs in;
    model_outputs out;
    std::memset(&in, 0, sizeof(in));
    std::memset(&out, 0, sizeof(out));
    for (int i = 0; i < info->input_count; ++i)
      reinterpret_cast<const void **>(&in)[i] = inputs[static_cast<size_t>(i)].data();
    for (int i = 0; i < info->output_count; ++i)
      reinterpret_cast<void **>(&out)[i] = outputs[static_cast<size_t>(i)].data();
    auto *sizes = reinterpret_cast<int64_t *>(reinterpret_cast<const void **>(&in) + info->input_count);
    for (int d = 0; d < info->dim_count; ++d)
      sizes[d] = d == dim ? size : info->dims[d].max;
    int status = callModel(in, out);
    bool outside = size < info->dims[dim].min || size > info->dims[dim].max;
    if (status != (outside ? 3 : 0) || (outside && outputs != untouched)) {
      std::printf("%s = %lld: status %d\n", info->dims[dim].name, static_cast<long long>(size), status);
      ++failures;
    }
  };
  for (int dim = 0; dim < info->dim_count; ++dim)
    for (int64_t size : {info->dims[dim].min, info->dims[dim].max, info->dims[dim].min - 1, info->dims[dim].max + 1,
                         int64_t(-1), INT64_MIN, INT64_MAX})
      run(dim, size);
  std::printf("%d wrong\n", failures);
  return failures != 0;
}
