// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that calls work on: views of Python's arrays, state that is kept, and what a call needs besides.
#pragma once

#include "library.h"

namespace sinter_python {

/// A view of a Python object's memory, until it goes.
class View {
public:
  View() = default;
  View(View &&other) noexcept : buffer(other.buffer), isHeld(other.isHeld) { other.isHeld = false; }
  View &operator=(View &&) = delete;
  ~View() { release(); }
  /// False where the object has no such memory; no Python error is left.
  bool take(nb::handle object, int flags);
  void release();
  const Py_buffer *operator->() const { return &buffer; }

private:
  Py_buffer buffer = {};
  bool isHeld = false;
};

/// State that calls update: arrays that live as long as this.
class State {
public:
  /// One array per state of the library, in order of the inputs.
  State(Library &library, const nb::sequence &arrays);
  int64_t used(size_t input) const { return useds[input]; }
  void setUsed(size_t input, int64_t rows) { useds[input] = rows; }
  void *data(size_t input) const { return datas[input]; }
  const std::vector<int64_t> &shape(size_t input) const { return shapes[input]; }

  std::mutex mutex; ///< a call at a time

private:
  std::vector<View> views;
  std::vector<void *> datas;  ///< per input; null where it is no state
  std::vector<int64_t> useds; ///< of those that grow
  std::vector<std::vector<int64_t>> shapes;
};

/// What a call needs besides its tensors.
struct Scratch {
  explicit Scratch(const Library &library);
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  void *arena;
  size_t arenaAlign;
  std::vector<int64_t> in, out;                    ///< the structs: pointers, then 64-bit numbers
  std::vector<int64_t> dims;                       ///< of the model's symbols; -1: not known yet
  std::vector<void *> memory;                      ///< of the inputs, then of the outputs
  std::vector<std::vector<sinter_string>> strings; ///< of the same
};

/// Gives a scratch back when the call ends, however it does.
class Taken {
public:
  explicit Taken(Library &library) : library(library), scratch(library.take()) {}
  ~Taken() { library.giveBack(std::move(scratch)); }
  Scratch &operator*() const { return *scratch; }

private:
  Library &library;
  std::unique_ptr<Scratch> scratch;
};

/// Holds a state's lock; waits for it without the GIL.
class Turn {
public:
  explicit Turn(State *state) : state(state) {
    if (!state || state->mutex.try_lock())
      return;
    const nb::gil_scoped_release others;
    state->mutex.lock();
  }
  ~Turn() {
    if (state)
      state->mutex.unlock();
  }

private:
  State *state;
};

} // namespace sinter_python
