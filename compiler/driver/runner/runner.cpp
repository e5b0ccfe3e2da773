// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the program that `sinter run`, `verify` and `bench` make of a model. It knows the model only by
// its info, so one object serves all models that have the same prefix: compiled with -DSINTER_PREFIX=kws, for any
// target. What it reads and writes (the other side is ../model_program.cpp):
//   describe OUT          OUT: the model's info as JSON
//   refuse IN             calls that the ABI refuses, at the sizes that IN has (refusals.h); status 0 if each is
//   run IN OUT            IN: for each input its dims (int64) and elements; strings are a size (int64) and bytes each
//                         OUT: status (int32); if 0, for each output dims and elements; count (int64) and seconds
//                         (double) of the runs; if traced, seconds (double, least) per kernel, then of the
//                         fastest run: count (int64) and for each call its kernel (int64), start and seconds (double);
//                         for each line of SPEC size (int64) and bytes of what that kernel wrote, gapless; size 0 if it
//                         never ran
// State (inputs that the call updates) counts as an input and, in its place among the graph's outputs, as an output;
// each run begins with the state that IN has. Of a state that grows, IN and OUT have what is in use, without gaps. SPEC
// has a line per buffer to be seen behind the kernel that writes it (layers.h).
//     --seconds S  --runs N   repeats until both are reached      --unmeasured N   runs before these
//     --cold BYTES   reads as many bytes of other memory before each run
//     --unaligned   tensors at addresses that are multiples of their element and of nothing more
//     --threads N  --trace  --layers SPEC    --weights FILE   for models whose caller brings the weights
//     --last-inputs FILE   what IN has no more of, for many runs that have it in common
//     --driver FILE    on a GPU: the driver's library (gpu.h)
#include "byte_order.h"
#include "call.h"
#include "clock.h"
#include "layers.h"
#include "list.h"
#include "other_memory.h"
#include "pool.h"
#include "tracer.h"
#if !defined(__wasm__) // where no memory is out of reach
#include "refusals.h"
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {
[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "runner: %s\n", what);
  std::exit(100);
}

template <class T>
T read(std::FILE *file) {
  T value;
  if (!readNumbers(file, &value, sizeof value, sizeof value))
    fail("input file too short");
  return value;
}
template <class T>
void write(std::FILE *file, const T &value) {
  writeNumbers(file, &value, sizeof value, sizeof value);
}

void readBuffer(std::FILE *file, const sinter_tensor_info &info, bool unaligned, Buffer &buffer) {
  for (int i = 0; i < info.rank; ++i)
    buffer.dims.push_back(read<int64_t>(file));
  buffer.allocate(info, unaligned);
  if (info.element_type != stringType) {
    forEachPart(info, buffer.dims.data(), [&](size_t offset, size_t bytes) {
      if (!readNumbers(file, buffer.block.data() + offset, bytes, alignmentOf(info.element_type)))
        fail("input file too short");
    });
    return;
  }
  auto *elements = static_cast<sinter_string *>(buffer.data());
  buffer.strings.resize(static_cast<size_t>(buffer.count()));
  for (size_t i = 0; i < buffer.strings.size(); ++i) {
    List<char> &text = buffer.strings[i];
    const auto size = static_cast<size_t>(read<int64_t>(file));
    text.resize(size + 1); // never null
    if (std::fread(text.data(), 1, size, file) != size)
      fail("input file too short");
    elements[i] = {text.data(), size};
  }
}

void writeBuffer(std::FILE *file, const sinter_tensor_info &info, Buffer &buffer) {
  for (int64_t dim : buffer.dims)
    write(file, dim);
  if (info.element_type != stringType) {
    forEachPart(info, buffer.dims.data(), [&](size_t offset, size_t bytes) {
      writeNumbers(file, buffer.block.data() + offset, bytes, alignmentOf(info.element_type));
    });
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
  int64_t cold = 0;
  int threads = 1;
  bool trace = false, unaligned = false;
  const char *layers = nullptr;
  const char *weights = nullptr;
  const char *lastInputs = nullptr;
};

/// A file in memory, aligned as weights are to be; no path, no weights.
Block readWeights(const char *path) {
  if (!path)
    return Block();
  constexpr size_t alignment = 64;
  Block weights(modelInfo()->weights_bytes, alignment);
  std::FILE *file = std::fopen(path, "rb");
  if (!file)
    fail("cannot open the weights");
  if (std::fread(weights.data(), 1, weights.bytes(), file) != weights.bytes())
    fail("weights file too short");
  std::fclose(file);
  return weights;
}

std::FILE *openInputs(const char *path) {
  std::FILE *file = std::fopen(path, "rb");
  if (!file)
    fail("cannot open the input file");
  return file;
}

/// Makes a call with the inputs of a file, the last of which may be in another one.
void readInputs(const char *path, const char *lastPath, const sinter_model_info &info, bool unaligned, Call &call) {
  call.inputs.resize(static_cast<size_t>(info.input_count));
  call.outputs.resize(static_cast<size_t>(info.output_count));
  std::FILE *file = openInputs(path);
  for (int i = 0; i < info.input_count; ++i) {
    const int next = lastPath ? std::fgetc(file) : 0;
    if (next == EOF) {
      std::fclose(file);
      file = openInputs(lastPath);
      lastPath = nullptr;
    } else if (lastPath) {
      std::ungetc(next, file);
    }
    readBuffer(file, info.inputs[i], unaligned, call.inputs[static_cast<size_t>(i)]);
  }
  std::fclose(file);
  call.bind(info, unaligned);
}

#if defined(__wasm__)
int refuse(const char *, const char *) { fail("nothing is out of reach here"); }
#else
/// Status 0 if all calls that are to be refused are.
int refuse(const char *inPath, const char *weightsPath) {
  const sinter_model_info &info = *modelInfo();
  Call call;
  readInputs(inPath, nullptr, info, /*unaligned=*/false, call);
  const Block weights = readWeights(weightsPath);
  call.env.weights = weights.data();
  // Outputs that have no elements at these sizes may be null, so the sizes must be known.
  call.fillArena(info);
  if (modelRun(call.in.data(), call.out.data(), &call.env) == 0)
    call.takeSizes(info);
  return Refusals::check(info, call) == 0 ? 0 : 100;
}
#endif

int run(const char *inPath, const char *outPath, const Options &options) {
  const sinter_model_info &info = *modelInfo();
  Call call;
  readInputs(inPath, options.lastInputs, info, options.unaligned, call);

  const Block weights = readWeights(options.weights);
  call.env.weights = weights.data();
  Tracer tracer(info.kernel_count);
  sinter_trace trace = {Tracer::call, &tracer};
  const sinter::Pool pool(options.threads);
  if (options.trace)
    call.env.trace = &trace;
  Layers layers;
  sinter_trace takeLayers = {Layers::call, &layers};
  if (options.layers) {
    if (!layers.read(options.layers))
      fail("cannot read the file of layers");
#if defined(SINTER_ON_GPU)
    layers.fetch = fetchFromDevice;
#endif
    call.env.trace = &takeLayers;
  }
  if (options.threads > 1)
    call.env.parallel = pool.parallel();

  List<double> seconds;
  int64_t begin = now(); // of the runs that count, with what lies between them
  int status = 0;
  OtherMemory other(static_cast<size_t>(options.cold));
  List<List<char>> given; // state: the call writes over it
  for (const Buffer &input : call.inputs)
    given.push_back(input.contents());
  for (int64_t i = -options.unmeasured;
       status == 0 && (i < options.runs || secondsBetween(begin, now()) < options.seconds); ++i) {
    forEachResult([&](const Result &result) {
      if (result.isState)
        call.inputs[static_cast<size_t>(result.index)].copyFrom(given[static_cast<size_t>(result.index)]);
    });
    call.fillArena(info);
    other.read();
    tracer.begin();
    const int64_t start = now();
    status = modelRun(call.in.data(), call.out.data(), &call.env);
    const double passed = secondsBetween(start, now());
    tracer.end(passed);
    if (i < 0) {
      begin = now();
      continue;
    }
    seconds.push_back(passed);
  }

  std::FILE *file = std::fopen(outPath, "wb");
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
    writeNumbers(file, seconds.data(), sizeof(double) * seconds.size(), sizeof(double));
    if (options.trace) {
      writeNumbers(file, tracer.least.data(), sizeof(double) * tracer.least.size(), sizeof(double));
      write(file, static_cast<int64_t>(tracer.fastest.size()));
      writeNumbers(file, tracer.fastest.data(), sizeof(Tracer::Event) * tracer.fastest.size(), sizeof(double));
    }
    for (const Layers::Layer &layer : layers.layers) {
      write(file, static_cast<int64_t>(layer.bytes.size()));
      writeNumbers(file, layer.bytes.data(), layer.bytes.size(), static_cast<size_t>(layer.elementBytes));
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
  if ((argc == 3 || argc == 4) && std::strcmp(argv[1], "refuse") == 0)
    return refuse(argv[2], argv[3]);
  if (argc < 4 || std::strcmp(argv[1], "run") != 0)
    fail("usage: describe OUT | refuse IN [WEIGHTS] | run IN OUT [options]");
  Options options;
  for (int i = 4; i < argc; ++i) {
    const char *flag = argv[i];
    if (isSame(flag, "--trace"))
      options.trace = true;
    else if (isSame(flag, "--unaligned"))
      options.unaligned = true;
    else if (++i == argc)
      fail("an option lacks its value");
    else if (isSame(flag, "--seconds"))
      options.seconds = std::atof(argv[i]);
    else if (isSame(flag, "--runs"))
      options.runs = std::atoll(argv[i]);
    else if (isSame(flag, "--unmeasured"))
      options.unmeasured = std::atoll(argv[i]);
    else if (isSame(flag, "--cold"))
      options.cold = std::atoll(argv[i]);
    else if (isSame(flag, "--weights"))
      options.weights = argv[i];
    else if (isSame(flag, "--last-inputs"))
      options.lastInputs = argv[i];
    else if (isSame(flag, "--layers"))
      options.layers = argv[i];
#if defined(SINTER_ON_GPU)
    else if (isSame(flag, "--driver"))
      driverLibrary() = argv[i];
#endif
    else if (isSame(flag, "--threads"))
      options.threads = std::atoi(argv[i]);
    else
      fail("unknown option");
  }
  return run(argv[2], argv[3], options);
}
