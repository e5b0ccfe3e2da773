// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of NVIDIA's GPUs: architectures (SM) and boards, read from ../../targets/cuda, and what `cuda-orin` or
// `cuda-aarch64-sm_80+sm_87` means. How many blocks an SM holds: occupancy.h.
#pragma once

#include "diagnostics/diagnostics.h"
#include "target/target.h"

namespace sinter {

/// A row of targets/cuda/sms.yaml, which says what the numbers are.
struct GpuArch {
  int sm = 0;
  std::string summary;
  bool isTegra = false, isDefault = false;
  int64_t shared = 0, sharedPerBlock = 0, sharedUnit = 0, sharedReserved = 0;
  int64_t blocks = 0, threads = 0, registersPerBlock = 65536;
  int64_t fp32PerClock = 0, fp16PerClock = 0;
  int64_t syncPerClock = 0; ///< fp16 by mma.sync, where that is less than all (0: it is not)
  std::string board;        ///< what estimates are for where a target names an SM only

  static constexpr int64_t registers = 65536, subPartitions = 4, warp = 32;
  std::string name() const { return "sm_" + std::to_string(sm); }
};

/// A row of targets/cuda/boards.yaml.
struct GpuBoard {
  std::string name, summary;
  std::string cpu; ///< the target of host code; empty: any
  int sm = 0;
  int64_t sms = 0, clockMhz = 0, l2Kbytes = 0;
  double gbytesPerSecond = 0, l2GbytesPerSecond = 0;
  double memoryNanoseconds = 0, l2Nanoseconds = 0, gapMicroseconds = 0;
  double earlyGapMicroseconds = 0; ///< 0: launches do not overlap, or nobody knows
};

const std::vector<GpuArch> &gpuArchs();
const std::vector<GpuBoard> &gpuBoards();
const GpuArch *findGpuArch(int sm);
const GpuBoard *findGpuBoard(llvm::StringRef name);

/// A target "cuda...": a CPU for the host code and GPUs for the device code.
struct CudaTarget {
  std::string name;                   ///< with everything spelt out: cuda-aarch64-sm_80+sm_87
  Target cpu;                         ///< of the host code
  std::vector<const GpuArch *> archs; ///< ascending, each once, at least one
  const GpuBoard *board = nullptr;    ///< where the name says one: what estimates are for

  /// Of `board`, else of the one that stands for the last SM.
  GpuModel model() const;

  /// As passes and code generation take it: kernels run on the GPU, so none of the CPU's vectors and caches count.
  Target target() const;
};

/// Whether a target's name is one of these: "cuda", "cuda-...".
bool isCudaTarget(llvm::StringRef spec);

/// "cuda" (the archs that are `default`, on this machine), "cuda-BOARD", "cuda-sm_80+sm_90", "cuda-CPU-...",
/// "cuda-CPU". Empty with a report where a part is unknown.
std::optional<CudaTarget> findCudaTarget(llvm::StringRef spec, Diagnostics &diagnostics);

/// A CPU's target (target.h) or one of these, by name; nothing with a message.
std::optional<Target> findAnyTarget(llvm::StringRef spec, std::string &problem);

} // namespace sinter
