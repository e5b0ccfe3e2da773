// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a block merged by columns, in all orders of threads, for each number of columns and types of 1 to 8 bytes.
#include "device_test.h"

#include "templates/cuda/block_fold.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <int kThreads, int kColumns, class V, class Merge>
void check(Merge merge) {
  Tensor<V> in(kThreads, 1, -1.0f, 1.0f), out(kColumns);
  emulation::Grid grid;
  grid.threads = kThreads;
  grid.sharedBytes = kThreads / kWarp * kColumns * sizeof(V);
  runInAllOrders(grid, out, [&] {
    const V value = foldColumns<kThreads, kColumns>(in[size_t(threadIndex())], merge);
    if (threadIndex() < kColumns)
      out[size_t(threadIndex())] = value;
  });
  for (size_t c = 0; c < kColumns; ++c) {
    V expected = in[c];
    for (size_t t = c + kColumns; t < kThreads; t += kColumns)
      expected = merge(expected, in[t]);
    if constexpr (std::is_integral_v<V>)
      CHECK(out[c] == expected);
    else
      CHECK(double(out[c]) == doctest::Approx(double(expected)).epsilon(1e-5));
  }
}

/// Blocks (columns, slices) of an element for each thread; the counters are zero again afterwards.
template <int kThreads, int kColumns, class V>
void checkSlices(int blocks, int slices) {
  const size_t results = size_t(blocks * kColumns), perSlice = size_t(blocks * kThreads);
  Tensor<V> in(perSlice * size_t(slices), 1, -1.0f, 1.0f), out(results), partials(results * size_t(slices));
  std::vector<uint32_t> counters(size_t(blocks), 0);
  emulation::Grid grid;
  grid.x = blocks;
  grid.y = slices;
  grid.threads = kThreads;
  grid.sharedBytes = kThreads / kWarp * kColumns * sizeof(V);
  runInAllOrders(grid, out, [&] {
    V value = in[size_t(blockY()) * perSlice + size_t(blockX() * kThreads + threadIndex())];
    if (foldSlices<kThreads, kColumns>(value, V(0), slices, partials.data(), counters.data(), sinter::Sum{}) &&
        threadIndex() < kColumns)
      out[size_t(blockX() * kColumns + threadIndex())] = value;
  });
  for (size_t r = 0; r < results; ++r) {
    double expected = 0;
    for (size_t s = 0; s < size_t(slices); ++s)
      for (size_t t = r % kColumns; t < kThreads; t += kColumns)
        expected += double(in[s * perSlice + r / kColumns * kThreads + t]);
    CHECK(double(out[r]) == doctest::Approx(expected).epsilon(1e-4));
  }
  for (const uint32_t counter : counters)
    CHECK(counter == 0);
}

} // namespace

TEST_CASE("blocks share columns: the last one has all, whichever that is") {
  checkSlices<128, 1, float>(2, 7);
  checkSlices<128, 4, double>(3, 40);
  checkSlices<256, 32, float>(1, 3);
}

TEST_CASE("columns of a block are folded each by itself") {
  check<128, 1, float>(sinter::Sum{});
  check<128, 2, float>(sinter::Largest{});
  check<256, 4, int32_t>(sinter::Sum{});
  check<256, 8, double>(sinter::Sum{});
  check<512, 16, int64_t>(sinter::Smallest{});
  check<1024, 32, int8_t>(sinter::AnyBits{});
}
