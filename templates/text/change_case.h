// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings with their letters in lower or upper case.
#pragma once

#include "runtime-lite/index.h"
#include "runtime-lite/text.h"
#include "templates/text/letter_case.h"

namespace sinter {
namespace {

struct ChangeCaseParams {
  int64_t wanted; ///< LetterCase
};

template <class Byte>
static inline int changeCase(const ChangeCaseParams &p, const View<const sinter_string, 1> &x,
                             const View<sinter_string, 1> &y, const View<int64_t, 0> &used, const View<Byte, 1> &text) {
  TextWriter writer(used, text);
  for (int64_t i = 0; i < y.sizes[0]; ++i) {
    const sinter_string from = x.data[i * x.strides[0]];
    for (size_t at = 0; at < from.size;) {
      const Letter letter = letterAt(from, at);
      putLetter(inCase(letter.code, p.wanted), [&](char byte) { writer.add(byte); });
      at += static_cast<size_t>(letter.size);
    }
    y.data[i * y.strides[0]] = writer.finish();
  }
  return writer.fits() ? 0 : kCapacityExceeded;
}

} // namespace
} // namespace sinter
