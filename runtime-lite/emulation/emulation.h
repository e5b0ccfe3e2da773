// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primitives of templates/cuda/device.h as functions of the CPU. A test includes this first, then kernels, and runs
// them by `launch` (grid.h): the source that a GPU runs, here with every thread a fiber (fiber.h), so that sanitizers
// see it. What it is stricter in than a GPU: copies into shared memory land as late as they may, shared memory and
// sums start as NaN, blocks run in any order, and threads that miss a barrier or a warp's operation are errors.
// What it cannot see: the order of memory between blocks, time, and PTX that this file models wrongly.
#pragma once

#define SINTER_CUDA_EMULATION 1

#include <cmath>
#include <cstdint>

namespace sinter::cuda::emulation {

int threadIndex();
int blockIndex(int axis);
int blocks(int axis);
unsigned char *sharedMemory();

/// What threads do before the launch in front has ended; grid.h has how often.
void awaitLaunchBefore();
void bringToL2(const unsigned char *sector);

void syncBlock();
bool syncBlockAny(bool says);
void syncWarp();
uint32_t shuffle(uint32_t word, int lane);

/// copies.cpp. `isAsync`: as cp.async; else done at once.
void copyChunk(void *to, const void *from, int bytes, bool isAsync);
void commitCopies();
void waitCopies(int later);

/// matrices.cpp: one matrix product for all types, by the layout that matrix_unit.h describes.
enum class Element { F16, BF16, TF32, S8, U8 };
void loadMatrices(uint32_t (&words)[4], const void *row, bool isTransposed);
void multiply(Element element, float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]);
void multiply(Element element, int32_t (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]);

/// numbers.cpp
float floatOfF16(uint16_t bits);
uint16_t f16OfFloat(float x);
int32_t roundTo(float x, int32_t low, int32_t high);
inline float exp2(float x) { return std::exp2(x); }
inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline float rsqrt(float x) { return 1.0f / std::sqrt(x); }

/// Between threads of all blocks: counts up and gives what was there.
inline uint32_t countUp(uint32_t *counter) { return __atomic_fetch_add(counter, 1u, __ATOMIC_ACQ_REL); }

/// An error of the kernel at hand: the launch ends, and returns the text of the first.
[[noreturn]] void fail(const char *text);

} // namespace sinter::cuda::emulation
