// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests of kernels share: tensors whose unwritten elements show, and random data. Include this before kernels.
#pragma once

#include "runtime-lite/emulation/grid.h"

#include "templates/cuda/device_numbers.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace sinter::cuda::test {

/// The same numbers with every compiler.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint32_t bits() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return uint32_t(state >> 32);
  }
  float uniform(float low = -1.0f, float high = 1.0f) { return low + (high - low) * float(bits() >> 8) * 0x1p-24f; }

private:
  uint64_t state;
};

/// An allocation of its own and of the exact size, aligned to 256 bytes as an arena's parts are; `shift` elements past
/// that for what must not count on it. All bytes are 0xff, which is NaN, or -1.
template <class T>
class Tensor {
public:
  explicit Tensor(size_t n, size_t shift = 0) : n(n) {
    if (posix_memalign(&memory, 256, (n + shift) * sizeof(T)) != 0)
      std::abort();
    std::memset(memory, 0xff, (n + shift) * sizeof(T));
    elements = static_cast<T *>(memory) + shift;
  }
  /// Random: floats in low .. high, integers of all bits.
  Tensor(size_t n, uint64_t seed, float low, float high, size_t shift = 0) : Tensor(n, shift) {
    Random random(seed);
    for (size_t i = 0; i < n; ++i) {
      const float value = random.uniform(low, high);
      if constexpr (std::is_integral_v<T>)
        elements[i] = T(random.bits());
      else
        elements[i] = stored<T>(value);
    }
  }
  ~Tensor() { std::free(memory); }
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;

  T *data() { return elements; }
  size_t size() const { return n; }
  T &operator[](size_t i) { return elements[i]; }
  double at(size_t i) const { return double(toFloat(elements[i])); }
  double at(int i) const { return at(size_t(i)); }

private:
  void *memory = nullptr;
  T *elements;
  size_t n;
};

/// How far `got` is from `expected` at most, by the greatest expected value; NaN if anything is.
template <class T>
double relativeError(const Tensor<T> &got, const std::vector<double> &expected) {
  double most = 0, error = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::fabs(got.at(i) - expected[i]);
    if (!(difference <= error))
      error = difference;
    most = std::fmax(most, std::fabs(expected[i]));
  }
  return error / most;
}

/// Runs in the three orders of blocks and warps, on poisoned output each time; bits must be equal.
template <class T, class Kernel>
void runInAllOrders(emulation::Grid grid, Tensor<T> &out, Kernel kernel) {
  std::vector<unsigned char> first;
  for (const emulation::Order order :
       {emulation::Order::Forward, emulation::Order::Backward, emulation::Order::Shuffled}) {
    std::memset(static_cast<void *>(out.data()), 0xff, out.size() * sizeof(T));
    grid.order = order;
    REQUIRE(emulation::launch(grid, kernel) == "");
    const auto *const bytes = reinterpret_cast<const unsigned char *>(out.data());
    if (first.empty())
      first.assign(bytes, bytes + out.size() * sizeof(T));
    CHECK(std::memcmp(first.data(), bytes, first.size()) == 0);
  }
}

/// What outputs of T are off by, from their own rounding and sums in float of some thousand products.
template <class T>
constexpr double kTolerance = kSame<T, f16>    ? 1e-3
                              : kSame<T, bf16> ? 8e-3
                                               : 2e-6;

} // namespace sinter::cuda::test
