// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one core of a machine does at most, in numbers that estimates are made of: `machine` of a target's description.
// `sinter bench --machine` measures them (driver/peak.h). Two more, which decided before there were the others, stand
// in the description itself: l2_kbytes and bytes_per_cycle.
#pragma once

#include <cstdint>

namespace sinter {

struct MachineModel {
  double clockGhz = 0;              ///< 0: not known, and no times are estimated
  double macsPerCycle = 0;          ///< multiply-adds of floats; 0: two vectors full of them
  double byteMacsPerCycle = 0;      ///< of bytes; 0: four times those of floats where there is an instruction for it
  double scalarsPerCycle = 2;       ///< operations on single floats
  double addCycles = 4;             ///< from an addition of floats to the next that needs its result
  int64_t l1Kbytes = 32;            ///< of data
  double l1BytesPerCycle = 64;      ///< read, as of all others
  double l2BytesPerCycle = 32;      ///<
  int64_t l3Kbytes = 0;             ///< 0: behind L2 is memory
  double memoryBytesPerCycle = 0;   ///< 0: as what lies behind L2
  double handoffMicroseconds = 0.5; ///< until another thread has what one gave it
};

} // namespace sinter
