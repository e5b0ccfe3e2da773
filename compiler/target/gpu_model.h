// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GPU does in how much time: the constants of the cost model by which kernels, tiles and slices are chosen, and
// which reports print (kernels/cuda/support/gpu_time.h). They come from targets/cuda; compiler/cuda reads them.
#pragma once

#include <cstdint>
#include <string>

namespace sinter {

struct GpuModel {
  std::string name; ///< "H100 SXM"
  int sm = 0;
  int64_t sms = 1;
  double clockMhz = 1000;
  double gbytesPerSecond = 100, l2GbytesPerSecond = 500; ///< of DRAM and of L2, all SMs together
  double l2Kbytes = 4096;
  double memoryNanoseconds = 600, l2Nanoseconds = 200; ///< from a load to its data, under some load
  double gapMicroseconds = 1.3;                        ///< from the end of a graph's kernel to the next one's start
  double earlyGapMicroseconds = 0; ///< the same, where the next one's blocks were there before; 0: they never are
  double fp32PerClock = 64, matrixPerClock = 512;      ///< multiply-adds of an SM; of halves by mma.sync
  double l2BytesPerClock = 64;                         ///< that one SM gets at most
  int64_t threads = 2048, blocks = 32, shared = 65536; ///< that an SM holds
  int64_t sharedPerBlock = 49152;                      ///< the least of all SMs that code is made for
  bool copiesAsynchronously = false;                   ///< loads to shared memory go on while a block computes
};

} // namespace sinter
