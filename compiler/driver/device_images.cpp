// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_images.h"

#include "cuda/occupancy.h"
#include "driver/staging.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult writeImage(const Staging &staging, const std::string &name, StringRef bytes, Diagnostics &diagnostics) {
  if (llvm::Error error = staging.write(name, bytes)) {
    diagnostics.report({Code::CannotWrite, llvm::toString(std::move(error)), {}, ""});
    return failure();
  }
  return success();
}

/// What an emulated GPU takes for an image.
FailureOr<DeviceBuild> emulatedBuild(const GeneratedFile &source, const Staging &staging, Diagnostics &diagnostics) {
  std::string name = (llvm::sys::path::stem(source.name) + "_emulated.ptx").str();
  constexpr char image[] = "ptx sm_50"; // with its zero
  if (failed(writeImage(staging, name, StringRef(image, sizeof(image)), diagnostics)))
    return failure();
  return DeviceBuild{{{50, true, false, name}}, {"the emulation"}, {}};
}

} // namespace

std::optional<KernelOnSm> placeOnSm(const DeviceKernelUse &kernel, const KernelResources &taken, const GpuArch &arch,
                                    Diagnostics &diagnostics) {
  KernelOnSm on;
  on.sm = arch.sm;
  on.registers = taken.registers;
  on.sharedBytes = taken.shared + kernel.sharedBytes;
  on.stack = taken.stack;
  on.spillStores = taken.spillStores;
  on.spillLoads = taken.spillLoads;
  Occupancy held = occupancy(arch, kernel.threads, taken.registers, on.sharedBytes);
  on.blocks = held.blocks();
  on.limit = held.limit().str();
  on.occupancy = 100 * on.blocks * static_cast<int64_t>(llvm::alignTo(kernel.threads, GpuArch::warp)) / arch.threads;
  if (on.blocks > 0)
    return on;
  constexpr int64_t mostThreads = 1024;
  auto number = [](int64_t n) { return std::to_string(n); };
  std::string needs;
  if (kernel.threads > mostThreads)
    needs = number(kernel.threads) + " threads, a block may have " + number(mostThreads);
  else if (held.byShared == 0)
    needs = number(on.sharedBytes) + " bytes of shared memory, a block may have " + number(arch.sharedPerBlock);
  else
    needs = number(on.registers) + " registers for each of " + number(kernel.threads) + " threads, a block may have " +
            number(arch.registersPerBlock);
  diagnostics.report({Code::KernelTooLarge,
                      "kernel " + kernel.name + " needs " + needs + " on " + arch.name(),
                      {StringRef(kernel.nodes).split('\n').first.str(), "", 0},
                      "leave " + arch.name() + " out of --target, and report it with the model"});
  return std::nullopt;
}

FailureOr<DeviceBuild> compileDeviceImages(const Target &target, const GeneratedFile &source,
                                           ArrayRef<DeviceKernelUse> kernels, const DeviceFlags &flags,
                                           const Staging &staging, Diagnostics &diagnostics) {
  if (flags.isEmulated)
    return emulatedBuild(source, staging, diagnostics);
  std::vector<Nvrtc> found = findNvrtc(flags.nvrtcFolders.empty() ? nvrtcFolders() : flags.nvrtcFolders);
  if (found.empty()) {
    Diagnostics unheard;
    (void)chooseNvrtc(found, *findGpuArch(target.sms.front()), unheard);
    diagnostics.note(source.name + " has been written, but no code for GPUs made of it, as no NVRTC is there: " +
                     unheard.all().front().hint + "; `sinter explain E0702` says where it is looked for");
    return flags.mayBeEmulated ? emulatedBuild(source, staging, diagnostics) : DeviceBuild();
  }
  DeviceBuild build;
  build.kernels.resize(kernels.size());
  DeviceSource device{{source.name, source.contents}, {}};
  for (int sm : target.sms) {
    const GpuArch *arch = findGpuArch(sm);
    const Nvrtc *nvrtc = chooseNvrtc(found, *arch, diagnostics);
    if (!nvrtc)
      return failure();
    std::optional<DeviceCode> code = compileDeviceCode(device, *arch, *nvrtc, diagnostics, flags.fast);
    if (!code)
      return failure();
    std::string stem = (llvm::sys::path::stem(source.name) + "_" + arch->name()).str();
    auto add = [&](bool isPtx, const std::string &bytes) {
      std::string name = stem + (isPtx ? ".ptx" : ".cubin");
      build.files.push_back({sm, isPtx, !arch->isTegra, name});
      build.compilers.push_back(code->compiler);
      return writeImage(staging, name, bytes, diagnostics);
    };
    if (failed(add(/*isPtx=*/false, code->cubin)) ||
        (sm == target.sms.back() && failed(add(/*isPtx=*/true, code->ptx))))
      return failure();
    for (auto [kernel, places] : llvm::zip(kernels, build.kernels))
      if (const KernelResources *taken = code->find(kernel.name))
        if (std::optional<KernelOnSm> on = placeOnSm(kernel, *taken, *arch, diagnostics))
          places.push_back(*on);
  }
  return diagnostics.hasErrors() ? FailureOr<DeviceBuild>(failure()) : build;
}

} // namespace sinter
