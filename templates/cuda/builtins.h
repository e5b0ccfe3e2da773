// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runtime-lite and the templates take from a C library's headers and from GCC's builtins, for compilers of device
// code that have neither: NVRTC sees no headers. And what they must not take for the device's: nvcc and clang define
// the host's instruction sets too.
#pragma once

#if defined(__CUDACC_RTC__)
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;
using intptr_t = long long;
using uintptr_t = unsigned long long;
using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char *>(nullptr) - static_cast<char *>(nullptr));
#define INT32_MAX 0x7fffffff
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 0xffffffffu
#define INT64_MAX 0x7fffffffffffffffll
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 0xffffffffffffffffull
#else
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif

#if defined(__CUDACC__) || defined(__CUDA__)
#undef __SSE2__
#undef __SSE4_1__
#undef __AVX__
#undef __AVX2__
#undef __AVX512F__
#undef __AVX512BW__
#undef __AVX512DQ__
#undef __AVX512VL__
#undef __FMA__
#undef __F16C__
#undef __aarch64__
#undef __ARM_NEON
#undef __ARM_FP
#undef __ARM_FEATURE_FMA
#endif

#if defined(__CUDACC__) && !defined(__clang__)
#define __builtin_memcpy memcpy
#define __builtin_inf() (1e300 * 1e300)
#define __builtin_inff() (1e30f * 1e30f)
#define __builtin_nan(text) (__builtin_inf() - __builtin_inf())
#define __builtin_nanf(text) (__builtin_inff() - __builtin_inff())
#define __builtin_constant_p(value) false
// In branches for vectors, of which there are none.
#define __builtin_convertvector(vector, To) static_cast<To>(vector)
#endif
