// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiling with the versions of NVRTC that scripts/setup installs, and what is said where none fits.
#include "cuda/device_code.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include <doctest/doctest.h>

using namespace sinter;

namespace {
const std::vector<Nvrtc> &installed() {
  static const std::vector<Nvrtc> found = findNvrtc(nvrtcFolders());
  return found;
}

const DeviceSource smallKernel = {
    {"small.cu", "#include \"scale.h\"\n"
                 "extern \"C\" __global__ void __launch_bounds__(128) k0(const float *x, float *y, int n) {\n"
                 "  __shared__ float tile[128];\n"
                 "  int i = blockIdx.x * 128 + threadIdx.x;\n"
                 "  tile[threadIdx.x] = i < n ? x[i] : 0.0f;\n"
                 "  __syncthreads();\n"
                 "  if (i < n)\n"
                 "    y[i] = scale(tile[127 - threadIdx.x]);\n"
                 "}\n"
                 "extern \"C\" __global__ void k1(float *y) { y[threadIdx.x] = 1.0f; }\n"},
    {{"scale.h", "static float scale(float x) { return x * 3.0f + 1.0f; }\n"}}};

std::optional<DeviceCode> compileFor(int sm, const DeviceSource &source, Diagnostics &diagnostics) {
  const GpuArch &arch = *findGpuArch(sm);
  const Nvrtc *nvrtc = chooseNvrtc(installed(), arch, diagnostics);
  return nvrtc ? compileDeviceCode(source, arch, *nvrtc, diagnostics) : std::nullopt;
}
} // namespace

TEST_CASE("the oldest that knows an SM compiles for it") {
  REQUIRE_MESSAGE(!installed().empty(), "scripts/setup test installs NVRTC");
  for (auto [known, version] : {std::pair(53, "NVRTC 11.8"),
                                {75, "NVRTC 11.8"},
                                {80, "NVRTC 11.8"},
                                {87, "NVRTC 11.8"},
                                {90, "NVRTC 11.8"},
                                {120, "NVRTC 12.9"}}) {
    const int sm = known;
    const std::string compiler = version;
    CAPTURE(sm);
    Diagnostics diagnostics;
    std::optional<DeviceCode> code = compileFor(sm, smallKernel, diagnostics);
    REQUIRE_MESSAGE(code.has_value(), diagnostics.all().front().message);
    CHECK(code->compiler == compiler);
    CHECK(code->sm == sm);
    CHECK(code->cubin.compare(0, 4, "\177ELF") == 0);
    const auto *header = reinterpret_cast<const llvm::ELF::Elf64_Ehdr *>(code->cubin.data());
    CHECK(header->e_machine == llvm::ELF::EM_CUDA);
    REQUIRE(code->kernels.size() == 2);
    const KernelResources *k0 = code->find("k0");
    REQUIRE(k0);
    CHECK(k0->registers >= 6);
    CHECK(k0->registers <= 32);
    CHECK(k0->shared == 512);
    CHECK(k0->stack == 0);
    CHECK(k0->spillStores == 0);
    CHECK(code->find("k1")->shared == 0);
    CHECK(!code->find("k2"));
    CHECK(compileFor(sm, smallKernel, diagnostics)->cubin == code->cubin);
  }
}

TEST_CASE("PTX") {
  Diagnostics diagnostics;
  std::optional<DeviceCode> code = compileFor(90, smallKernel, diagnostics);
  REQUIRE(code.has_value());
  CHECK(code->ptx.find(".target sm_90") != std::string::npos);
  CAPTURE(code->ptx);
  CHECK(code->ptx.find("mul.") != std::string::npos); // no contraction
  CHECK(code->ptx.find("fma") == std::string::npos);
  CHECK(code->ptx.back() == '\0');
}

TEST_CASE("errors have our lines") {
  DeviceSource wrong = {{"wrong.cu", "#include \"more.h\"\n\nextern \"C\" __global__ void k() { x = 1; }\n"},
                        {{"more.h", "\n"}}};
  Diagnostics diagnostics;
  CHECK(!compileFor(80, wrong, diagnostics));
  wrong.headers[0].text = "// comment\n  int f() { return y; }\n";
  CHECK(!compileFor(120, wrong, diagnostics));
  REQUIRE(diagnostics.all().size() == 2);
  CHECK(diagnostics.all()[0].code == Code::DeviceCodeFailed);
  CHECK(diagnostics.all()[0].message == "wrong.cu:3: identifier \"x\" is undefined (NVRTC 11.8, sm_80)");
  CHECK(diagnostics.all()[0].hint == "the line is: extern \"C\" __global__ void k() { x = 1; }");
  CHECK(diagnostics.all()[1].message == "more.h:2: identifier \"y\" is undefined (NVRTC 12.9, sm_120)");
  CHECK(diagnostics.all()[1].hint == "the line is: int f() { return y; }");
}

TEST_CASE("what ptxas refuses") {
  DeviceSource wrong = {{"wrong.cu", "extern \"C\" __global__ void k(float *y) {\n  __shared__ float t[99999];\n"
                                     "  t[threadIdx.x] = y[0];\n  __syncthreads();\n  y[0] = t[y != nullptr];\n}\n"},
                        {}};
  Diagnostics diagnostics;
  CHECK(!compileFor(80, wrong, diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::DeviceCodeFailed);
  CHECK(diagnostics.all()[0].message.find("too much shared data") != std::string::npos);
}

TEST_CASE("no NVRTC, or none that is new enough") {
  Diagnostics diagnostics;
  std::vector<Nvrtc> none = findNvrtc({"/nonexistent"});
  CHECK(none.empty());
  CHECK(!chooseNvrtc(none, *findGpuArch(87), diagnostics));
  std::vector<Nvrtc> old;
  for (const Nvrtc &nvrtc : installed())
    if (nvrtc.version < 1200)
      old.push_back(nvrtc);
  REQUIRE(!old.empty());
  CHECK(!chooseNvrtc(old, *findGpuArch(120), diagnostics));
  CHECK(!chooseNvrtc(old, *findGpuArch(110), diagnostics));
  REQUIRE(diagnostics.all().size() == 3);
  CHECK(diagnostics.all()[0].code == Code::NvrtcMissing);
  CHECK(diagnostics.all()[0].message == "nothing here compiles device code for sm_87");
  CHECK(diagnostics.all()[0].hint.find("nvidia-cuda-nvrtc-cu11==11.8.89") != std::string::npos);
  CHECK(diagnostics.all()[1].code == Code::NvrtcTooOld);
  CHECK(diagnostics.all()[1].message == "NVRTC 11.8 does not know sm_120");
  CHECK(diagnostics.all()[1].hint.find("nvidia-cuda-nvrtc-cu12==12.9.86") != std::string::npos);
  CHECK(diagnostics.all()[2].hint.find("nvidia-cuda-nvrtc>=13.0") != std::string::npos);
}

TEST_CASE("the log of ptxas") {
  std::vector<KernelResources> kernels =
      readPtxasLog("ptxas info    : 3 bytes gmem\n"
                   "ptxas info    : Compiling entry function 'k7' for 'sm_80'\n"
                   "ptxas info    : Function properties for helper\n"
                   "    48 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                   "ptxas info    : Function properties for k7\n"
                   "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
                   "ptxas info    : Used 255 registers, used 1 barriers, 8192 bytes smem, 380 bytes cmem[0]\n");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "k7");
  CHECK(kernels[0].registers == 255);
  CHECK(kernels[0].shared == 8192);
  CHECK(kernels[0].stack == 16);
  CHECK(kernels[0].spillStores == 8);
  CHECK(kernels[0].spillLoads == 12);
}
