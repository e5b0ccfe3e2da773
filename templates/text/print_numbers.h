// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, each made a string: floats with so many places behind the point, or where there are to be none below 0 as
// ONNX's Cast has them.
#pragma once

#include "runtime-lite/index.h"
#include "templates/text/number_text.h"

namespace sinter {
namespace {

struct PrintNumbersParams {
  int64_t places;
};

template <class T, class Byte>
static inline int printNumbers(const PrintNumbersParams &p, const View<const T, 1> &x, const View<sinter_string, 1> &y,
                               const View<int64_t, 0> &used, const View<Byte, 1> &text) {
  TextWriter writer(used, text);
  for (int64_t i = 0; i < y.sizes[0]; ++i) {
    writeNumber(writer, x.data[i * x.strides[0]], p.places);
    y.data[i * y.strides[0]] = writer.finish();
  }
  return writer.fits() ? 0 : kCapacityExceeded;
}

} // namespace
} // namespace sinter
