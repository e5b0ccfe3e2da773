// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RoiAlign: each region of interest as a grid of bins, each bin the mean or maximum of bilinear samples. An empty
// sampling ratio takes one sample per input element that a bin covers.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/view.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

struct RoiAlignParams {
  double spatial_scale;
  int64_t sampling_ratio;
  bool half_pixel; ///< coordinates are shifted by half an element
  bool is_max;     ///< else the mean
};

/// Four neighbours of a position along both axes, with weights; all weights 0 outside of the map.
struct BilinearTaps {
  int64_t y0, y1, x0, x1;
  float w00, w01, w10, w11;
};

SINTER_FUNCTION BilinearTaps bilinearTaps(float y, float x, int64_t height, int64_t width) {
  if (!(y >= -1.0f && y <= float(height) && x >= -1.0f && x <= float(width)))
    return BilinearTaps{0, 0, 0, 0, 0, 0, 0, 0};
  y = y > 0 ? y : 0;
  x = x > 0 ? x : 0;
  int64_t y0 = int64_t(y), x0 = int64_t(x), y1 = y0 + 1, x1 = x0 + 1;
  if (y0 >= height - 1) {
    y0 = y1 = height - 1;
    y = float(y0);
  }
  if (x0 >= width - 1) {
    x0 = x1 = width - 1;
    x = float(x0);
  }
  const float ly = y - float(y0), lx = x - float(x0), hy = 1 - ly, hx = 1 - lx;
  return BilinearTaps{y0, y1, x0, x1, hy * hx, hy * lx, ly * hx, ly * lx};
}

/// The samples along one axis of a bin, and those of them that may lie on the map: of a region far larger than the map
/// the others, which are zeros, are counted, not visited.
struct BinSamples {
  int64_t count, first, last;
};

/// 0 <= position <= count, as an integer.
SINTER_FUNCTION int64_t withinCount(float position, int64_t count) {
  return !(position > 0) ? 0 : position < float(count) ? int64_t(position) : count;
}

/// Sample k lies at start + (k + 1/2) binSize / count, the map from -1 to size.
SINTER_FUNCTION BinSamples samplesOfBin(float start, float binSize, int64_t ratio, int64_t size) {
  int64_t count = ratio;
  if (count <= 0) {
    const int64_t whole = withinCount(binSize, int64_t(1) << 62);
    count = whole + (float(whole) < binSize);
  }
  if (size == 0)
    return {count, 0, 0};
  if (!(binSize > 0))
    return {count, 0, count};
  const float step = binSize / float(count);
  return {count, withinCount((-1 - start) / step - 1.5f, count),
          withinCount((float(size) - start) / step + 1.5f, count)};
}

/// So many samples of a bin are looked up once for all channels; small cores have no room for many.
constexpr int64_t kKeptTaps = SINTER_VECTOR_BYTES > 1 ? 16 : 1;
/// So many channels take a sample together: sums that wait for nothing, and one look-up where samples are many.
constexpr int64_t kChannelsAtOnce = SINTER_VECTOR_BYTES > 1 ? 16 : 1;

template <class X, class B, class I, class Y>
SINTER_FUNCTION int roiAlign(const RoiAlignParams &p, const View<X, 4> &x, const View<B, 2> &rois,
                             const View<I, 1> &batches, const View<Y, 4> &y) {
  int status = 0;
  const int64_t height = x.sizes[2], width = x.sizes[3];
  const float scale = float(p.spatial_scale), offset = p.half_pixel ? 0.5f : 0.0f;
  for (int64_t r = 0; r < y.sizes[0]; ++r) {
    int64_t batch = int64_t(batches.data[r * batches.strides[0]]);
    if (batch < 0 || batch >= x.sizes[0]) {
      status = 5; // index out of range
      batch = 0;
      if (x.sizes[0] == 0)
        continue;
    }
    const auto edge = [&](int64_t k) {
      return convert<float>(rois.data[r * rois.strides[0] + k * rois.strides[1]]) * scale - offset;
    };
    const float x0 = edge(0), y0 = edge(1);
    float roiWidth = edge(2) - x0, roiHeight = edge(3) - y0;
    if (!p.half_pixel) {
      roiWidth = roiWidth > 1 ? roiWidth : 1;
      roiHeight = roiHeight > 1 ? roiHeight : 1;
    }
    const float binHeight = roiHeight / float(y.sizes[2]), binWidth = roiWidth / float(y.sizes[3]);
    for (int64_t i = 0; i < y.sizes[2]; ++i)
      for (int64_t j = 0; j < y.sizes[3]; ++j) {
        const float top = y0 + float(i) * binHeight, left = x0 + float(j) * binWidth;
        const BinSamples rows = samplesOfBin(top, binHeight, p.sampling_ratio, height);
        const BinSamples columns = samplesOfBin(left, binWidth, p.sampling_ratio, width);
        const bool isAll = rows.last - rows.first == rows.count && columns.last - columns.first == columns.count;
        const bool startsFirst = rows.first == 0 && columns.first == 0 && rows.last > 0 && columns.last > 0;
        const auto tapsAt = [&](int64_t sy, int64_t sx) {
          const float py = top + (float(sy) + 0.5f) * binHeight / float(rows.count);
          const float px = left + (float(sx) + 0.5f) * binWidth / float(columns.count);
          return bilinearTaps(py, px, height, width);
        };
        // Few samples are the same for all channels.
        BilinearTaps kept[kKeptTaps];
        const int64_t across = columns.last - columns.first, down = rows.last - rows.first;
        const bool isKept = down <= kKeptTaps && across <= kKeptTaps && down * across <= kKeptTaps;
        if (isKept)
          for (int64_t sy = 0; sy < down; ++sy)
            for (int64_t sx = 0; sx < across; ++sx)
              kept[sy * across + sx] = tapsAt(rows.first + sy, columns.first + sx);
        for (int64_t first = 0; first < y.sizes[1]; first += kChannelsAtOnce) {
          const int64_t rest = y.sizes[1] - first, channels = rest < kChannelsAtOnce ? rest : kChannelsAtOnce;
          const X *const maps = x.data + batch * x.strides[0] + first * x.strides[1];
          const auto element = [&](int64_t c, int64_t h, int64_t w) {
            return convert<float>(maps[c * x.strides[1] + h * x.strides[2] + w * x.strides[3]]);
          };
          // What is not visited is 0 times an element, as of samples outside: NaN if that is.
          float outside[kChannelsAtOnce], results[kChannelsAtOnce];
          bool isFirst = startsFirst;
          for (int64_t c = 0; c < channels; ++c) {
            outside[c] = isAll || height == 0 || width == 0 ? 0 : 0 * element(c, 0, 0);
            results[c] = p.is_max && isFirst ? 0 : outside[c];
          }
          for (int64_t sy = rows.first; sy < rows.last; ++sy)
            for (int64_t sx = columns.first; sx < columns.last; ++sx) {
              const BilinearTaps t = isKept ? kept[(sy - rows.first) * across + sx - columns.first] : tapsAt(sy, sx);
              for (int64_t c = 0; c < channels; ++c) {
                const float a = t.w00 * element(c, t.y0, t.x0), b = t.w01 * element(c, t.y0, t.x1);
                const float d = t.w10 * element(c, t.y1, t.x0), e = t.w11 * element(c, t.y1, t.x1);
                if (!p.is_max) {
                  results[c] += a + b + d + e;
                  continue;
                }
                const float ab = a > b ? a : b, de = d > e ? d : e, most = ab > de ? ab : de;
                results[c] = isFirst || most > results[c] ? most : results[c];
              }
              isFirst = false;
            }
          const float count = float(rows.count) * float(columns.count);
          for (int64_t c = 0; c < channels; ++c) {
            float result = results[c];
            if (p.is_max)
              result = !isAll && outside[c] > result ? outside[c] : result;
            else if (count > 1)
              result /= count;
            y.data[r * y.strides[0] + (first + c) * y.strides[1] + i * y.strides[2] + j * y.strides[3]] =
                convert<Y>(result);
          }
        }
      }
  }
  return status;
}

} // namespace
} // namespace sinter
