// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compilers say in words of their own. GCC and Clang are told what to inline and have vectors; of others nothing
// but C++17 is asked (targets generic32 and generic64; NVIDIA's compilers of device code, which also call themselves
// GCC).
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__)
#error "Sinter's code relies on IEEE arithmetic: build it without -ffast-math"
#endif

#if defined(_WIN64) && defined(__AVX__) && !defined(__clang__)
#error "GCC lays vectors of 32 bytes on Windows' stack, which is aligned to 16: build this source with Clang"
#endif

// Functions that code of a GPU calls too say so to compilers of CUDA: by this word, which is empty elsewhere, or by one
// of those that have it in them. SINTER_FUNCTION: internal, and maybe unused. SINTER_INLINE, SINTER_INLINE_MEMBER: so
// small that a call would cost more than they do, also at -Os.
#if defined(__CUDACC__) && !defined(__clang__)
#define SINTER_HOST_DEVICE __host__ __device__
#elif defined(__CUDA__)
#define SINTER_HOST_DEVICE __attribute__((host, device))
#else
#define SINTER_HOST_DEVICE
#endif
#define SINTER_FUNCTION [[maybe_unused]] static inline SINTER_HOST_DEVICE

#if defined(__GNUC__) && (!defined(__CUDACC__) || defined(__clang__))
#define SINTER_IS_GNU
// Everything here is inlined or internal: how a vector would be passed to another translation unit does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"
#if !defined(__clang__)
// With small constant arrays and sizes inlined, gcc warns of loop bodies that those sizes never enter.
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif
#define SINTER_INLINE [[maybe_unused, gnu::always_inline]] static inline SINTER_HOST_DEVICE
#define SINTER_INLINE_MEMBER [[gnu::always_inline]] inline SINTER_HOST_DEVICE
// Behind the parameters of a lambda.
#define SINTER_INLINE_LAMBDA __attribute__((always_inline))
#define SINTER_NOINLINE [[gnu::noinline]]
// A copy of few bytes, without a call also where the project forbids built-in functions.
#define SINTER_COPY(to, from, bytes) __builtin_memcpy(to, from, bytes)
// The same pointer, for a core that reads words at multiples of four only.
#define SINTER_AT_WORD(pointer) __builtin_assume_aligned(pointer, 4)
#define SINTER_UNREACHABLE __builtin_unreachable()
#define SINTER_UNLIKELY(condition) __builtin_expect(condition, 0) // so that what seldom runs is out of a loop's way
#define SINTER_PREFETCH(pointer) __builtin_prefetch(pointer, 0, 2)
// The compiler knows no more what the variable points to, so keeps nothing of it in registers.
#define SINTER_FORGET(pointer) __asm__("" : "+r"(pointer))
// What stands before it is computed before what stands behind: gcc moves no instruction over it.
#define SINTER_IN_ORDER __asm__ volatile("")
// Vectors lane by lane, as C++ converts numbers.
#define SINTER_CONVERT_LANES(v, To) __builtin_convertvector(v, To)
#define SINTER_INFINITY __builtin_inf()
#define SINTER_NAN __builtin_nan("")
#else
#define SINTER_INLINE SINTER_FUNCTION
#define SINTER_INLINE_MEMBER inline SINTER_HOST_DEVICE
#define SINTER_INLINE_LAMBDA
#define SINTER_NOINLINE
#define SINTER_COPY(to, from, bytes) memcpy(to, from, bytes)
#define SINTER_AT_WORD(pointer) pointer
#define SINTER_UNREACHABLE static_cast<void>(0)
#define SINTER_UNLIKELY(condition) (condition)
#define SINTER_PREFETCH(pointer) static_cast<void>(pointer)
#define SINTER_FORGET(pointer) static_cast<void>(pointer)
#define SINTER_IN_ORDER static_cast<void>(0)
#define SINTER_CONVERT_LANES(v, To) To(v)
#define SINTER_INFINITY sinter::doubleOfBits(0x7ff0000000000000)
#define SINTER_NAN sinter::doubleOfBits(0x7ff8000000000000)

namespace sinter {
namespace {
SINTER_INLINE double doubleOfBits(uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof(number));
  return number;
}
} // namespace
} // namespace sinter
#endif

// Before a loop over registers: its trip count is a constant, and arrays it indexes become registers only when it is
// unrolled.
#if defined(__clang__)
#define SINTER_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(SINTER_IS_GNU)
#define SINTER_UNROLL _Pragma("GCC unroll 64")
#else
#define SINTER_UNROLL
#endif
