// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings, each read as a number. One that begins with none is invalid data, and 0.
#pragma once

#include "runtime-lite/index.h"
#include "templates/text/number_text.h"

namespace sinter {
namespace {

template <class T>
static inline int readNumbers(const View<const sinter_string, 1> &x, const View<T, 1> &y) {
  int status = 0;
  for (int64_t i = 0; i < y.sizes[0]; ++i) {
    T value = 0;
    if (!readNumber(x.data[i * x.strides[0]], value)) {
      value = 0;
      status = kInvalidData;
    }
    y.data[i * y.strides[0]] = value;
  }
  return status;
}

} // namespace
} // namespace sinter
