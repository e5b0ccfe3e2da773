// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images, whose inputs and answers are files: emulated, or started by a debugger. Serial lines: serial_board.cpp.
#include "driver/board_link.h"

#include "driver/cxx.h"
#include "driver/file_contents.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

class ImageBoard : public BoardLink {
public:
  explicit ImageBoard(std::string folder) : folder(std::move(folder)) {}

  Expected<std::string> ask(StringRef mode, StringRef inputs, unsigned seconds) override {
    std::string in = folder + "/in", answer = folder + (mode == "describe" ? "/description.json" : "/out");
    sys::fs::remove(answer);
    if (Error error = writeFile(in, inputs))
      return std::move(error);
    std::vector<std::string> words = command(mode);
    std::string problem, log = folder + "/log";
    int status = execute(words.front(), ArrayRef(words).drop_front(), log, problem, seconds);
    if (status != 0)
      return createStringError(inconvertibleErrorCode(),
                               "the model's program " +
                                   (problem.empty() ? "ended with status " + std::to_string(status) : problem) + "\n" +
                                   fileContents(log));
    if (!sys::fs::exists(answer))
      return createStringError(inconvertibleErrorCode(),
                               "the model's program left no answer in " + folder + "\n" + fileContents(log));
    return fileContents(answer);
  }

protected:
  virtual std::vector<std::string> command(StringRef mode) const = 0;
  std::string folder;
};

class EmulatedBoard : public ImageBoard {
public:
  EmulatedBoard(const Board &board, std::string emulator, std::string folder)
      : ImageBoard(std::move(folder)), board(board), emulator(std::move(emulator)) {}
  double instructionsPerTick() const override { return board.instructionsPerTick(); }

private:
  std::vector<std::string> command(StringRef mode) const override {
    std::vector<std::string> all = {emulator};
    all.insert(all.end(), board.machine.begin(), board.machine.end());
    all.insert(all.end(), {"-display", "none", "-monitor", "none", "-serial", "null", "-kernel", folder + "/program",
                           "-semihosting-config"});
    std::string words = "enable=on,target=native";
    for (StringRef word : {StringRef("program"), mode, StringRef(weights), StringRef(folder)}) {
      words += ",arg=";
      for (char c : word)
        words += c == ',' ? ",," : std::string(1, c);
    }
    all.push_back(words);
    if (mode == "count")
      all.insert(all.end(), {"-icount", "shift=0"}); // each instruction takes one nanosecond
    return all;
  }

  Board board;
  std::string emulator;
};

class DebuggedBoard : public ImageBoard {
public:
  DebuggedBoard(std::string text, std::string folder) : ImageBoard(std::move(folder)), text(std::move(text)) {}

private:
  std::vector<std::string> command(StringRef mode) const override {
    const std::pair<StringRef, std::string> places[] = {
        {"{image}", folder + "/program"}, {"{mode}", mode.str()}, {"{weights}", weights}, {"{folder}", folder}};
    std::string line = text;
    for (const auto &[place, value] : places)
      for (size_t at = 0; (at = line.find(place.str(), at)) != std::string::npos; at += value.size())
        line.replace(at, place.size(), value);
    return {"/bin/sh", "-c", line};
  }

  std::string text;
};
} // namespace

std::unique_ptr<BoardLink> emulatedBoard(const Board &board, std::string emulator, std::string folder) {
  return std::make_unique<EmulatedBoard>(board, std::move(emulator), std::move(folder));
}

bool startsImages(StringRef runner) { return runner.contains("{image}"); }

std::unique_ptr<BoardLink> debuggedBoard(std::string command, std::string folder) {
  return std::make_unique<DebuggedBoard>(std::move(command), std::move(folder));
}

Expected<std::unique_ptr<BoardLink>> linkTo(StringRef runner, StringRef folder) {
  if (startsImages(runner))
    return debuggedBoard(runner.str(), folder.str());
  return serialBoard(runner);
}

} // namespace sinter
