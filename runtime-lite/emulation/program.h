// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program's kernels for the emulated GPU. A source that includes emulation.h, the program's device code and then this
// becomes, with the files of this folder and of driver/, a library that stands in for libcuda.so.1:
//
//   const EmulatedKernels kernels({87, true}, {{"k0", sinter::k0}, {"k1", sinter::k1}});
#pragma once

#include "driver/fake_driver.h"
#include "grid.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

namespace sinter::cuda::emulation {

/// A kernel under its name, whatever its parameters are.
class EmulatedKernel {
public:
  template <class... Parameters>
  EmulatedKernel(const char *name, void (*kernel)(Parameters...))
      : described{name, {sizeof(Parameters)...}, [name, kernel](const FakeLaunch &launch) {
                    std::tuple<Parameters...> values =
                        valuesOf<Parameters...>(launch.arguments, std::index_sequence_for<Parameters...>());
                    run(name, launch, [&] { std::apply(kernel, values); });
                  }} {}
  FakeKernel described;

private:
  template <class... Parameters, size_t... i>
  static std::tuple<Parameters...> valuesOf([[maybe_unused]] void *const *arguments, std::index_sequence<i...>) {
    return {valueOf<Parameters>(arguments[i])...};
  }
  template <class T>
  static T valueOf(const void *argument) {
    T value;
    std::memcpy(&value, argument, sizeof(value));
    return value;
  }
  template <class Body>
  static void run(const char *name, const FakeLaunch &launch, Body body) {
    Grid grid;
    grid.x = int(launch.grid[0]), grid.y = int(launch.grid[1]), grid.z = int(launch.grid[2]);
    grid.threads = int(launch.block[0]);
    grid.sharedBytes = launch.sharedBytes;
    grid.order = Order::Shuffled;
    std::string error = emulation::launch(grid, body);
    const int64_t threads = int64_t(grid.x) * grid.y * grid.z * grid.threads;
    if (error.empty() && launch.beginsEarly && threadsThatAwaited() != threads)
      error = "not all threads wait for the launch before";
    if (error.empty())
      return;
    std::fprintf(stderr, "kernel %s: %s\n", name, error.c_str());
    std::abort();
  }
};

struct EmulatedKernels {
  EmulatedKernels(const FakeDevice &device, std::initializer_list<EmulatedKernel> kernels) {
    sinterFakeDriver()->reset({device});
    for (const EmulatedKernel &kernel : kernels)
      sinterFakeDriver()->addKernel(kernel.described);
  }
};

} // namespace sinter::cuda::emulation
