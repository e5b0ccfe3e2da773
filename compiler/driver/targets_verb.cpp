// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter targets: which there are, which one this machine is, what is known of each.
#include "driver/flags.h"
#include "target/target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
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
         << "what           " << target.summary << "\n"
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
    outs() << "feature        " << feature.name << (target.has(feature.name) ? " (on)" : "") << "\n";
}
} // namespace

int targetsVerb(const Arguments &arguments) {
  Flag<std::string> name(cl::Positional, cl::desc("[NAME]"));
  parseFlags(arguments, "Lists the targets, or says what is known of one: sinter targets x86-64-v4+vnni\n");
  if (name.empty()) {
    printAll();
    return ExitOk;
  }
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
