// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of strings, each made one.
#pragma once

#include "runtime-lite/index.h"
#include "runtime-lite/text.h"

namespace sinter {
namespace {

template <class Byte>
static inline int concatText(const View<const sinter_string, 1> &a, const View<const sinter_string, 1> &b,
                             const View<sinter_string, 1> &y, const View<int64_t, 0> &used, const View<Byte, 1> &text) {
  TextWriter writer(used, text);
  for (int64_t i = 0; i < y.sizes[0]; ++i) {
    writer.add(a.data[i * a.strides[0]]);
    writer.add(b.data[i * b.strides[0]]);
    y.data[i * y.strides[0]] = writer.finish();
  }
  return writer.fits() ? 0 : kCapacityExceeded;
}

} // namespace
} // namespace sinter
