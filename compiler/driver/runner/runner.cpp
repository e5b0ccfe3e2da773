// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the program that `sinter run`, `verify` and `bench` make of a model. It knows the model only by
// its info, so one object serves all models that have the same prefix: compiled with -DSINTER_PREFIX=kws, for any
// target. What it reads and writes (the other side is ../model_program.cpp):
//   describe OUT          OUT: the model's info as JSON
//   run IN OUT            IN: for each input its dims (int64) and elements; strings are a size (int64) and bytes each
//                         OUT: status (int32); if 0, for each output dims and elements; count (int64) and seconds
//                         (double) of the runs; if traced, seconds (double, least) per kernel, then of the
//                         fastest run: count (int64) and for each call its kernel (int64), start and seconds (double);
//                         for each line of SPEC size (int64) and bytes of what that kernel wrote, gapless; size 0 if it
//                         never ran
// State (inputs that the call updates) counts as an input and, in its place among the graph's outputs, as an output;
// each run begins with the state that IN has. SPEC has a line per buffer to be seen behind the kernel that writes it
// (layers.h).
//     --seconds S  --runs N   repeats until both are reached      --unmeasured N   runs before these
//     --threads N  --trace  --layers SPEC    --weights FILE   for models whose caller brings the weights
#include "layers.h"
#include "model_info.h"
#include "pool.h"
#include "tracer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace {
using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "runner: %s\n", what);
  std::exit(100);
}

struct Buffer {
  std::vector<int64_t> dims;
  std::vector<char> storage;
  std::vector<std::string> strings; // owners of an input's
  void *data() { return storage.data(); }

  int64_t count() const {
    int64_t n = 1;
    for (int64_t dim : dims)
      n *= dim;
    return n;
  }
  void allocate(int type) {
    storage.assign(bytesOf(type, count()) + 1, 0); // never empty, so that data() is no null pointer
  }
  size_t bytes() const { return storage.size() - 1; }
  /// The same elements, where they are: pointers to this stay true.
  void copyFrom(const Buffer &other) { std::copy(other.storage.begin(), other.storage.end(), storage.begin()); }
};

template <class T>
T read(std::FILE *file) {
  T value;
  if (std::fread(&value, sizeof value, 1, file) != 1)
    fail("input file too short");
  return value;
}
template <class T>
void write(std::FILE *file, const T &value) {
  std::fwrite(&value, sizeof value, 1, file);
}

void readBuffer(std::FILE *file, const sinter_tensor_info &info, Buffer &buffer) {
  for (int i = 0; i < info.rank; ++i)
    buffer.dims.push_back(read<int64_t>(file));
  buffer.allocate(info.element_type);
  if (info.element_type != stringType) {
    if (std::fread(buffer.data(), 1, buffer.bytes(), file) != buffer.bytes())
      fail("input file too short");
    return;
  }
  auto *elements = static_cast<sinter_string *>(buffer.data());
  buffer.strings.resize(static_cast<size_t>(buffer.count()));
  for (size_t i = 0; i < buffer.strings.size(); ++i) {
    std::string &text = buffer.strings[i];
    text.resize(static_cast<size_t>(read<int64_t>(file)));
    if (std::fread(&text[0], 1, text.size(), file) != text.size())
      fail("input file too short");
    elements[i] = {text.data(), text.size()};
  }
}

void writeBuffer(std::FILE *file, const sinter_tensor_info &info, Buffer &buffer) {
  for (int64_t dim : buffer.dims)
    write(file, dim);
  if (info.element_type != stringType) {
    std::fwrite(buffer.data(), 1, bytesOf(info.element_type, buffer.count()), file);
    return;
  }
  const auto *elements = static_cast<const sinter_string *>(buffer.data());
  for (int64_t i = 0; i < buffer.count(); ++i) {
    write(file, static_cast<int64_t>(elements[i].size));
    std::fwrite(elements[i].data, 1, elements[i].size, file);
  }
}

void describe(const char *path) {
  std::FILE *file = std::fopen(path, "wb");
  if (!file)
    fail("cannot open the file of the description");
  auto sink = [file](const char *text, size_t size) { std::fwrite(text, 1, size, file); };
  Description<decltype(sink)>(sink).write();
  if (std::fclose(file) != 0)
    fail("cannot write the description");
}

struct Options {
  double seconds = 0;
  int64_t runs = 1, unmeasured = 0;
  int threads = 1;
  bool trace = false;
  const char *layers = nullptr;
  const char *weights = nullptr;
};

/// A file in memory, aligned as weights are to be.
class Weights {
public:
  explicit Weights(const char *path) {
    std::FILE *file = std::fopen(path, "rb");
    if (!file)
      fail("cannot open the weights");
    storage.resize(modelInfo()->weights_bytes + alignment);
    const auto address = reinterpret_cast<uintptr_t>(storage.data());
    start = storage.data() + (alignment - address % alignment) % alignment;
    if (std::fread(start, 1, modelInfo()->weights_bytes, file) != modelInfo()->weights_bytes)
      fail("weights file too short");
    std::fclose(file);
  }
  const void *data() const { return start; }

private:
  static constexpr size_t alignment = 64;
  std::vector<char> storage;
  char *start;
};

/// The structs of the ABI are pointers, then 64-bit numbers: made here without knowing their members' names.
struct Call {
  std::vector<Buffer> inputs, outputs;
  std::vector<int64_t> dims;
  std::vector<int64_t> in, out; // the structs
  std::vector<char> arena;
  sinter_env env = {};

  void bind(const sinter_model_info &info) {
    dims.assign(static_cast<size_t>(info.dim_count), 0);
    in.assign(dimsOffset(info.input_count) / 8 + dims.size() + 1, 0);
    auto *pointers = reinterpret_cast<void **>(in.data());
    for (int i = 0; i < info.input_count; ++i) {
      Buffer &buffer = inputs[static_cast<size_t>(i)];
      pointers[i] = info.inputs[i].arena_offset < 0 ? buffer.data() : nullptr;
      for (int d = 0; d < info.inputs[i].rank; ++d)
        if (const int symbol = symbolOf(info.inputs[i], d); symbol >= 0)
          dims[static_cast<size_t>(symbol)] = buffer.dims[static_cast<size_t>(d)];
    }
    std::copy(dims.begin(), dims.end(), in.begin() + static_cast<std::ptrdiff_t>(dimsOffset(info.input_count) / 8));
    size_t sizes = 0;
    for (int i = 0; i < info.output_count; ++i)
      sizes += isStatic(info.outputs[i]) ? 0 : static_cast<size_t>(info.outputs[i].rank);
    out.assign(dimsOffset(info.output_count) / 8 + sizes + 1, 0);
    pointers = reinterpret_cast<void **>(out.data());
    for (int i = 0; i < info.output_count; ++i) {
      Buffer &buffer = outputs[static_cast<size_t>(i)];
      for (int d = 0; d < info.outputs[i].rank; ++d)
        buffer.dims.push_back(largest(info.outputs[i], d));
      buffer.allocate(info.outputs[i].element_type);
      pointers[i] = info.outputs[i].arena_offset < 0 ? buffer.data() : nullptr;
    }
    arena.assign(info.arena_bytes + info.arena_align, 0);
    auto address = reinterpret_cast<uintptr_t>(arena.data());
    address = (address + info.arena_align - 1) / info.arena_align * info.arena_align;
    env.size = sizeof env;
    env.arena = reinterpret_cast<void *>(address);
    env.arena_bytes = info.arena_bytes;
  }
  /// Inputs that lie in the arena go there, before each run: it may write over them.
  void fillArena(const sinter_model_info &info) {
    for (int i = 0; i < info.input_count; ++i)
      if (Buffer &buffer = inputs[static_cast<size_t>(i)]; info.inputs[i].arena_offset >= 0)
        std::memcpy(static_cast<char *>(env.arena) + info.inputs[i].arena_offset, buffer.data(), buffer.bytes());
  }
  /// And outputs come from there.
  void emptyArena(const sinter_model_info &info) {
    for (int i = 0; i < info.output_count; ++i)
      if (Buffer &buffer = outputs[static_cast<size_t>(i)]; info.outputs[i].arena_offset >= 0)
        std::memcpy(buffer.data(), static_cast<char *>(env.arena) + info.outputs[i].arena_offset, buffer.bytes());
  }
  /// Sizes that the call wrote.
  void takeSizes(const sinter_model_info &info) {
    const int64_t *at = out.data() + dimsOffset(info.output_count) / 8;
    for (int i = 0; i < info.output_count; ++i) {
      if (isStatic(info.outputs[i]))
        continue;
      outputs[static_cast<size_t>(i)].dims.assign(at, at + info.outputs[i].rank);
      at += info.outputs[i].rank;
    }
  }
  static size_t dimsOffset(int pointers) { return (static_cast<size_t>(pointers) * sizeof(void *) + 7) / 8 * 8; }
};

int run(const char *inPath, const char *outPath, const Options &options) {
  const sinter_model_info &info = *modelInfo();
  Call call;
  call.inputs.resize(static_cast<size_t>(info.input_count));
  call.outputs.resize(static_cast<size_t>(info.output_count));
  std::FILE *file = std::fopen(inPath, "rb");
  if (!file)
    fail("cannot open the input file");
  for (int i = 0; i < info.input_count; ++i)
    readBuffer(file, info.inputs[i], call.inputs[static_cast<size_t>(i)]);
  std::fclose(file);
  call.bind(info);

  std::optional<Weights> weights;
  if (options.weights)
    call.env.weights = weights.emplace(options.weights).data();
  Tracer tracer(info.kernel_count);
  sinter_trace trace = {Tracer::call, &tracer};
  Pool pool(options.threads);
  sinter_parallel parallel = {Pool::run, &pool, options.threads};
  if (options.trace)
    call.env.trace = &trace;
  Layers layers;
  sinter_trace takeLayers = {Layers::call, &layers};
  if (options.layers) {
    if (!layers.read(options.layers))
      fail("cannot read the file of layers");
    call.env.trace = &takeLayers;
  }
  if (options.threads > 1)
    call.env.parallel = &parallel;

  std::vector<double> seconds;
  double total = 0;
  int status = 0;
  const std::vector<Buffer> given = call.inputs;
  for (int64_t i = -options.unmeasured; status == 0 && (i < options.runs || total < options.seconds); ++i) {
    forEachResult([&](const Result &result) {
      if (result.isState)
        call.inputs[static_cast<size_t>(result.index)].copyFrom(given[static_cast<size_t>(result.index)]);
    });
    call.fillArena(info);
    tracer.begin();
    const Clock::time_point start = Clock::now();
    status = modelRun(call.in.data(), call.out.data(), &call.env);
    const double passed = std::chrono::duration<double>(Clock::now() - start).count();
    tracer.end(passed);
    if (i < 0)
      continue;
    seconds.push_back(passed);
    total += passed;
  }

  file = std::fopen(outPath, "wb");
  if (!file)
    fail("cannot open the output file");
  write(file, static_cast<int32_t>(status));
  if (status == 0) {
    call.emptyArena(info);
    call.takeSizes(info);
    forEachResult([&](const Result &result) {
      writeBuffer(file, *result.info, (result.isState ? call.inputs : call.outputs)[static_cast<size_t>(result.index)]);
    });
    write(file, static_cast<int64_t>(seconds.size()));
    std::fwrite(seconds.data(), sizeof(double), seconds.size(), file);
    if (options.trace) {
      std::fwrite(tracer.least.data(), sizeof(double), tracer.least.size(), file);
      write(file, static_cast<int64_t>(tracer.fastest.size()));
      std::fwrite(tracer.fastest.data(), sizeof(Tracer::Event), tracer.fastest.size(), file);
    }
    for (const Layers::Layer &layer : layers.layers) {
      write(file, static_cast<int64_t>(layer.bytes.size()));
      std::fwrite(layer.bytes.data(), 1, layer.bytes.size(), file);
    }
  }
  return std::fclose(file) == 0 ? 0 : 100;
}
} // namespace

int main(int argc, char **argv) {
  if (argc == 3 && std::strcmp(argv[1], "describe") == 0) {
    describe(argv[2]);
    return 0;
  }
  if (argc < 4 || std::strcmp(argv[1], "run") != 0)
    fail("usage: describe OUT | run IN OUT [options]");
  Options options;
  for (int i = 4; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--trace")
      options.trace = true;
    else if (++i == argc)
      fail("an option lacks its value");
    else if (flag == "--seconds")
      options.seconds = std::atof(argv[i]);
    else if (flag == "--runs")
      options.runs = std::atoll(argv[i]);
    else if (flag == "--unmeasured")
      options.unmeasured = std::atoll(argv[i]);
    else if (flag == "--weights")
      options.weights = argv[i];
    else if (flag == "--layers")
      options.layers = argv[i];
    else if (flag == "--threads")
      options.threads = std::atoi(argv[i]);
    else
      fail("unknown option");
  }
  return run(argv[2], argv[3], options);
}
