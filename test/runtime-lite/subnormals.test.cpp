// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// subnormals.h: what a scope changes, and that all is as before behind it; what a pool's threads take over.
#include "runtime-lite/subnormals.h"
#include "runtime-lite/parallel.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using namespace sinter;

namespace {
/// Half of the least normal number, computed when it is asked for.
bool halfIsZero() {
  volatile float least = 0x1p-126f;
  return least * 0.5f == 0.0f;
}

#if defined(__SSE__)
constexpr bool isSlow = true;
#else
constexpr bool isSlow = false;
#endif

/// A pool whose threads begin with a mode of their own.
void runInThreads(void *, int n, void (*body)(void *, int), void *argument) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i)
    threads.emplace_back(body, argument, i);
  for (std::thread &thread : threads)
    thread.join();
}
} // namespace

TEST_CASE("a scope takes subnormal numbers for zeros, and ends") {
  const unsigned before = arithmeticMode();
  CHECK_FALSE(halfIsZero());
  {
    const SubnormalsAsZero zeros;
    CHECK(halfIsZero() == isSlow);
    {
      const ModeScope exact(before);
      CHECK_FALSE(halfIsZero());
    }
    CHECK(halfIsZero() == isSlow);
  }
  CHECK_FALSE(halfIsZero());
}

TEST_CASE("threads of a pool compute as their caller does") {
  sinter_parallel pool = {};
  pool.run = runInThreads;
  bool zero[2] = {};
  {
    const SubnormalsAsZero zeros;
    inNumberedShares(&pool, 2, 2, 1, [&](int64_t, int64_t, int64_t share) { zero[share] = halfIsZero(); });
  }
  CHECK(zero[0] == isSlow);
  CHECK(zero[1] == isSlow);
  inNumberedShares(&pool, 2, 2, 1, [&](int64_t, int64_t, int64_t share) { zero[share] = halfIsZero(); });
  CHECK_FALSE(zero[0]);
  CHECK_FALSE(zero[1]);
}
