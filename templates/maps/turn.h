// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix turned round: what lies adjacent on one side does not on the other. Squares of as many elements as a vector
// has lanes are turned in registers; where one side is shorter, narrower ones, or rows of short elements several to a
// vector. What is left goes element by element. Maps between layouts, transposed tensors.
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
/// The same, and of rows that are fewer than lanes: each zip of the upper with the lower half takes a bit of a lane's
/// number to the row's, and one of the row's to the lane's. `steps`: 2 to the number of zips.
template <int steps, class V, int count>
SINTER_INLINE void zipRows(V (&rows)[count]) {
  if constexpr (steps > 1) {
    V zipped[count];
    SINTER_UNROLL
    for (int i = 0; i < count / 2; ++i)
      zip(rows[i], rows[i + count / 2], zipped[2 * i], zipped[2 * i + 1], typename NumbersBelow<kLanesOf<V>>::Type{});
    zipRows<steps / 2>(zipped);
    SINTER_UNROLL
    for (int i = 0; i < count; ++i)
      rows[i] = zipped[i];
  }
}

/// What a short row of elements goes as.
template <int bytes>
using PieceOf = typename TurnedAs<bytes>::Type;
template <class Piece, class T>
SINTER_INLINE Piece pieceAt(const T *from) {
  Piece piece;
  memcpy(&piece, from, sizeof(Piece));
  return piece;
}
template <int columns, class V, class T, int... i>
SINTER_INLINE V piecesOf(const T *from, int64_t step, Numbers<i...>) {
  using Piece = PieceOf<columns *int(sizeof(T))>;
  return bitCast<V>(Vec<Piece, int(sizeof...(i))>{pieceAt<Piece>(from + i * step)...});
}
/// A vector of `columns` elements from each of as many lines as fill it; storeLines is the way back.
template <int columns, class V, class T>
SINTER_INLINE V loadLines(const T *from, int64_t step) {
  if constexpr (columns == kLanesOf<V>) {
    V v;
    memcpy(&v, from, sizeof(V));
    return v;
  } else {
    return piecesOf<columns, V>(from, step, typename NumbersBelow<kLanesOf<V> / columns>::Type{});
  }
}
template <int columns, class V, class T>
SINTER_INLINE void storeLines(V v, T *to, int64_t step) {
  if constexpr (columns == kLanesOf<V>) {
    memcpy(to, &v, sizeof(V));
  } else {
    using Piece = PieceOf<columns *int(sizeof(T))>;
    const auto pieces = bitCast<Vec<Piece, kLanesOf<V> / columns>>(v);
    SINTER_UNROLL
    for (int i = 0; i < kLanesOf<V> / columns; ++i) {
      const Piece piece = pieces[i];
      memcpy(to + i * step, &piece, sizeof(Piece));
    }
  }
}

/// to[i * toStep + j] = from[j * fromStep + i] for i < columns, j < lines, in registers. Both are as many as lanes, or
/// elements are short and one of them is fewer: vectors then hold several of the short rows.
template <int columns, int lines, class T>
SINTER_INLINE void turnBlock(const T *from, int64_t fromStep, T *to, int64_t toStep) {
  using Element = typename TurnedAs<sizeof(T)>::Type;
  constexpr int lanes = columns > lines ? columns : lines, count = columns < lines ? columns : lines;
  Vec<Element, lanes> rows[count];
  SINTER_UNROLL
  for (int r = 0; r < count; ++r)
    rows[r] = loadLines<columns, Vec<Element, lanes>>(from + r * (lines / count) * fromStep, fromStep);
  if constexpr (sizeof(T) < 4)
    zipRows<lines>(rows);
  else
    turnSquare<lanes / 2>(rows);
  SINTER_UNROLL
  for (int r = 0; r < count; ++r)
    storeLines<lines>(rows[r], to + r * (columns / count) * toStep, toStep);
}

/// How many of n elements go by vectors of `lanes`: all, if what is left fills enough of a last one, which then begins
/// earlier and does some again.
SINTER_INLINE int64_t turnedByVectors(int64_t n, int64_t lanes) {
  return n < lanes ? 0 : n % lanes * 4 < lanes ? n - n % lanes : n;
}

template <class T>
SINTER_INLINE void turnEach(const T *from, int64_t fromStep, T *to, int64_t toStep, int64_t count, int64_t lines) {
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < lines; ++j)
      to[i * toStep + j] = from[j * fromStep + i];
}

/// turn() by blocks, and what fills none at the ends one by one.
template <int columns, int blockLines, class T>
SINTER_INLINE void turnBlocks(const T *from, int64_t fromStep, T *to, int64_t toStep, int64_t count, int64_t lines) {
  constexpr int64_t together = 64; // lines of which a cache holds what neighbouring blocks share
  const int64_t wholeLines = turnedByVectors(lines, blockLines), whole = turnedByVectors(count, columns);
  for (int64_t first = 0; first < wholeLines; first += together)
    for (int64_t nextI = 0; nextI < whole; nextI += columns)
      for (int64_t nextJ = first; nextJ < first + together && nextJ < wholeLines; nextJ += blockLines) {
        const int64_t i = nextI + columns <= whole ? nextI : whole - columns;
        const int64_t j = nextJ + blockLines <= wholeLines ? nextJ : wholeLines - blockLines;
        turnBlock<columns, blockLines>(from + j * fromStep + i, fromStep, to + i * toStep + j, toStep);
      }
  if (wholeLines < lines)
    turnEach(from + wholeLines * fromStep, fromStep, to + wholeLines, toStep, whole, lines - wholeLines);
  turnEach(from + whole, fromStep, to + whole * toStep, toStep, count - whole, lines);
}

/// turn() where one side has fewer elements than vectors have lanes, but at least `few`.
template <int few, class T>
SINTER_INLINE void turnFew(const T *from, int64_t fromStep, T *to, int64_t toStep, int64_t count, int64_t lines) {
  constexpr int lanes = kTurnedLanes<sizeof(T)>;
  if constexpr (few < 4)
    turnEach(from, fromStep, to, toStep, count, lines);
  else if ((count < lines ? count : lines) < few)
    turnFew<few / 2>(from, fromStep, to, toStep, count, lines);
  else if constexpr (sizeof(T) >= 4)
    turnBlocks<few, few>(from, fromStep, to, toStep, count, lines);
  else if (count >= lanes)
    turnBlocks<lanes, few>(from, fromStep, to, toStep, count, lines);
  else if (lines >= lanes)
    turnBlocks<few, lanes>(from, fromStep, to, toStep, count, lines);
  else
    turnEach(from, fromStep, to, toStep, count, lines);
}

/// to[i * toStep + j] = from[j * fromStep + i] for i < count, j < lines. No alignment beyond the elements'.
template <class T>
SINTER_HOST_DEVICE void turn(const T *from, int64_t fromStep, T *to, int64_t toStep, int64_t count, int64_t lines) {
  constexpr int lanes = kTurnedLanes<sizeof(T)>;
  if constexpr (lanes == 1)
    turnEach(from, fromStep, to, toStep, count, lines);
  else if (count >= lanes && lines >= lanes)
    turnBlocks<lanes, lanes>(from, fromStep, to, toStep, count, lines);
  else
    turnFew<lanes / 2>(from, fromStep, to, toStep, count, lines);
}

} // namespace
} // namespace sinter
