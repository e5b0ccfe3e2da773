// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of the model "model", which is a function of the CPU's or an instance on a GPU: what programs here share.
#pragma once

#include "model.h"

#include <vector>

#if defined(SINTER_CUDA_TYPES_H)
/// The status. With a trace, of an instance for this call alone.
inline int callModel(const model_inputs &in, model_outputs &out, const sinter_trace *trace = nullptr) {
  static model_instance *kept = nullptr;
  model_instance *own = nullptr, *&instance = trace ? own : kept;
  int status = 0;
  if (!instance) {
    sinter_cuda_options options = {};
    options.size = sizeof(options);
    options.trace = trace;
    status = model_create(&options, &instance);
  }
  if (status == 0)
    status = model_run(instance, &in, &out);
  model_destroy(own);
  return status;
}
#else
/// The status.
inline int callModel(const model_inputs &in, model_outputs &out, const sinter_trace *trace = nullptr) {
  static std::vector<char> memory(MODEL_ARENA_BYTES + MODEL_ARENA_ALIGN);
  sinter_env env = {};
  env.size = sizeof(env);
  env.arena = memory.data() + (MODEL_ARENA_ALIGN - reinterpret_cast<uintptr_t>(memory.data()) % MODEL_ARENA_ALIGN);
  env.trace = trace;
  return model_run_with(&in, &out, &env);
}
#endif
