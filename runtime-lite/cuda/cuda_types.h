/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What models for CUDA share in their C interfaces: how an instance is created. C99. Zero means absent. */
#ifndef SINTER_CUDA_TYPES_H
#define SINTER_CUDA_TYPES_H

#include <stddef.h>

typedef struct sinter_cuda_options {
  size_t size;                      /* sizeof(sinter_cuda_options) */
  const char *driver;               /* the driver's library; null: libcuda.so.1 */
  int device;                       /* which GPU, from 0 */
  int current_device;               /* that of the calling thread's current context instead, where it has one */
  void *arena;                      /* device memory for what lives during a call; null: allocated */
  void *weights;                    /* device memory for the weights, which are copied there; null: allocated */
  const void *host_weights;         /* the weights, where the program does not carry them */
  int plain_launches;               /* no graph */
  int device_tensors;               /* inputs and outputs are mostly on the device: what the graph is built for */
  int zero_copy;                    /* the GPU uses pinned memory of the host in place */
  const struct sinter_trace *trace; /* called behind each kernel, with places on the device: calls have no graph then,
                                       and wait for each kernel */
} sinter_cuda_options;

#endif
