// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model as a backend of Triton Inference Server. The server calls each instance from one thread at a time. Requests
// that it gives together become calls of as many rows as fit; a call that fails is made again for each of its requests,
// so that none fails for what another has.
#include "@prefix@_instance.h"
#include "@prefix@_served.h"

#include <stdio.h>
#include <time.h>

namespace {

/// A request, as far as it has been read.
struct Work {
  TRITONBACKEND_Request *request;
  TRITONSERVER_Error *error; ///< null: it is good so far
  TRITONBACKEND_Input *inputs[most_tensors];
  size_t bytes[most_tensors];
  int64_t dims[most_dims];
  int64_t rows;
  bool is_start;
};

/// Of an error that nobody can be told.
void forget(TRITONSERVER_Error *error) {
  if (error)
    TRITONSERVER_ErrorDelete(error);
}

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

TRITONSERVER_Error *invalid(const char *tensor, const char *what, long long given, long long wanted) {
  char text[512];
  snprintf(text, sizeof text, "'%.200s': %s is %lld, not %lld", tensor, what, given, wanted);
  return TRITONSERVER_ErrorNew(triton_error_invalid, text);
}

/// The protocol has no scalars: they are vectors of one.
uint32_t served_rank(const sinter_tensor_info &tensor) {
  return tensor.rank > 0 ? static_cast<uint32_t>(tensor.rank) : 1;
}

/// Type, shape and length of an input; what its symbolic dims are.
TRITONSERVER_Error *read_input(Work &work, int index, bool *is_known) {
  const sinter_tensor_info &tensor = model_info()->inputs[index];
  const char *name = input_names[index];
  if (TRITONSERVER_Error *error = TRITONBACKEND_RequestInput(work.request, name, &work.inputs[index]))
    return error;
  int type;
  const int64_t *shape;
  uint32_t rank, buffers;
  uint64_t bytes;
  if (TRITONSERVER_Error *error =
          TRITONBACKEND_InputProperties(work.inputs[index], nullptr, &type, &shape, &rank, &bytes, &buffers))
    return error;
  if (type != type_of(tensor).triton)
    return invalid(name, "its type", type, type_of(tensor).triton);
  if (rank != served_rank(tensor))
    return invalid(name, "its rank", rank, served_rank(tensor));
  if (tensor.rank == 0 && shape[0] != 1)
    return invalid(name, "its number of elements", shape[0], 1);
  size_t expected = type_of(tensor).bytes;
  for (int i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] >= 0 && shape[i] != tensor.dims[i])
      return invalid(name, "a dim", shape[i], tensor.dims[i]);
    if (shape[i] < 0 || shape[i] > most_of(tensor, i))
      return invalid(name, "a dim, above its bound,", shape[i], most_of(tensor, i));
    expected *= static_cast<size_t>(shape[i]);
    int dim = tensor.dims[i] < 0 && tensor.dim_names ? find_dim(tensor.dim_names[i]) : -1;
    if (dim < 0)
      continue;
    if (is_known[dim] && work.dims[dim] != shape[i])
      return invalid(name, "a dim that another input has, too,", shape[i], work.dims[dim]);
    work.dims[dim] = shape[i];
    is_known[dim] = true;
  }
  if (bytes != expected)
    return invalid(name, "its number of bytes", static_cast<long long>(bytes), static_cast<long long>(expected));
  work.bytes[index] = expected;
  if (most_rows && work.rows >= 0 && shape[0] != work.rows)
    return invalid(name, "its number of rows", shape[0], work.rows);
  work.rows = most_rows ? shape[0] : 0;
  return nullptr;
}

void read_request(Work &work, TRITONBACKEND_Request *request) {
  memset(&work, 0, sizeof work);
  work.request = request;
  work.rows = -1;
  bool is_known[most_dims] = {};
  uint32_t flags = 0;
  work.error = TRITONBACKEND_RequestFlags(request, &flags);
  work.is_start = flags & triton_sequence_start;
  for (int i = 0; !work.error && i < model_info()->input_count; ++i)
    if (!model_info()->inputs[i].state)
      work.error = read_input(work, i, is_known);
}

/// Into the instance's buffer, from `offset` on.
TRITONSERVER_Error *copy_input(Instance &instance, const Work &work, int index, size_t offset) {
  char *to = static_cast<char *>(instance.inputs[index]) + offset;
  size_t left = work.bytes[index];
  for (uint32_t part = 0; left > 0; ++part) {
    const void *from;
    uint64_t bytes;
    int memory = triton_memory_cpu;
    int64_t memory_id = 0;
    if (TRITONSERVER_Error *error =
            TRITONBACKEND_InputBuffer(work.inputs[index], part, &from, &bytes, &memory, &memory_id))
      return error;
    if (memory == triton_memory_gpu)
      return TRITONSERVER_ErrorNew(triton_error_unsupported, "an input lies on a GPU: this model runs on the CPU");
    size_t count = bytes < left ? static_cast<size_t>(bytes) : left;
    memcpy(to, from, count);
    to += count;
    left -= count;
  }
  return nullptr;
}

/// Rows `first` and on of the outputs, as far as they are asked for.
TRITONSERVER_Error *copy_outputs(const Instance &instance, const Work &work, TRITONBACKEND_Response *response,
                                 const int64_t (*sizes)[most_rank], int64_t first) {
  uint32_t count;
  if (TRITONSERVER_Error *error = TRITONBACKEND_RequestOutputCount(work.request, &count))
    return error;
  for (uint32_t i = 0; i < count; ++i) {
    const char *name;
    if (TRITONSERVER_Error *error = TRITONBACKEND_RequestOutputName(work.request, i, &name))
      return error;
    int index = 0;
    while (index < model_info()->output_count && strcmp(name, output_names[index]))
      ++index;
    if (index == model_info()->output_count)
      return invalid(name, "the number of outputs of this name", 0, 1);
    const sinter_tensor_info &tensor = model_info()->outputs[index];
    int64_t shape[most_rank] = {1};
    if (tensor.rank > 0)
      memcpy(shape, sizes[index], sizeof shape);
    size_t row = type_of(tensor).bytes;
    for (int k = most_rows ? 1 : 0; k < tensor.rank; ++k)
      row *= static_cast<size_t>(shape[k]);
    if (most_rows)
      shape[0] = work.rows;
    size_t bytes = most_rows ? row * static_cast<size_t>(work.rows) : row;
    TRITONBACKEND_Output *output;
    if (TRITONSERVER_Error *error =
            TRITONBACKEND_ResponseOutput(response, &output, name, type_of(tensor).triton, shape, served_rank(tensor)))
      return error;
    void *to;
    int memory = triton_memory_cpu;
    int64_t memory_id = 0;
    if (TRITONSERVER_Error *error = TRITONBACKEND_OutputBuffer(output, &to, bytes, &memory, &memory_id))
      return error;
    if (memory == triton_memory_gpu)
      return TRITONSERVER_ErrorNew(triton_error_unsupported,
                                   "an output is wanted on a GPU: this model runs on the CPU");
    memcpy(to, static_cast<const char *>(instance.outputs[index]) + row * static_cast<size_t>(first), bytes);
  }
  return nullptr;
}

/// Ends a request: with its outputs, or its error.
void answer(TRITONBACKEND_ModelInstance *handle, const Instance &instance, Work &work,
            const int64_t (*sizes)[most_rank], int64_t first, const uint64_t (&times)[3]) {
  TRITONBACKEND_Response *response = nullptr;
  if (TRITONSERVER_Error *error = TRITONBACKEND_ResponseNew(&response, work.request)) {
    TRITONSERVER_ErrorDelete(error);
    response = nullptr;
  }
  if (response && !work.error)
    work.error = copy_outputs(instance, work, response, sizes, first);
  bool success = response && !work.error;
  if (response)
    forget(TRITONBACKEND_ResponseSend(response, triton_response_final, work.error));
  forget(work.error);
  forget(
      TRITONBACKEND_ModelInstanceReportStatistics(handle, work.request, success, times[0], times[1], times[2], now()));
  forget(TRITONBACKEND_RequestRelease(work.request, triton_release_all));
}

/// One call for `count` requests, whose sizes are the same but for their rows. False: it failed, and nobody has an
/// answer.
bool run_together(TRITONBACKEND_ModelInstance *handle, Instance &instance, Work *work, uint32_t count) {
  uint64_t times[3] = {now(), 0, 0};
  const sinter_model_info *info = model_info();
  int64_t rows = 0, sizes[most_tensors][most_rank] = {};
  for (uint32_t i = 0; i < count; ++i) {
    for (int k = 0; k < info->input_count && !work[i].error; ++k)
      if (!info->inputs[k].state) {
        size_t row = work[i].rows > 0 ? work[i].bytes[k] / static_cast<size_t>(work[i].rows) : 0;
        work[i].error = copy_input(instance, work[i], k, row * static_cast<size_t>(rows));
      }
    rows += work[i].rows;
  }
  for (uint32_t i = 0; i < count; ++i)
    if (work[i].error && count > 1)
      return false;
  int64_t dims[most_dims];
  memcpy(dims, work[0].dims, sizeof dims);
  if (most_rows)
    dims[find_dim(info->inputs[0].dim_names[0])] = rows;
  for (int i = 0; i < info->input_count; ++i)
    if (int k = growing_dim(info->inputs[i]); k >= 0) {
      int dim = find_dim(info->inputs[i].dim_names[k]);
      dims[dim] = instance.held[dim];
    }
  times[1] = now();
  if (!work[0].error) {
    int status = instance.is_broken ? SINTER_INVALID_DATA : call(instance, dims, sizes);
    if (status != SINTER_OK && count > 1)
      return false;
    if (status != SINTER_OK) {
      char text[200];
      snprintf(text, sizeof text, "%s: %s", instance.is_broken ? "the sequence has failed before" : "the model",
               sinter_text_of_status(status));
      work[0].error = TRITONSERVER_ErrorNew(
          status == SINTER_UNSUPPORTED_CPU ? triton_error_unavailable : triton_error_invalid, text);
      for (int i = 0; i < info->input_count; ++i)
        instance.is_broken |= info->inputs[i].state != nullptr;
    }
  }
  times[2] = now();
  int64_t first = 0;
  for (uint32_t i = 0; i < count; first += work[i++].rows)
    answer(handle, instance, work[i], sizes, first, times);
  uint64_t calls = rows > 0 ? static_cast<uint64_t>(rows) : 1;
  forget(TRITONBACKEND_ModelInstanceReportBatchStatistics(handle, calls, times[0], times[1], times[2], now()));
  return true;
}

/// Whether `next` can be in a call with `first`, of whose kind there are `rows` rows already.
bool goes_with(const Work &first, const Work &next, int64_t rows) {
  if (!most_rows || next.error || rows + next.rows > most_rows)
    return false;
  int batch = find_dim(model_info()->inputs[0].dim_names[0]);
  for (int i = 0; i < model_info()->dim_count; ++i)
    if (i != batch && first.dims[i] != next.dims[i])
      return false;
  return true;
}
TRITONSERVER_Error *begin_instance(TRITONBACKEND_ModelInstance *handle) {
  Instance *instance = new_instance();
  if (!instance)
    return TRITONSERVER_ErrorNew(triton_error_unavailable, "no memory for an instance");
  TRITONSERVER_Error *error = TRITONBACKEND_ModelInstanceSetState(handle, instance);
  if (error)
    delete_instance(instance);
  return error;
}

TRITONSERVER_Error *end_instance(TRITONBACKEND_ModelInstance *handle) {
  void *instance = nullptr;
  TRITONSERVER_Error *error = TRITONBACKEND_ModelInstanceState(handle, &instance);
  if (!error && instance)
    delete_instance(static_cast<Instance *>(instance));
  return error;
}

TRITONSERVER_Error *execute(TRITONBACKEND_ModelInstance *handle, TRITONBACKEND_Request **requests, uint32_t count) {
  void *state = nullptr;
  if (TRITONSERVER_Error *error = TRITONBACKEND_ModelInstanceState(handle, &state))
    return error; // requests stay the server's
  Instance &instance = *static_cast<Instance *>(state);
  Work *work = static_cast<Work *>(malloc(count * sizeof(Work)));
  if (!work)
    return TRITONSERVER_ErrorNew(triton_error_unavailable, "no memory for requests");
  for (uint32_t i = 0; i < count; ++i)
    read_request(work[i], requests[i]);
  for (uint32_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1;
    if (work[begin].error) {
      const uint64_t times[3] = {now(), now(), now()};
      answer(handle, instance, work[begin], nullptr, 0, times);
      continue;
    }
    if (work[begin].is_start)
      begin_sequence(instance);
    int64_t rows = work[begin].rows;
    while (end < count && goes_with(work[begin], work[end], rows))
      rows += work[end++].rows;
    if (!run_together(handle, instance, work + begin, end - begin))
      for (uint32_t i = begin; i < end; ++i) {
        forget(work[i].error); // of copying, which is tried again
        work[i].error = nullptr;
        run_together(handle, instance, work + i, 1);
      }
  }
  free(work);
  return nullptr;
}
} // namespace

const ServedFunctions sinter_served = {begin_instance, end_instance, execute};
