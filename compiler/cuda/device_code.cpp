// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of NVRTC. Its log is read in device_log.cpp.
#include "cuda/device_code.h"

#include "cuda/nvrtc_functions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace llvm;

namespace sinter {
namespace {
/// A result that NVRTC returns in two calls, one for its size.
std::string fetch(NvrtcProgram program, int (*sizeOf)(NvrtcProgram, size_t *), int (*get)(NvrtcProgram, char *)) {
  size_t size = 0;
  if (sizeOf(program, &size) != 0)
    return "";
  std::string text(size, '\0');
  return get(program, text.data()) == 0 ? text : "";
}
} // namespace

const KernelResources *DeviceCode::find(StringRef kernel) const {
  auto found = llvm::find_if(kernels, [&](const KernelResources &each) { return each.name == kernel; });
  return found == kernels.end() ? nullptr : &*found;
}

std::optional<DeviceCode> compileDeviceCode(const DeviceSource &source, const GpuArch &arch, const Nvrtc &nvrtc,
                                            Diagnostics &diagnostics, bool fast) {
  const NvrtcFunctions &functions = *nvrtc.functions;
  std::vector<const char *> texts, names;
  for (const NamedText &header : source.headers) {
    texts.push_back(header.text.c_str());
    names.push_back(header.name.c_str());
  }
  NvrtcProgram program = nullptr;
  int result = functions.nvrtcCreateProgram(&program, source.main.text.c_str(), source.main.name.c_str(),
                                            static_cast<int>(texts.size()), texts.data(), names.data());
  auto destroy = make_scope_exit([&] {
    if (program)
      functions.nvrtcDestroyProgram(&program);
  });
  std::string archOption = "--gpu-architecture=sm_" + std::to_string(arch.sm);
  std::vector<const char *> options = {archOption.c_str(), "--std=c++17", "-default-device",
                                       fast ? "--fmad=true" : "--fmad=false", "--ptxas-options=-v"};
  if (result == 0)
    result = functions.nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  std::string log =
      program ? fetch(program, functions.nvrtcGetProgramLogSize, functions.nvrtcGetProgramLog) : std::string();

  DeviceCode code{arch.sm, "NVRTC " + nvrtc.versionText(), "", "", {}};
  if (result == 0) {
    code.cubin = fetch(program, functions.nvrtcGetCUBINSize, functions.nvrtcGetCUBIN);
    code.ptx = fetch(program, functions.nvrtcGetPTXSize, functions.nvrtcGetPTX);
  }
  if (code.cubin.empty() || code.ptx.empty()) {
    std::string line, error = firstDeviceError(log, source, line);
    if (error.empty())
      error = functions.nvrtcGetErrorString(result);
    diagnostics.report({Code::DeviceCodeFailed,
                        error + " (" + code.compiler + ", " + arch.name() + ")",
                        {},
                        line.empty() ? "" : "the line is: " + line});
    return std::nullopt;
  }
  code.kernels = readPtxasLog(log);
  return code;
}

} // namespace sinter
