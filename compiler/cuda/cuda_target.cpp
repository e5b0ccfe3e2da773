// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of CUDA targets: cuda[-CPU][-GPU+GPU...]. CPUs and boards have '-' in their names, so every '-' is tried as
// the place where the GPUs begin, the first one first.
#include "cuda/gpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {
namespace {
struct Gpus {
  std::vector<const GpuArch *> archs;
  const GpuBoard *board = nullptr;
};

/// "sm_80+orin"; nothing where a part is unknown, which is then in `unknown`.
std::optional<Gpus> parseGpus(StringRef text, std::string &unknown) {
  Gpus gpus;
  for (StringRef part : llvm::split(text, '+')) {
    int sm = 0;
    StringRef number = part;
    const GpuArch *arch = nullptr;
    if (number.consume_front("sm_") && !number.getAsInteger(10, sm))
      arch = findGpuArch(sm);
    if (const GpuBoard *board = findGpuBoard(part)) {
      arch = findGpuArch(board->sm);
      gpus.board = gpus.board ? gpus.board : board;
    }
    if (!arch) {
      unknown = part.str();
      return std::nullopt;
    }
    if (!llvm::is_contained(gpus.archs, arch))
      gpus.archs.push_back(arch);
  }
  llvm::sort(gpus.archs, [](const GpuArch *a, const GpuArch *b) { return a->sm < b->sm; });
  return gpus;
}

std::string knownGpus() {
  std::vector<std::string> names;
  for (const GpuBoard &board : gpuBoards())
    names.push_back(board.name);
  for (const GpuArch &arch : gpuArchs())
    names.push_back(arch.name());
  return join(names, ", ");
}

Gpus defaultGpus() {
  Gpus gpus;
  for (const GpuArch &arch : gpuArchs())
    if (arch.isDefault)
      gpus.archs.push_back(&arch);
  return gpus;
}

/// The host code asks for nothing that the oldest CPU of this machine's architecture lacks.
Target thisMachine() {
  std::string ignored;
  Target host = hostTarget();
  if (std::optional<Target> oldest =
          llvm::StringRef(host.triple).starts_with("x86_64") ? findTarget("x86-64-v2", ignored) : std::nullopt)
    return *oldest;
  return host;
}

CudaTarget finishCudaTarget(const Gpus &gpus, const Target &cpu) {
  std::vector<std::string> names;
  for (const GpuArch *arch : gpus.archs)
    names.push_back(arch->name());
  return {"cuda-" + cpu.name + "-" + join(names, "+"), cpu, gpus.archs, gpus.board};
}
} // namespace

Target CudaTarget::target() const {
  Target target = cpu;
  target.name = name;
  target.kind = TargetKind::Gpu;
  for (const GpuArch *arch : archs)
    target.sms.push_back(arch->sm);
  target.vectorBytes = 4;
  target.vectorRegisters = 0;
  target.byteKernels = ByteKernels::None;
  target.costs = std::nullopt;
  target.alignment = 256; // of device memory, as its allocators give it
  target.l2Kbytes = 0;
  target.machine = MachineModel();
  target.gpu = model();
  return target;
}

GpuModel CudaTarget::model() const {
  const GpuBoard &of = board ? *board : *findGpuBoard(archs.back()->board);
  const GpuArch &arch = *findGpuArch(of.sm);
  constexpr int firstWithCopies = 80;
  GpuModel model;
  model.name = of.summary;
  model.sm = of.sm;
  model.sms = of.sms;
  model.clockMhz = static_cast<double>(of.clockMhz);
  model.gbytesPerSecond = of.gbytesPerSecond;
  model.l2GbytesPerSecond = of.l2GbytesPerSecond;
  model.l2Kbytes = static_cast<double>(of.l2Kbytes);
  model.memoryNanoseconds = of.memoryNanoseconds;
  model.l2Nanoseconds = of.l2Nanoseconds;
  model.gapMicroseconds = of.gapMicroseconds;
  model.earlyGapMicroseconds = of.earlyGapMicroseconds;
  model.fp32PerClock = static_cast<double>(arch.fp32PerClock);
  model.matrixPerClock = static_cast<double>(arch.syncPerClock ? arch.syncPerClock : arch.fp16PerClock);
  model.threads = arch.threads;
  model.blocks = arch.blocks;
  model.shared = arch.shared;
  model.sharedPerBlock = arch.sharedPerBlock;
  for (const GpuArch *each : archs)
    model.sharedPerBlock = std::min(model.sharedPerBlock, each->sharedPerBlock);
  model.copiesAsynchronously = arch.sm >= firstWithCopies;
  return model;
}

bool isCudaTarget(StringRef spec) { return spec == "cuda" || spec.starts_with("cuda-"); }

std::optional<CudaTarget> findCudaTarget(StringRef spec, Diagnostics &diagnostics) {
  std::string ignored, unknown;
  if (spec == "cuda")
    return finishCudaTarget(defaultGpus(), thisMachine());
  StringRef rest = spec;
  rest.consume_front("cuda-");
  if (std::optional<Gpus> gpus = parseGpus(rest, unknown)) {
    bool isForeign = gpus->board && !gpus->board->cpu.empty();
    std::optional<Target> cpu = isForeign ? findTarget(gpus->board->cpu, ignored) : thisMachine();
    if (cpu)
      return finishCudaTarget(*gpus, *cpu);
  }
  for (size_t dash = rest.find('-'); dash != StringRef::npos; dash = rest.find('-', dash + 1)) {
    std::optional<Target> cpu = findTarget(rest.take_front(dash), ignored);
    if (!cpu)
      continue;
    if (std::optional<Gpus> gpus = parseGpus(rest.drop_front(dash + 1), unknown))
      return finishCudaTarget(*gpus, *cpu);
  }
  if (std::optional<Target> cpu = findTarget(rest, ignored))
    return finishCudaTarget(defaultGpus(), *cpu);
  diagnostics.report({Code::UnknownGpu,
                      "target '" + spec.str() + "' names no GPU: '" + unknown + "' is unknown",
                      {},
                      "there are " + knownGpus()});
  return std::nullopt;
}

std::optional<Target> findAnyTarget(StringRef spec, std::string &problem) {
  if (!isCudaTarget(spec))
    return findTarget(spec, problem);
  Diagnostics diagnostics;
  if (std::optional<CudaTarget> gpu = findCudaTarget(spec, diagnostics))
    return gpu->target();
  const Problem &said = diagnostics.all().front();
  problem = said.message + "; " + said.hint;
  return std::nullopt;
}

} // namespace sinter
