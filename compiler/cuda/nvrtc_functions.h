// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of NVRTC that we call, as its documentation declares them; all are there since 11.2.
#pragma once

#include <cstddef>

namespace sinter {

using NvrtcProgram = struct NvrtcProgramOpaque *;

// F(result, name, parameters)
#define SINTER_NVRTC_FUNCTIONS(F)                                                                                      \
  F(int, nvrtcVersion, (int *major, int *minor))                                                                       \
  F(int, nvrtcGetNumSupportedArchs, (int *count))                                                                      \
  F(int, nvrtcGetSupportedArchs, (int *archs))                                                                         \
  F(const char *, nvrtcGetErrorString, (int result))                                                                   \
  F(int, nvrtcCreateProgram,                                                                                           \
    (NvrtcProgram * program, const char *source, const char *name, int headers, const char *const *texts,              \
     const char *const *names))                                                                                        \
  F(int, nvrtcCompileProgram, (NvrtcProgram program, int count, const char *const *options))                           \
  F(int, nvrtcDestroyProgram, (NvrtcProgram * program))                                                                \
  F(int, nvrtcGetProgramLogSize, (NvrtcProgram program, size_t *size))                                                 \
  F(int, nvrtcGetProgramLog, (NvrtcProgram program, char *log))                                                        \
  F(int, nvrtcGetPTXSize, (NvrtcProgram program, size_t *size))                                                        \
  F(int, nvrtcGetPTX, (NvrtcProgram program, char *ptx))                                                               \
  F(int, nvrtcGetCUBINSize, (NvrtcProgram program, size_t *size))                                                      \
  F(int, nvrtcGetCUBIN, (NvrtcProgram program, char *cubin))

struct NvrtcFunctions {
#define SINTER_NVRTC_MEMBER(result, name, parameters) result(*name) parameters = nullptr;
  SINTER_NVRTC_FUNCTIONS(SINTER_NVRTC_MEMBER)
#undef SINTER_NVRTC_MEMBER
};

} // namespace sinter
