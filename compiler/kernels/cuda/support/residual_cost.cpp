// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "residual_cost.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr double clocksPerMicrosecond = 1400;
/// From the end of a kernel to the beginning of the next one in a graph.
constexpr double launchGap = 1.3 * clocksPerMicrosecond;
/// A read that nobody waits beside; one from the second-level cache; bytes that come from there in a clock.
constexpr double memoryLatency = 1000, cacheLatency = 300, bytesPerClock = 32;
/// Of the instructions that a multiprocessor could start, kernels start about so many.
constexpr double efficiency = 0.5;
constexpr double barrier = 40;

double ceilOfQuotient(double a, double b) {
  return static_cast<double>(divideCeil(static_cast<int64_t>(a), static_cast<int64_t>(b)));
}

} // namespace

double ResidualCost::ofProducts(int64_t units, int64_t workers, int64_t perUnit, int64_t k, bool isOnMatrixUnit) const {
  double clocks = 0;
  for (; units > 0; units -= workers) {
    int64_t active = std::min(units, workers);
    if (isOnMatrixUnit) { // 16 x 16 sums of a warp
      double perStep = 16.0 * 16 * 16 * 4 / static_cast<double>(std::max<int64_t>(arch.fp16PerClock, 1));
      clocks += ceilOfQuotient(static_cast<double>(active), GpuArch::subPartitions) * static_cast<double>(k) / 16 *
                perStep / efficiency;
    } else {
      double warps = ceilOfQuotient(static_cast<double>(active), GpuArch::warp);
      double perWarp =
          static_cast<double>(GpuArch::warp * GpuArch::subPartitions) / static_cast<double>(arch.fp32PerClock);
      clocks += ceilOfQuotient(warps, GpuArch::subPartitions) * perWarp * static_cast<double>(perUnit * k) / efficiency;
    }
  }
  return clocks;
}

double ResidualCost::ofBlock(const cuda::ResidualShape &s) const {
  const cuda::ResidualTile &tile = s.tile;
  const cuda::ResidualConv &d = s.depthwise;
  bool isOnMatrixUnit = s.isOnMatrixUnit();
  auto warps = static_cast<double>(tile.threads) / GpuArch::warp;
  double expand =
      s.hasExpand()
          ? ofProducts(s.expandUnits(), s.workers(), tile.expandRows * 4, s.expand.depth(), isOnMatrixUnit) + barrier
          : 0;
  double project = ofProducts(s.projectUnits(), s.workers(), tile.projectRows * 4, tile.chunk, isOnMatrixUnit);
  // Per tap two loads of a pack, four multiply-adds and addresses.
  int pack = d.channels % 4 == 0 ? 4 : 1;
  double perItem = 12.0 * d.kernelHeight * d.kernelWidth + 20;
  double depthwise = ceilOfQuotient(s.pixels() * tile.chunk / pack, tile.threads) *
                     std::max(warps / GpuArch::subPartitions, 1.0) * perItem;
  double work = expand + depthwise + project + 3 * barrier;
  double loads = (s.hasExpand() ? tile.chunk * s.expand.depth() : s.window() * tile.chunk) * s.elementBytes;
  loads += s.filters * tile.chunk * s.elementBytes;
  double perChunk = std::max(work, loads / bytesPerClock + cacheLatency);
  double windows = s.hasExpand() ? static_cast<double>(s.window()) * s.expand.depth() * s.elementBytes : 0;
  double before = memoryLatency + (windows + loads) / bytesPerClock;
  double after = cacheLatency;
  if (tile.splits > 1) {
    double part = static_cast<double>(s.ownUnits() * s.sumsOfUnit() * tile.threads) * 4;
    after += memoryLatency + part * (tile.splits + 1) / bytesPerClock;
  }
  double block = before + perChunk * s.chunksOfSplit() + after;
  // Blocks that share a multiprocessor hide each other's latency, not each other's work.
  int64_t blocks = images * s.tilesOfImage() * tile.splits;
  auto perProcessor = static_cast<double>(divideCeil(blocks, multiprocessors()));
  constexpr int64_t registers = 128;
  int64_t resident = std::min({arch.shared / (s.sharedBytes() + arch.sharedReserved), arch.threads / tile.threads,
                               GpuArch::registers / (registers * tile.threads)});
  double clocks = std::max(ceilOfQuotient(perProcessor, static_cast<double>(std::max<int64_t>(resident, 1))) * block,
                           perProcessor * std::max(work, loads / bytesPerClock) * s.chunksOfSplit());
  return (launchGap + clocks) / clocksPerMicrosecond;
}

double ResidualCost::ofProduct(int64_t rows, int64_t columns, int64_t k, int elementBytes) const {
  // Tiles of 32 x 32 sums, or larger ones that do as much in as many clocks; a step of k is fetched beside the last.
  constexpr int64_t tile = 32;
  bool isOnMatrixUnit = elementBytes == 2;
  int64_t depth = isOnMatrixUnit ? 64 : 16;
  int64_t tiles = divideCeil(rows, tile) * divideCeil(columns, tile);
  double step = isOnMatrixUnit ? ofProducts(4, 4, 8, depth, true) : ofProducts(128, 128, 8, depth, false);
  auto steps = static_cast<double>(divideCeil(k, depth));
  auto perProcessor = static_cast<double>(divideCeil(tiles, multiprocessors()));
  double latency = memoryLatency + steps * std::max(step, cacheLatency + barrier) + cacheLatency;
  return std::max(latency, perProcessor * steps * step);
}

double ResidualCost::ofConvolutions(const cuda::ResidualShape &s) const {
  const cuda::ResidualConv &d = s.depthwise;
  int64_t hidden = images * d.height * d.width, pixels = images * s.outHeight * s.outWidth;
  double clocks = 2 * launchGap;
  if (s.hasExpand())
    clocks += launchGap + ofProduct(hidden, d.channels, s.expand.depth(), s.elementBytes);
  clocks += ofProduct(pixels, s.filters, d.channels, s.elementBytes);
  // A strip of channels a thread: bound by what it reads and writes.
  double bytes = static_cast<double>((hidden + pixels) * d.channels) * s.elementBytes;
  clocks += 2 * memoryLatency + bytes / (bytesPerClock * static_cast<double>(multiprocessors()));
  return clocks / clocksPerMicrosecond;
}

} // namespace sinter
