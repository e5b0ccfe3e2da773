// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions whose rows of taps are short and known: each element of a row is read once for all taps that it meets,
// with the weights of a row of taps in registers. A tile of R pixels and KW taps reads (R - 1) * stride + KW elements
// and KW weights for R * KW multiply-adds, where one tap after the other reads R + 1 for R: loads no longer set the
// pace. Registers: R * NV sums, KW * NV weights, one element. conv.h takes all other windows.
#pragma once

#include "templates/maps/rows.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// A row of taps: `pieces` times k channels, those of each piece `apart` elements behind the ones before. `a`: the
/// first channel at the first column inside of the image; `b`: the weights of the first tap.
template <class TA, class TB>
struct TapRowSegment {
  const TA *a;
  const TB *b;
  int64_t k, pieces, apart;
};

/// What a row of taps is: their number, the columns between two pixels, those between two taps.
template <int kTaps, int kStride, int kDilation>
struct TapRowForm {
  static constexpr int taps = kTaps, stride = kStride, dilation = kDilation;
};

/// A tile within a row: its pixels, and of the columns that their windows span those that lie outside of the image,
/// which are left out.
struct TapRowTile {
  int64_t pixels, left, right;
  constexpr bool operator==(const TapRowTile &other) const {
    return pixels == other.pixels && left == other.left && right == other.right;
  }
};
template <class Shape>
SINTER_INLINE constexpr TapRowTile tapRowTileAt(int64_t w, int64_t pixels) {
  const int64_t first = w * Shape::strideW - Shape::padLeft,
                columns = (pixels - 1) * Shape::strideW + (Shape::kernelW - 1) * Shape::dilationW + 1,
                behind = first + columns - Shape::width;
  const int64_t left = first >= 0         ? 0
                       : -first < columns ? -first
                                          : columns,
                right = behind <= 0               ? 0
                        : behind < columns - left ? behind
                                                  : columns - left;
  return {pixels, left, right};
}

/// out[pixels][NV] = the sum over all segments, or += where `more`; each begins `at` elements behind its `a`. Columns
/// lie `pixel` elements apart, weights of a tap `pitch` behind those of the one before. Asks for the cache lines from
/// `ahead` on. One copy serves all kernels of a model that have this tile.
template <int R, int kLeft, int kRight, int NV, class V, class Form, class TA, class TB>
void rankTapRows(const TapRowSegment<TA, TB> *segments, int64_t count, int64_t at, int64_t pixel, int64_t pitch,
                 Ahead ahead, bool more, V *out) {
  constexpr int vectors = NV * kLanesOf<V>, taps = Form::taps,
                columns = (R - 1) * Form::stride + (taps - 1) * Form::dilation + 1;
  constexpr int64_t together = kSumDepth / taps;
  Sums<R, NV, V> sums;
  sums.start();
  int64_t room = together;
  for (const auto *s = segments; s != segments + count; ++s) {
    const TB *b = s->b;
    for (int64_t piece = 0; piece < s->pieces; ++piece) {
      const TA *a = s->a + at + piece * s->apart;
      for (int64_t c = 0; c < s->k; ++c, ++a, b += vectors) {
        V w[taps][NV];
        SINTER_UNROLL
        for (int q = 0; q < taps; ++q) {
          SINTER_UNROLL
          for (int j = 0; j < NV; ++j)
            w[q][j] = load<V>(b + q * pitch + j * kLanesOf<V>);
        }
        SINTER_PREFETCH(ahead.at);
        ahead.at += ahead.step;
        SINTER_UNROLL
        for (int x = kLeft; x < columns - kRight; ++x) {
          const V v = splat<V>(convert<ElementOf<V>>(a[(x - kLeft) * pixel]));
          SINTER_UNROLL
          for (int q = 0; q < taps; ++q)
            if (const int from = x - q * Form::dilation;
                from >= 0 && from % Form::stride == 0 && from / Form::stride < R) {
              SINTER_UNROLL
              for (int j = 0; j < NV; ++j)
                sums.at[from / Form::stride][j] = multiplyAdd(v, w[q][j], sums.at[from / Form::stride][j]);
            }
        }
        if (--room == 0) {
          sums.end(out, more);
          sums.start();
          more = true;
          room = together;
        }
      }
    }
  }
  sums.end(out, more);
}

/// Different tiles of a row; more than kMost are not counted.
struct TapRowKinds {
  static constexpr int kMost = 5;
  TapRowTile at[kMost + 1] = {};
  int count = 0;
  constexpr void add(const TapRowTile &tile) {
    for (int i = 0; i < count; ++i)
      if (at[i] == tile)
        return;
    at[count++] = tile;
  }
};

/// The tiles of a row whose width is known: of at most kMost pixels.
template <class Shape, int kMost>
struct TapRowTiles {
  static constexpr int64_t count = (Shape::outWidth + kMost - 1) / kMost, least = Shape::outWidth / count,
                           longer = Shape::outWidth % count;
  static constexpr int64_t begin(int64_t i) { return i * least + (i < longer ? i : longer); }
  static constexpr TapRowTile at(int64_t i) { return tapRowTileAt<Shape>(begin(i), least + (i < longer)); }
  /// The first behind tile i that may differ from it: rows are long, and all but a few at their ends are alike.
  static constexpr int64_t behind(int64_t i) {
    const TapRowTile tile = at(i);
    if (tile.left != 0 || tile.right != 0)
      return i + 1;
    const int64_t columns = (tile.pixels - 1) * Shape::strideW + (Shape::kernelW - 1) * Shape::dilationW + 1;
    const int64_t inside =
        Shape::width - columns + Shape::padLeft - begin(i) * Shape::strideW; // columns that it could move
    const int64_t alike = i + inside / (tile.pixels * Shape::strideW) + 1, ofLength = i < longer ? longer : count;
    return alike < ofLength ? alike : ofLength;
  }
  static constexpr TapRowKinds kinds() {
    TapRowKinds all;
    for (int64_t i = 0; i < count && all.count <= TapRowKinds::kMost; i = behind(i))
      all.add(at(i));
    return all;
  }
};

/// Calls body(Fixed<pixels>, Fixed<left>, Fixed<right>) for a run-time tile, which is of the I-th kind or one behind
/// it.
template <class Tiles, int I, class Body>
SINTER_INLINE void withTapRowTile([[maybe_unused]] const TapRowTile &tile, Body body) {
  constexpr TapRowKinds kinds = Tiles::kinds();
  if constexpr (I < kinds.count) {
    constexpr TapRowTile known = kinds.at[I];
    if (tile == known)
      return body(Fixed<known.pixels>{}, Fixed<known.left>{}, Fixed<known.right>{});
    withTapRowTile<Tiles, I + 1>(tile, body);
  }
}

/// A short list that runs the tile when it is full.
template <class Tiles, int NV, class V, class Form, class TA, class TB>
struct TapRowList {
  static constexpr int kCapacity = 16;
  TapRowTile tile;
  int64_t pixel, pitch;
  Ahead ahead;
  V *sums;
  bool more = false;
  int64_t size = 0;
  TapRowSegment<TA, TB> items[kCapacity];

  SINTER_INLINE_MEMBER TapRowList(TapRowTile tile, int64_t pixel, int64_t pitch, Ahead ahead, V *sums)
      : tile(tile), pixel(pixel), pitch(pitch), ahead(ahead), sums(sums) {}
  SINTER_NOINLINE void flush() {
    if (size > 0) {
      withTapRowTile<Tiles, 0>(tile, [&](auto pixels, auto left, auto right) {
        rankTapRows<int(decltype(pixels)::value), int(decltype(left)::value), int(decltype(right)::value), NV, V, Form>(
            &items[0], size, 0, pixel, pitch, ahead, more, sums);
      });
      more = true;
    }
    size = 0;
  }
  SINTER_INLINE_MEMBER void add(const TapRowSegment<TA, TB> &segment) {
    if (size == kCapacity)
      flush();
    items[size++] = segment;
  }
};

/// Whether a shape has what stands along a row as constants. Of row tiles, whose heights are not, sums are the same.
template <class Shape>
constexpr bool kStaticRows = kStaticMember<decltype(&Shape::kernelW)> && kStaticMember<decltype(&Shape::strideW)> &&
                             kStaticMember<decltype(&Shape::dilationW)> && kStaticMember<decltype(&Shape::padLeft)> &&
                             kStaticMember<decltype(&Shape::width)> && kStaticMember<decltype(&Shape::outWidth)>;

/// Multiply-adds that a core has under way: of fewer sums each would wait for the one before it.
constexpr int64_t kInFlight = 8;

/// Pixels of a tile of NV vectors: as many as registers have room for; 0 where rows of taps are not summed this way:
/// windows or widths that are not known, single taps, elements that are not floats, inputs that are spread out, and
/// more kinds of tiles at borders than are worth their code.
template <int NV, class TA, class Shape>
constexpr int tapRowPixels() {
  if constexpr (kStaticRows<Shape> && !kHasSpread<Shape> && kLanes<float> > 1 &&
                (kSame<TA, float> || kSame<TA, double>)) {
    constexpr int64_t room = (kVectorRegisters - 1) / NV - Shape::kernelW, most = room < 14 ? room : 14;
    if constexpr (Shape::kernelW > 1 && Shape::kernelW <= 7 && Shape::dilationW <= 4 && Shape::strideW <= 4 &&
                  most > 0 && Shape::outWidth > 0) {
      constexpr int64_t pixels = most < Shape::outWidth ? most : int64_t(Shape::outWidth);
      return pixels * NV >= kInFlight && TapRowTiles<Shape, int(most)>::kinds().count <= TapRowKinds::kMost ? int(most)
                                                                                                            : 0;
    } else {
      return 0;
    }
  } else {
    return 0;
  }
}

} // namespace
} // namespace sinter
