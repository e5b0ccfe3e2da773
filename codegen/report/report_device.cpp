// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the report of a GPU's program says beyond that of a CPU's: which code it has, what each kernel takes of each SM,
// and where a call waits for the GPU, and why.
#include "report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

std::string nodesText(StringRef nodes) { return Comment(nodes.split('\n').first).text().str(); }

/// Which kernels can end a call with a status: such a call waits for the GPU, also where all tensors are there.
std::vector<size_t> callsWithStatus(const KernelList &kernels) {
  std::vector<size_t> calls;
  for (auto [i, call] : enumerate(kernels.calls))
    if (const PrintedFunction &function = kernels.functions[call.function]; function.launch && function.reportsStatus)
      calls.push_back(i);
  return calls;
}

bool callsHost(const KernelList &kernels) {
  return llvm::any_of(kernels.functions, [](const PrintedFunction &function) { return !function.launch; });
}

std::string imageName(const DeviceImageFile &image) {
  return "sm_" + std::to_string(image.sm) + (image.isPtx ? " PTX" : "");
}

/// "2 x 1 x 8", as the source has it where it depends on sizes.
std::string blocksText(const Launch &launch) {
  return (launch.x.text() + " x " + launch.y.text() + " x " + launch.z.text()).str();
}

} // namespace

void printDeviceText(raw_ostream &out, const DeviceReport &device, const KernelList &kernels) {
  const DeviceBuild &build = device.build;
  out << "device  ";
  for (auto [i, image] : enumerate(build.files))
    out << (i ? ", " : "") << imageName(image) << " by " << build.compilers[i];
  out << (build.files.empty() ? "no code: NVRTC was not there\n" : "\n");
  std::vector<size_t> checked = callsWithStatus(kernels);
  out << "waits   in " << device.reads.size() << (device.reads.size() == 1 ? " place" : " places")
      << " of a call for a value" << (callsHost(kernels) ? " or a function of the host" : "")
      << (checked.empty() ? "" : ", and at its end for a status") << "\n";
  for (const HostRead &read : device.reads)
    out << "        before call " << read.behind << ", " << nodesText(read.nodes) << ": " << read.cause << "\n";
  if (!checked.empty())
    out << "        call " << checked.front() << ", " << nodesText(kernels.calls[checked.front()].nodes)
        << ", is the first whose kernel may find data out of bounds\n";
  if (build.kernels.empty()) {
    out << "\n";
    return;
  }
  out << "\n function                     SM     threads registers   shared   stack  spills  blocks/SM occupancy "
         "limit\n";
  for (auto [function, all] : zip(kernels.functions, build.kernels))
    for (const KernelOnSm &on : all)
      out << format(" %-28s sm_%-3d %7lld %9lld %8lld %7lld %7lld %10lld %7lld %% ",
                    function.name.text().take_front(28).str().c_str(), on.sm,
                    static_cast<long long>(function.launch->threads), static_cast<long long>(on.registers),
                    static_cast<long long>(on.sharedBytes), static_cast<long long>(on.stack),
                    static_cast<long long>(on.spillStores + on.spillLoads), static_cast<long long>(on.blocks),
                    static_cast<long long>(on.occupancy))
          << on.limit << "\n";
  out << "\n";
}

void printDeviceJson(json::OStream &out, const Report &report, const KernelList &kernels) {
  const DeviceReport &device = *report.device;
  out.attributeObject("device", [&] {
    out.attributeArray("images", [&] {
      for (auto [image, compiler] : zip(device.build.files, device.build.compilers))
        out.object([&, &image = image, &compiler = compiler] {
          out.attribute("sm", image.sm);
          out.attribute("form", image.isPtx ? "ptx" : "cubin");
          out.attribute("file", sys::path::filename(image.file));
          out.attribute("compiler", compiler);
        });
    });
    out.attributeArray("reads", [&] {
      for (const HostRead &read : device.reads)
        out.object([&] {
          out.attribute("before_call", static_cast<int64_t>(read.behind));
          out.attribute("node", json::fixUTF8(nodesText(read.nodes)));
          out.attribute("cause", read.cause);
        });
    });
    out.attributeArray("status_calls", [&] {
      for (size_t call : callsWithStatus(kernels))
        out.value(static_cast<int64_t>(call));
    });
    printTimesJson(out, report);
  });
}

void printLaunchJson(json::OStream &out, const DeviceReport &device, const PrintedFunction &function, size_t number) {
  out.attribute("runs_on", function.launch ? "gpu" : "host");
  if (!function.launch)
    return;
  out.attribute("blocks", blocksText(*function.launch));
  out.attribute("threads", function.launch->threads);
  if (device.build.kernels.empty())
    return;
  out.attributeArray("on", [&] {
    for (const KernelOnSm &on : device.build.kernels[number])
      out.object([&] {
        out.attribute("sm", on.sm);
        out.attribute("registers", on.registers);
        out.attribute("shared_bytes", on.sharedBytes);
        out.attribute("stack_bytes", on.stack);
        out.attribute("spill_store_bytes", on.spillStores);
        out.attribute("spill_load_bytes", on.spillLoads);
        out.attribute("blocks_per_sm", on.blocks);
        out.attribute("occupancy_percent", on.occupancy);
        out.attribute("limit", on.limit);
      });
  });
}

} // namespace sinter
