// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel does before the launch in front has ended, in emulation: all threads wait, and constants are asked for
// to the last byte and not beyond, which AddressSanitizer sees.
#include "device_test.h"

#include "templates/cuda/launch_order.h"

#include <doctest/doctest.h>

#include <memory>

using namespace sinter::cuda;

TEST_CASE("all threads wait for the launch in front, or it shows") {
  emulation::Grid grid;
  grid.x = 3;
  grid.y = 2;
  grid.threads = 64;
  CHECK(emulation::launch(grid, [] { awaitLaunchBefore(); }).empty());
  CHECK(emulation::threadsThatAwaited() == 3 * 2 * 64);
  CHECK(emulation::launch(grid, [] {
          if (threadIndex() != 5)
            awaitLaunchBefore();
        }).empty());
  CHECK(emulation::threadsThatAwaited() == 3 * 2 * 63);
}

TEST_CASE("constants are brought to L2 by the threads of all blocks") {
  for (const int64_t bytes : {1, 32, 33, 4096, 10000}) {
    CAPTURE(bytes);
    const std::unique_ptr<unsigned char[]> constants(new unsigned char[size_t(bytes)]());
    emulation::Grid grid;
    grid.x = 3;
    grid.z = 2;
    const int64_t before = emulation::sectorsBrought();
    CHECK(emulation::launch(grid, [&] { bringToL2<32>(constants.get(), bytes); }).empty());
    CHECK(emulation::sectorsBrought() - before == (bytes + 31) / 32);
  }
}
