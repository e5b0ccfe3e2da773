// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of lanes or steps as types: for shuffles, whose lanes are constants, and for loops whose counter is one.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

template <int... kNumbers>
struct Numbers {};
/// NumbersBelow<n>::Type is Numbers<0, 1, .., n - 1>.
template <int n, int... kNumbers>
struct NumbersBelow : NumbersBelow<n - 1, n - 1, kNumbers...> {};
template <int... kNumbers>
struct NumbersBelow<0, kNumbers...> {
  using Type = Numbers<kNumbers...>;
};

template <class Body, int... i>
SINTER_INLINE void eachOf(Numbers<i...>, Body body) {
  (body(Fixed<i>{}), ...);
}
/// body(Fixed<i>) for i from 0 to n - 1.
template <int n, class Body>
SINTER_INLINE void eachFixed(Body body) {
  eachOf(typename NumbersBelow<n>::Type{}, body);
}

} // namespace
} // namespace sinter
