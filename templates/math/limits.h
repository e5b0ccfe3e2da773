// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least and greatest value of an element type, and the type that arithmetic on it is done in (half types: float).
#pragma once

#include "runtime-lite/half.h"

namespace sinter {
namespace {

template <class T>
using ComputeType = typename IfType<kIsHalf<T>, float, T>::Type;

/// -infinity for floats.
template <class T>
SINTER_HOST_DEVICE constexpr T lowest() {
  if constexpr (kIsFloat<T>)
    return T(-float(SINTER_INFINITY));
  else if constexpr (kIsSigned<T>)
    return T(T(1) << (sizeof(T) * 8 - 1));
  else
    return T(0);
}
template <class T>
SINTER_HOST_DEVICE constexpr T highest() {
  if constexpr (kIsFloat<T>)
    return T(float(SINTER_INFINITY));
  else
    return T(~lowest<T>());
}

} // namespace
} // namespace sinter
