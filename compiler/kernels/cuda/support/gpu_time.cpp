// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu_time.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinter {
namespace {

/// Of DRAM's bandwidth what copies get.
constexpr double reachedBandwidth = 0.85;
/// Of an SM's part of L2 what the last block of a tile gets, an H100 says.
constexpr double reachedOfParts = 0.6;
constexpr double registersOfSm = 65536, sharedReserved = 1024;
/// Instructions that an SM begins, and bytes that its shared memory moves, in a clock.
constexpr double issuedPerClock = 4, sharedPerClock = 100;

/// The longest of several times, and its name.
GpuTime longest(std::initializer_list<std::pair<double, llvm::StringRef>> times) {
  GpuTime most;
  for (auto [time, name] : times)
    if (time > most.microseconds || most.bound.empty())
      most = {time, name};
  return most;
}

double timeAtRate(double amount, double rate) { return amount == 0 ? 0 : rate > 0 ? amount / rate : 1e9; }

} // namespace

double residentBlocks(const GpuModel &gpu, const GpuWork &work) {
  double warps = std::ceil(double(work.threads) / warp) * warp;
  double held = std::min({double(gpu.threads) / warps, double(gpu.blocks),
                          registersOfSm / (double(std::max<int64_t>(work.registers, 1)) * warps),
                          double(gpu.shared) / (double(work.sharedBytes) + sharedReserved)});
  double perSm = std::ceil(work.blocks / double(gpu.sms));
  return std::clamp(std::floor(held), 1.0, std::max(perSm, 1.0));
}

GpuTime timeOf(const GpuModel &gpu, const GpuWork &work) {
  double clocksPerMicrosecond = gpu.clockMhz;
  double perSm = std::max(std::ceil(work.blocks / double(gpu.sms)), 1.0);
  double rounds = std::ceil(perSm / residentBlocks(gpu, work));
  bool isInL2 = 2 * work.mapBytes <= gpu.l2Kbytes * 1024;
  double fromDram = work.weightBytes + (isInL2 ? 0 : work.mapBytes);
  double latency = (fromDram > 0 ? gpu.memoryNanoseconds : gpu.l2Nanoseconds) / 1000;

  // A step of all blocks of an SM, whose work shares its units; a block alone waits for what it fetches.
  auto ofSm = [&](double clocks) { return perSm * work.steps * clocks / clocksPerMicrosecond; };
  double warps = std::ceil(double(work.threads) / warp);
  auto ofWarp = [&](double instructions) {
    return rounds * instructions / warps * work.clocksOfWarp / clocksPerMicrosecond;
  };
  GpuTime loop = longest({{ofSm(work.instructions / issuedPerClock), "issue"},
                          {ofWarp(work.steps * work.instructions), "a warp's instructions"},
                          {ofSm(timeAtRate(work.matrixMacs, gpu.matrixPerClock)), "matrix unit"},
                          {ofSm(timeAtRate(work.floatMacs, gpu.fp32PerClock)), "float units"},
                          {ofSm(work.sharedTraffic / sharedPerClock), "shared memory"},
                          {ofSm(work.fetched / gpu.l2BytesPerClock), "an SM's part of L2"},
                          {rounds * work.steps * work.chain / clocksPerMicrosecond, "latency"},
                          {rounds * work.steps * latency / std::max(work.ahead, 1.0), "latency"}});
  double before = rounds * latency;
  double behind = work.trips * gpu.l2Nanoseconds / 1000 +
                  perSm * work.parts / (gpu.l2BytesPerClock * reachedOfParts) / clocksPerMicrosecond;
  double once = std::max(perSm * work.once / issuedPerClock / clocksPerMicrosecond, ofWarp(work.once));
  double fill = before + once + behind;
  if (fill > loop.microseconds)
    loop.bound = once > before + behind ? "issue" : "latency";
  return longest({{fill + loop.microseconds, loop.bound},
                  {latency + behind + dramTime(gpu, fromDram), "DRAM"},
                  {latency + behind + work.blocks * work.steps * work.fetched / (gpu.l2GbytesPerSecond * 1000), "L2"}});
}

double dramTime(const GpuModel &gpu, double bytes) { return bytes / (gpu.gbytesPerSecond * reachedBandwidth * 1000); }

GpuTime timeBehindWeights(const GpuModel &gpu, const GpuWork &work) {
  GpuWork rest = work;
  rest.weightBytes = 0;
  return timeOf(gpu, rest);
}

GpuTime timeInSequence(const GpuModel &gpu, const GpuWork &work) {
  if (gpu.earlyGapMicroseconds == 0)
    return timeOf(gpu, work);
  return longest({{timeBehindWeights(gpu, work).microseconds, timeBehindWeights(gpu, work).bound},
                  {dramTime(gpu, work.weightBytes), "DRAM"}});
}

double leastGap(const GpuModel &gpu) {
  return gpu.earlyGapMicroseconds > 0 ? gpu.earlyGapMicroseconds : gpu.gapMicroseconds;
}

GpuWork sideBySide(const GpuWork &a, const GpuWork &b) {
  GpuWork both = a.steps >= b.steps ? a : b;
  both.blocks = a.blocks + b.blocks;
  both.weightBytes = a.weightBytes + b.weightBytes;
  both.mapBytes = a.mapBytes + b.mapBytes;
  both.sharedBytes = std::max(a.sharedBytes, b.sharedBytes);
  return both;
}

} // namespace sinter
