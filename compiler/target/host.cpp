// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which target describes the machine that we run on: the one of its architecture that asks for most of what its CPU
// has.
#include "target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace sinter {
namespace {
Triple::ArchType hostArch() { return Triple(sys::getDefaultTargetTriple()).getArch(); }

bool hostHas(StringRef feature) {
  static const StringMap<bool> features = sys::getHostCPUFeatures();
  auto found = features.find(feature);
  return found != features.end() && found->second;
}
} // namespace

bool runsOnHost(const Target &target) {
  return Triple(target.triple).getArch() == hostArch() && llvm::all_of(target.required, hostHas);
}

Target hostTarget() {
  std::string ignored;
  std::optional<Target> best;
  for (const std::string &name : targetNames()) {
    std::optional<Target> target = findTarget(name, ignored);
    if (runsOnHost(*target) && (!best || target->required.size() > best->required.size()))
      best = target;
  }
  if (!best)
    report_fatal_error("no target describes this machine's CPU; give one with --target");
  std::string spec = best->name;
  for (const TargetFeature &feature : best->features)
    if (hostHas(feature.detect))
      spec += "+" + feature.name;
  return *findTarget(spec, ignored);
}

} // namespace sinter
