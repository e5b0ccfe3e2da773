// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled model as a shared library: opened by dlopen, known by its PREFIX_info() alone, which describes the structs
// that PREFIX_run_with takes (docs/output-format.md). Calls are made in call.h.
#pragma once

#include "tensor.h"

#include <memory>
#include <mutex>
#include <sys/types.h>

namespace sinter {
class Pool;
}

namespace sinter_python {

struct Scratch;

class Library {
public:
  using Run = int (*)(const void *inputs, void *outputs, const sinter_env *env);

  /// `weights`: of models whose caller brings them, their file; else empty. Throws where it is no library of ours.
  Library(const std::string &path, const std::string &prefix, int threads, const std::string &weights);
  ~Library();
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  /// An arena and room for the structs, for one call at a time. Calls at the same time have one each.
  std::unique_ptr<Scratch> take();
  void giveBack(std::unique_ptr<Scratch> scratch);
  /// Threads that share a kernel's work; null: the caller alone. Those of a parent process are none of ours.
  const sinter_parallel *parallel();

  const sinter_model_info *info = nullptr;
  Run run = nullptr;
  std::vector<Tensor> inputs, outputs;
  /// Outputs of the graph in their order: an index into `outputs`, or of a state, -1 - index into `inputs`.
  std::vector<int> results;
  size_t outputSizes = 0; ///< numbers behind the pointers of the struct of outputs
  const void *weights = nullptr;
  nb::object empty; ///< numpy.empty
  /// Of numpy.ma: its memory is not all that it says.
  bool isMasked(nb::handle object) const {
    return PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject *>(maskedArray.ptr())) != 0;
  }

private:
  nb::object maskedArray; ///< the type
  void *handle = nullptr;
  size_t weightsBytes = 0;
  int threads;
  std::mutex mutex; ///< of the two below
  std::vector<std::unique_ptr<Scratch>> idle;
  std::unique_ptr<sinter::Pool> pool;
  pid_t poolOwner = 0;

  void openWeights(const std::string &path);
};

} // namespace sinter_python
