// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two calls of a model by onnxruntime on one thread with all optimizations; the second is between the marks.
//   call_onnxruntime MODEL TENSOR...   each TENSOR, of the inputs in their order: TYPE:DIM,DIM,...:FILE (TYPE of TensorProto)
// Outputs are bound to nothing: onnxruntime's arena gives their memory, which it holds from the first call on. Its
// functions are told by their positions in OrtApi alone, to which they are only ever added, since packages bring no
// header.
#include "marks.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct OrtApiBase {
  void *const *(*GetApi)(uint32_t version);
  const char *(*GetVersionString)();
};
extern "C" const OrtApiBase *OrtGetApiBase();

enum Position {
  GetErrorMessage = 2,
  CreateEnv = 3,
  CreateSession = 7,
  Run = 9,
  CreateSessionOptions = 10,
  SetSessionGraphOptimizationLevel = 23,
  SetIntraOpNumThreads = 24,
  SessionGetInputCount = 30,
  SessionGetOutputCount = 31,
  SessionGetInputName = 36,
  SessionGetOutputName = 37,
  CreateTensorWithDataAsOrtValue = 49,
  CreateCpuMemoryInfo = 69,
  ReleaseValue = 96,
  GetAllocatorWithDefaultOptions = 78,
};
static void *const *api;

template <class... Arguments>
static void call(Position position, Arguments... arguments) {
  void *status = ((void *(*)(Arguments...))api[position])(arguments...);
  if (status) {
    std::fprintf(stderr, "onnxruntime: %s\n", ((const char *(*)(void *))api[GetErrorMessage])(status));
    std::exit(1);
  }
}

int main(int argc, char **argv) {
  api = OrtGetApiBase()->GetApi(16);
  void *env, *options, *session, *memory, *allocator;
  call(CreateEnv, 3, "count", &env);
  call(CreateSessionOptions, &options);
  call(SetSessionGraphOptimizationLevel, options, 99);
  call(SetIntraOpNumThreads, options, 1);
  call(CreateSession, env, (const char *)argv[1], (const void *)options, &session);
  call(CreateCpuMemoryInfo, 1, 0, &memory);
  call(GetAllocatorWithDefaultOptions, &allocator);
  size_t inputCount, outputCount;
  call(SessionGetInputCount, (const void *)session, &inputCount);
  call(SessionGetOutputCount, (const void *)session, &outputCount);
  std::vector<char *> inputNames(inputCount), outputNames(outputCount);
  for (size_t i = 0; i < inputCount; ++i)
    call(SessionGetInputName, (const void *)session, i, allocator, &inputNames[i]);
  for (size_t i = 0; i < outputCount; ++i)
    call(SessionGetOutputName, (const void *)session, i, allocator, &outputNames[i]);
  std::vector<void *> inputs;
  std::vector<std::vector<char>> bytes;
  for (int i = 2; i < argc; ++i) {
    const std::string text = argv[i];
    const size_t first = text.find(':'), second = text.find(':', first + 1);
    std::vector<int64_t> dims;
    for (size_t at = first + 1; at < second; at = text.find_first_of(",:", at) + 1)
      dims.push_back(std::strtoll(&text[at], nullptr, 10));
    FILE *file = std::fopen(text.c_str() + second + 1, "rb");
    if (!file)
      return std::fprintf(stderr, "cannot read %s\n", text.c_str() + second + 1), 1;
    std::fseek(file, 0, SEEK_END);
    bytes.emplace_back(size_t(std::ftell(file)));
    std::rewind(file);
    if (std::fread(bytes.back().data(), 1, bytes.back().size(), file) != bytes.back().size())
      return 1;
    std::fclose(file);
    inputs.emplace_back();
    call(CreateTensorWithDataAsOrtValue, (const void *)memory, (void *)bytes.back().data(), bytes.back().size(),
         (const int64_t *)dims.data(), dims.size(), std::atoi(text.c_str()), &inputs.back());
  }
  for (int i = 0; i < 2; ++i) {
    std::vector<void *> outputs(outputCount);
    if (i == 1)
      MARK_BEGIN;
    call(Run, session, (const void *)nullptr, (const char *const *)inputNames.data(),
         (const void *const *)inputs.data(), inputs.size(), (const char *const *)outputNames.data(), outputNames.size(),
         outputs.data());
    for (void *output : outputs)
      ((void (*)(void *))api[ReleaseValue])(output);
  }
  MARK_END;
  return 0;
}
