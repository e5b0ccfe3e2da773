// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which target describes the machine that we run on: the one of its architecture that asks for most of what its CPU
// has.
#include "runtime-lite/tile_permission.h"
#include "target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace sinter {
namespace {
bool hostHas(StringRef feature) {
  static const StringMap<bool> features = sys::getHostCPUFeatures();
  auto found = features.find(feature);
  return found != features.end() && found->second;
}
} // namespace

/// GCC's names of systems are aliases of LLVM's (mingw32).
static Triple tripleOf(const Target &target) { return Triple(Triple::normalize(target.triple)); }

ObjectFormat Target::objectFormat() const {
  const Triple own = tripleOf(*this);
  return own.isOSBinFormatCOFF()    ? ObjectFormat::Coff
         : own.isOSBinFormatMachO() ? ObjectFormat::MachO
         : own.isOSBinFormatWasm()  ? ObjectFormat::Wasm
                                    : ObjectFormat::Elf;
}

bool Target::isOfThisSystem() const {
  const Triple host(sys::getDefaultTargetTriple()), own = tripleOf(*this);
  return own.getArch() == host.getArch() && own.getOS() == host.getOS() && own.isAndroid() == host.isAndroid();
}

bool runsOnHost(const Target &target) {
  return target.isOfThisSystem() && llvm::all_of(target.required, hostHas) &&
         (!target.usesTileRegisters() || mayUseTileRegisters());
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
    if (hostHas(feature.detect) && (!feature.usesTileRegisters() || mayUseTileRegisters()))
      spec += "+" + feature.name;
  return *findTarget(spec, ignored);
}

} // namespace sinter
