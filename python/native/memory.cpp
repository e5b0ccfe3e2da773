// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.h"

#include <algorithm>
#include <new>

namespace sinter_python {

bool View::take(nb::handle object, int flags) {
  isHeld = PyObject_CheckBuffer(object.ptr()) && PyObject_GetBuffer(object.ptr(), &buffer, flags) == 0;
  if (!isHeld) {
    PyErr_Clear();
    buffer = {};
  }
  return isHeld;
}

void View::release() {
  if (isHeld)
    PyBuffer_Release(&buffer);
  isHeld = false;
  buffer = {};
}

State::State(Library &library, const nb::sequence &arrays)
    : datas(library.inputs.size()), useds(library.inputs.size()), shapes(library.inputs.size()) {
  size_t next = 0;
  views.reserve(library.inputs.size());
  for (size_t i = 0; i < library.inputs.size(); ++i) {
    if (!library.inputs[i].isState())
      continue;
    View &view = views.emplace_back();
    if (!view.take(arrays[next++], PyBUF_ND | PyBUF_WRITABLE))
      throw nb::type_error(("the state '" + library.inputs[i].name + "' is no array that can be written to").c_str());
    datas[i] = view->buf;
    shapes[i].assign(view->shape, view->shape + view->ndim);
  }
}

Scratch::Scratch(const Library &library)
    : arena(
          ::operator new(std::max<size_t>(library.info->arena_bytes, 1), std::align_val_t(library.info->arena_align))),
      arenaAlign(library.info->arena_align),
      in(library.inputs.size() + static_cast<size_t>(library.info->dim_count) + 1),
      out(library.outputs.size() + library.outputSizes + 1), dims(static_cast<size_t>(library.info->dim_count)),
      memory(library.inputs.size() + library.outputs.size()), strings(memory.size()) {}

Scratch::~Scratch() { ::operator delete(arena, std::align_val_t(arenaAlign)); }

} // namespace sinter_python
