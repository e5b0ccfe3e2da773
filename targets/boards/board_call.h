// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a model on a board, whichever way bytes come to it and go: its buffers, its structs, and what each kernel
// takes. No heap and no C library. board_runner.cpp uses it with files of a debugger, serial.h with a serial line.
// A Source has read(T *, count), a Sink write(const T *, count); a Clock has now(), in its own ticks.
#pragma once

#include "model_info.h"

/// What the program has to say before it cannot go on; it defines it.
[[noreturn]] void fail(const char *what);

/// A block from which pieces are taken that are never given back.
struct Memory {
  char *next, *end;

  void *allocate(size_t bytes, size_t align) {
    const uintptr_t start = (reinterpret_cast<uintptr_t>(next) + align - 1) / align * align;
    const auto limit = reinterpret_cast<uintptr_t>(end);
    if (start > limit || bytes > limit - start)
      fail("arena, inputs and outputs do not fit in the board's RAM");
    next = reinterpret_cast<char *>(start + bytes);
    return reinterpret_cast<void *>(start);
  }
  template <class T>
  T *array(size_t count) {
    auto *elements = static_cast<T *>(allocate(count * sizeof(T), alignof(T)));
    memset(elements, 0, count * sizeof(T));
    return elements;
  }
};

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
  void place(const sinter_tensor_info &info, void *arena, Memory &memory) {
    data = info.arena_offset >= 0 ? static_cast<char *>(arena) + info.arena_offset
                                  : memory.allocate(bytesOf(info.element_type, heldCount(info, dims)) + 1,
                                                    8); // never empty, so never null
  }
};

/// The structs of the ABI are pointers, then 64-bit numbers.
struct Call {
  const sinter_model_info &info = *modelInfo();
  Memory &memory;
  Buffer *inputs, *outputs;
  void **in, **out;
  int64_t *inDims, *outDims;
  sinter_env env = {};

  static size_t dimsOffset(int pointers) { return (static_cast<size_t>(pointers) * sizeof(void *) + 7) / 8 * 8; }

  explicit Call(Memory &memory) : memory(memory) {
    env.size = sizeof env;
    env.arena = memory.allocate(info.arena_bytes, info.arena_align);
    env.arena_bytes = info.arena_bytes;
    inputs = memory.array<Buffer>(static_cast<size_t>(info.input_count));
    outputs = memory.array<Buffer>(static_cast<size_t>(info.output_count));
    for (int i = 0; i < info.input_count; ++i)
      inputs[i].dims = memory.array<int64_t>(static_cast<size_t>(info.inputs[i].rank));
    size_t sizes = 0;
    for (int i = 0; i < info.output_count; ++i) {
      const sinter_tensor_info &output = info.outputs[i];
      outputs[i].dims = memory.array<int64_t>(static_cast<size_t>(output.rank));
      for (int d = 0; d < output.rank; ++d)
        outputs[i].dims[d] = largest(output, d);
      outputs[i].place(output, env.arena, memory);
      sizes += isStatic(output) ? 0 : static_cast<size_t>(output.rank);
    }
    for (int i = 0; i < info.input_count; ++i)
      sizes += isGrowing(info.inputs[i]) ? static_cast<size_t>(info.inputs[i].rank) : 0;
    in = structOf(info.input_count, static_cast<size_t>(info.dim_count), inDims);
    out = structOf(info.output_count, sizes, outDims);
    for (int i = 0; i < info.output_count; ++i)
      out[i] = outputs[i].data;
  }

  void **structOf(int pointers, size_t numbers, int64_t *&dims) {
    auto *bytes = static_cast<char *>(memory.allocate(dimsOffset(pointers) + numbers * sizeof(int64_t) + 1, 8));
    dims = reinterpret_cast<int64_t *>(bytes + dimsOffset(pointers));
    return reinterpret_cast<void **>(bytes);
  }

  /// The first time it makes the buffers, later it fills them again: calls leave other states.
  template <class Source>
  void readInputs(Source &source) {
    for (int i = 0; i < info.input_count; ++i) {
      const sinter_tensor_info &tensor = info.inputs[i];
      Buffer &input = inputs[i];
      source.read(input.dims, static_cast<size_t>(tensor.rank));
      const bool isFirst = !input.data;
      if (isFirst)
        input.place(tensor, env.arena, memory);
      for (int d = 0; d < tensor.rank; ++d)
        if (const int symbol = symbolOf(tensor, d); symbol >= 0)
          inDims[symbol] = input.dims[d];
      in[i] = input.data;
      const int64_t count = input.count(tensor.rank);
      if (tensor.element_type != stringType) {
        forEachPart(tensor, input.dims,
                    [&](size_t offset, size_t bytes) { source.read(static_cast<char *>(input.data) + offset, bytes); });
        continue;
      }
      auto *strings = static_cast<sinter_string *>(input.data);
      for (int64_t s = 0; s < count; ++s) {
        int64_t size;
        source.read(&size, 1);
        char *text = isFirst ? static_cast<char *>(memory.allocate(static_cast<size_t>(size), 1))
                             : const_cast<char *>(strings[s].data);
        source.read(text, static_cast<size_t>(size));
        strings[s] = {text, static_cast<size_t>(size)};
      }
    }
  }

  template <class Source>
  void readWeights(Source &source) {
    void *weights = memory.allocate(info.weights_bytes, 64);
    source.read(static_cast<char *>(weights), info.weights_bytes);
    env.weights = weights;
  }

  int run() { return modelRun(reinterpret_cast<ModelInputs *>(in), reinterpret_cast<ModelOutputs *>(out), &env); }

  template <class Sink>
  void writeResults(Sink &sink) {
    const int64_t *written = outDims;
    for (int i = 0; i < info.output_count; ++i)
      if (!isStatic(info.outputs[i])) {
        outputs[i].dims = const_cast<int64_t *>(written);
        written += info.outputs[i].rank;
      }
    forEachResult([&](const Result &result) {
      const sinter_tensor_info &tensor = *result.info;
      const Buffer &buffer = (result.isState ? inputs : outputs)[result.index];
      const int64_t *dims = buffer.dims;
      if (result.isState && isGrowing(tensor)) {
        dims = written;
        for (int i = 0; i < result.index; ++i)
          dims += isGrowing(info.inputs[i]) ? info.inputs[i].rank : 0;
      }
      sink.write(dims, static_cast<size_t>(tensor.rank));
      const int64_t count = buffer.count(tensor.rank);
      if (tensor.element_type != stringType) {
        forEachPart(tensor, dims, [&](size_t offset, size_t bytes) {
          sink.write(static_cast<const char *>(buffer.data) + offset, bytes);
        });
        return;
      }
      const auto *strings = static_cast<const sinter_string *>(buffer.data);
      for (int64_t s = 0; s < count; ++s) {
        const auto size = static_cast<int64_t>(strings[s].size);
        sink.write(&size, 1);
        sink.write(strings[s].data, strings[s].size);
      }
    });
  }
};

/// What passes from the end of one kernel to the end of the next, kernels inside loops included.
template <class Clock>
struct KernelTicks {
  int64_t *sums, *calls;
  int64_t last;

  static void add(void *ctx, int kernel, const void *const *, int) {
    auto &self = *static_cast<KernelTicks *>(ctx);
    self.sums[kernel] += Clock::now() - self.last;
    self.calls[kernel] += 1;
    self.last = Clock::now(); // noting it down is not the next kernel's work
  }
};

/// Takes off what the hook itself costs, by the mean of many calls with nothing in between.
template <class Clock>
void withoutHook(const sinter_trace &trace, int64_t *sums, int64_t *calls, size_t kernels) {
  constexpr int64_t many = 256;
  int64_t nothing = 0, callsOfNothing = 0;
  KernelTicks<Clock> empty = {&nothing, &callsOfNothing, Clock::now()};
  for (int64_t i = 0; i < many; ++i)
    trace.kernel(&empty, 0, nullptr, 0);
  for (size_t k = 0; k < kernels; ++k)
    sums[k] -= calls[k] * nothing / many;
}

/// What a call takes.
struct Ticks {
  int64_t all;
  int64_t *kernels;
};

/// In ticks: alone, then each kernel with the trace on. `readInputs` fills the inputs again, in which calls leave other
/// states.
template <class Clock, class Refill>
Ticks countTicks(Call &call, Refill readInputs) {
  const auto kernels = static_cast<size_t>(call.info.kernel_count);
  KernelTicks<Clock> kernelTicks = {call.memory.array<int64_t>(kernels), call.memory.array<int64_t>(kernels), 0};
  readInputs();
  Clock::start();
  const int64_t start = Clock::now();
  call.run();
  const int64_t all = Clock::now() - start;
  readInputs();
  const sinter_trace trace = {KernelTicks<Clock>::add, &kernelTicks};
  call.env.trace = &trace;
  kernelTicks.last = Clock::now();
  call.run();
  withoutHook<Clock>(trace, kernelTicks.sums, kernelTicks.calls, kernels);
  Clock::stop();
  call.env.trace = nullptr;
  return {all, kernelTicks.sums};
}

template <class Sink>
void writeTicks(Sink &sink, const Call &call, const Ticks &ticks, int64_t stackBytes) {
  sink.write(&ticks.all, 1);
  sink.write(&stackBytes, 1);
  sink.write(ticks.kernels, static_cast<size_t>(call.info.kernel_count));
}
