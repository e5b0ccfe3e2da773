// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From Python's arrays to the structs of the C ABI and back.
#include "call.h"

#include <algorithm>
#include <cstring>
#include <nanobind/stl/string.h>

namespace sinter_python {
namespace {
static_assert(sizeof(void *) == sizeof(int64_t), "the structs are written as 64-bit words");

nb::tuple tupleOf(const std::vector<int64_t> &sizes) {
  nb::list made;
  for (int64_t size : sizes)
    made.append(size);
  return nb::tuple(made);
}

int64_t countOf(const std::vector<int64_t> &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// Null where there is none. Held, since other threads may change the dict while Python makes a value fit.
nb::object valueOf(nb::handle dict, const Tensor &tensor) {
  return nb::borrow(PyDict_GetItemWithError(dict.ptr(), tensor.key.ptr()));
}

class Calling {
public:
  Calling(Library &library, Scratch &scratch, State *state, nb::handle arrays)
      : library(library), scratch(scratch), state(state), arrays(arrays) {
    views.reserve(3 * (library.inputs.size() + library.outputs.size())); // an output may take three
    kept.resize(library.inputs.size());
    made.resize(library.outputs.size());
    given.resize(library.outputs.size());
    packed.resize(library.outputs.size());
    sizes.resize(library.outputs.size());
    std::fill(scratch.dims.begin(), scratch.dims.end(), -1);
  }

  void takeInputs(const nb::dict &feeds);
  void makeOutputs(nb::handle outs);
  void run();
  nb::list results();

private:
  Library &library;
  Scratch &scratch;
  State *state;
  nb::handle arrays;
  std::vector<View> views;
  std::vector<nb::object> kept;  ///< what lies behind inputs that were made to fit, and states without a State
  std::vector<nb::object> made;  ///< of each output
  std::vector<nb::object> given; ///< of each output, the caller's array, if any
  std::vector<nb::object>
      packed; ///< its memory, where elements have a byte there and the call writes several to a byte
  std::vector<std::vector<int64_t>> sizes;

  [[noreturn]] void refuse(const nb::dict &feeds);
  bool fits(const Tensor &tensor, const Py_ssize_t *given, int rank);
  bool takeInput(size_t i, nb::handle feed);
  bool takeFixed(size_t i, const nb::tuple &fixed);
  bool takeState(size_t i);
  bool startState(size_t i, nb::handle feed);
  bool resolve(const Tensor &tensor, std::vector<int64_t> &into) const;
  /// At the sizes that the inputs tell, else the largest.
  size_t bytesNow(const Tensor &tensor) const {
    std::vector<int64_t> sizesNow;
    resolve(tensor, sizesNow);
    return tensor.bytes(countOf(sizesNow));
  }
  void takeOutput(size_t i, nb::handle out);
  void makeOutput(size_t i, bool isKnown);
};

/// Python says why, by the inputs and by the sizes that a State has.
void Calling::refuse(const nb::dict &feeds) {
  nb::dict held;
  for (size_t i = 0; state && i < library.inputs.size(); ++i)
    for (size_t d = 0; d < state->shape(i).size(); ++d)
      if (const int symbol = library.inputs[i].symbols[d];
          symbol >= 0 && static_cast<int>(d) != library.inputs[i].growingDim)
        held[library.info->dims[symbol].name] = state->shape(i)[d];
  arrays.attr("explain")(feeds, state ? nb::object(held) : nb::none());
  throw std::runtime_error("the inputs do not fit");
}

/// Whether sizes are those of the tensor; those of symbols are known from then on.
bool Calling::fits(const Tensor &tensor, const Py_ssize_t *given, int rank) {
  if (rank != static_cast<int>(tensor.sizes.size()))
    return false;
  for (size_t d = 0; d < tensor.sizes.size(); ++d) {
    const int symbol = tensor.symbols[d];
    if (symbol < 0) {
      if (symbol == Tensor::Fixed && given[d] != tensor.sizes[d])
        return false;
      continue;
    }
    int64_t &known = scratch.dims[static_cast<size_t>(symbol)];
    const sinter_dim_info &dim = library.info->dims[symbol];
    if (known >= 0 ? known != given[d] : given[d] < dim.min || given[d] > dim.max)
      return false;
    known = given[d];
  }
  return true;
}

bool Calling::takeInput(size_t i, nb::handle feed) {
  const Tensor &tensor = library.inputs[i];
  View &view = views.emplace_back();
  if (!library.isMasked(feed) && view.take(feed, PyBUF_ND | PyBUF_FORMAT) &&
      tensor.takes(view->format, view->itemsize) && reinterpret_cast<uintptr_t>(view->buf) % tensor.alignment() == 0) {
    scratch.memory[i] = view->buf;
    return fits(tensor, view->shape, view->ndim);
  }
  view.release();
  return takeFixed(i, nb::cast<nb::tuple>(arrays.attr("fix")(i, feed)));
}

/// Of (array of elements as the ABI has them, shape); of strings a list of str or bytes.
bool Calling::takeFixed(size_t i, const nb::tuple &fixed) {
  const Tensor &tensor = library.inputs[i];
  std::vector<Py_ssize_t> shape;
  for (nb::handle size : fixed[1])
    shape.push_back(nb::cast<Py_ssize_t>(size));
  kept[i] = nb::object(fixed[0]);
  if (tensor.isString()) {
    std::vector<sinter_string> &strings = scratch.strings[i];
    strings.clear();
    for (nb::handle element : kept[i]) {
      Py_ssize_t size = 0;
      char *bytes = nullptr;
      const char *text = nullptr;
      if (PyUnicode_Check(element.ptr()))
        text = PyUnicode_AsUTF8AndSize(element.ptr(), &size);
      else if (PyBytes_AsStringAndSize(element.ptr(), &bytes, &size) == 0)
        text = bytes;
      if (!text)
        throw nb::python_error();
      strings.push_back({text, static_cast<size_t>(size)});
    }
    strings.reserve(1); // never null
    scratch.memory[i] = strings.data();
  } else {
    View &view = views.emplace_back();
    if (!view.take(kept[i], PyBUF_SIMPLE))
      return false;
    scratch.memory[i] = view->buf;
  }
  return fits(tensor, shape.data(), static_cast<int>(shape.size()));
}

bool Calling::takeState(size_t i) {
  const Tensor &tensor = library.inputs[i];
  std::vector<int64_t> shape = state->shape(i);
  if (tensor.growingDim >= 0)
    shape[static_cast<size_t>(tensor.growingDim)] = state->used(i);
  scratch.memory[i] = state->data(i);
  return fits(tensor, reinterpret_cast<const Py_ssize_t *>(shape.data()), static_cast<int>(shape.size()));
}

/// A state without a State: a copy of what was fed, or zeros, which the call turns into an output.
bool Calling::startState(size_t i, nb::handle feed) {
  nb::dict known;
  for (size_t d = 0; d < scratch.dims.size(); ++d)
    if (scratch.dims[d] >= 0)
      known[library.info->dims[d].name] = scratch.dims[d];
  return takeFixed(i, nb::cast<nb::tuple>(arrays.attr("start")(i, feed, known)));
}

void Calling::takeInputs(const nb::dict &feeds) {
  size_t found = 0;
  bool fit = true, hasStates = false;
  for (size_t i = 0; fit && i < library.inputs.size(); ++i) {
    const Tensor &tensor = library.inputs[i];
    if (tensor.isState()) {
      hasStates = true;
      fit = !state || takeState(i);
      continue;
    }
    const nb::object feed = valueOf(feeds, tensor);
    fit = feed.is_valid() && takeInput(i, feed);
    ++found;
  }
  for (size_t i = 0; fit && hasStates && !state && i < library.inputs.size(); ++i) {
    if (!library.inputs[i].isState())
      continue;
    const nb::object feed = valueOf(feeds, library.inputs[i]);
    fit = startState(i, feed.is_valid() ? feed : nb::none());
    found += feed.is_valid() ? 1 : 0;
  }
  if (!fit || found != nb::len(feeds))
    refuse(feeds);
  int64_t *words = scratch.in.data();
  for (size_t i = 0; i < library.inputs.size(); ++i) {
    const Tensor &tensor = library.inputs[i];
    words[i] = tensor.arenaOffset < 0 ? reinterpret_cast<int64_t>(scratch.memory[i]) : 0;
  }
  for (size_t d = 0; d < scratch.dims.size(); ++d)
    words[library.inputs.size() + d] = scratch.dims[d] >= 0 ? scratch.dims[d] : library.info->dims[d].min;
}

/// The sizes of an output, where the inputs tell them; else the largest.
bool Calling::resolve(const Tensor &tensor, std::vector<int64_t> &into) const {
  bool isKnown = true;
  into = tensor.largest;
  for (size_t d = 0; d < into.size(); ++d) {
    const int symbol = tensor.symbols[d];
    if (symbol >= 0 && scratch.dims[static_cast<size_t>(symbol)] >= 0)
      into[d] = scratch.dims[static_cast<size_t>(symbol)];
    else if (symbol != Tensor::Fixed)
      isKnown = false;
  }
  return isKnown;
}

void Calling::takeOutput(size_t i, nb::handle out) {
  const Tensor &tensor = library.outputs[i];
  const size_t before = views.size();
  View &own = views.emplace_back();
  bool isTaken = !library.isMasked(out) && own.take(out, PyBUF_ND | PyBUF_FORMAT | PyBUF_WRITABLE) &&
                 tensor.takes(own->format, own->itemsize) && own->ndim == static_cast<int>(sizes[i].size()) &&
                 reinterpret_cast<uintptr_t>(own->buf) % tensor.alignment() == 0 &&
                 std::equal(sizes[i].begin(), sizes[i].end(), own->shape);
  if (!isTaken) {
    own.release();
    packed[i] = arrays.attr("place")(i, out, tupleOf(sizes[i]));
    isTaken = own.take(packed[i], PyBUF_ND | PyBUF_WRITABLE);
  }
  bool isFree = isTaken;
  const auto *begin = isTaken ? static_cast<const char *>(own->buf) : nullptr;
  for (size_t other = 0; isFree && other < before; ++other) {
    const auto *from = static_cast<const char *>(views[other]->buf);
    isFree = !from || from >= begin + own->len || from + views[other]->len <= begin;
  }
  if (!isFree) {
    arrays.attr("explain_out")(i, out, tupleOf(sizes[i]), isTaken);
    throw std::runtime_error("the output '" + tensor.name + "' does not fit");
  }
  given[i] = nb::borrow(out);
  if (tensor.isPacked()) {
    makeOutput(i, true);
    return;
  }
  made[i] = given[i];
  scratch.memory[library.inputs.size() + i] = own->buf;
}

void Calling::makeOutput(size_t i, bool isKnown) {
  const Tensor &tensor = library.outputs[i];
  void *&memory = scratch.memory[library.inputs.size() + i];
  if (tensor.isString()) {
    std::vector<sinter_string> &strings = scratch.strings[library.inputs.size() + i];
    strings.assign(static_cast<size_t>(countOf(sizes[i])) + 1, {});
    memory = strings.data();
    return;
  }
  if (tensor.shape.is_valid() && !tensor.isRaw())
    made[i] = library.empty(tensor.shape, tensor.dtype);
  else if (isKnown && !tensor.isRaw())
    made[i] = library.empty(tupleOf(sizes[i]), tensor.dtype);
  else
    made[i] = library.empty(tensor.bytes(countOf(sizes[i])) / (tensor.isRaw() ? tensor.alignment() : tensor.bytes(1)),
                            tensor.dtype);
  View &view = views.emplace_back();
  if (!view.take(made[i], PyBUF_SIMPLE | PyBUF_WRITABLE))
    throw std::runtime_error("numpy gave no memory for the output '" + tensor.name + "'");
  memory = view->buf;
}

void Calling::makeOutputs(nb::handle outs) {
  for (size_t i = 0; i < library.outputs.size(); ++i) {
    const Tensor &tensor = library.outputs[i];
    bool isKnown = true;
    if (tensor.isFixed())
      sizes[i] = tensor.sizes;
    else
      isKnown = resolve(tensor, sizes[i]);
    const nb::object out = outs.is_none() ? nb::object() : valueOf(outs, tensor);
    if (out.is_valid() && isKnown)
      takeOutput(i, out);
    else if (out.is_valid())
      arrays.attr("explain_out")(i, out, nb::none(), false);
    else
      makeOutput(i, isKnown);
    scratch.out[i] = tensor.arenaOffset < 0 ? reinterpret_cast<int64_t>(scratch.memory[library.inputs.size() + i]) : 0;
  }
}

void Calling::run() {
  sinter_env env = {};
  env.size = sizeof env;
  env.arena = scratch.arena;
  env.weights = library.weights;
  int status;
  {
    const nb::gil_scoped_release others;
    env.parallel = library.parallel();
    auto *arena = static_cast<char *>(scratch.arena);
    for (size_t i = 0; i < library.inputs.size(); ++i)
      if (const Tensor &tensor = library.inputs[i]; tensor.arenaOffset >= 0)
        std::memcpy(arena + tensor.arenaOffset, scratch.memory[i], bytesNow(tensor));
    status = library.run(scratch.in.data(), scratch.out.data(), &env);
    for (size_t i = 0; status == SINTER_OK && i < library.outputs.size(); ++i)
      if (const Tensor &tensor = library.outputs[i]; tensor.arenaOffset >= 0)
        std::memcpy(scratch.memory[library.inputs.size() + i], arena + tensor.arenaOffset, bytesNow(tensor));
  }
  if (status == SINTER_OK)
    return;
  arrays.attr("fail")(status, sinter_text_of_status(status));
  throw std::runtime_error(sinter_text_of_status(status));
}

nb::list Calling::results() {
  const int64_t *written = scratch.out.data() + library.outputs.size();
  for (size_t i = 0; i < library.outputs.size(); ++i) {
    const Tensor &tensor = library.outputs[i];
    if (!tensor.isFixed()) {
      std::vector<int64_t> known;
      const bool isKnown = resolve(tensor, known);
      sizes[i].assign(written, written + tensor.sizes.size());
      written += tensor.sizes.size();
      if (isKnown && !tensor.isRaw())
        continue;
    } else if (!tensor.isRaw()) {
      continue;
    }
    if (given[i].is_valid()) {
      if (tensor.isPacked())
        arrays.attr("finish")(i, made[i], tupleOf(sizes[i]), packed[i]);
      made[i] = given[i];
      continue;
    }
    if (tensor.isString()) {
      nb::list texts;
      const std::vector<sinter_string> &strings = scratch.strings[library.inputs.size() + i];
      for (int64_t e = 0, n = countOf(sizes[i]); e < n; ++e)
        texts.append(nb::bytes(strings[static_cast<size_t>(e)].data, strings[static_cast<size_t>(e)].size));
      made[i] = texts;
    }
    made[i] = arrays.attr("finish")(i, made[i], tupleOf(sizes[i]));
  }
  for (size_t i = 0; i < library.inputs.size(); ++i) {
    const Tensor &tensor = library.inputs[i];
    if (tensor.growingDim < 0)
      continue;
    const int64_t rows = written[tensor.growingDim];
    written += tensor.sizes.size();
    if (state)
      state->setUsed(i, rows);
    else
      kept[i] = arrays.attr("rows")(i, kept[i], rows);
  }
  nb::list all;
  for (int result : library.results)
    if (result >= 0)
      all.append(made[static_cast<size_t>(result)]);
    else if (!state)
      all.append(kept[static_cast<size_t>(-1 - result)]);
  return all;
}
} // namespace

nb::list call(Library &library, nb::handle arrays, State *state, const nb::dict &feeds, nb::handle outs) {
  const Turn turn(state);
  const Taken scratch(library);
  Calling calling(library, *scratch, state, arrays);
  calling.takeInputs(feeds);
  calling.makeOutputs(outs);
  calling.run();
  return calling.results();
}

} // namespace sinter_python
