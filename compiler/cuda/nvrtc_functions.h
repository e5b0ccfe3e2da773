// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of NVRTC that we call, as its documentation declares them; all are there since 11.2.
#pragma once

#include <cstddef>
#include <type_traits>

namespace sinter {

using NvrtcProgram = struct NvrtcProgramOpaque *;

// F(type, name)
#define SINTER_NVRTC_FUNCTIONS(F)                                                                                      \
  F(int(int *major, int *minor), nvrtcVersion)                                                                         \
  F(int(int *count), nvrtcGetNumSupportedArchs)                                                                        \
  F(int(int *archs), nvrtcGetSupportedArchs)                                                                           \
  F(const char *(int result), nvrtcGetErrorString)                                                                     \
  F(int(NvrtcProgram * program, const char *source, const char *name, int headers, const char *const *texts,           \
        const char *const *names),                                                                                     \
    nvrtcCreateProgram)                                                                                                \
  F(int(NvrtcProgram program, int count, const char *const *options), nvrtcCompileProgram)                             \
  F(int(NvrtcProgram * program), nvrtcDestroyProgram)                                                                  \
  F(int(NvrtcProgram program, size_t *size), nvrtcGetProgramLogSize)                                                   \
  F(int(NvrtcProgram program, char *log), nvrtcGetProgramLog)                                                          \
  F(int(NvrtcProgram program, size_t *size), nvrtcGetPTXSize)                                                          \
  F(int(NvrtcProgram program, char *ptx), nvrtcGetPTX)                                                                 \
  F(int(NvrtcProgram program, size_t *size), nvrtcGetCUBINSize)                                                        \
  F(int(NvrtcProgram program, char *cubin), nvrtcGetCUBIN)

struct NvrtcFunctions {
#define SINTER_NVRTC_MEMBER(type, name) std::add_pointer_t<type> name = nullptr;
  SINTER_NVRTC_FUNCTIONS(SINTER_NVRTC_MEMBER)
#undef SINTER_NVRTC_MEMBER
};

} // namespace sinter
