// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of elements, whatever their type: what TopK and Unique sort by.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/strings.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

/// -1, 0, 1: the order of numbers with NaN behind all of them and equal to itself.
template <class T>
SINTER_FUNCTION int compareNumbers(T a, T b) {
  const bool aIsNan = a != a, bIsNan = b != b;
  if (aIsNan || bIsNan)
    return int(aIsNan) - int(bIsNan);
  return a < b ? -1 : a > b ? 1 : 0;
}

/// The same of elements: half types by their numbers, strings by their bytes.
template <class T>
SINTER_FUNCTION int compareElements(const T &a, const T &b) {
  if constexpr (kSame<T, sinter_string>)
    return stringCompare(a, b);
  else
    return compareNumbers(convert<ComputeType<T>>(a), convert<ComputeType<T>>(b));
}

} // namespace
} // namespace sinter
