// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of targets/*.yaml and of NAME+feature. What this machine is: host.cpp.
#include "target/target.h"

#include "support/embedded.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using sinter::Target;
using sinter::TargetFeature;

LLVM_YAML_IS_SEQUENCE_VECTOR(TargetFeature)

template <>
struct yaml::MappingTraits<TargetFeature> {
  static void mapping(yaml::IO &io, TargetFeature &feature) {
    io.mapRequired("name", feature.name);
    io.mapRequired("detect", feature.detect);
    io.mapOptional("flag", feature.flag);
    io.mapOptional("off_flag", feature.offFlag);
    io.mapOptional("default", feature.byDefault, false);
    io.mapOptional("arch", feature.arch);
    io.mapOptional("march", feature.march);
    io.mapRequired("macro", feature.macro);
    io.mapOptional("check", feature.check);
    io.mapOptional("int_kernels", feature.intKernels);
  }
};

template <>
struct yaml::MappingTraits<Target> {
  static void mapping(yaml::IO &io, Target &target) {
    io.mapRequired("name", target.name);
    io.mapOptional("base", target.base);
    io.mapRequired("summary", target.summary);
    io.mapOptional("triple", target.triple);
    io.mapOptional("compilers", target.compilers);
    io.mapOptional("cross_compilers", target.crossCompilers);
    io.mapOptional("arch", target.arch);
    io.mapOptional("flags", target.flags);
    io.mapOptional("vector_bytes", target.vectorBytes, 0);
    io.mapOptional("int_kernels", target.intKernels);
    io.mapOptional("alignment", target.alignment, 0);
    io.mapOptional("l2_kbytes", target.l2Kbytes, 0);
    io.mapOptional("bytes_per_cycle", target.bytesPerCycle, 0);
    io.mapOptional("requires", target.required);
    io.mapOptional("macros", target.macros);
    io.mapOptional("checks", target.checks);
    io.mapOptional("runner", target.runner);
    io.mapOptional("boards", target.boards);
    io.mapOptional("features", target.features);
  }
};

namespace sinter {
namespace targets {
extern const EmbeddedFile embedded[];
}

namespace {
Target parse(const char *text) {
  Target target;
  yaml::Input input(text);
  input >> target;
  if (input.error())
    report_fatal_error("an embedded target description is not valid");
  return target;
}

/// What the base has and the derived target does not say again. Requirements add up; the rest is replaced.
void inherit(Target &target, const Target &base) {
  auto whenEmpty = [](auto &field, const auto &inherited) {
    if (field.empty())
      field = inherited;
  };
  auto inFront = [](auto &field, const auto &inherited) {
    field.insert(field.begin(), inherited.begin(), inherited.end());
  };
  whenEmpty(target.triple, base.triple);
  whenEmpty(target.compilers, base.compilers);
  whenEmpty(target.crossCompilers, base.crossCompilers);
  whenEmpty(target.arch, base.arch);
  whenEmpty(target.flags, base.flags);
  whenEmpty(target.runner, base.runner);
  whenEmpty(target.boards, base.boards);
  whenEmpty(target.features, base.features);
  whenEmpty(target.intKernels, base.intKernels);
  inFront(target.required, base.required);
  inFront(target.macros, base.macros);
  inFront(target.checks, base.checks);
  auto whenZero = [](auto &field, auto inherited) {
    if (field == 0)
      field = inherited;
  };
  whenZero(target.vectorBytes, base.vectorBytes);
  whenZero(target.alignment, base.alignment);
  whenZero(target.l2Kbytes, base.l2Kbytes);
  whenZero(target.bytesPerCycle, base.bytesPerCycle);
}

std::optional<Target> loadTarget(StringRef name) {
  for (const EmbeddedFile *file = targets::embedded; file->name; ++file) {
    if (StringRef(file->name).drop_back(StringRef(".yaml").size()) != name)
      continue;
    Target target = parse(file->text);
    if (!target.base.empty())
      inherit(target, *loadTarget(target.base));
    target.enabled.clear();
    for (const TargetFeature &feature : target.features)
      if (feature.byDefault)
        target.enabled.push_back(feature.name);
    if (target.alignment == 0) // a cache line, and the widest vector
      target.alignment = 64;
    return target;
  }
  return std::nullopt;
}

/// Turns a feature on or off.
bool applyFeature(Target &target, StringRef name, bool on, std::string &problem) {
  auto known = llvm::find_if(target.features, [&](const TargetFeature &feature) { return feature.name == name; });
  if (known == target.features.end()) {
    std::vector<std::string> names;
    for (const TargetFeature &feature : target.features)
      names.push_back(feature.name);
    problem = ("target " + target.name + " has no feature '" + name + "'" +
               (names.empty() ? std::string("; it has none") : "; it has " + join(names, ", ")))
                  .str();
    return false;
  }
  if (on != target.has(name)) {
    if (on)
      target.enabled.push_back(known->name);
    else
      llvm::erase(target.enabled, known->name);
  }
  return true;
}

/// The name, macros, checks and integer kernels that follow from the enabled features.
void finish(Target &target) {
  for (const TargetFeature &feature : target.features) {
    if (target.has(feature.name) != feature.byDefault)
      target.name += (feature.byDefault ? "-" : "+") + feature.name;
    if (!target.has(feature.name))
      continue;
    target.required.push_back(feature.detect);
    target.macros.push_back(feature.macro);
    if (!feature.check.empty())
      target.checks.push_back(feature.check);
    if (!feature.intKernels.empty())
      target.intKernels = feature.intKernels;
  }
}
} // namespace

bool Target::has(StringRef feature) const { return llvm::is_contained(enabled, feature); }

bool Target::hasFpu() const { return !isMicrocontroller() || llvm::is_contained(macros, "__ARM_PCS_VFP"); }

std::vector<std::string> Target::compilerFlags() const {
  std::vector<std::string> all;
  std::string archFlag = arch;
  for (const TargetFeature &feature : features)
    if (has(feature.name) && !feature.march.empty() && StringRef(arch).starts_with("-march="))
      archFlag = "-march=" + feature.march;
  for (const TargetFeature &feature : features)
    if (has(feature.name))
      archFlag += feature.arch;
  if (!archFlag.empty())
    all.push_back(archFlag);
  all.insert(all.end(), flags.begin(), flags.end());
  for (const TargetFeature &feature : features) {
    SmallVector<StringRef> parts;
    StringRef(has(feature.name) ? feature.flag : feature.offFlag).split(parts, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      all.push_back(part.str());
  }
  return all;
}

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const EmbeddedFile *file = targets::embedded; file->name; ++file)
    names.push_back(StringRef(file->name).drop_back(StringRef(".yaml").size()).str());
  llvm::sort(names);
  return names;
}

std::optional<Target> findTarget(StringRef spec, std::string &problem) {
  if (spec == "host")
    return hostTarget();
  // Names contain '-' themselves: the longest one that fits is meant.
  std::optional<Target> target;
  for (const std::string &name : targetNames()) {
    StringRef rest = spec;
    if (rest.consume_front(name) && (rest.empty() || rest[0] == '+' || rest[0] == '-') &&
        (!target || name.size() > target->name.size()))
      target = loadTarget(name);
  }
  if (!target) {
    problem = "no target '" + spec.str() + "'; there are host, " + join(targetNames(), ", ");
    return std::nullopt;
  }
  StringRef rest = spec.drop_front(target->name.size());
  while (!rest.empty()) {
    bool on = rest[0] == '+';
    rest = rest.drop_front();
    // A feature may contain '-' itself ("amx-int8").
    StringRef name;
    for (const TargetFeature &feature : target->features)
      if (rest.starts_with(feature.name) && feature.name.size() > name.size())
        name = rest.take_front(feature.name.size());
    if (name.empty())
      name = rest.take_until([](char c) { return c == '+'; });
    if (!applyFeature(*target, name, on, problem))
      return std::nullopt;
    rest = rest.drop_front(name.size());
    if (!rest.empty() && rest[0] != '+' && rest[0] != '-') {
      problem = "target '" + spec.str() + "': expected +feature or -feature at '" + rest.str() + "'";
      return std::nullopt;
    }
  }
  finish(*target);
  return target;
}

} // namespace sinter
