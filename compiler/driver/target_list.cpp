// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/target_list.h"

#include "cuda/gpu.h"

#include "llvm/ADT/StringExtras.h"

namespace sinter {
namespace {

/// Why a call cannot choose between the code for two CPUs, the least first; empty if it can.
std::string whyApart(const Target &least, const Target &other) {
  if (least.kind != TargetKind::Cpu || other.kind != TargetKind::Cpu || least.portable || other.portable)
    return "only CPUs with an operating system can be told apart when a program runs";
  if (least.triple != other.triple || least.alignment != other.alignment)
    return "they are of different architectures";
  auto lacks = [](const Target &target, llvm::ArrayRef<std::string> checks) {
    return llvm::any_of(checks, [&](const std::string &check) { return !llvm::is_contained(target.checks, check); });
  };
  if (lacks(least, other.checks))
    return "";
  return lacks(other, least.checks) ? "they are given from the least on"
                                    : "no feature that programs can ask for tells them apart";
}

} // namespace

std::optional<Target> findTargets(llvm::StringRef spec, std::vector<Target> &others, std::string &problem) {
  if (!spec.contains(',') || spec.starts_with("{")) // a description has commas of its own
    return findAnyTarget(spec, problem);
  std::vector<Target> targets;
  for (llvm::StringRef name : llvm::split(spec, ',')) {
    if (name == "host" || name.ends_with(".yaml")) {
      problem = ("--target " + spec + ": among several CPUs each has a name of `sinter targets`").str();
      return std::nullopt;
    }
    std::optional<Target> target = findAnyTarget(name, problem);
    if (!target)
      return std::nullopt;
    target->name = name.str(); // files are named by it, and build systems know no other
    targets.push_back(std::move(*target));
  }
  for (size_t i = 1; i < targets.size(); ++i)
    if (std::string why = whyApart(targets[i - 1], targets[i]); !why.empty()) {
      problem = "one library cannot be for " + targets[i - 1].name + " and " + targets[i].name + ": " + why;
      return std::nullopt;
    }
  others.assign(targets.begin() + 1, targets.end());
  return targets.front();
}

} // namespace sinter
