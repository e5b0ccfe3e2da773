// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/target.h"

namespace sinter {

llvm::StringRef nameOf(MemoryLevel level) {
  static constexpr llvm::StringLiteral names[] = {"L1", "L2", "L3", "memory"};
  return names[static_cast<size_t>(level)];
}

double Target::macsPerCycle() const {
  if (machine.macsPerCycle > 0)
    return machine.macsPerCycle;
  return 2 * static_cast<double>(l2Kbytes ? lanes() : 1);
}

double Target::byteMacsPerCycle() const {
  if (machine.byteMacsPerCycle > 0)
    return machine.byteMacsPerCycle;
  if (byteKernels != ByteKernels::Dot4 || dotProduct == DotProduct::Plain)
    return macsPerCycle();
  return (dotProduct == DotProduct::Pairs ? 2 : 4) * macsPerCycle();
}

MemoryLevel Target::levelOf(double bytes) const {
  double kbytes = bytes / 1024;
  if (kbytes <= static_cast<double>(machine.l1Kbytes))
    return MemoryLevel::L1;
  if (kbytes <= static_cast<double>(l2Kbytes))
    return MemoryLevel::L2;
  return kbytes <= static_cast<double>(machine.l3Kbytes) ? MemoryLevel::Behind : MemoryLevel::Memory;
}

double Target::bytesPerCycleFrom(MemoryLevel level) const {
  auto behind = static_cast<double>(bytesPerCycle);
  switch (level) {
  case MemoryLevel::L1:
    return machine.l1BytesPerCycle;
  case MemoryLevel::L2:
    return machine.l2BytesPerCycle;
  case MemoryLevel::Behind:
    return behind;
  case MemoryLevel::Memory:
    return machine.memoryBytesPerCycle > 0 ? machine.memoryBytesPerCycle : behind;
  }
  return behind;
}

} // namespace sinter
