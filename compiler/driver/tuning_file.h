// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that --tune writes and --tuned reads: choices that were measured, each for a target and a version of the
// compiler, found by its site (kernels/tuning_site.h). JSON with an entry a line, sorted, so that it can be committed
// and its changes read.
#pragma once

#include "target/tuned_choices.h"

#include "llvm/Support/Error.h"
#include <vector>

namespace sinter {

struct TuningEntry {
  std::string target, compiler, site;
  std::string choice, usual;            ///< the option that is taken, and what estimates say
  double seconds = 0, usualSeconds = 0; ///< of all layers with that site, in a call of the net that was measured
  std::string processor;                ///< where; of no consequence

  auto key() const { return std::tie(target, compiler, site); }
};

struct TuningFile {
  static constexpr int64_t mostBytes = 64 << 20;

  std::vector<TuningEntry> entries; ///< sorted, each key once

  /// The message says what is wrong with it, and where.
  static llvm::Expected<TuningFile> parse(llvm::StringRef text, llvm::StringRef path);
  static llvm::Expected<TuningFile> read(llvm::StringRef path);
  std::string text() const;
  /// New measurements replace older ones of the same key.
  void add(std::vector<TuningEntry> measured);
  /// Those for a target and a version.
  TunedChoices choicesFor(llvm::StringRef target, llvm::StringRef compiler) const;
};

} // namespace sinter
