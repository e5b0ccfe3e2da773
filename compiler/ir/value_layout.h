// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the elements of a buffer lie, in terms of the dims of the ONNX value that it holds. A layout lists parts of dims,
// the outermost first: with dims [n, c, h, w], "d0 d2 d3 d1" is channels-last, "d0 d1/8 d2 d3 d1%8" has blocks of 8
// channels, the last of which may not be full. Along the buffer in row-major order the last part runs fastest, however
// the buffer's own shape joins or splits the parts. "^80" at the end: elements are bytes x ^ 0x80 of the value's.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter {

class ValueLayout {
public:
  /// Of dim d: all of it, the number of the block (d/b), or the place within it (d%b).
  struct Part {
    enum Kind : uint8_t { Whole, Outer, Inner } kind;
    unsigned dim;
    int64_t block;
  };

  /// Nothing is known.
  ValueLayout() = default;
  /// As ONNX has it: the dims in order.
  static ValueLayout plain(unsigned rank);
  /// "d0 d1/8 d2 d1%8", as text() prints it; "?" is unknown. Nothing for any other text.
  static std::optional<ValueLayout> parse(llvm::StringRef text);
  std::string text() const;

  bool isKnown() const { return parts.has_value(); }
  bool hasFlippedBytes() const { return isFlipped; }
  /// The same of bytes that are flipped, or no longer.
  ValueLayout flipped() const;
  /// Part `axis` in blocks, their places innermost; one block of all is the dim at the end. Unknown if there is no such
  /// part, or it is one of a dim already.
  ValueLayout blocked(unsigned axis, int64_t block, bool isWhole) const;

  /// Where each element of a buffer in this layout belongs in the value, which has these dims, in row-major order; -1
  /// for the filling of a block. Nothing if the layout is unknown, or a buffer of that shape does not lie so.
  std::optional<std::vector<int64_t>> placesIn(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> shape) const;

private:
  std::optional<std::vector<Part>> parts;
  bool isFlipped = false;
};

} // namespace sinter
