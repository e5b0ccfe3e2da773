// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// runner.cpp's sibling for microcontrollers: the main function of the image that `sinter run`, `verify` and `bench`
// make of a model for an emulated board. No heap, no C library; files by semihosting (targets/boards). The command line
// is MODE WEIGHTS FOLDER, WEIGHTS a file in the folder or "-"; what it reads and writes there:
//   describe   description.json: the model's info
//   run        in, out: as runner.cpp has them, without times
//   count      the same, then, all int64: ticks of the board's clock in one call, bytes of stack that a call used, and ticks of
//              each kernel in a call with the trace on
#include "board_call.h"
#include "clocks.h"
#include "semihosting.h"

extern "C" {
extern char pool_start[], pool_end[]; // memory left between the variables and the stack (image.ld)
void tick();
}

void fail(const char *what) {
  semihosting::print("runner: ");
  semihosting::print(what);
  semihosting::print("\n");
  semihosting::end(100);
}

namespace {
using semihosting::File;

/// The folder that files lie in.
const char *folder;

File open(const char *name, File::Mode mode) {
  char path[300];
  const size_t length = strlen(folder), bytes = strlen(name) + 1;
  if (length + 1 + bytes > sizeof path)
    fail("the path is too long");
  memcpy(path, folder, length);
  path[length] = '/';
  memcpy(path + length + 1, name, bytes);
  const File file(path, mode);
  if (!file.isOpen())
    fail("cannot open a file");
  return file;
}

struct Input {
  File file;
  explicit Input(const char *name) : file(open(name, File::Read)) {}
  ~Input() { file.close(); }
  template <class T>
  void read(T *to, size_t count) const {
    if (!file.read(to, count * sizeof(T)))
      fail("input file too short");
  }
};
struct Output {
  File file;
  explicit Output(const char *name) : file(open(name, File::Write)) {}
  template <class T>
  void write(const T *from, size_t count) const {
    if (!file.write(from, count * sizeof(T)))
      fail("cannot write the output file");
  }
};

void readInputs(Call &call) {
  Input in("in");
  call.readInputs(in);
}

/// Bytes below its own frame that a call of the model writes to.
[[gnu::noinline]] int64_t stackOf(Call &call) {
  constexpr uint32_t paint = 0xA5C35A3C;
  volatile uint32_t *const limit = reinterpret_cast<volatile uint32_t *>(pool_end);
  volatile uint32_t *here;
#if defined(__riscv)
  __asm__ volatile("mv %0, sp" : "=r"(here));
#else
  __asm__ volatile("mov %0, sp" : "=r"(here));
#endif
  for (volatile uint32_t *word = limit; word < here; ++word)
    *word = paint;
  call.run();
  volatile uint32_t *word = limit;
  while (word < here && *word == paint)
    ++word;
  if (word == limit)
    fail("the call needs more stack than there is");
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(here) - reinterpret_cast<uintptr_t>(word));
}

/// Cuts a word off the line.
const char *nextWord(char *&line) {
  const char *word = line;
  while (*line && *line != ' ')
    ++line;
  if (*line)
    *line++ = 0;
  return word;
}
} // namespace

#if !defined(__riscv)
void tick() { SysTick::wrapped(); }
#endif

int main() {
  static char buffer[300];
  if (!semihosting::commandLine(buffer, sizeof buffer))
    fail("usage: describe|run|count WEIGHTS|- FOLDER");
  char *line = buffer;
  nextWord(line); // the program
  const char *mode = nextWord(line), *weights = nextWord(line);
  folder = line;
  if (isSame(mode, "describe")) {
    const Output file("description.json");
    auto sink = [&file](const char *text, size_t size) { file.write(text, size); };
    Description<decltype(sink)>(sink).write();
    return 0;
  }
  Memory memory = {pool_start, pool_end};
  Call call(memory);
  if (!isSame(weights, "-")) {
    Input file(weights);
    call.readWeights(file);
  }
  readInputs(call);
  const Output out("out");
  const int32_t status = call.run();
  out.write(&status, 1);
  if (status != 0)
    return 0;
  call.writeResults(out);
  if (isSame(mode, "count")) {
    readInputs(call);
    const int64_t stack = stackOf(call);
    writeTicks(out, call, countTicks<EmulatedClock>(call, [&call] { readInputs(call); }), stack);
  }
  return 0;
}
