// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls at the same time: of one model with two arenas, of two models, and of a model whose work a pool shares, by two
// callers of one pool. threads.py builds it with ThreadSanitizer; each call must give what a call alone gave.
#include "first.h"
#include "second.h"
#include "wide.h"

#include "sinter_pool.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {
std::atomic<int> wrong{0}, shares{0};

struct Arena {
  explicit Arena(size_t bytes, size_t align) : storage(bytes + align) {
    data = storage.data() + (align - reinterpret_cast<uintptr_t>(storage.data()) % align) % align;
  }
  std::vector<unsigned char> storage;
  void *data;
};

template <class Inputs, class Outputs>
void callDigits(int (*run)(const Inputs *, Outputs *, void *), const float *expected) {
  Arena arena(FIRST_ARENA_BYTES + SECOND_ARENA_BYTES, FIRST_ARENA_ALIGN);
  float image[64], probabilities[10];
  for (int i = 0; i < 64; ++i)
    image[i] = static_cast<float>(i) / 64;
  Inputs in = {};
  Outputs out = {};
  in.image = image;
  out.probabilities = probabilities;
  for (int i = 0; i < 50; ++i)
    if (run(&in, &out, arena.data) != 0 || std::memcmp(probabilities, expected, sizeof probabilities) != 0)
      ++wrong;
}

/// samples/pool, and how many shares it was given.
void runOnPool(void *pool, int n, void (*task)(void *, int), void *argument) {
  shares = n;
  const sinter_parallel *parallel = static_cast<sinter::Pool *>(pool)->parallel();
  parallel->run(parallel->ctx, n, task, argument);
}

std::vector<float> callWide(const sinter_parallel *parallel) {
  Arena arena(WIDE_ARENA_BYTES, WIDE_ARENA_ALIGN);
  std::vector<float> values(256 * 192), y(256 * 256), z(16 * 64 * 64);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i % 31) / 31 - 0.4f;
  wide_inputs in = {};
  wide_outputs out = {};
  in.a = in.b = in.image = in.filters = values.data();
  out.y = y.data();
  out.z = z.data();
  sinter_env env = {};
  env.size = sizeof env;
  env.arena = arena.data;
  env.parallel = parallel;
  if (wide_run_with(&in, &out, &env) != 0)
    ++wrong;
  y.insert(y.end(), z.begin(), z.end());
  return y;
}
} // namespace

int main() {
  float image[64], expected[10];
  for (int i = 0; i < 64; ++i)
    image[i] = static_cast<float>(i) / 64;
  Arena arena(FIRST_ARENA_BYTES, FIRST_ARENA_ALIGN);
  first_inputs in = {};
  first_outputs out = {};
  in.image = image;
  out.probabilities = expected;
  if (first_run(&in, &out, arena.data) != 0)
    return 1;
  std::thread callers[] = {std::thread([&] { callDigits(first_run, expected); }),
                           std::thread([&] { callDigits(first_run, expected); }),
                           std::thread([&] { callDigits(second_run, expected); })};
  for (std::thread &caller : callers)
    caller.join();

  sinter::Pool pool(4);
  const sinter_parallel parallel = {runOnPool, &pool, pool.parallel()->threads};
  const std::vector<float> alone = callWide(nullptr);
  std::thread sharers[] = {std::thread([&] { wrong += callWide(&parallel) != alone; }),
                           std::thread([&] { wrong += callWide(&parallel) != alone; })};
  for (std::thread &sharer : sharers)
    sharer.join();
  if (wrong || shares < 2)
    std::fprintf(stderr, "%d calls were wrong; the last kernel had %d shares\n", wrong.load(), shares.load());
  return wrong || shares < 2;
}
