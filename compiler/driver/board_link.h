// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way to a program on a board: an emulated one, one behind a debugger that knows semihosting, or one that answers
// over a serial line. What is asked and answered: runner/board_runner.cpp.
#pragma once

#include "target/board.h"

#include "llvm/Support/Error.h"
#include <memory>

namespace sinter {

class BoardLink {
public:
  virtual ~BoardLink() = default;
  /// Asks in a mode ("describe", "run", "count") and gives the answer. `seconds`: how long to wait for it; 0: for ever.
  virtual llvm::Expected<std::string> ask(llvm::StringRef mode, llvm::StringRef inputs, unsigned seconds) = 0;
  /// How many instructions a tick of its clock is; 0: ticks are cycles.
  virtual double instructionsPerTick() const { return 0; }
  /// The name of the weights' file in the program's folder, for models whose caller brings them.
  void setWeights(std::string name) { weights = std::move(name); }

protected:
  std::string weights = "-";
};

/// The image `folder`/program, on a board that QEMU emulates.
std::unique_ptr<BoardLink> emulatedBoard(const Board &board, std::string emulator, std::string folder);

/// Whether a --runner starts images: it says where their names go.
bool startsImages(llvm::StringRef runner);
/// The image `folder`/program, started by a command of the user's in which {image}, {mode}, {weights} and {folder} are
/// replaced. It ends when the program does.
std::unique_ptr<BoardLink> debuggedBoard(std::string command, std::string folder);

/// A program that runs already (targets/boards/serial.h): "serial:/dev/ttyACM0", "serial:/dev/ttyACM0@921600", or a
/// command whose standard input and output are the line.
llvm::Expected<std::unique_ptr<BoardLink>> serialBoard(llvm::StringRef runner);

/// The runner of the last two kinds, by what it says.
llvm::Expected<std::unique_ptr<BoardLink>> linkTo(llvm::StringRef runner, llvm::StringRef folder);

} // namespace sinter
