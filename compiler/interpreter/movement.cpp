// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided copies: loops are merged where both sides allow it, the innermost pair is a memcpy, a fill, or a
// transposition in cache-sized tiles.
#include "movement.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sinter;

namespace {

struct Loop {
  int64_t extent, to, from;
};

/// Elements of 1 to 16 bytes by their bits, at any alignment.
template <size_t Bytes>
struct Element {
  static constexpr size_t bytes = Bytes;
  static void copy(char *to, const char *from) { std::memcpy(to, from, Bytes); }
  static void copyRow(char *to, const char *from, int64_t count) {
    std::memcpy(to, from, static_cast<size_t>(count) * Bytes);
  }
};
struct StringElement {
  static constexpr size_t bytes = sizeof(std::string);
  static void copy(char *to, const char *from) {
    *reinterpret_cast<std::string *>(to) = *reinterpret_cast<const std::string *>(from);
  }
  static void copyRow(char *to, const char *from, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      copy(to + i * static_cast<int64_t>(bytes), from + i * static_cast<int64_t>(bytes));
  }
};

template <class E>
void copyLine(Loop loop, char *to, const char *from) {
  constexpr auto bytes = static_cast<int64_t>(E::bytes);
  if (loop.to == 1 && loop.from == 1)
    return E::copyRow(to, from, loop.extent);
  for (int64_t i = 0; i < loop.extent; ++i)
    E::copy(to + i * loop.to * bytes, from + i * loop.from * bytes);
}

/// Two loops, one contiguous in the source and one in the target: in tiles, so that each cache line is used whole.
template <class E>
void copyPlane(Loop outer, Loop inner, char *to, const char *from) {
  constexpr auto bytes = static_cast<int64_t>(E::bytes);
  constexpr int64_t tile = bytes >= 8 ? 16 : 32;
  for (int64_t i0 = 0; i0 < outer.extent; i0 += tile) {
    int64_t i1 = std::min(i0 + tile, outer.extent);
    for (int64_t j0 = 0; j0 < inner.extent; j0 += tile) {
      int64_t j1 = std::min(j0 + tile, inner.extent);
      for (int64_t i = i0; i < i1; ++i) {
        char *row = to + i * outer.to * bytes;
        const char *column = from + i * outer.from * bytes;
        for (int64_t j = j0; j < j1; ++j)
          E::copy(row + j * inner.to * bytes, column + j * inner.from * bytes);
      }
    }
  }
}

template <class E>
void copyLoops(ArrayRef<Loop> loops, char *to, const char *from) {
  constexpr auto bytes = static_cast<int64_t>(E::bytes);
  if (loops.empty())
    return E::copy(to, from);
  if (loops.size() == 1)
    return copyLine<E>(loops[0], to, from);
  if (loops.size() == 2 && loops[1].from != 1 && loops[0].from == 1)
    return copyPlane<E>(loops[0], loops[1], to, from);
  for (int64_t i = 0; i < loops[0].extent; ++i)
    copyLoops<E>(loops.drop_front(), to + i * loops[0].to * bytes, from + i * loops[0].from * bytes);
}

template <class Visit>
void withMovedElement(ElementKind kind, Visit visit) {
  if (kind == ElementKind::String)
    return visit(StringElement());
  switch (elementBytes(kind)) {
  case 1:
    return visit(Element<1>());
  case 2:
    return visit(Element<2>());
  case 4:
    return visit(Element<4>());
  case 8:
    return visit(Element<8>());
  default:
    return visit(Element<16>());
  }
}

} // namespace

void sinter::copyStrided(ElementKind kind, ArrayRef<int64_t> extents, char *to, ArrayRef<int64_t> toStrides,
                         const char *from, ArrayRef<int64_t> fromStrides) {
  SmallVector<Loop, 6> loops;
  for (auto [extent, toStride, fromStride] : llvm::zip_equal(extents, toStrides, fromStrides)) {
    if (extent == 0)
      return;
    if (extent != 1)
      loops.push_back({extent, toStride, fromStride});
  }
  // The target is written in its own order; loops that are one loop on both sides merge.
  llvm::sort(loops, [](const Loop &a, const Loop &b) {
    return a.to > b.to;
  }); // no two are equal: each target element is written once
  SmallVector<Loop, 6> merged;
  for (const Loop &loop : loops) {
    if (!merged.empty() && merged.back().to == loop.to * loop.extent && merged.back().from == loop.from * loop.extent)
      merged.back() = {merged.back().extent * loop.extent, loop.to, loop.from};
    else
      merged.push_back(loop);
  }
  // Transposition: the loop that runs along the source comes next to the innermost.
  if (merged.size() > 2 && merged.back().from != 1)
    for (size_t i = 0; i + 2 < merged.size(); ++i)
      if (merged[i].from == 1) {
        std::rotate(merged.begin() + i, merged.begin() + i + 1, merged.end() - 1);
        break;
      }
  withMovedElement(kind, [&](auto element) { copyLoops<decltype(element)>(merged, to, from); });
}

void sinter::fillElements(ElementKind kind, char *to, int64_t count, const char *element) {
  bool zero = kind != ElementKind::String &&
              llvm::all_of(ArrayRef<char>(element, elementBytes(kind)), [](char c) { return c == 0; });
  if (zero)
    std::memset(to, 0, static_cast<size_t>(count) * elementBytes(kind));
  else
    copyStrided(kind, {count}, to, {1}, element, {0});
}

void sinter::insertBox(HostTensor &target, const HostTensor &source, ArrayRef<int64_t> offsets,
                       ArrayRef<int64_t> strides) {
  SmallVector<int64_t, 6> toStrides = rowMajorStrides(target.shape());
  int64_t offset = 0;
  for (size_t i = 0; i < toStrides.size(); ++i) {
    offset += offsets[i] * toStrides[i];
    toStrides[i] *= strides[i];
  }
  SmallVector<int64_t, 6> fromStrides =
      source.isSplat() ? SmallVector<int64_t, 6>(toStrides.size(), 0) : rowMajorStrides(source.shape());
  if (source.size() == 0)
    return;
  copyStrided(source.kind(), source.shape(),
              target.mutableBytes() + offset * static_cast<int64_t>(target.bytesPerElement()), toStrides,
              source.storedBytes(), fromStrides);
}
