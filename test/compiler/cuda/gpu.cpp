// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of GPUs, and names of CUDA targets.
#include "cuda/gpu.h"

#include <doctest/doctest.h>
#include <set>

using namespace sinter;

namespace {
std::string nameOf(llvm::StringRef spec) {
  Diagnostics diagnostics;
  std::optional<CudaTarget> target = findCudaTarget(spec, diagnostics);
  return target ? target->name : diagnostics.all().front().message;
}
} // namespace

TEST_CASE("every board has an arch, a CPU that is a target, and numbers") {
  std::set<std::string> names;
  for (const GpuBoard &board : gpuBoards()) {
    CAPTURE(board.name);
    CHECK(names.insert(board.name).second);
    const GpuArch *arch = findGpuArch(board.sm);
    REQUIRE(arch);
    CHECK(arch->isTegra == !board.cpu.empty());
    std::string problem;
    if (!board.cpu.empty())
      CHECK(findTarget(board.cpu, problem).has_value());
    CHECK(board.sms > 0);
    CHECK(board.clockMhz > 500);
    CHECK(board.gbytesPerSecond > 20);
    CHECK(board.l2Kbytes > 0);
  }
  int last = 0;
  for (const GpuArch &arch : gpuArchs()) {
    CAPTURE(arch.sm);
    CHECK(arch.sm > last);
    last = arch.sm;
    CHECK(arch.sharedPerBlock + arch.sharedReserved <= arch.shared);
    CHECK(arch.threads % arch.warp == 0);
  }
}

TEST_CASE("names") {
  // Host code for this machine asks for nothing that its architecture's oldest CPU lacks.
  const bool isX86 = llvm::StringRef(hostTarget().triple).starts_with("x86_64");
  const std::string host = isX86 ? "x86-64-v2" : hostTarget().name;
  CHECK(nameOf("cuda") == "cuda-" + host + "-sm_75+sm_80+sm_86+sm_89+sm_90");
  CHECK(nameOf("cuda-sm_90+sm_80+sm_90") == "cuda-" + host + "-sm_80+sm_90");
  CHECK(nameOf("cuda-orin") == "cuda-aarch64-sm_87");
  CHECK(nameOf("cuda-orin-nano") == "cuda-aarch64-sm_87");
  CHECK(nameOf("cuda-xavier") == "cuda-aarch64-sm_72");
  CHECK(nameOf("cuda-aarch64-sm_87") == "cuda-aarch64-sm_87");
  CHECK(nameOf("cuda-cortex-a76-orin-nano+sm_72") == "cuda-cortex-a76-sm_72+sm_87");
  CHECK(nameOf("cuda-x86-64-v4+vnni-h100") == "cuda-x86-64-v4+vnni-sm_90");
  CHECK(nameOf("cuda-aarch64") == "cuda-aarch64-sm_75+sm_80+sm_86+sm_89+sm_90");
  CHECK(nameOf("cuda-t4+a100") == "cuda-" + host + "-sm_75+sm_80");
  CHECK(isCudaTarget("cuda"));
  CHECK(isCudaTarget("cuda-orin"));
  CHECK(!isCudaTarget("cudart"));
}

TEST_CASE("the board is what estimates are for") {
  Diagnostics diagnostics;
  CHECK(findCudaTarget("cuda-orin-nano", diagnostics)->board->sms == 8);
  CHECK(findCudaTarget("cuda-sm_87", diagnostics)->board == nullptr);
  CHECK(!diagnostics.hasErrors());
}

TEST_CASE("unknown parts") {
  for (auto [wrong, unknown] : {std::pair("cuda-sm_99", "sm_99"),
                                {"cuda-aarch64-sm_80+sm_1", "sm_1"},
                                {"cuda-", ""},
                                {"cuda-sm_80+", ""},
                                {"cuda-sm_-80", "sm_-80"},
                                {"cuda-sm_80a", "sm_80a"},
                                {"cuda-pdp11-sm_80", "pdp11-sm_80"}}) {
    const std::string spec = wrong, part = unknown;
    CAPTURE(spec);
    Diagnostics diagnostics;
    CHECK(!findCudaTarget(spec, diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    const Problem &problem = diagnostics.all().front();
    CHECK(problem.code == Code::UnknownGpu);
    CHECK(problem.message == "target '" + spec + "' names no GPU: '" + part + "' is unknown");
    CHECK(problem.hint.find("orin-nano") != std::string::npos);
    CHECK(problem.hint.find("sm_120") != std::string::npos);
  }
}
