// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of targets/*.yaml and of NAME+feature. What this machine is: host.cpp.
#include "target/target.h"

#include "support/embedded.h"
#include "support/given_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using namespace sinter;

LLVM_YAML_IS_SEQUENCE_VECTOR(TargetFeature)

namespace llvm::yaml {
template <>
struct ScalarEnumerationTraits<TargetKind> {
  static void enumeration(IO &io, TargetKind &kind) {
    io.enumCase(kind, "cpu", TargetKind::Cpu);
    io.enumCase(kind, "microcontroller", TargetKind::Microcontroller);
    io.enumCase(kind, "webassembly", TargetKind::WebAssembly);
  }
};
template <>
struct ScalarEnumerationTraits<ByteKernels> {
  static void enumeration(IO &io, ByteKernels &kernels) {
    io.enumCase(kernels, "none", ByteKernels::None);
    io.enumCase(kernels, "dot4", ByteKernels::Dot4);
    io.enumCase(kernels, "im2col", ByteKernels::Im2col);
    io.enumCase(kernels, "dual", ByteKernels::Dual);
  }
};
template <>
struct ScalarEnumerationTraits<DotProduct> {
  static void enumeration(IO &io, DotProduct &dot) {
    io.enumCase(dot, "plain", DotProduct::Plain);
    io.enumCase(dot, "pairs", DotProduct::Pairs);
    io.enumCase(dot, "avxvnni", DotProduct::AvxVnni);
    io.enumCase(dot, "vnni", DotProduct::Vnni);
    io.enumCase(dot, "neon", DotProduct::Neon);
    io.enumCase(dot, "dotprod", DotProduct::Dotprod);
    io.enumCase(dot, "i8mm", DotProduct::I8mm);
  }
};
template <>
struct ScalarEnumerationTraits<Im2colCores> {
  static void enumeration(IO &io, Im2colCores &core) {
    io.enumCase(core, "biased", Im2colCores::Biased);
    io.enumCase(core, "plain", Im2colCores::Plain);
    io.enumCase(core, "vectors", Im2colCores::Vectors);
  }
};
template <>
struct MappingTraits<KernelCosts> {
  static void mapping(IO &io, KernelCosts &costs) {
    io.mapOptional("mac", costs.perMac);
    io.mapOptional("call", costs.perCall);
    io.mapOptional("channel", costs.perChannel);
    io.mapOptional("reread_element", costs.perRereadElement);
    io.mapOptional("in_pairs", costs.inPairs);
  }
};
template <>
struct MappingTraits<MachineModel> {
  static void mapping(IO &io, MachineModel &machine) {
    io.mapOptional("clock_ghz", machine.clockGhz);
    io.mapOptional("macs_per_cycle", machine.macsPerCycle);
    io.mapOptional("byte_macs_per_cycle", machine.byteMacsPerCycle);
    io.mapOptional("scalars_per_cycle", machine.scalarsPerCycle);
    io.mapOptional("add_cycles", machine.addCycles);
    io.mapOptional("l1_kbytes", machine.l1Kbytes);
    io.mapOptional("l1_bytes_per_cycle", machine.l1BytesPerCycle);
    io.mapOptional("l2_bytes_per_cycle", machine.l2BytesPerCycle);
    io.mapOptional("l3_kbytes", machine.l3Kbytes);
    io.mapOptional("memory_bytes_per_cycle", machine.memoryBytesPerCycle);
    io.mapOptional("handoff_us", machine.handoffMicroseconds);
  }
};
template <>
struct MappingTraits<TargetFeature> {
  static void mapping(IO &io, TargetFeature &feature) {
    io.mapRequired("name", feature.name);
    io.mapRequired("detect", feature.detect);
    io.mapOptional("flag", feature.flag);
    io.mapOptional("off_flag", feature.offFlag);
    io.mapOptional("off_summary", feature.offSummary);
    io.mapOptional("default", feature.byDefault);
    io.mapOptional("arch", feature.arch);
    io.mapOptional("march", feature.march);
    io.mapRequired("macro", feature.macro);
    io.mapOptional("check", feature.check);
    io.mapOptional("dot_product", feature.dotProduct);
    io.mapOptional("tile_registers", feature.tileRegisters);
    io.mapOptional("term_tiles", feature.termTiles);
    io.mapOptional("bf16_squares", feature.bf16Squares);
    io.mapOptional("fpu", feature.fpu);
  }
};
/// What is not said stays as it is.
template <>
struct MappingTraits<Target> {
  static void mapping(IO &io, Target &target) {
    io.mapOptional("name", target.name);
    io.mapOptional("base", target.base);
    io.mapOptional("summary", target.summary);
    io.mapOptional("kind", target.kind);
    io.mapOptional("triple", target.triple);
    io.mapOptional("compilers", target.compilers);
    io.mapOptional("cross_compilers", target.crossCompilers);
    io.mapOptional("packages", target.packages);
    io.mapOptional("arch", target.arch);
    io.mapOptional("flags", target.flags);
    io.mapOptional("fpu", target.fpu);
    io.mapOptional("vector_bytes", target.vectorBytes);
    io.mapOptional("slow_subnormals", target.slowSubnormals);
    io.mapOptional("vector_registers", target.vectorRegisters);
    io.mapOptional("fma_by_lane", target.fmaByLane);
    io.mapOptional("byte_kernels", target.byteKernels);
    io.mapOptional("dot_product", target.dotProduct);
    io.mapOptional("tile_registers", target.tileRegisters);
    io.mapOptional("term_tiles", target.termTiles);
    io.mapOptional("bf16_squares", target.bf16Squares);
    io.mapOptional("im2col_core", target.im2colCore);
    io.mapOptional("costs", target.costs);
    io.mapOptional("alignment", target.alignment);
    io.mapOptional("l2_kbytes", target.l2Kbytes);
    io.mapOptional("bytes_per_cycle", target.bytesPerCycle);
    io.mapOptional("machine", target.machine);
    io.mapOptional("weights", target.weights);
    io.mapOptional("requires", target.required);
    io.mapOptional("macros", target.macros);
    io.mapOptional("absent", target.absent);
    io.mapOptional("portable", target.portable);
    io.mapOptional("checks", target.checks);
    io.mapOptional("run_flags", target.runFlags);
    io.mapOptional("runner", target.runner);
    io.mapOptional("boards", target.boards);
    io.mapOptional("features", target.features);
  }
};
} // namespace llvm::yaml

namespace sinter {
namespace targets {
extern const EmbeddedFile embedded[];
}

namespace {
std::optional<Target> selectTarget(StringRef spec, std::string &problem);

bool readTarget(StringRef text, Target &target, std::string &problem) {
  auto keep = [](const SMDiagnostic &diagnostic, void *into) {
    auto &said = *static_cast<std::string *>(into);
    if (said.empty())
      said = ("line " + Twine(diagnostic.getLineNo()) + ": " + diagnostic.getMessage()).str();
  };
  problem.clear();
  yaml::Input input(text, nullptr, keep, &problem);
  input >> target;
  if (input.error() && problem.empty())
    problem = "no description of a target";
  return problem.empty();
}

/// Why a description makes no sense; empty if it does. Names stand in generated code.
std::string nonsenseIn(const Target &target) {
  auto isMadeOf = [](StringRef text, StringRef others) {
    return !text.empty() && llvm::all_of(text, [&](char c) { return isAlnum(c) || others.contains(c); });
  };
  if (!isMadeOf(target.name, "._+-"))
    return "'name' is missing, or not made of letters, digits, '.', '_', '+' and '-'";
  if (target.triple.empty() || target.compilers.empty())
    return "'triple' and 'compilers' are missing; a 'base' has them";
  for (const auto *names : {&target.macros, &target.absent, &target.checks, &target.required})
    for (const std::string &name : *names)
      if (!isMadeOf(name, "._-"))
        return "'" + name + "' is no name of a macro or of a feature of a CPU";
  for (const auto *macros : {&target.macros, &target.absent})
    for (const std::string &macro : *macros)
      if (StringRef(macro).find_first_of(".-") != StringRef::npos || isDigit(macro[0]))
        return "'" + macro + "' is no name of a macro";
  if (target.portable && (target.vectorBytes != 4 || !target.macros.empty() || !target.checks.empty()))
    return "'portable' does not go with 'vector_bytes', 'macros' and 'checks'";
  if (target.vectorBytes != 4 &&
      (target.vectorBytes < 16 || target.vectorBytes > 64 || !isPowerOf2_64(target.vectorBytes)))
    return "'vector_bytes' is none of 4, 16, 32 and 64";
  if (target.vectorRegisters < 0 || target.vectorRegisters > 64 ||
      (target.vectorRegisters > 0) != (target.vectorBytes > 4))
    return "'vector_registers' does not go with 'vector_bytes'";
  if (target.fmaByLane && target.vectorBytes != 16)
    return "'fma_by_lane' does not go with 'vector_bytes'";
  if (target.alignment < 1 || target.alignment > 4096 || !isPowerOf2_64(target.alignment))
    return "'alignment' is no power of two up to 4096";
  if (target.l2Kbytes < 0 || target.l2Kbytes > (1 << 20) || target.bytesPerCycle < 1)
    return "'l2_kbytes' is negative or too large, or 'bytes_per_cycle' is not positive";
  const MachineModel &machine = target.machine;
  for (double number : {machine.clockGhz, machine.macsPerCycle, machine.byteMacsPerCycle, machine.memoryBytesPerCycle,
                        machine.handoffMicroseconds, double(machine.l1Kbytes), double(machine.l3Kbytes)})
    if (!(number >= 0 && number <= 1e9))
      return "'machine' has a number that is negative or too large";
  for (double number : {machine.scalarsPerCycle, machine.addCycles, machine.l1BytesPerCycle, machine.l2BytesPerCycle})
    if (!(number > 0 && number <= 1e9))
      return "'machine' has a rate that is not positive, or too large";
  if (target.costs && !(target.costs->perMac > 0 && target.costs->perCall >= 0 && target.costs->perChannel >= 0 &&
                        target.costs->perRereadElement >= 0))
    return "'costs' are not positive";
  return "";
}

/// What a description says on top of what its base has. What a CPU must have adds up, other lists are replaced.
std::optional<Target> parse(StringRef text, std::string &problem) {
  Target alone, base;
  if (!readTarget(text, alone, problem))
    return std::nullopt;
  if (!alone.base.empty()) {
    std::optional<Target> known = selectTarget(alone.base, problem);
    if (!known)
      return std::nullopt;
    base = *known;
  }
  Target target = base;
  for (auto list :
       {&Target::compilers, &Target::crossCompilers, &Target::packages, &Target::flags, &Target::required,
        &Target::macros, &Target::absent, &Target::checks, &Target::runFlags, &Target::runner, &Target::boards})
    (target.*list).clear();
  target.features.clear();
  if (!readTarget(text, target, problem))
    return std::nullopt;
  if (!alone.costs)
    target.costs = base.costs;
  if (target.packages.empty() && alone.triple.empty()) // those of another system have other names, or none
    target.packages = base.packages;
  for (auto list : {&Target::compilers, &Target::crossCompilers, &Target::flags, &Target::runFlags, &Target::runner,
                    &Target::boards})
    if ((target.*list).empty())
      target.*list = base.*list;
  for (auto list : {&Target::required, &Target::macros, &Target::absent, &Target::checks})
    (target.*list).insert((target.*list).begin(), (base.*list).begin(), (base.*list).end());
  if (target.features.empty()) {
    target.features = base.features;
  } else {
    target.enabled.clear();
    for (const TargetFeature &feature : target.features)
      if (feature.byDefault)
        target.enabled.push_back(feature.name);
  }
  problem = nonsenseIn(target);
  return problem.empty() ? std::optional(target) : std::nullopt;
}

std::optional<Target> loadTarget(StringRef name) {
  for (const EmbeddedFile *file = targets::embedded; file->name; ++file) {
    if (StringRef(file->name).drop_back(StringRef(".yaml").size()) != name)
      continue;
    std::string problem;
    std::optional<Target> target = parse(file->text, problem);
    if (!target)
      report_fatal_error(Twine("targets/") + file->name + ": " + problem);
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

/// The name, macros, checks and what else follows from the enabled features.
void finishTarget(Target &target) {
  for (const TargetFeature &feature : target.features) {
    if (target.has(feature.name) != feature.byDefault)
      target.name += (feature.byDefault ? "-" : "+") + feature.name;
    if (!target.has(feature.name))
      continue;
    target.required.push_back(feature.detect);
    target.macros.push_back(feature.macro);
    if (!feature.check.empty())
      target.checks.push_back(feature.check);
    if (feature.dotProduct)
      target.dotProduct = *feature.dotProduct;
    target.tileRegisters |= feature.tileRegisters;
    target.termTiles |= feature.termTiles;
    target.bf16Squares |= feature.bf16Squares;
    target.fpu |= feature.fpu;
  }
  // A target inherits what its base lacks, and may have it.
  llvm::erase_if(target.absent, [&](const std::string &macro) { return llvm::is_contained(target.macros, macro); });
}

/// A target of ours with the features that `spec` adds and takes away, whose consequences are not drawn yet.
std::optional<Target> selectTarget(StringRef spec, std::string &problem) {
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
  return target;
}

/// The text of a description that a user gives; nullopt where `spec` is none.
std::optional<std::string> descriptionOf(StringRef spec, std::string &problem) {
  if (spec.starts_with("{"))
    return spec.str();
  auto file = readGiven(spec);
  if (!file) {
    problem = toString(file.takeError());
    return std::nullopt;
  }
  return (*file)->getBuffer().str();
}
} // namespace

bool Target::has(StringRef feature) const { return llvm::is_contained(enabled, feature); }

std::string Target::description() const {
  for (const TargetFeature &feature : features)
    if (!has(feature.name) && !feature.offSummary.empty())
      return feature.offSummary;
  return summary;
}

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
    for (StringRef part : parts) // features that need the same flag say so each
      if (!llvm::is_contained(all, part))
        all.push_back(part.str());
  }
  return all;
}

std::string takeMachine(StringRef path, Target &target) {
  std::string problem;
  std::optional<std::string> text = descriptionOf(path, problem);
  if (!text)
    return problem;
  Target with = target, unread;
  if (!readTarget(*text, unread, problem)) // before anything is taken
    return (path + ": " + problem).str();
  with.machine = MachineModel();
  if (!readTarget(*text, with, problem))
    return (path + ": " + problem).str();
  if (with.costs && !unread.costs)
    with.costs = target.costs;
  problem = nonsenseIn(with);
  if (!problem.empty())
    return (path + ": " + problem).str();
  target.l2Kbytes = with.l2Kbytes;
  target.bytesPerCycle = with.bytesPerCycle;
  target.machine = with.machine;
  return "";
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
  std::optional<Target> target;
  if (spec.starts_with("{") || spec.ends_with(".yaml")) {
    std::optional<std::string> text = descriptionOf(spec, problem);
    if (!text)
      return std::nullopt;
    target = parse(*text, problem);
    if (!target)
      problem = "the target " + spec.str() + ": " + problem;
  } else {
    target = selectTarget(spec, problem);
  }
  if (target)
    finishTarget(*target);
  return target;
}

} // namespace sinter
