// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine can do at most, measured by loops that do nothing else: float multiply-adds per second, and bytes
// per second read or copied for working sets of several sizes. `sinter bench` builds it with the target's flags,
// contraction allowed, and SINTER_VECTOR_BYTES; run as `peak THREADS`, it prints JSON. `peak 1 all` measures what
// else a cost model knows of a machine, too (compiler/target/machine.h).
#include "caches.h"
#include "clock.h"
#include "core_rates.h"
#include "handoff.h"
#include "list.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

namespace {
typedef float Lanes __attribute__((vector_size(SINTER_VECTOR_BYTES)));
constexpr int lanes = SINTER_VECTOR_BYTES / sizeof(float);

/// Enough independent chains to hide the latency of the units, few enough for the registers of every target.
constexpr int chains = 12;

void multiplyAdd(int64_t rounds, float factor, float *out) {
  Lanes sums[chains], x;
  for (int l = 0; l < lanes; ++l)
    x[l] = factor;
  for (int c = 0; c < chains; ++c)
    for (int l = 0; l < lanes; ++l)
      sums[c][l] = static_cast<float>(c);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int c = 0; c < chains; ++c)
      sums[c] = sums[c] * x + x;
  }
  for (int c = 0; c < chains; ++c)
    for (int l = 0; l < lanes; ++l)
      *out += sums[c][l];
}

/// Sums all of a buffer, in independent chains too.
void readAll(const List<char> &from, float *out) {
  Lanes sums[8] = {};
  const char *at = from.data();
  for (const char *end = at + from.size() - sizeof sums; at <= end; at += sizeof sums) {
#pragma GCC unroll 8
    for (int c = 0; c < 8; ++c) {
      Lanes value;
      std::memcpy(&value, at + c * static_cast<int>(sizeof value), sizeof value);
      sums[c] += value;
    }
  }
  for (Lanes &sum : sums)
    *out += sum[0];
}

/// What one of several threads runs.
template <class Body>
struct Share {
  const Body *body;
  int number;
  pthread_t thread;
  static void *run(void *share) {
    (*static_cast<Share *>(share)->body)(static_cast<Share *>(share)->number);
    return nullptr;
  }
};

/// Least seconds of `body(thread)` run by all threads at once, over many short tries, for a while: some fall between
/// what else the machine does.
template <class Body>
double leastSeconds(int threads, Body body) {
  constexpr double longEnough = 0.06;
  double least = -1;
  const int64_t begin = now();
  for (int trial = 0; trial < 20 || secondsBetween(begin, now()) < longEnough; ++trial) {
    List<Share<Body>> others;
    others.resize(static_cast<size_t>(threads - 1));
    const int64_t start = now();
    int number = 0;
    for (Share<Body> &other : others) {
      other.body = &body;
      other.number = ++number;
      if (pthread_create(&other.thread, nullptr, Share<Body>::run, &other) != 0)
        std::exit(1);
    }
    body(0);
    for (Share<Body> &other : others)
      pthread_join(other.thread, nullptr);
    const double seconds = secondsBetween(start, now());
    if (least < 0 || seconds < least)
      least = seconds;
  }
  return least;
}

volatile float sink;
volatile float one = 1.0f;

/// Rounds in a second of what does so many of them.
template <class Body>
double roundsPerSecond(int threads, Body body) {
  auto run = [&](int64_t rounds) { return leastSeconds(threads, [&](int) { body(rounds); }); };
  // As many rounds as take less than a time slice, and several threads much longer than to start.
  const double wanted = threads > 1 ? 0.002 : 0.0003;
  int64_t rounds = 1 << 12;
  double seconds = run(rounds);
  rounds = static_cast<int64_t>(static_cast<double>(rounds) * wanted / (seconds > 1e-7 ? seconds : 1e-7)) + 1;
  seconds = run(rounds);
  return static_cast<double>(rounds) * threads / seconds;
}

double macsPerSecond(int threads) {
  return chains * lanes * roundsPerSecond(threads, [](int64_t rounds) {
           float sum = 0;
           multiplyAdd(rounds, one * 0.5f, &sum);
           sink = sum;
         });
}

/// What only a cost model asks for.
void printCore() {
  const double clock = roundsPerSecond(1, [](int64_t rounds) { sink = static_cast<float>(waitingXors(rounds, 1, 3)); });
  const double additions = roundsPerSecond(1, [](int64_t rounds) { sink = waitingSums(rounds, one, one, one); });
  const double singles = 8 * roundsPerSecond(1, [](int64_t rounds) { sink = singleAdditions(rounds, one, one); });
  const double bytes = byteChains * byteProducts * roundsPerSecond(1, [](int64_t rounds) {
                         ByteSums sums = byteRounds(rounds, static_cast<int>(one));
                         float first;
                         std::memcpy(&first, &sums, sizeof first);
                         sink = first;
                       });
  std::printf("\"clock_hz\":%.6g,\"additions_per_second\":%.6g,\"singles_per_second\":%.6g,", clock, additions,
              singles);
  std::printf("\"byte_macs_per_second\":%.6g,\"handoff_seconds\":%.6g,", bytes, Handoff::seconds());
  std::printf("\"cache_bytes\":[%lld,%lld,%lld],", static_cast<long long>(cacheBytes(1)),
              static_cast<long long>(cacheBytes(2)), static_cast<long long>(cacheBytes(3)));
}

/// The faster of reading `bytes` and of copying half of them to the other half, again and again.
double bytesPerSecond(int threads, size_t bytes) {
  const size_t share = bytes / static_cast<size_t>(threads);
  const int repeats = static_cast<int>((size_t(1) << 23) / bytes) + 1;
  List<List<char>> buffers;
  buffers.resize(static_cast<size_t>(threads));
  for (List<char> &buffer : buffers)
    buffer.resize(share);
  const double reading = leastSeconds(threads, [&](int t) {
    float sum = 0;
    for (int i = 0; i < repeats; ++i) {
      readAll(buffers[static_cast<size_t>(t)], &sum);
      asm volatile("" ::: "memory");
    }
    sink = sum;
  });
  const double copying = leastSeconds(threads, [&](int t) {
    char *data = buffers[static_cast<size_t>(t)].data();
    for (int i = 0; i < repeats; ++i) {
      std::memcpy(data + share / 2, data, share / 2);
      asm volatile("" ::: "memory");
    }
  });
  return static_cast<double>(share) * threads * repeats / (reading < copying ? reading : copying);
}
} // namespace

int main(int argc, char **argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  const bool isAll = argc > 2;
  std::printf("{");
  if (isAll)
    printCore();
  std::printf("\"macs_per_second\":%.6g,\"memory\":[", macsPerSecond(threads));
  for (size_t bytes = size_t(1) << 13; bytes <= size_t(1) << (isAll ? 28 : 26); bytes *= 2)
    std::printf("%s{\"bytes\":%zu,\"bytes_per_second\":%.6g}", bytes == size_t(1) << 13 ? "" : ",", bytes,
                bytesPerSecond(threads, bytes));
  std::printf("]}\n");
  return 0;
}
