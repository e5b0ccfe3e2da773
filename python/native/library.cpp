// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening, and what calls share.
#include "library.h"

#include "memory.h"
#include "samples/pool/sinter_pool.h"

#include <algorithm>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sinter_python {

Library::Library(const std::string &path, const std::string &prefix, int threads, const std::string &weightsPath)
    : empty(nb::module_::import_("numpy").attr("empty")),
      maskedArray(nb::module_::import_("numpy.ma").attr("MaskedArray")), threads(threads) {
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw std::runtime_error(std::string("cannot be loaded: ") + dlerror());
  using Info = const sinter_model_info *(*)();
  const auto describeModel = reinterpret_cast<Info>(dlsym(handle, (prefix + "_info").c_str()));
  run = reinterpret_cast<Run>(dlsym(handle, (prefix + "_run_with").c_str()));
  info = describeModel ? describeModel() : nullptr;
  if (!info || !run || info->size < offsetof(sinter_model_info, regions)) {
    dlclose(handle);
    throw std::runtime_error(path + " is no compiled model of this version of sinter");
  }
  for (int i = 0; i < info->input_count; ++i)
    inputs.push_back(describe(info->inputs[i], *info));
  for (int i = 0; i < info->output_count; ++i)
    outputs.push_back(describe(info->outputs[i], *info));
  const auto states = std::count_if(inputs.begin(), inputs.end(), [](const Tensor &input) { return input.isState(); });
  for (int place = 0, output = 0; place < info->output_count + states; ++place) {
    const auto state =
        std::find_if(inputs.begin(), inputs.end(), [place](const Tensor &input) { return input.stateIndex == place; });
    results.push_back(state == inputs.end() ? output++ : static_cast<int>(-1 - (state - inputs.begin())));
  }
  for (const Tensor &output : outputs)
    outputSizes += output.isFixed() ? 0 : output.sizes.size();
  for (const Tensor &input : inputs)
    outputSizes += input.growingDim < 0 ? 0 : input.sizes.size();
  if (!weightsPath.empty())
    openWeights(weightsPath);
}

Library::~Library() {
  if (poolOwner != getpid())
    static_cast<void>(pool.release()); // its threads are in another process
  pool.reset();
  idle.clear();
  if (weights)
    munmap(const_cast<void *>(weights), weightsBytes);
  dlclose(handle);
}

void Library::openWeights(const std::string &path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  void *mapped = MAP_FAILED;
  if (file >= 0 && fstat(file, &status) == 0 && static_cast<size_t>(status.st_size) >= info->weights_bytes)
    mapped = mmap(nullptr, weightsBytes = static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  if (file >= 0)
    close(file);
  if (mapped == MAP_FAILED)
    throw std::runtime_error(path + ": the weights cannot be read");
  weights = mapped;
}

std::unique_ptr<Scratch> Library::take() {
  const std::lock_guard<std::mutex> lock(mutex);
  if (idle.empty())
    return std::make_unique<Scratch>(*this);
  std::unique_ptr<Scratch> scratch = std::move(idle.back());
  idle.pop_back();
  return scratch;
}

void Library::giveBack(std::unique_ptr<Scratch> scratch) {
  const std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(scratch));
}

const sinter_parallel *Library::parallel() {
  if (threads <= 1)
    return nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  if (const pid_t self = getpid(); poolOwner != self) {
    static_cast<void>(pool.release());
    pool = std::make_unique<sinter::Pool>(threads);
    poolOwner = self;
  }
  return pool->parallel();
}

} // namespace sinter_python
