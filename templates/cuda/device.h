// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where device sources begin: what a kernel knows of its place, how threads wait for each other and exchange words.
// With NVRTC and clang -x cuda these are PTX; other compilers take the same kernels with an emulation of these
// primitives, which is included first. No header of a toolkit is needed. Next: device_memory.h, matrix_unit.h.
#pragma once

#include "templates/cuda/builtins.h"

// SINTER_DEVICE: a function of the device. SINTER_KERNEL(threads, blocks): what a launch starts, in blocks of
// `threads`, with registers for `blocks` of them on a multiprocessor.
#if defined(__CUDACC__) || defined(__CUDA__)
#define SINTER_ON_DEVICE 1
#if defined(__clang__)
#define SINTER_DEVICE __attribute__((device, always_inline)) inline
#define SINTER_KERNEL(threads, blocks) extern "C" __attribute__((global, launch_bounds(threads, blocks))) void
#else
#define SINTER_DEVICE __device__ __forceinline__
#define SINTER_KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)
#endif
#define SINTER_DEVICE_UNROLL _Pragma("unroll")
#define SINTER_DEVICE_LOOP _Pragma("unroll 1")
#define SINTER_DEVICE_UNROLL_BY(constant) SINTER_DEVICE_PRAGMA(unroll constant)
#define SINTER_DEVICE_PRAGMA(text) _Pragma(#text)
#elif defined(SINTER_CUDA_EMULATION)
#define SINTER_ON_DEVICE 0
#define SINTER_DEVICE inline
#define SINTER_KERNEL(threads, blocks) extern "C" void
#define SINTER_DEVICE_UNROLL
#define SINTER_DEVICE_LOOP
#define SINTER_DEVICE_UNROLL_BY(constant)
#else
#error "outside of CUDA, include the emulation of its primitives first"
#endif

// What the kernel is compiled for: 750, 800, ... The host's pass of clang only parses.
#if defined(__CUDA_ARCH__)
#define SINTER_CUDA_ARCH __CUDA_ARCH__
#elif !defined(SINTER_CUDA_ARCH)
#define SINTER_CUDA_ARCH 800
#endif

namespace sinter::cuda {
namespace {

using ::int16_t, ::int32_t, ::int64_t, ::int8_t, ::uint16_t, ::uint32_t, ::uint64_t, ::uint8_t;

template <class A, class B>
constexpr bool kSame = false;
template <class A>
constexpr bool kSame<A, A> = true;

constexpr int kWarp = 32;

/// Blocks and threads are numbered along x; y and z are for grids.
#if SINTER_ON_DEVICE && defined(__clang__)
SINTER_DEVICE int threadIndex() { return __nvvm_read_ptx_sreg_tid_x(); }
SINTER_DEVICE int blockX() { return __nvvm_read_ptx_sreg_ctaid_x(); }
SINTER_DEVICE int blockY() { return __nvvm_read_ptx_sreg_ctaid_y(); }
SINTER_DEVICE int blockZ() { return __nvvm_read_ptx_sreg_ctaid_z(); }
SINTER_DEVICE int blocksX() { return __nvvm_read_ptx_sreg_nctaid_x(); }
SINTER_DEVICE int blocksY() { return __nvvm_read_ptx_sreg_nctaid_y(); }
SINTER_DEVICE int blocksZ() { return __nvvm_read_ptx_sreg_nctaid_z(); }
#elif SINTER_ON_DEVICE
SINTER_DEVICE int threadIndex() { return int(threadIdx.x); }
SINTER_DEVICE int blockX() { return int(blockIdx.x); }
SINTER_DEVICE int blockY() { return int(blockIdx.y); }
SINTER_DEVICE int blockZ() { return int(blockIdx.z); }
SINTER_DEVICE int blocksX() { return int(gridDim.x); }
SINTER_DEVICE int blocksY() { return int(gridDim.y); }
SINTER_DEVICE int blocksZ() { return int(gridDim.z); }
#else
SINTER_DEVICE int threadIndex() { return emulation::threadIndex(); }
SINTER_DEVICE int blockX() { return emulation::blockIndex(0); }
SINTER_DEVICE int blockY() { return emulation::blockIndex(1); }
SINTER_DEVICE int blockZ() { return emulation::blockIndex(2); }
SINTER_DEVICE int blocksX() { return emulation::blocks(0); }
SINTER_DEVICE int blocksY() { return emulation::blocks(1); }
SINTER_DEVICE int blocksZ() { return emulation::blocks(2); }
#endif
SINTER_DEVICE int laneIndex() { return threadIndex() % kWarp; }
SINTER_DEVICE int warpIndex() { return threadIndex() / kWarp; }
/// The number of the thread in a grid along x of blocks of kThreads.
template <int kThreads>
SINTER_DEVICE int64_t threadOfGrid() {
  return int64_t(blockX()) * kThreads + threadIndex();
}

/// Waits for all threads of the block, which all come here; what they wrote before is seen after.
SINTER_DEVICE void syncBlock() {
#if SINTER_ON_DEVICE
  asm volatile("bar.sync 0;" ::: "memory");
#else
  emulation::syncBlock();
#endif
}
/// The same; and whether any of them says so.
SINTER_DEVICE bool syncBlockAny(bool says) {
#if SINTER_ON_DEVICE
  uint32_t any;
  asm volatile("{.reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q;}"
               : "=r"(any)
               : "r"(uint32_t(says))
               : "memory");
  return any != 0;
#else
  return emulation::syncBlockAny(says);
#endif
}
/// The same for the 32 threads of a warp.
SINTER_DEVICE void syncWarp() {
#if SINTER_ON_DEVICE
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
#else
  emulation::syncWarp();
#endif
}

/// The word of the lane whose number differs by the bits of `mask`. All 32 lanes come here.
SINTER_DEVICE uint32_t shuffleXor(uint32_t word, int mask) {
#if SINTER_ON_DEVICE
  uint32_t other;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(word), "r"(mask));
  return other;
#else
  return emulation::shuffle(word, emulation::threadIndex() % kWarp ^ mask);
#endif
}
/// The word of a lane.
SINTER_DEVICE uint32_t shuffleFrom(uint32_t word, int lane) {
#if SINTER_ON_DEVICE
  uint32_t other;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(word), "r"(lane));
  return other;
#else
  return emulation::shuffle(word, lane);
#endif
}

/// The bits of one 32-bit type as another.
template <class To, class From>
SINTER_DEVICE To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
#if SINTER_ON_DEVICE && !defined(__clang__)
  memcpy(&to, &from, sizeof(to));
#else
  __builtin_memcpy(&to, &from, sizeof(to));
#endif
  return to;
}
SINTER_DEVICE float shuffleXor(float value, int mask) {
  return bitCast<float>(shuffleXor(bitCast<uint32_t>(value), mask));
}
SINTER_DEVICE int32_t shuffleXor(int32_t value, int mask) { return int32_t(shuffleXor(uint32_t(value), mask)); }

SINTER_DEVICE constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; }
SINTER_DEVICE constexpr int least(int a, int b) { return a < b ? a : b; }
/// `value` within 0 and `most`. In this order: of `value < 0 ? 0 : least(value, most)` Clang 19 drops the first part at
/// -O1, where it has moved the second in front of the condition.
SINTER_DEVICE constexpr int upTo(int most, int value) { return least(value < 0 ? 0 : value, most); }

} // namespace
} // namespace sinter::cuda
