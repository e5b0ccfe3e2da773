// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter bench --machine: what was measured of this machine (peak.h) as the numbers that the cost model reads
// (target/machine.h), in a file that --target and --machine take.
#pragma once

#include "driver/peak.h"

namespace sinter {

/// The target with what was measured in place of what its description says; caches whose sizes nobody tells stay.
Target measuredTarget(const Target &target, const Peak &peak, const CorePeak &core);

/// A description of the machine, based on the target. `comment`: where it is from.
std::string machineFileText(const Target &measured, llvm::StringRef comment);

/// The same as a table for people.
void printMachine(const Target &measured, const Peak &peak, const CorePeak &core, llvm::raw_ostream &out);

} // namespace sinter
