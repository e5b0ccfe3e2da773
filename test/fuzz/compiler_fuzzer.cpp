// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a model through the whole compiler: it ends with sources or with diagnostics, never with an internal
// error, within small budgets. Inputs are changed as messages (wire_mutator.h), so that most still parse; their length
// chooses the flags. frontend_seeds.py writes a corpus to start from.
#include "wire_mutator.h"

#include "driver/compile_flags.h"
#include "driver/compile_model.h"
#include "driver/staging.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace sinter;

namespace {
/// What is compiled for: one of each kind of kernels, with and without options that change the plan of memory.
const std::vector<std::vector<const char *>> flagSets = {
    {"--target=x86-64-v3"},
    {"--target=x86-64-v4+vnni", "--threads=3", "--io-in-arena", "--ram=a=256,b"},
    {"--target=aarch64", "--fit=ram"},
    {"--target=cortex-m4", "--fit=ram", "--io=quantized"},
    {"--target=cortex-m55", "--fit=speed", "--io-in-arena"},
    {"--target=cortex-m0plus", "--index-check=clamp"},
};

CompileJob jobOf(const std::vector<const char *> &set, const std::string &model) {
  CompileFlags flags;
  std::vector<const char *> arguments = {"fuzz-compiler", model.c_str(), "--prefix=model"};
  arguments.insert(arguments.end(), set.begin(), set.end());
  CompileJob job;
  if (parseFlags(arguments, {""}) || !flags.toJob(job))
    abort();
  job.pipeline.foldSteps = 1 << 20;
  job.import.limits.nodes = job.import.limits.tensors = job.import.limits.expandedNodes = 2000;
  job.import.limits.expandedBytes = 1 << 16;
  job.import.limits.expandedBytesTotal = 1 << 18;
  for (const char *symbol : {"N", "batch", "x:0"})
    job.import.dims[symbol] = {1, 4};
  return job;
}

/// The folder of all runs, and what is compiled with which flags.
struct Setup {
  std::unique_ptr<Staging> staging;
  std::vector<CompileJob> jobs;

  Setup() {
    llvm::Expected<std::unique_ptr<Staging>> made = Staging::temporary();
    if (!made)
      abort();
    staging = std::move(*made);
    std::string model = staging->file("model.onnx");
    llvm::cantFail(staging->write("model.onnx", ""));
    for (const std::vector<const char *> &set : flagSets)
      jobs.push_back(jobOf(set, model));
  }
};
} // namespace

/// LLVM's archives are built without the sanitizer, so their half of its allocators does not unpoison.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0:detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Setup setup;
  llvm::cantFail(setup.staging->write("model.onnx", llvm::StringRef(reinterpret_cast<const char *>(data), size)));
  Diagnostics diagnostics;
  CompiledModel compiled;
  ExitStatus status = compileModel(setup.jobs[size % setup.jobs.size()], *setup.staging, diagnostics, compiled);
  bool isTold = status == ExitOk || (status == ExitModel && diagnostics.hasErrors());
  if (!isTold) {
    diagnostics.print(llvm::errs(), "model");
    abort();
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutateModel(data, size, most, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t oneSize, const uint8_t *other, size_t otherSize,
                                            uint8_t *out, size_t most, unsigned seed) {
  return crossModels(one, oneSize, other, otherSize, out, most, seed);
}
