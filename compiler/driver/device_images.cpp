// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_images.h"

#include "driver/staging.h"

#include "llvm/Support/Path.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult write(const Staging &staging, const std::string &name, StringRef bytes, Diagnostics &diagnostics) {
  if (llvm::Error error = staging.write(name, bytes)) {
    diagnostics.report({Code::CannotWrite, llvm::toString(std::move(error)), {}, ""});
    return failure();
  }
  return success();
}

std::string nameOf(const GeneratedFile &source, const GpuArch &arch, DeviceForm form) {
  return (llvm::sys::path::stem(source.name) + "_" + arch.name() + (form == DeviceForm::Cubin ? ".cubin" : ".ptx"))
      .str();
}
} // namespace

FailureOr<DeviceImages> compileDeviceImages(const Target &target, const GeneratedFile &source, const Staging &staging,
                                            Diagnostics &diagnostics) {
  DeviceImages images;
  std::vector<Nvrtc> found = findNvrtc(nvrtcFolders());
  if (found.empty()) {
    diagnostics.note(
        "no NVRTC is there: " + source.name +
        " has been written, but no code for GPUs made of it; `sinter explain E0702` says where it is looked for");
    return images;
  }
  DeviceSource device{{source.name, source.contents}, {}};
  for (int sm : target.sms) {
    const GpuArch *arch = findGpuArch(sm);
    const Nvrtc *nvrtc = chooseNvrtc(found, *arch, diagnostics);
    if (!nvrtc)
      return failure();
    for (DeviceForm form : {DeviceForm::Cubin, DeviceForm::Ptx}) {
      if (form == DeviceForm::Ptx && sm != target.sms.back())
        continue;
      std::optional<DeviceCode> code = compileDeviceCode(device, *arch, form, *nvrtc, diagnostics);
      if (!code)
        return failure();
      std::string name = nameOf(source, *arch, form);
      if (failed(write(staging, name, code->bytes, diagnostics)))
        return failure();
      images.files.push_back({sm, form == DeviceForm::Ptx, !arch->isTegra, name});
      code->bytes.clear();
      if (form == DeviceForm::Cubin)
        images.cubins.push_back(std::move(*code));
    }
  }
  return images;
}

FailureOr<DeviceImages> emulatedImages(const GeneratedFile &source, const Staging &staging, Diagnostics &diagnostics) {
  std::string name = (llvm::sys::path::stem(source.name) + "_emulated.ptx").str();
  constexpr char image[] = "ptx sm_50"; // with its zero
  if (failed(write(staging, name, StringRef(image, sizeof(image)), diagnostics)))
    return failure();
  DeviceImages images;
  images.files.push_back({50, true, false, name});
  return images;
}

} // namespace sinter
