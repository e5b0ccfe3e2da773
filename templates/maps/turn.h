// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix turned round: what lies adjacent on one side does not on the other. Squares of as many elements as a vector
// has lanes are turned in registers, others element by element. Maps between layouts, transposed tensors.
#pragma once

#include "templates/loops/numbers.h"

namespace sinter {
namespace {

/// Elements of a size that vectors are turned in; others as they are, one by one.
template <int bytes>
struct TurnedAs {
  using Type = char;
};
template <>
struct TurnedAs<4> {
  using Type = float;
};
template <>
struct TurnedAs<8> {
  using Type = double;
};
template <>
struct TurnedAs<2> {
  using Type = int16_t;
};
template <>
struct TurnedAs<1> {
  using Type = int8_t;
};
/// Of short ones as many as fill 16 bytes, within which they are zipped by single instructions everywhere.
template <int bytes>
constexpr int kTurnedLanes = bytes == 4                               ? kLanes<float>
                             : bytes == 8                             ? kLanes<double>
                             : bytes < 4 && SINTER_VECTOR_BYTES >= 16 ? 16 / bytes
                                                                      : 1;

/// Of each two squares of `step` that lie across from each other in a square of 2 * step, the off-diagonal ones change
/// places: a, b are rows `step` apart.
template <int step, class V, int... i>
SINTER_INLINE void swapBlocks(V &a, V &b, Numbers<i...>) {
  constexpr int lanes = kLanesOf<V>;
  const V low = __builtin_shufflevector(a, b, ((i & step) ? lanes + (i ^ step) : i)...);
  b = __builtin_shufflevector(a, b, ((i & step) ? lanes + i : i ^ step)...);
  a = low;
}
template <int step, class V, int lanes>
SINTER_INLINE void turnSquare(V (&rows)[lanes]) {
  if constexpr (step > 0) {
    SINTER_UNROLL
    for (int i = 0; i < lanes; ++i)
      if ((i & step) == 0)
        swapBlocks<step>(rows[i], rows[i + step], typename NumbersBelow<lanes>::Type{});
    turnSquare<step / 2>(rows);
  }
}

template <class V, int... i>
SINTER_INLINE void zip(V a, V b, V &low, V &high, Numbers<i...>) {
  constexpr int lanes = kLanesOf<V>;
  low = __builtin_shufflevector(a, b, (i / 2 + i % 2 * lanes)...);
  high = __builtin_shufflevector(a, b, (lanes / 2 + i / 2 + i % 2 * lanes)...);
}
/// The same square: each zip of the upper with the lower half takes a bit of a lane's number to the row's.
template <int steps, class V, int lanes>
SINTER_INLINE void zipSquare(V (&rows)[lanes]) {
  if constexpr (steps > 1) {
    V zipped[lanes];
    SINTER_UNROLL
    for (int i = 0; i < lanes / 2; ++i)
      zip(rows[i], rows[i + lanes / 2], zipped[2 * i], zipped[2 * i + 1], typename NumbersBelow<lanes>::Type{});
    zipSquare<steps / 2>(zipped);
    SINTER_UNROLL
    for (int i = 0; i < lanes; ++i)
      rows[i] = zipped[i];
  }
}

/// How many of n elements go by vectors of `lanes`: all, if what is left fills enough of a last one, which then begins
/// earlier and does some again.
SINTER_INLINE int64_t turnedByVectors(int64_t n, int64_t lanes) {
  return n < lanes ? 0 : n % lanes * 4 < lanes ? n - n % lanes : n;
}

/// to[i * toStep + j] = from[j * fromStep + i] for i < count, j < lines. No alignment beyond the elements'.
template <class T>
SINTER_HOST_DEVICE void turn(const T *from, int64_t fromStep, T *to, int64_t toStep, int64_t count, int64_t lines) {
  constexpr int lanes = kTurnedLanes<sizeof(T)>;
  const int64_t wholeLines = lanes > 1 ? turnedByVectors(lines, lanes) : 0;
  const int64_t whole = lanes > 1 ? turnedByVectors(count, lanes) : 0;
  if constexpr (lanes > 1) {
    using V = Vec<typename TurnedAs<sizeof(T)>::Type, lanes>;
    constexpr int64_t together = 64; // lines of which a cache holds what neighbouring squares share
    const auto square = [&](int64_t i, int64_t j) {
      V rows[lanes];
      SINTER_UNROLL
      for (int r = 0; r < lanes; ++r)
        memcpy(&rows[r], from + (j + r) * fromStep + i, sizeof(V));
      if constexpr (sizeof(T) < 4)
        zipSquare<lanes>(rows);
      else
        turnSquare<lanes / 2>(rows);
      SINTER_UNROLL
      for (int r = 0; r < lanes; ++r)
        memcpy(to + (i + r) * toStep + j, &rows[r], sizeof(V));
    };
    for (int64_t first = 0; first < wholeLines; first += together)
      for (int64_t i = 0; i < whole; i += lanes)
        for (int64_t j = first; j < first + together && j < wholeLines; j += lanes)
          square(i + lanes <= whole ? i : whole - lanes, j + lanes <= wholeLines ? j : wholeLines - lanes);
  }
  const auto some = [&](int64_t firstI, int64_t endI, int64_t firstJ) {
    for (int64_t i = firstI; i < endI; ++i)
      for (int64_t j = firstJ; j < lines; ++j)
        to[i * toStep + j] = from[j * fromStep + i];
  };
  if (wholeLines < lines)
    some(0, whole, wholeLines);
  some(whole, count, 0);
}

} // namespace
} // namespace sinter
