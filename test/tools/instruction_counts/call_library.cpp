// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two calls of a library that Sinter made with --prefix m and fixed sizes; the second is between the marks.
//   call_library INPUT...    files of the inputs' bytes; outputs go to standard output
#include "m.h"
#include "marks.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

static size_t bytesOf(int type) {
  static const size_t bytes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
  return bytes[type];
}

static std::vector<std::vector<char>> buffersOf(const sinter_tensor_info *tensors, int count) {
  std::vector<std::vector<char>> buffers;
  for (int i = 0; i < count; ++i) {
    size_t size = bytesOf(tensors[i].element_type);
    for (int d = 0; d < tensors[i].rank; ++d)
      size *= size_t(tensors[i].dims[d]);
    buffers.emplace_back(size + 64);
    buffers.back().resize(size);
  }
  return buffers;
}

int main(int argc, char **argv) {
  const sinter_model_info *info = m_info();
  std::vector<std::vector<char>> inputs = buffersOf(info->inputs, info->input_count);
  std::vector<std::vector<char>> outputs = buffersOf(info->outputs, info->output_count);
  // With fixed sizes the structures of inputs and outputs hold a pointer for each tensor and nothing else.
  std::vector<const void *> from;
  std::vector<void *> to;
  for (int i = 0; i < info->input_count; ++i) {
    FILE *file = i + 1 < argc ? std::fopen(argv[i + 1], "rb") : nullptr;
    if (!file || std::fread(inputs[i].data(), 1, inputs[i].size(), file) != inputs[i].size())
      return std::fprintf(stderr, "input %d has not %zu bytes\n", i, inputs[i].size()), 1;
    std::fclose(file);
    from.push_back(inputs[i].data());
  }
  for (std::vector<char> &output : outputs)
    to.push_back(output.data());
  void *arena = std::aligned_alloc(info->arena_align, (info->arena_bytes / info->arena_align + 1) * info->arena_align);
  int status = 0;
  for (int call = 0; call < 2 && !status; ++call) {
    if (call == 1)
      MARK_BEGIN;
    status = m_run((const m_inputs *)from.data(), (m_outputs *)to.data(), arena);
  }
  MARK_END;
  for (const std::vector<char> &output : outputs)
    std::fwrite(output.data(), 1, output.size(), stdout);
  return status;
}
