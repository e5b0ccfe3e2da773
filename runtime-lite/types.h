/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The types that all generated headers share (docs/output-format.md). Printed into each of them under this guard, so that the headers of
 * several models go into one translation unit. C99. Members are only ever added at the end of a struct that begins with its size. */
#ifndef SINTER_TYPES_1
#define SINTER_TYPES_1

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What run ends with; never renumbered. */
enum {
  SINTER_OK = 0,
  SINTER_NULL_POINTER = 1,
  SINTER_MISALIGNED = 2,
  SINTER_DIM_OUT_OF_BOUNDS = 3,
  SINTER_CAPACITY_EXCEEDED = 4,
  SINTER_INDEX_OUT_OF_RANGE = 5,
  SINTER_UNSUPPORTED_CPU = 6,
  SINTER_DEVICE = 7
};

/* An element of a string tensor; not zero-terminated. */
typedef struct sinter_string {
  const char *data;
  size_t size;
} sinter_string;

/* The caller's thread pool: `run` calls task(arg, i) once for each i in [0, n), in any order, on any threads, and returns when all are
 * done. One pool may serve several models. */
typedef struct sinter_parallel {
  void (*run)(void *ctx, int n, void (*task)(void *arg, int i), void *arg);
  void *ctx;
  int threads;
} sinter_parallel;

/* Called around each kernel: `kernel` is its index in sinter_model_info; `done` is 0 before and 1 after. After it, results[i] is where the
 * kernel's i-th result lies. */
typedef struct sinter_trace {
  void (*kernel)(void *ctx, int32_t kernel, int32_t done, const void *const *results);
  void *ctx;
} sinter_trace;

/* How to run; zero means absent. */
typedef struct sinter_env {
  size_t size; /* sizeof(sinter_env) */
  void *arena;
  size_t arena_bytes;
  const void *weights; /* for --weights=file */
  const sinter_parallel *parallel;
  const sinter_trace *trace;
  void *stream;
} sinter_env;

/* A symbolic dim, in the order of the members of the inputs struct. */
typedef struct sinter_dim_info {
  const char *name;
  int64_t min, max;
} sinter_dim_info;

typedef struct sinter_tensor_info {
  const char *name;       /* as the model has it, UTF-8 */
  const char *member;     /* of the inputs or outputs struct */
  int32_t type;           /* TensorProto.DataType */
  int32_t rank;
  const int64_t *dims;    /* the largest that each can be */
  const int32_t *symbols; /* per dim: index into the model's dims, -1 fixed, -2 computed by run; null: all fixed */
  int32_t quantized;      /* 1: value = scale * (element - zero_point) */
  int32_t zero_point;
  float scale;
} sinter_tensor_info;

typedef struct sinter_kernel_info {
  const char *name;  /* the function's */
  const char *nodes; /* ONNX nodes in it, separated by commas */
  int64_t macs;      /* multiply-accumulates at the largest sizes */
  int32_t result_count;
  const sinter_tensor_info *results; /* names of the ONNX values that they are, empty where they are none */
} sinter_kernel_info;

typedef struct sinter_model_info {
  size_t size;          /* sizeof(sinter_model_info) when it was compiled */
  const char *prefix;
  const char *sha256;   /* of the model file, hexadecimal */
  const char *compiler; /* "sinter 0.1.0" */
  const char *target;
  size_t arena_bytes, arena_align, weights_bytes;
  int32_t input_count, output_count, dim_count, kernel_count;
  const sinter_tensor_info *inputs, *outputs;
  const sinter_dim_info *dims;
  const sinter_kernel_info *kernels;
} sinter_model_info;

#ifdef __cplusplus
}
#endif

#endif /* SINTER_TYPES_1 */
