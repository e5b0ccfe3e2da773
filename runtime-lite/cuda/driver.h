// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver without its headers: the functions that programs call, and the types in them. What names mean is in
// the documentation of the driver API. dlsym finds what stands here, which is not always what <cuda.h> says: its macros
// turn cuMemAlloc into cuMemAlloc_v2, and without a version come the functions of CUDA 3. All required ones are in
// CUDA 10.2.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sinter {

using CuResult = int;
using CuDevice = int;
using CuPointer = uint64_t;
using CuContext = struct CuContextOpaque *;
using CuModule = struct CuModuleOpaque *;
using CuFunction = struct CuFunctionOpaque *;
using CuStream = struct CuStreamOpaque *;
using CuGraph = struct CuGraphOpaque *;
using CuGraphNode = struct CuGraphNodeOpaque *;
using CuGraphExec = struct CuGraphExecOpaque *;

/// CUDA_KERNEL_NODE_PARAMS_v1
struct CuKernelNode {
  CuFunction function;
  unsigned grid[3], block[3], sharedBytes;
  void **arguments, **extra;
};

/// One side of CUDA_MEMCPY3D; memoryType is a CuMemoryType.
struct CuCopySide {
  size_t xInBytes, y, z, level;
  unsigned memoryType;
  const void *host;
  CuPointer device;
  void *array, *reserved;
  size_t pitch, height;
};

/// CUDA_MEMCPY3D
struct CuCopyNode {
  CuCopySide from, to;
  size_t widthInBytes, height, depth;
};

/// CUgraphEdgeData. From port 1 with type 1: the next kernel begins once all blocks of the one before allow it, and
/// itself waits for the end of that one (templates/cuda/launch_order.h); all zero: it begins after the end.
struct CuGraphEdge {
  unsigned char fromPort, toPort, type, reserved[5];
};

enum CuDeviceAttribute { kCuIntegrated = 18, kCuMajor = 75, kCuMinor = 76 };
enum CuPointerAttribute { kCuMemoryType = 2, kCuDevicePointer = 3 };
enum CuMemoryType { kCuHost = 1, kCuDevice = 2 };
enum CuFunctionAttribute { kCuMaxDynamicShared = 8 };
enum CuJitOption { kCuErrorLogBuffer = 5, kCuErrorLogBytes = 6 };

// F(kind, member, symbol, symbol of older drivers, parameters); all return CuResult.
#define SINTER_CUDA_DRIVER(F)                                                                                          \
  F(required, init, "cuInit", nullptr, (unsigned flags))                                                               \
  F(required, errorName, "cuGetErrorName", nullptr, (CuResult result, const char **name))                              \
  F(required, deviceCount, "cuDeviceGetCount", nullptr, (int *count))                                                  \
  F(required, deviceGet, "cuDeviceGet", nullptr, (CuDevice * device, int number))                                      \
  F(required, deviceAttribute, "cuDeviceGetAttribute", nullptr, (int *value, int attribute, CuDevice device))          \
  F(required, contextCurrent, "cuCtxGetCurrent", nullptr, (CuContext * context))                                       \
  F(required, contextDevice, "cuCtxGetDevice", nullptr, (CuDevice * device))                                           \
  F(required, contextRetain, "cuDevicePrimaryCtxRetain", nullptr, (CuContext * context, CuDevice device))              \
  F(required, contextRelease, "cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease", (CuDevice device))          \
  F(required, contextPush, "cuCtxPushCurrent_v2", nullptr, (CuContext context))                                        \
  F(required, contextPop, "cuCtxPopCurrent_v2", nullptr, (CuContext * context))                                        \
  F(required, moduleLoad, "cuModuleLoadDataEx", nullptr,                                                               \
    (CuModule * module, const void *image, unsigned count, int *options, void **values))                               \
  F(required, moduleUnload, "cuModuleUnload", nullptr, (CuModule module))                                              \
  F(required, moduleFunction, "cuModuleGetFunction", nullptr,                                                          \
    (CuFunction * function, CuModule module, const char *name))                                                        \
  F(required, functionAttribute, "cuFuncSetAttribute", nullptr, (CuFunction function, int attribute, int value))       \
  F(required, allocate, "cuMemAlloc_v2", nullptr, (CuPointer * pointer, size_t bytes))                                 \
  F(required, free, "cuMemFree_v2", nullptr, (CuPointer pointer))                                                      \
  F(required, hostAllocate, "cuMemHostAlloc", nullptr, (void **pointer, size_t bytes, unsigned flags))                 \
  F(required, hostFree, "cuMemFreeHost", nullptr, (void *pointer))                                                     \
  F(required, pointerAttributes, "cuPointerGetAttributes", nullptr,                                                    \
    (unsigned count, int *attributes, void **values, CuPointer pointer))                                               \
  F(required, copyToDevice, "cuMemcpyHtoDAsync_v2", nullptr,                                                           \
    (CuPointer to, const void *from, size_t bytes, CuStream stream))                                                   \
  F(required, copyToHost, "cuMemcpyDtoHAsync_v2", nullptr, (void *to, CuPointer from, size_t bytes, CuStream stream))  \
  F(required, copyOnDevice, "cuMemcpyDtoDAsync_v2", nullptr,                                                           \
    (CuPointer to, CuPointer from, size_t bytes, CuStream stream))                                                     \
  F(required, streamCreate, "cuStreamCreate", nullptr, (CuStream * stream, unsigned flags))                            \
  F(required, streamDestroy, "cuStreamDestroy_v2", nullptr, (CuStream stream))                                         \
  F(required, streamSynchronize, "cuStreamSynchronize", nullptr, (CuStream stream))                                    \
  F(required, streamIsCapturing, "cuStreamIsCapturing", nullptr, (CuStream stream, int *status))                       \
  F(required, launch, "cuLaunchKernel", nullptr,                                                                       \
    (CuFunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,            \
     unsigned blockZ, unsigned sharedBytes, CuStream stream, void **arguments, void **extra))                          \
  F(required, graphCreate, "cuGraphCreate", nullptr, (CuGraph * graph, unsigned flags))                                \
  F(required, graphDestroy, "cuGraphDestroy", nullptr, (CuGraph graph))                                                \
  F(required, graphAddKernel, "cuGraphAddKernelNode", nullptr,                                                         \
    (CuGraphNode * node, CuGraph graph, const CuGraphNode *after, size_t count, const CuKernelNode *kernel))           \
  F(required, graphAddCopy, "cuGraphAddMemcpyNode", nullptr,                                                           \
    (CuGraphNode * node, CuGraph graph, const CuGraphNode *after, size_t count, const CuCopyNode *copy,                \
     CuContext context))                                                                                               \
  F(required, graphInstantiate, "cuGraphInstantiate_v2", "cuGraphInstantiate",                                         \
    (CuGraphExec * exec, CuGraph graph, CuGraphNode * failed, char *log, size_t logBytes))                             \
  F(required, graphExecDestroy, "cuGraphExecDestroy", nullptr, (CuGraphExec exec))                                     \
  F(required, graphSetKernel, "cuGraphExecKernelNodeSetParams", nullptr,                                               \
    (CuGraphExec exec, CuGraphNode node, const CuKernelNode *kernel))                                                  \
  F(required, graphSetCopy, "cuGraphExecMemcpyNodeSetParams", nullptr,                                                 \
    (CuGraphExec exec, CuGraphNode node, const CuCopyNode *copy, CuContext context))                                   \
  F(required, graphLaunch, "cuGraphLaunch", nullptr, (CuGraphExec exec, CuStream stream))                              \
  F(optional, graphAddEdges, "cuGraphAddDependencies_v2", nullptr,                                                     \
    (CuGraph graph, const CuGraphNode *from, const CuGraphNode *to, const CuGraphEdge *edges, size_t count))           \
  F(optional, graphUpload, "cuGraphUpload", nullptr, (CuGraphExec exec, CuStream stream))                              \
  F(optional, functionLoad, "cuFuncLoad", nullptr, (CuFunction function))

/// The functions; those that are optional may be null.
struct CuDriver {
#define SINTER_CUDA_MEMBER(kind, member, symbol, older, parameters) CuResult(*member) parameters;
  SINTER_CUDA_DRIVER(SINTER_CUDA_MEMBER)
#undef SINTER_CUDA_MEMBER
  void *library;
};

} // namespace sinter
