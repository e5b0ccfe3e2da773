// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types that the headers of all models share (C99). Members are only ever added at the end; zero means absent.
#ifndef SINTER_TYPES_1
#define SINTER_TYPES_1

#include <stddef.h>
#include <stdint.h>

/* What a call returns: an int with one of these values. */
typedef enum sinter_status {
  SINTER_OK = 0,
  SINTER_NULL_POINTER = 1,
  SINTER_MISALIGNED = 2,
  SINTER_DIM_OUT_OF_BOUNDS = 3,
  SINTER_CAPACITY_EXCEEDED = 4,
  SINTER_INDEX_OUT_OF_RANGE = 5,
  SINTER_UNSUPPORTED_CPU = 6,
  SINTER_DEVICE_ERROR = 7,
  SINTER_INVALID_DATA = 8
} sinter_status;

/* A status in words. Inline, so that programs which do not ask have no text of it. */
#ifdef __GNUC__
__attribute__((unused))
#endif
static inline const char *
sinter_text_of_status(int status) {
  switch (status) {
  case SINTER_OK:
    return "ok";
  case SINTER_NULL_POINTER:
    return "null pointer";
  case SINTER_MISALIGNED:
    return "misaligned pointer";
  case SINTER_DIM_OUT_OF_BOUNDS:
    return "dim out of bounds";
  case SINTER_CAPACITY_EXCEEDED:
    return "capacity exceeded";
  case SINTER_INDEX_OUT_OF_RANGE:
    return "index out of range";
  case SINTER_UNSUPPORTED_CPU:
    return "unsupported CPU";
  case SINTER_DEVICE_ERROR:
    return "device error";
  case SINTER_INVALID_DATA:
    return "invalid data";
  default:
    return "unknown status";
  }
}

/* One element of a string tensor; not terminated by zero. */
typedef struct sinter_string {
  const char *data;
  size_t size;
} sinter_string;

/* A thread pool of the caller: run(ctx, n, task, argument) calls task(argument, i) for each i below n and returns when
 * all are done. */
typedef struct sinter_parallel {
  void (*run)(void *ctx, int n, void (*task)(void *argument, int i), void *argument);
  void *ctx;
  int threads;
} sinter_parallel;

/* Called after each kernel. `kernel` counts the calls listed in the model's info; `outputs` are the buffers that it has
 * written. */
typedef struct sinter_trace {
  void (*kernel)(void *ctx, int kernel, const void *const *outputs, int output_count);
  void *ctx;
} sinter_trace;

/* What a call runs with. `size` is sizeof(sinter_env). */
typedef struct sinter_env {
  size_t size;
  void *arena;
  size_t arena_bytes;  /* 0: as many as the model needs */
  const void *weights; /* for models built with --weights=file */
  const sinter_parallel *parallel;
  const sinter_trace *trace;
  void *stream;
  void *const *arenas; /* for models built with --ram: one pointer per region; null: all regions lie in `arena` */
} sinter_env;

/* A tensor of the interface. Sizes that vary are -1. */
typedef struct sinter_tensor_info {
  const char *name; /* as in the model; it may hold any bytes */
  size_t name_size;
  int element_type; /* TensorProto.DataType */
  int rank;
  const int64_t *dims;
  const char *const *dim_names; /* the symbol of each varying dim, else null */
  float scale;                  /* quantized tensors: real = scale * (value - zero_point); scale 0 if not quantized */
  int32_t zero_point;
  const int64_t *max_dims; /* the largest sizes, for which outputs need room; null: dims, which are all fixed */
  const char *state; /* of an input that the call updates in place: the graph output that it then holds; else null */
  size_t state_size;
  int state_index;      /* that output's place among the graph's outputs */
  int64_t arena_offset; /* --io-in-arena: where in the arena it lies; else -1. Regions lie one behind the other */
  const char *part;     /* "elements", "dims", "count", "present" or "value" of what is no tensor; else null */
} sinter_tensor_info;

/* A symbolic dim of the inputs. */
typedef struct sinter_dim_info {
  const char *name;
  int64_t min, max;
} sinter_dim_info;

/* A part of the arena (--ram), which may lie in memory of its own; the fastest first. */
typedef struct sinter_region_info {
  const char *name;
  size_t offset, bytes; /* where it lies if the arena is one block */
} sinter_region_info;

/* One kernel call, in the order of calls (calls inside loops repeat). */
typedef struct sinter_kernel_info {
  const char *name;  /* the function in the generated source */
  const char *nodes; /* the ONNX nodes in it, separated by newlines */
} sinter_kernel_info;

typedef struct sinter_model_info {
  size_t size; /* sizeof(sinter_model_info) */
  const char *prefix;
  const char *model_sha256;
  const char *compiler;
  const char *target;
  int input_count, output_count, dim_count, kernel_count;
  const sinter_tensor_info *inputs, *outputs;
  const sinter_dim_info *dims;
  const sinter_kernel_info *kernels;
  size_t arena_bytes, arena_align, weights_bytes;
  const sinter_region_info *regions;
  int region_count; /* 0: the arena is one */
} sinter_model_info;

#endif
