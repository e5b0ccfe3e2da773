// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of a tile's sums that went through memory: the epilogue, a pixel after the other, and the output. Under
// conv.h.
#pragma once

#include "templates/loops/lanes.h"
#include "templates/maps/rows.h"
#include "templates/panels/pointwise.h"

namespace sinter {
namespace {

/// Whether the NV vectors of a panel are stored without a loop, of which the epilogue has as many copies: all panels
/// are whole. It was measured to take a tenth less with SiLU, where registers are few; with many it was not.
template <int NV, int lanes, class Shape>
constexpr bool storesPanels() {
  if constexpr (restOfFilters<Shape>(lanes) == 0 && kPaysToKeepSums && kVectorRegisters < 32)
    return Shape::filters / Shape::groups % (NV * lanes) == 0;
  else
    return false;
}

/// out(n, filter..., h, w) = epilogue(...) for a tile's sums: filters along the lanes, whole vectors where the output's
/// block has room for them, then halves of vectors where it has for those, else narrower ones.
template <int NV, class V, class Shape, class TC, class Epilogue>
SINTER_INLINE void storePixels(const Shape &s, const V *sums, int64_t pixels, TC *out, int64_t n, int64_t filter,
                               int64_t end, int64_t h, int64_t w, Epilogue &epilogue) {
  constexpr int lanes = kLanesOf<V>, half = lanes >= 8 ? lanes / 2 : 1;
  using Half = Vec<ElementOf<V>, half>;
  const int64_t last = filter + NV * lanes < end ? filter + NV * lanes : end;
  int64_t offsets[NV], halves[2 * NV] = {};
  int whole = 0, pieces = 0;
  for (int j = 0; j < NV; ++j) {
    const int64_t k = filter + j * lanes;
    offsets[j] = channelOffset(s.out, k);
    whole += whole == j && k + lanes <= end && (lanes == 1 || k % s.out.block + lanes <= s.out.block);
  }
  const int64_t second = filter + whole * lanes;
  if constexpr (half > 1 && restOfFilters<Shape>(lanes) != 0)
    for (int64_t k = second; k + half <= last && k % s.out.block + half <= s.out.block; k += half)
      halves[pieces++] = channelOffset(s.out, k);
  const int64_t third = second + pieces * half;
  for (int64_t i = 0; i < pixels; ++i) {
    TC *pixel = out + n * s.out.batch + rowOffset(s, h) + w * s.out.pixel;
    const auto storeVector = [&](int j) SINTER_INLINE_LAMBDA {
      store(pixel + offsets[j], atRow(s, epilogue, sums[i * NV + j], n, filter + j * lanes, h, w));
    };
    if constexpr (storesPanels<NV, lanes, Shape>()) {
      SINTER_UNROLL
      for (int j = 0; j < NV; ++j)
        storeVector(j);
    } else {
      for (int j = 0; j < whole; ++j)
        storeVector(j);
    }
    if constexpr (half > 1 && restOfFilters<Shape>(lanes) != 0)
      for (int j = 0; j < pieces; ++j) {
        Half v[2];
        memcpy(&v, &sums[i * NV + whole + j / 2], sizeof(v));
        store(pixel + halves[j], atRow(s, epilogue, v[j % 2], n, second + j * half, h, w));
      }
    if constexpr (lanes > 1 && restOfFilters<Shape>(lanes) != 0)
      if (third < last) {
        ElementOf<V> rest[NV * lanes];
        memcpy(&rest, &sums[i * NV], sizeof(rest));
        for (int64_t k = third, next; k < last; k = next) {
          const int64_t block = k - k % s.out.block + s.out.block;
          next = block < last ? block : last;
          forRest<ElementOf<V>, lanes, restOfFilters<Shape>(lanes)>(k, next, [&](auto tag, int64_t f) {
            const auto v = load<typename decltype(tag)::Type>(&rest[f - filter]);
            store(pixel + channelOffset(s.out, f), atRow(s, epilogue, v, n, f, h, w));
          });
        }
      }
    if (++w == s.outWidth) {
      w = 0;
      ++h;
    }
  }
}

} // namespace
} // namespace sinter
