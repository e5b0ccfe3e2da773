// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code is made for: a CPU, its compiler, and a way to run programs of it. The descriptions are
// ../../targets/*.yaml, embedded in the binary; this reads them, adds the features of "NAME+feature", and finds the
// machine that we run on.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// Something that a CPU of the target may have: `--target x86-64-v4+vnni`.
struct TargetFeature {
  std::string name;
  std::string detect;     ///< LLVM's name of the feature, by which the host's CPU is known
  std::string flag;       ///< compiler flags, separated by spaces
  std::string offFlag;    ///< the same without the feature
  bool byDefault = false; ///< on unless taken away: `--target cortex-m4-fp`
  std::string arch;       ///< a suffix of the target's `arch` flag
  std::string march;      ///< the version of the architecture from which on assemblers know the feature
  std::string macro;      ///< defined by compilers when the feature is on
  std::string check;      ///< its name for __builtin_cpu_supports
  std::string intKernels; ///< the target's when the feature is on
};

struct Target {
  std::string name; ///< resolved, with features: stands in header and report
  std::string base, summary;
  std::string triple;                      ///< as GCC names it
  std::vector<std::string> compilers;      ///< C++ compilers to look for when the host has the same architecture
  std::vector<std::string> crossCompilers; ///< and when it has another
  std::string arch;                        ///< the flag that features add suffixes to
  std::vector<std::string> flags;          ///< other compiler flags
  int vectorBytes = 16;                    ///< width of the vectors that kernels are made of
  std::string intKernels = {};             ///< which kernels products of bytes take: passes/packing/pack_integers.cpp
  int64_t alignment = 0;                   ///< bytes that the arena, weights and what lies in them are aligned to
  int64_t l2Kbytes = 0;                    ///< of second-level cache that one core may count on
  int64_t bytesPerCycle = 0;               ///< that a core moves from and to what lies behind L2
  std::vector<std::string> required;       ///< LLVM's names of the features that the CPU has at least
  std::vector<std::string> macros;         ///< without these the generated code says #error
  std::vector<std::string> checks;         ///< __builtin_cpu_supports of each, else status 6 at run time
  std::vector<std::string> runner;         ///< command that runs a program of the target on another architecture
  std::vector<std::string> boards;         ///< those that run it (board.h), of a microcontroller; the first by default
  std::vector<TargetFeature> features;     ///< those on offer
  std::vector<std::string> enabled;        ///< names of those that are on

  bool has(llvm::StringRef feature) const;
  /// No operating system: code at fixed places, programs are images for boards.
  bool isMicrocontroller() const { return !boards.empty(); }
  /// Whether floats are computed by instructions, not by functions of the compiler's library.
  bool hasFpu() const;
  /// All compiler flags that the target asks for.
  std::vector<std::string> compilerFlags() const;
};

/// Names of all targets, sorted.
std::vector<std::string> targetNames();

/// "cortex-a53", "x86-64-v4+vnni-bf16", "host". Empty, with a message that lists what there is, when there is no such
/// target or feature. Features that the base name turns on can be taken away with -feature where they were added, never
/// below the target's own.
std::optional<Target> findTarget(llvm::StringRef spec, std::string &problem);

/// The target that describes this machine best.
Target hostTarget();

/// Whether this machine runs programs of the target without a runner.
bool runsOnHost(const Target &target);

} // namespace sinter
