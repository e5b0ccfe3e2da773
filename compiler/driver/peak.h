// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The most that this machine does, measured by a program built with the target's flags (runner/peak.cpp), and what
// share of it a kernel reaches.
#pragma once

#include "driver/cxx.h"
#include "driver/model_report.h"

namespace sinter {

struct Peak {
  struct Memory {
    int64_t bytes;
    double bytesPerSecond;
  };
  double macsPerSecond = 0;   ///< float multiply-adds
  std::vector<Memory> memory; ///< reading or copying, by the size of what is read and written, in ascending order

  /// For a working set of so many bytes.
  double bytesPerSecond(int64_t bytes) const;
};

/// What else a cost model knows of a machine.
struct CorePeak {
  double clockHz = 0, additionsPerSecond = 0, singlesPerSecond = 0, byteMacsPerSecond = 0, handoffSeconds = 0;
  int64_t cacheBytes[3] = {}; ///< of each level; 0: not known
};

/// Takes about a second. Only for targets whose programs this machine runs itself. With `core` some seconds.
llvm::Expected<Peak> measurePeak(const Cxx &cxx, const Target &target, llvm::StringRef folder, int threads,
                                 CorePeak *core = nullptr);

/// Which of the two roofs is over a kernel, and how near it came: the least time that the machine needs for the
/// kernel's multiply-adds, or to read and write its data, divided by the time it took.
struct PeakShare {
  enum Roof { None, Compute, Memory } roof = None; ///< None: nothing is known to divide by
  double share = 0;
};
PeakShare peakShare(const Peak &peak, const KernelReport &kernel, double seconds);

} // namespace sinter
