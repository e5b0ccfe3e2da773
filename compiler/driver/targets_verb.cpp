// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter targets: which there are, which one this machine is, what is known of each; of GPUs also what compiles for
// them.
#include "cuda/nvrtc.h"
#include "driver/flags.h"
#include "target/target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
void printAll() {
  std::string ignored;
  for (const std::string &name : targetNames()) {
    std::optional<Target> target = findTarget(name, ignored);
    outs() << left_justify(name, 14) << target->summary;
    for (const TargetFeature &feature : target->features)
      outs() << (feature.byDefault ? " -" : " +") << feature.name;
    outs() << "\n";
  }
  outs() << "This machine: " << hostTarget().name << "\n";
}

std::string runsHere(const Target &target) {
  if (target.isMicrocontroller())
    return "on emulated boards: " + join(target.boards, ", ");
  return runsOnHost(target) ? "yes" : "through " + join(target.runner, " ");
}

void printOne(const Target &target) {
  outs() << "name           " << target.name << "\n"
         << "what           " << target.description() << "\n"
         << "triple         " << target.triple << "\n"
         << "vectors        " << target.vectorBytes << " bytes\n";
  if (!target.isMicrocontroller())
    outs() << "L2 cache       " << target.l2Kbytes << " KB per core, behind it " << target.bytesPerCycle
           << " bytes per cycle\n";
  outs() << "flags          " << join(target.compilerFlags(), " ") << "\n"
         << "compilers      " << join(target.compilers, ", ") << "; from another architecture "
         << join(target.crossCompilers, ", ") << "\n"
         << "runs here      " << runsHere(target) << "\n";
  for (const TargetFeature &feature : target.features)
    outs() << "feature        " << feature.name << (target.has(feature.name) ? " (on)" : " (off)") << "\n";
}

std::string describe(const GpuBoard &board) {
  return formatv("{0}: {1} SMs at {2} MHz, {3:f1} GB/s, {4} KB of L2", board.summary, board.sms, board.clockMhz,
                 board.gbytesPerSecond, board.l2Kbytes);
}

/// Which NVRTC compiles for an SM, or why none does.
std::string compilerOf(const GpuArch &arch, ArrayRef<Nvrtc> found) {
  Diagnostics problems;
  if (const Nvrtc *nvrtc = chooseNvrtc(found, arch, problems))
    return "compiled by NVRTC " + nvrtc->versionText();
  const Problem &problem = problems.all().front();
  return problem.message + " [" + codeNumber(problem.code).str() + "]: " + problem.hint;
}

int printCuda(StringRef spec, ArrayRef<std::string> folders) {
  Diagnostics problems;
  std::optional<CudaTarget> target = findCudaTarget(spec, problems);
  if (!target) {
    problems.print(errs(), "sinter");
    return ExitUsage;
  }
  std::vector<Nvrtc> found = findNvrtc(folders);
  outs() << "name           " << target->name << "\n"
         << "host code      " << target->cpu.name << "\n";
  if (target->board)
    outs() << "board          " << describe(*target->board) << "\n";
  for (const GpuArch *arch : target->archs) {
    outs() << left_justify(arch->name(), 15) << arch->summary << "; an SM holds " << arch->blocks << " blocks, "
           << arch->threads << " threads, " << arch->shared / 1024 << " KB of shared memory\n"
           << std::string(15, ' ') << compilerOf(*arch, found) << "\n";
  }
  return ExitOk;
}
} // namespace

int targetsVerb(const Arguments &arguments) {
  Flag<std::string> name(FlagTrait::Positional, Takes("NAME"));
  FlagList nvrtc(
      "nvrtc", Takes("dir"),
      Says("Where NVRTC lies, which compiles device code (default: SINTER_NVRTC, toolkits, Python packages)"));
  static constexpr StringRef examples[] = {"sinter targets", "sinter targets x86-64-v4+vnni",
                                           "sinter targets cuda-orin"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Lists the targets, or says what is known of one.", examples}))
    return *status;
  if (name.empty()) {
    printAll();
    return ExitOk;
  }
  if (isCudaTarget(name))
    return printCuda(name, nvrtc.empty() ? nvrtcFolders() : std::vector<std::string>(nvrtc.begin(), nvrtc.end()));
  std::string problem;
  std::optional<Target> target = findTarget(name, problem);
  if (!target) {
    printError(problem);
    return ExitUsage;
  }
  printOne(*target);
  return ExitOk;
}

} // namespace sinter
