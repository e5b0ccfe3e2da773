// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an instance of the model holds: an arena and a buffer for each tensor, of the largest sizes. Calls allocate
// nothing. By model_info() any model of Sinter's is known: its inputs are a pointer each and then the symbolic dims, its
// outputs a pointer each and then the sizes that vary.
#pragma once

#include "@prefix@_facts.h"

#include <stdlib.h>
#include <string.h>

namespace {
constexpr int most_rank = 16;

struct Type {
  int onnx, triton;
  size_t bytes;
};
constexpr Type types[] = {{1, 11, 4}, {2, 2, 1},   {3, 6, 1},   {4, 3, 2},  {5, 7, 2},  {6, 8, 4},  {7, 9, 8},
                          {9, 1, 1},  {10, 10, 2}, {11, 12, 8}, {12, 4, 4}, {13, 5, 8}, {16, 14, 2}};

const Type &type_of(const sinter_tensor_info &tensor) {
  for (const Type &type : types)
    if (type.onnx == tensor.element_type)
      return type;
  abort(); // the compiler refused it
}

int64_t most_of(const sinter_tensor_info &tensor, int i) {
  return tensor.max_dims ? tensor.max_dims[i] : tensor.dims[i];
}

size_t most_bytes(const sinter_tensor_info &tensor) {
  size_t bytes = type_of(tensor).bytes;
  for (int i = 0; i < tensor.rank; ++i)
    bytes *= static_cast<size_t>(most_of(tensor, i));
  return bytes;
}

/// The dim of a state along which it grows; -1: none. There its buffer's size is known, and a symbol says how much of
/// it is used.
int growing_dim(const sinter_tensor_info &tensor) {
  for (int i = 0; tensor.state && i < tensor.rank; ++i)
    if (tensor.dims[i] >= 0 && tensor.dim_names && tensor.dim_names[i])
      return i;
  return -1;
}

int find_dim(const char *name) {
  for (int i = 0; i < model_info()->dim_count; ++i)
    if (name && !strcmp(name, model_info()->dims[i].name))
      return i;
  return -1;
}

struct Instance {
  void *arena;
  void *inputs[most_tensors], *outputs[most_tensors];
  int64_t held[most_dims]; ///< of dims along which states grow
  bool is_broken;          ///< a call of this sequence failed, and its state means nothing
};

void *new_buffer(size_t bytes) {
  size_t align = model_info()->arena_align < 64 ? 64 : model_info()->arena_align;
  void *buffer = aligned_alloc(align, (bytes / align + 1) * align);
  if (buffer)
    memset(buffer, 0, bytes);
  return buffer;
}

void delete_instance(Instance *instance) {
  free(instance->arena);
  for (int i = 0; i < most_tensors; ++i) {
    free(instance->inputs[i]);
    free(instance->outputs[i]);
  }
  free(instance);
}

/// Null: no memory.
Instance *new_instance() {
  Instance *instance = static_cast<Instance *>(calloc(1, sizeof(Instance)));
  if (!instance)
    return nullptr;
  const sinter_model_info *info = model_info();
  instance->arena = new_buffer(info->arena_bytes);
  bool is_whole = instance->arena != nullptr;
  for (int i = 0; i < info->input_count; ++i)
    is_whole &= (instance->inputs[i] = new_buffer(most_bytes(info->inputs[i]))) != nullptr;
  for (int i = 0; i < info->output_count; ++i)
    is_whole &= (instance->outputs[i] = new_buffer(most_bytes(info->outputs[i]))) != nullptr;
  if (is_whole)
    return instance;
  delete_instance(instance);
  return nullptr;
}

/// States of a new sequence are zeros.
void begin_sequence(Instance &instance) {
  const sinter_model_info *info = model_info();
  for (int i = 0; i < info->input_count; ++i)
    if (info->inputs[i].state)
      memset(instance.inputs[i], 0, most_bytes(info->inputs[i]));
  memset(instance.held, 0, sizeof instance.held);
  instance.is_broken = false;
}

/// A call with these sizes of the dims. `sizes`: of each output, its shape.
int call(Instance &instance, const int64_t *dims, int64_t (*sizes)[most_rank]) {
  const sinter_model_info *info = model_info();
  // As kws_inputs and kws_outputs lie in memory (docs/output-format.md).
  void *in[most_tensors + most_dims];
  struct {
    void *pointers[most_tensors];
    int64_t sizes[2 * most_tensors * most_rank];
  } result;
  static_assert(sizeof(void *) == sizeof(int64_t), "a machine of 64 bits");
  memset(&result, 0, sizeof result);
  memcpy(in, instance.inputs, sizeof(void *) * info->input_count);
  memcpy(in + info->input_count, dims, sizeof(int64_t) * info->dim_count);
  memcpy(result.pointers, instance.outputs, sizeof(void *) * info->output_count);
  int64_t *out_sizes = reinterpret_cast<int64_t *>(result.pointers + info->output_count);
  sinter_env env;
  memset(&env, 0, sizeof env);
  env.size = sizeof env;
  env.arena = instance.arena;
  int status = model_run(in, &result, &env);
  if (status != SINTER_OK)
    return status;
  for (int i = 0; i < info->output_count; ++i) {
    const sinter_tensor_info &tensor = info->outputs[i];
    bool varies = false;
    for (int k = 0; k < tensor.rank; ++k)
      varies |= tensor.dims[k] < 0;
    memcpy(sizes[i], varies ? out_sizes : tensor.dims, sizeof(int64_t) * tensor.rank);
    if (varies)
      out_sizes += tensor.rank;
  }
  for (int i = 0; i < info->input_count; ++i) {
    const sinter_tensor_info &tensor = info->inputs[i];
    if (int k = growing_dim(tensor); k >= 0) {
      instance.held[find_dim(tensor.dim_names[k])] = out_sizes[k];
      out_sizes += tensor.rank;
    }
  }
  return status;
}
} // namespace
