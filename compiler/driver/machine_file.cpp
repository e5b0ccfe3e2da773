// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/machine_file.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace sinter {
namespace {

/// Three digits: more would be noise.
double threeDigits(double number) {
  if (!(number > 0))
    return 0;
  double unit = std::pow(10.0, std::floor(std::log10(number)) - 2);
  return std::round(number / unit) * unit;
}

/// The fastest of working sets above `from` and up to `to` bytes.
double fastest(const Peak &peak, double from, double to) {
  double most = 0;
  for (const Peak::Memory &size : peak.memory)
    if (static_cast<double>(size.bytes) > from && static_cast<double>(size.bytes) <= to)
      most = std::max(most, size.bytesPerSecond);
  return most;
}

} // namespace

Target measuredTarget(const Target &target, const Peak &peak, const CorePeak &core) {
  Target measured = target;
  MachineModel &machine = measured.machine;
  double clock = core.clockHz;
  machine.clockGhz = threeDigits(clock * 1e-9);
  machine.macsPerCycle = threeDigits(peak.macsPerSecond / clock);
  machine.byteMacsPerCycle = threeDigits(core.byteMacsPerSecond / clock);
  machine.scalarsPerCycle = threeDigits(core.singlesPerSecond / clock);
  machine.addCycles = std::max(1.0, std::round(clock / core.additionsPerSecond));
  if (core.handoffSeconds > 0)
    machine.handoffMicroseconds = threeDigits(core.handoffSeconds * 1e6);
  if (core.cacheBytes[0])
    machine.l1Kbytes = core.cacheBytes[0] / 1024;
  if (core.cacheBytes[1])
    measured.l2Kbytes = core.cacheBytes[1] / 1024;
  if (core.cacheBytes[2])
    machine.l3Kbytes = core.cacheBytes[2] / 1024;
  auto bytesOf = [](int64_t kbytes) { return static_cast<double>(kbytes) * 1024; };
  double l1 = bytesOf(machine.l1Kbytes), l2 = bytesOf(measured.l2Kbytes), l3 = bytesOf(machine.l3Kbytes);
  double all = static_cast<double>(peak.memory.back().bytes);
  auto setRate = [&](double &rate, double from, double to) {
    if (double bytes = fastest(peak, from, to); bytes > 0)
      rate = threeDigits(bytes / clock);
  };
  // Not near the end of a level: some of it always holds something else.
  setRate(machine.l1BytesPerCycle, 0, l1 / 2);
  setRate(machine.l2BytesPerCycle, l1, l2 / 2);
  double behind = 0;
  setRate(behind, std::max(l1, l2), l3 > 2 * l2 ? l3 / 2 : all);
  measured.bytesPerCycle = std::max<int64_t>(1, std::llround(behind));
  // A machine whose last level holds all that was measured says nothing of what lies behind.
  machine.memoryBytesPerCycle = 0;
  setRate(machine.memoryBytesPerCycle, l3 < all ? std::max(l2, l3) : all / 2, all);
  return measured;
}

std::string machineFileText(const Target &measured, StringRef comment) {
  std::string text;
  raw_string_ostream out(text);
  const MachineModel &machine = measured.machine;
  auto number = [&](StringRef name, double value) { out << "  " << name << ": " << format("%.3g", value) << "\n"; };
  out << "# " << comment << "\n"
      << "base: " << measured.name << "\n"
      << "l2_kbytes: " << measured.l2Kbytes << "\n"
      << "bytes_per_cycle: " << measured.bytesPerCycle << "\n"
      << "machine:\n";
  number("clock_ghz", machine.clockGhz);
  number("macs_per_cycle", machine.macsPerCycle);
  number("byte_macs_per_cycle", machine.byteMacsPerCycle);
  number("scalars_per_cycle", machine.scalarsPerCycle);
  number("add_cycles", machine.addCycles);
  out << "  l1_kbytes: " << machine.l1Kbytes << "\n";
  number("l1_bytes_per_cycle", machine.l1BytesPerCycle);
  number("l2_bytes_per_cycle", machine.l2BytesPerCycle);
  out << "  l3_kbytes: " << machine.l3Kbytes << "\n";
  number("memory_bytes_per_cycle", machine.memoryBytesPerCycle);
  number("handoff_us", machine.handoffMicroseconds);
  return text;
}

void printMachine(const Target &measured, const Peak &peak, const CorePeak &core, raw_ostream &out) {
  const MachineModel &machine = measured.machine;
  double clock = core.clockHz;
  auto rate = [&](StringRef what, double perSecond, StringRef unit) {
    out << left_justify(what, 28)
        << format("%10.2f G %s a second, %8.2f a cycle\n", perSecond * 1e-9, unit.str().c_str(), perSecond / clock);
  };
  out << left_justify("clock", 28) << format("%10.2f GHz\n", clock * 1e-9);
  rate("floats, multiplied and added", peak.macsPerSecond, "multiply-adds");
  rate("bytes, multiplied and added", core.byteMacsPerSecond, "multiply-adds");
  rate("single floats", core.singlesPerSecond, "additions    ");
  rate("single floats in turn", core.additionsPerSecond, "multiply-adds");
  auto level = [&](StringRef what, int64_t kbytes, double perCycle) {
    out << left_justify(what, 28) << format("%10.2f GB/s, %6.2f bytes a cycle", perCycle * clock * 1e-9, perCycle);
    if (kbytes)
      out << ", " << kbytes << " KB";
    out << "\n";
  };
  level("read from L1", machine.l1Kbytes, machine.l1BytesPerCycle);
  level("read from L2", measured.l2Kbytes, machine.l2BytesPerCycle);
  level("read from behind L2", machine.l3Kbytes, static_cast<double>(measured.bytesPerCycle));
  if (machine.memoryBytesPerCycle > 0)
    level("read from memory", 0, machine.memoryBytesPerCycle);
  out << left_justify("from thread to thread", 28) << format("%10.3f us\n", machine.handoffMicroseconds);
}

} // namespace sinter
