// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An emulated board that runs programs of a microcontroller. The descriptions are ../../targets/boards/*.yaml; beside
// them are start-up code and linker scripts, for these programs and for firmware of users (samples/firmware).
#pragma once

#include "target/target.h"

namespace sinter {

struct Board {
  std::string name, summary;
  std::string emulator = "qemu-system-arm";
  std::vector<std::string> machine; ///< arguments of the emulator
  int64_t clockHz =
      0; ///< of EmulatedClock (targets/boards/clocks.h), where the emulator takes one nanosecond per instruction

  double instructionsPerTick() const { return 1e9 / static_cast<double>(clockHz); }
};

/// The board of that name, or with an empty name the target's first. Empty, with a message that lists what there is,
/// where the target does not run on it.
std::optional<Board> findBoard(const Target &target, llvm::StringRef name, std::string &problem);

/// Start-up code and linker scripts: name and text of each, the last without a name.
const struct EmbeddedFile *boardFiles();

} // namespace sinter
