// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine can do at most, measured by loops that do nothing else: float multiply-adds per second, and bytes
// per second read or copied for working sets of several sizes. `sinter bench` builds it with the target's flags,
// contraction allowed, and SINTER_VECTOR_BYTES; run as `peak THREADS`, it prints JSON.
#include "clock.h"
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

/// Least seconds of `body(thread)` run by all threads at once, over many short tries: some fall between what else the
/// machine does.
template <class Body>
double leastSeconds(int threads, Body body) {
  double least = -1;
  for (int trial = 0; trial < 20; ++trial) {
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

double macsPerSecond(int threads) {
  auto run = [&](int64_t rounds) {
    return leastSeconds(threads, [rounds](int) {
      float sum = 0;
      multiplyAdd(rounds, one * 0.5f, &sum);
      sink = sum;
    });
  };
  // As many rounds as take about two milliseconds.
  int64_t rounds = 1 << 14;
  double seconds = run(rounds);
  rounds = static_cast<int64_t>(static_cast<double>(rounds) * 0.002 / (seconds > 1e-7 ? seconds : 1e-7)) + 1;
  seconds = run(rounds);
  return static_cast<double>(rounds) * chains * lanes * threads / seconds;
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
  std::printf("{\"macs_per_second\":%.6g,\"memory\":[", macsPerSecond(threads));
  for (size_t bytes = size_t(1) << 13; bytes <= size_t(1) << 26; bytes *= 2)
    std::printf("%s{\"bytes\":%zu,\"bytes_per_second\":%.6g}", bytes == size_t(1) << 13 ? "" : ",", bytes,
                bytesPerSecond(threads, bytes));
  std::printf("]}\n");
  return 0;
}
