// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: words of 16 bytes, the block's shared memory, and copies into it that run while the block computes.
#pragma once

#include "templates/cuda/device.h"

#if SINTER_ON_DEVICE
// One name for all kernels of a source: its size is the launch's.
#if defined(__clang__)
extern __attribute__((shared)) __attribute__((aligned(128))) unsigned char sinterSharedMemory[];
#else
extern __shared__ __align__(128) unsigned char sinterSharedMemory[];
#endif
#endif

namespace sinter::cuda {
namespace {

/// N adjacent elements, loaded and stored at once: 2 to 16 bytes, aligned to their size.
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
  T at[N];
};
/// As many elements as 16 bytes hold.
template <class T>
constexpr int kPerChunk = int(16 / sizeof(T));
using Chunk = Pack<uint32_t, 4>;

/// 16 bytes of any elements, as words.
template <class T>
SINTER_DEVICE Chunk chunkOf(const Pack<T, kPerChunk<T>> &pack) {
  Chunk chunk;
#if SINTER_ON_DEVICE && !defined(__clang__)
  memcpy(&chunk, &pack, sizeof(chunk));
#else
  __builtin_memcpy(&chunk, &pack, sizeof(chunk));
#endif
  return chunk;
}

/// The block's shared memory, aligned to 128 bytes.
SINTER_DEVICE unsigned char *sharedMemory() {
#if SINTER_ON_DEVICE
  return sinterSharedMemory;
#else
  return emulation::sharedMemory();
#endif
}
template <class T>
SINTER_DEVICE T *sharedMemoryAs(int bytesBefore = 0) {
  return reinterpret_cast<T *>(sharedMemory() + bytesBefore);
}

/// A place in shared memory, which moves by bytes: what copies and loads of matrices take, 32 bits on the device.
#if SINTER_ON_DEVICE
using SharedPlace = uint32_t;
SINTER_DEVICE SharedPlace sharedStart() {
  uint64_t address;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(sinterSharedMemory));
  return uint32_t(address);
}
#else
using SharedPlace = unsigned char *;
SINTER_DEVICE SharedPlace sharedStart() { return emulation::sharedMemory(); }
#endif
SINTER_DEVICE void storeShared(SharedPlace to, const Chunk &chunk) {
#if SINTER_ON_DEVICE
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(chunk.at[0]), "r"(chunk.at[1]),
               "r"(chunk.at[2]), "r"(chunk.at[3])
               : "memory");
#else
  *reinterpret_cast<Chunk *>(to) = chunk;
#endif
}
SINTER_DEVICE Chunk loadShared(SharedPlace from) {
#if SINTER_ON_DEVICE
  Chunk chunk;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(chunk.at[0]), "=r"(chunk.at[1]), "=r"(chunk.at[2]), "=r"(chunk.at[3])
               : "r"(from)
               : "memory");
  return chunk;
#else
  return *reinterpret_cast<const Chunk *>(from);
#endif
}

/// Whether copies run beside computation; else copyChunk has copied when it returns.
constexpr bool kAsyncCopies = SINTER_CUDA_ARCH >= 800;

/// 16 bytes to shared memory: `bytes` of them from `from`, zeros behind (0: nothing is read). Both aligned to 16. They
/// are there after a waitCopies that covers them, and for other threads after a barrier behind that. Unless `isThere`
/// nothing is copied: no branch, so that what is computed meanwhile comes between the copies.
SINTER_DEVICE void copyChunk(SharedPlace to, const void *from, int bytes, bool isThere = true) {
#if !SINTER_ON_DEVICE
  if (isThere)
    emulation::copyChunk(to, from, bytes, kAsyncCopies);
#elif SINTER_CUDA_ARCH >= 800
  asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p cp.async.cg.shared.global [%0], [%1], 16, %2;}" ::"r"(to),
               "l"(from), "r"(bytes), "r"(uint32_t(isThere))
               : "memory");
#else
  if (!isThere)
    return;
  Chunk chunk{};
  if (bytes > 0) {
    // A chunk that holds at least one element lies in the allocation as a whole, since both are aligned.
    chunk = *static_cast<const Chunk *>(from);
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < 4; ++i) {
      const int valid = bytes - 4 * i;
      if (valid < 4)
        chunk.at[i] = valid <= 0 ? 0u : chunk.at[i] & ((1u << 8 * valid) - 1u);
    }
  }
  storeShared(to, chunk);
#endif
}
/// Closes a group of copies.
SINTER_DEVICE void commitCopies() {
#if !SINTER_ON_DEVICE
  emulation::commitCopies();
#elif SINTER_CUDA_ARCH >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits for all of this thread's groups but the last kLater.
template <int kLater>
SINTER_DEVICE void waitCopies() {
#if !SINTER_ON_DEVICE
  emulation::waitCopies(kLater);
#elif SINTER_CUDA_ARCH >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kLater) : "memory");
#endif
}

/// A chunk of T from memory that is aligned to an element only: `valid` elements, zeros behind. No copy in the
/// background.
template <class T>
SINTER_DEVICE void gatherChunk(SharedPlace to, const T *from, int valid) {
  Pack<T, kPerChunk<T>> chunk{};
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < kPerChunk<T>; ++i)
    if (i < valid)
      chunk.at[i] = from[i];
  storeShared(to, chunkOf(chunk));
}

} // namespace
} // namespace sinter::cuda
