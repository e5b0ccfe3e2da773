// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that an SM has no room for is a diagnostic, with what it lacks; of others the report's numbers.
#include "driver/device_images.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
KernelResources taking(int64_t registers, int64_t shared) {
  KernelResources taken;
  taken.name = "k0_conv";
  taken.registers = registers;
  taken.shared = shared;
  return taken;
}
} // namespace

TEST_CASE("a kernel on an SM") {
  Diagnostics diagnostics;
  DeviceKernelUse kernel{"k0_conv", "/conv\n/relu", 256, 30000};
  auto on = placeOnSm(kernel, taking(64, 1000), *findGpuArch(87), diagnostics);
  REQUIRE(on);
  CHECK(on->sharedBytes == 31000);
  CHECK(on->blocks == 4); // 65536 registers / (64 * 256); shared memory alone would allow 5
  CHECK(on->limit == "registers");
  CHECK(on->occupancy == 66);
  CHECK(!diagnostics.hasErrors());
}

TEST_CASE("a kernel that does not fit") {
  auto said = [](const DeviceKernelUse &kernel, const KernelResources &taken, int sm) {
    Diagnostics diagnostics;
    CHECK(!placeOnSm(kernel, taken, *findGpuArch(sm), diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].code == Code::KernelTooLarge);
    CHECK(diagnostics.all()[0].place.node == "/conv");
    return diagnostics.all()[0].message;
  };
  CHECK(said({"k0_conv", "/conv\n/relu", 256, 50000}, taking(32, 0), 53) ==
        "kernel k0_conv needs 50000 bytes of shared memory, a block may have 49152 on sm_53");
  CHECK(said({"k0_conv", "/conv", 256, 0}, taking(255, 0), 53) ==
        "kernel k0_conv needs 255 registers for each of 256 threads, a block may have 32768 on sm_53");
  CHECK(said({"k0_conv", "/conv", 2048, 0}, taking(16, 0), 90) ==
        "kernel k0_conv needs 2048 threads, a block may have 1024 on sm_90");
}
