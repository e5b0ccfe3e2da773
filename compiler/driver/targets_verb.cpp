// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter targets: which there are, which one this machine is, what is known of each; of GPUs also what compiles for
// them.
#include "cuda/nvrtc.h"
#include "driver/answer.h"
#include "driver/cxx.h"
#include "target/target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
void printTargets() {
  std::string ignored;
  size_t widest = 0;
  for (const std::string &name : targetNames())
    widest = std::max(widest, name.size());
  for (const std::string &name : targetNames()) {
    std::optional<Target> target = findTarget(name, ignored);
    outs() << left_justify(name, widest + 1) << target->summary;
    for (const TargetFeature &feature : target->features)
      outs() << (feature.byDefault ? " -" : " +") << feature.name;
    outs() << "\n";
  }
  std::vector<std::string> gpus;
  for (const GpuBoard &board : gpuBoards())
    gpus.push_back(board.name);
  for (const GpuArch &arch : gpuArchs())
    gpus.push_back(arch.name());
  outs() << "cuda[-CPU][-GPU+GPU...]  NVIDIA's GPUs: " << join(gpus, ", ") << "\n";
  outs() << "This machine: " << hostTarget().name << "\n";
}

std::string runsHere(const Target &target) {
  if (target.isMicrocontroller())
    return "on emulated boards: " + join(target.boards, ", ");
  return runsOnHost(target) ? "yes" : "through " + join(target.runner, " ");
}

void printTarget(const Target &target) {
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

StringRef targetKindText(const Target &target) {
  if (target.isWebAssembly())
    return "webassembly";
  return target.isMicrocontroller() ? "microcontroller" : "cpu";
}

json::Object jsonOfTarget(const Target &target) {
  json::Array features;
  for (const TargetFeature &feature : target.features)
    features.push_back(json::Object{{"name", feature.name}, {"on", target.has(feature.name)}});
  json::Object object{{"name", target.name},
                      {"summary", target.description()},
                      {"kind", targetKindText(target)},
                      {"triple", target.triple},
                      {"vector_bytes", target.vectorBytes},
                      {"flags", json::Array(target.compilerFlags())},
                      {"macros", json::Array(target.macros)},
                      {"absent_macros", json::Array(target.absent)},
                      {"features", std::move(features)}};
  if (target.isMicrocontroller())
    object["boards"] = json::Array(target.boards);
  object["runs_here"] = runsOnHost(target);
  object["compilers"] = json::Array(compilersFor(target));
  if (Expected<Cxx> found = findCxx(target, /*given=*/"", /*optimization=*/"2")) {
    object["compiler"] = utf8(found->program);
  } else {
    consumeError(found.takeError());
    object["compiler"] = nullptr;
  }
  return object;
}

json::Object jsonOfAll() {
  json::Array list;
  std::string ignored;
  for (const std::string &name : targetNames())
    list.push_back(jsonOfTarget(*findTarget(name, ignored)));
  return json::Object{{"targets", std::move(list)}, {"host", hostTarget().name}};
}

std::string describeGpuBoard(const GpuBoard &board) {
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

json::Object jsonOfTarget(const CudaTarget &target, ArrayRef<Nvrtc> found) {
  json::Array archs;
  for (const GpuArch *arch : target.archs)
    archs.push_back(json::Object{{"name", arch->name()},
                                 {"summary", arch->summary},
                                 {"blocks", arch->blocks},
                                 {"threads", arch->threads},
                                 {"shared_bytes", arch->shared},
                                 {"compiler", compilerOf(*arch, found)}});
  json::Object object{{"name", target.name}, {"host", target.cpu.name}, {"archs", std::move(archs)}};
  if (target.board)
    object["board"] = describeGpuBoard(*target.board);
  return object;
}

int printCuda(StringRef spec, ArrayRef<std::string> folders, bool asJson) {
  Diagnostics problems;
  std::optional<CudaTarget> target = findCudaTarget(spec, problems);
  if (!target) {
    tell(problems, "sinter");
    return ExitUsage;
  }
  std::vector<Nvrtc> found = findNvrtc(folders);
  if (asJson) {
    answer(json::Object{{"gpu", jsonOfTarget(*target, found)}});
    return ExitOk;
  }
  outs() << "name           " << target->name << "\n"
         << "host code      " << target->cpu.name << "\n";
  if (target->board)
    outs() << "board          " << describeGpuBoard(*target->board) << "\n";
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
  JsonFlag asJson;
  static constexpr StringRef examples[] = {"sinter targets", "sinter targets x86-64-v4+vnni",
                                           "sinter targets cuda-orin"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Lists the targets, or says what is known of one.", examples}))
    return *status;
  if (name.empty()) {
    if (asJson)
      answer(jsonOfAll());
    else
      printTargets();
    return ExitOk;
  }
  if (isCudaTarget(name))
    return printCuda(name, nvrtc.empty() ? nvrtcFolders() : std::vector<std::string>(nvrtc.begin(), nvrtc.end()),
                     asJson);
  std::string problem;
  std::optional<Target> target = findTarget(name, problem);
  if (!target) {
    printError(problem);
    return ExitUsage;
  }
  if (asJson)
    answer(json::Object{{"targets", json::Array{jsonOfTarget(*target)}}});
  else
    printTarget(*target);
  return ExitOk;
}

} // namespace sinter
