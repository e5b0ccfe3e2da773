// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// runner.cpp's sibling for microcontrollers: the main function of the image that `sinter run`, `verify` and `bench`
// make of a model for an emulated board. No heap, no C library; files by semihosting (targets/boards). The command line
// is MODE WEIGHTS FOLDER, WEIGHTS a file in the folder or "-"; what it reads and writes there:
//   describe   description.json: the model's info
//   run        in, out: as runner.cpp has them, without times
//   count      the same, then, all int64: ticks of SysTick in one call, bytes of stack that a call used, and ticks of
//              each kernel in a call with the trace on
#include "model_info.h"
#include "semihosting.h"

extern "C" {
extern char pool_start[], pool_end[]; // memory left between the variables and the stack (image.ld)
void tick();
}

namespace {
using semihosting::File;

[[noreturn]] void fail(const char *what) {
  semihosting::print("runner: ");
  semihosting::print(what);
  semihosting::print("\n");
  semihosting::end(100);
}

char *poolNext = pool_start;

/// Memory that is never given back.
void *allocate(size_t bytes, size_t align) {
  const uintptr_t start = (reinterpret_cast<uintptr_t>(poolNext) + align - 1) / align * align;
  const auto end = reinterpret_cast<uintptr_t>(pool_end);
  if (start > end || bytes > end - start)
    fail("arena, inputs and outputs do not fit in the board's RAM");
  poolNext = reinterpret_cast<char *>(start + bytes);
  return reinterpret_cast<void *>(start);
}

template <class T>
T *allocateArray(size_t count) {
  auto *array = static_cast<T *>(allocate(count * sizeof(T), alignof(T)));
  memset(array, 0, count * sizeof(T));
  return array;
}

/// The core's own timer. It counts down through 24 bits; each wrap comes as an interrupt.
struct SysTick {
  uint32_t control, reload, value, calibration;
};
volatile SysTick &sysTick = *reinterpret_cast<volatile SysTick *>(0xE000E010);
constexpr uint32_t tickReload = 0xffffff;
volatile uint32_t tickWraps = 0;

void startTicks() {
  sysTick.reload = tickReload;
  sysTick.value = 0;
  sysTick.control = 7; // the core's clock, with interrupts
  while (sysTick.value == 0) {
  }
}
void stopTicks() { sysTick.control = 0; }

int64_t ticks() {
  for (;;) {
    const uint32_t wraps = tickWraps, value = sysTick.value;
    if (wraps == tickWraps && value != 0) // at 0 the interrupt may be yet to come
      return static_cast<int64_t>(wraps) * (tickReload + 1) + (tickReload - value);
  }
}

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

template <class T>
void read(const File &file, T *to, size_t count) {
  if (!file.read(to, count * sizeof(T)))
    fail("input file too short");
}
template <class T>
void write(const File &file, const T *from, size_t count) {
  if (!file.write(from, count * sizeof(T)))
    fail("cannot write the output file");
}

struct Buffer {
  int64_t *dims = nullptr;
  void *data = nullptr;

  int64_t count(int rank) const {
    int64_t n = 1;
    for (int i = 0; i < rank; ++i)
      n *= dims[i];
    return n;
  }
  /// In memory of its own, or where the model wants it in the arena.
  void place(const sinter_tensor_info &info, void *arena) {
    data = info.arena_offset >= 0
               ? static_cast<char *>(arena) + info.arena_offset
               : ::allocate(bytesOf(info.element_type, count(info.rank)) + 1, 8); // never empty, so never null
  }
};

/// The structs of the ABI are pointers, then 64-bit numbers.
struct Call {
  const sinter_model_info &info = *modelInfo();
  Buffer *inputs, *outputs;
  void **in, **out;
  int64_t *inDims, *outDims;
  sinter_env env = {};

  static size_t dimsOffset(int pointers) { return (static_cast<size_t>(pointers) * sizeof(void *) + 7) / 8 * 8; }

  Call() {
    env.size = sizeof env;
    env.arena = allocate(info.arena_bytes, info.arena_align);
    env.arena_bytes = info.arena_bytes;
    inputs = allocateArray<Buffer>(static_cast<size_t>(info.input_count));
    outputs = allocateArray<Buffer>(static_cast<size_t>(info.output_count));
    for (int i = 0; i < info.input_count; ++i)
      inputs[i].dims = allocateArray<int64_t>(static_cast<size_t>(info.inputs[i].rank));
    size_t sizes = 0;
    for (int i = 0; i < info.output_count; ++i) {
      const sinter_tensor_info &output = info.outputs[i];
      outputs[i].dims = allocateArray<int64_t>(static_cast<size_t>(output.rank));
      for (int d = 0; d < output.rank; ++d)
        outputs[i].dims[d] = largest(output, d);
      outputs[i].place(output, env.arena);
      sizes += isStatic(output) ? 0 : static_cast<size_t>(output.rank);
    }
    in = structOf(info.input_count, static_cast<size_t>(info.dim_count), inDims);
    out = structOf(info.output_count, sizes, outDims);
    for (int i = 0; i < info.output_count; ++i)
      out[i] = outputs[i].data;
  }

  static void **structOf(int pointers, size_t numbers, int64_t *&dims) {
    auto *bytes = static_cast<char *>(allocate(dimsOffset(pointers) + numbers * sizeof(int64_t) + 1, 8));
    dims = reinterpret_cast<int64_t *>(bytes + dimsOffset(pointers));
    return reinterpret_cast<void **>(bytes);
  }

  /// The first time it makes the buffers, later it fills them again: calls leave other states.
  void readInputs() {
    File file = open("in", File::Read);
    for (int i = 0; i < info.input_count; ++i) {
      const sinter_tensor_info &tensor = info.inputs[i];
      Buffer &input = inputs[i];
      read(file, input.dims, static_cast<size_t>(tensor.rank));
      const bool isFirst = !input.data;
      if (isFirst)
        input.place(tensor, env.arena);
      for (int d = 0; d < tensor.rank; ++d)
        if (const int symbol = symbolOf(tensor, d); symbol >= 0)
          inDims[symbol] = input.dims[d];
      in[i] = input.data;
      const int64_t count = input.count(tensor.rank);
      if (tensor.element_type != stringType) {
        read(file, static_cast<char *>(input.data), bytesOf(tensor.element_type, count));
        continue;
      }
      auto *strings = static_cast<sinter_string *>(input.data);
      for (int64_t s = 0; s < count; ++s) {
        int64_t size;
        read(file, &size, 1);
        char *text =
            isFirst ? static_cast<char *>(allocate(static_cast<size_t>(size), 1)) : const_cast<char *>(strings[s].data);
        read(file, text, static_cast<size_t>(size));
        strings[s] = {text, static_cast<size_t>(size)};
      }
    }
    file.close();
  }

  void readWeights(const char *name) {
    void *weights = allocate(info.weights_bytes, 64);
    File file = open(name, File::Read);
    read(file, static_cast<char *>(weights), info.weights_bytes);
    file.close();
    env.weights = weights;
  }

  int run() { return modelRun(in, out, &env); }

  void writeResults(const File &file) {
    const int64_t *written = outDims;
    for (int i = 0; i < info.output_count; ++i)
      if (!isStatic(info.outputs[i])) {
        outputs[i].dims = const_cast<int64_t *>(written);
        written += info.outputs[i].rank;
      }
    forEachResult([&](const Result &result) {
      const sinter_tensor_info &tensor = *result.info;
      const Buffer &buffer = (result.isState ? inputs : outputs)[result.index];
      write(file, buffer.dims, static_cast<size_t>(tensor.rank));
      const int64_t count = buffer.count(tensor.rank);
      if (tensor.element_type != stringType) {
        write(file, static_cast<const char *>(buffer.data), bytesOf(tensor.element_type, count));
        return;
      }
      const auto *strings = static_cast<const sinter_string *>(buffer.data);
      for (int64_t s = 0; s < count; ++s) {
        const auto size = static_cast<int64_t>(strings[s].size);
        write(file, &size, 1);
        write(file, strings[s].data, strings[s].size);
      }
    });
  }
};

/// Bytes below its own frame that a call of the model writes to.
[[gnu::noinline]] int64_t stackOf(Call &call) {
  constexpr uint32_t paint = 0xA5C35A3C;
  volatile uint32_t *const limit = reinterpret_cast<volatile uint32_t *>(pool_end);
  volatile uint32_t *here;
  __asm__ volatile("mov %0, sp" : "=r"(here));
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

/// What passes from the end of one kernel to the end of the next, kernels inside loops included.
struct KernelTicks {
  int64_t *sums, *calls;
  int64_t last;

  static void add(void *ctx, int kernel, const void *const *, int) {
    auto &self = *static_cast<KernelTicks *>(ctx);
    self.sums[kernel] += ticks() - self.last;
    self.calls[kernel] += 1;
    self.last = ticks(); // noting it down is not the next kernel's work
  }
};

/// Takes off what the hook itself costs, by the mean of many calls with nothing in between.
void withoutHook(const sinter_trace &trace, int64_t *sums, int64_t *calls, size_t kernels) {
  constexpr int64_t many = 256;
  int64_t nothing = 0, callsOfNothing = 0;
  KernelTicks empty = {&nothing, &callsOfNothing, ticks()};
  for (int64_t i = 0; i < many; ++i)
    trace.kernel(&empty, 0, nullptr, 0);
  for (size_t k = 0; k < kernels; ++k)
    sums[k] -= calls[k] * nothing / many;
}

void count(Call &call, const File &file) {
  const auto kernels = static_cast<size_t>(call.info.kernel_count);
  KernelTicks kernelTicks = {allocateArray<int64_t>(kernels), allocateArray<int64_t>(kernels), 0};
  const int64_t stack = stackOf(call);
  call.readInputs();
  startTicks();
  const int64_t start = ticks();
  call.run();
  const int64_t all = ticks() - start;
  call.readInputs();
  const sinter_trace trace = {KernelTicks::add, &kernelTicks};
  call.env.trace = &trace;
  kernelTicks.last = ticks();
  call.run();
  withoutHook(trace, kernelTicks.sums, kernelTicks.calls, kernels);
  stopTicks();
  write(file, &all, 1);
  write(file, &stack, 1);
  write(file, kernelTicks.sums, kernels);
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

void tick() { tickWraps = tickWraps + 1; }

int main() {
  static char buffer[300];
  if (!semihosting::commandLine(buffer, sizeof buffer))
    fail("usage: describe|run|count WEIGHTS|- FOLDER");
  char *line = buffer;
  nextWord(line); // the program
  const char *mode = nextWord(line), *weights = nextWord(line);
  folder = line;
  if (isSame(mode, "describe")) {
    const File file = open("description.json", File::Write);
    auto sink = [&file](const char *text, size_t size) { write(file, text, size); };
    Description<decltype(sink)>(sink).write();
    return 0;
  }
  Call call;
  if (!isSame(weights, "-"))
    call.readWeights(weights);
  call.readInputs();
  const File file = open("out", File::Write);
  const int32_t status = call.run();
  write(file, &status, 1);
  if (status != 0)
    return 0;
  call.writeResults(file);
  if (isSame(mode, "count")) {
    call.readInputs();
    count(call, file);
  }
  return 0;
}
