// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --tune concludes from times, on plain numbers.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace sinter {

/// A place of choice with the least time that each option took; the first option is the usual one.
struct TimedSite {
  std::string text;
  std::vector<std::string> options;
  std::vector<double> seconds; ///< of each; negative: not measured

  double usual() const { return seconds.front(); }
};

/// An option has to be this much faster, as a share and in seconds, before it takes the usual one's place: what minima
/// of interleaved runs differ by though the code is the same.
constexpr double kTuningMargin = 0.03;
constexpr double kTuningResolution = 100e-9;

/// The number of the option that is taken.
size_t bestOption(const TimedSite &site);

/// Of choices that together are not faster, those to be tried next: the half that saves most time. Empty at the end.
std::vector<size_t> boldestHalf(llvm::ArrayRef<TimedSite> sites, llvm::ArrayRef<size_t> best);

/// Whether a whole call of the tuned program is not slower: by minima of interleaved runs.
bool isNotSlower(double tuned, double usual);

} // namespace sinter
