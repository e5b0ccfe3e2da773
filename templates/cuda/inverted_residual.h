// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block of mobile nets in one kernel: a convolution that expands channels (1x1, or a net's first one of any size;
// or none), a depthwise one, a 1x1 that projects back; NHWC. A block has a tile of output pixels. For a chunk of hidden
// channels at a time it computes the window of the hidden map that the tile looks through, convolves it, and adds to
// the projection's sums: the hidden map lies in shared memory only, what a neighbour's window has of it is computed
// twice. Filters of the next steps arrive meanwhile. Small maps have few tiles: then hidden channels are split among
// blocks, and the last block of a tile adds the splits' sums in their order. Sums are float: chains of fused
// multiply-adds, of halves the matrix unit's; what lies in shared memory is rounded to T, as maps in memory are.
// Grid: images * tiles x splits; block: threads of the tile, sharedBytes(). Filters: [filter][k], [taps][channel].
#pragma once

#include "templates/cuda/device_numbers.h"
#include "templates/cuda/last_block.h"
#include "templates/cuda/residual_shape.h"
#include "templates/cuda/shared_rows.h"

namespace sinter::cuda {
namespace {

/// Sizes: a type whose shape() is a ResidualShape. Epilogues: (sum, image, channel, y, x), as of convolutions.
template <class T, class Sizes, class TC, class OfExpand, class OfDepthwise, class OfProject>
struct InvertedResidual {
  const T *in, *expandFilters, *depthwiseFilters, *projectFilters;
  TC *out;
  int pitch; ///< from an output pixel to the next
  float *partials;
  uint32_t *counters; ///< one for each tile, 0 before and after
  OfExpand ofExpand;
  OfDepthwise ofDepthwise;
  OfProject ofProject;
  int image = 0, outY = 0, outX = 0; ///< the tile's first pixel
  int top = 0, left = 0;             ///< its window's, of the hidden map

  SINTER_DEVICE void run() {
    constexpr ResidualShape s = shape();
    image = blockX() / s.tilesOfImage();
    const int tile = blockX() % s.tilesOfImage();
    outY = tile / s.tilesX() * s.tile.tileY;
    outX = tile % s.tilesX() * s.tile.tileX;
    top = outY * s.depthwise.strideY - s.depthwise.padTop;
    left = outX * s.depthwise.strideX - s.depthwise.padLeft;
    const int firstChunk = blockY() * s.chunksOfSplit(), behind = least(firstChunk + s.chunksOfSplit(), s.chunks());

    Unit<s.tile.projectRows> sums[s.ownUnits()];
    if constexpr (s.hasExpand())
      copyWindows();
    fetchHidden(firstChunk);
    commitCopies();
    fetchProject(firstChunk);
    commitCopies();
    SINTER_DEVICE_LOOP
    for (int chunk = firstChunk; chunk < behind; ++chunk) {
      waitCopies<1>();
      syncBlock(); // the copies are everyone's
      if constexpr (s.hasExpand()) {
        expand(chunk * s.tile.chunk);
        syncBlock();
      }
      convolve(chunk * s.tile.chunk);
      waitCopies<0>();
      syncBlock(); // the map is read, what was made of it is there, and the projection's filters are
      if (chunk + 1 < behind)
        fetchHidden(chunk + 1);
      commitCopies();
      project(sums);
      syncBlock();
      if (chunk + 1 < behind)
        fetchProject(chunk + 1);
      commitCopies(); // also of nothing: waits count groups
    }
    waitCopies<0>();
    if constexpr (s.tile.splits > 1) {
      if (!addSplits(sums))
        return;
    }
    store(sums);
  }

  static SINTER_DEVICE constexpr ResidualShape shape() { return Sizes::shape(); }
  template <int kRows>
  using Unit = RowUnit<T, kRows>;
  static constexpr int kPer = kPerChunk<T>;

  SINTER_DEVICE bool isInHidden(int y, int x) const {
    constexpr ResidualShape s = shape();
    return uint32_t(y) < uint32_t(s.depthwise.height) && uint32_t(x) < uint32_t(s.depthwise.width);
  }

  /// Of each pixel of the hidden window what the expansion reads: a row in the filters' order.
  SINTER_DEVICE void copyWindows() const {
    constexpr ResidualShape s = shape();
    constexpr ResidualConv c = s.expand;
    constexpr bool isAligned = !c.hasPlanes && c.channels % kPer == 0 && c.pitch % kPer == 0;
    constexpr int depth = ResidualShape::up(c.depth(), s.depthUnit()), chunks = ceilDiv(depth, kPer);
    const T *const picture = in + int64_t(image) * c.height * c.width * (c.hasPlanes ? c.channels : c.pitch);
    SINTER_DEVICE_LOOP
    for (int i = threadIndex(); i < s.window() * chunks; i += s.tile.threads) {
      const int pixel = i / chunks, first = i % chunks * kPer;
      const int y = top + pixel / s.windowX(), x = left + pixel % s.windowX();
      const bool isRow = isInHidden(y, x);
      const auto place = [&](int k) -> const T * {
        const int channel = k % c.channels, tap = k / c.channels;
        const int row = y * c.strideY - c.padTop + tap / c.kernelWidth * c.dilationY;
        const int column = x * c.strideX - c.padLeft + tap % c.kernelWidth * c.dilationX;
        if (!isRow || k >= c.depth() || uint32_t(row) >= uint32_t(c.height) || uint32_t(column) >= uint32_t(c.width))
          return nullptr;
        return picture + (c.hasPlanes ? (channel * c.height + row) * c.width + column
                                      : (row * c.width + column) * c.pitch + channel);
      };
      const SharedPlace to = sharedStart() + pixel * s.rowBytes(c.depth()) + first * int(sizeof(T));
      if constexpr (isAligned) {
        const T *const from = place(first);
        copyChunk(to, from ? from : in, from ? 16 : 0);
      } else {
        Pack<T, kPer> pack{};
        SINTER_DEVICE_UNROLL
        for (int e = 0; e < kPer; ++e)
          if (const T *const from = place(first + e))
            pack.at[e] = *from;
        storeShared(to, chunkOf(pack));
      }
    }
  }

  /// What the chunk's hidden map is made of: filters, or the map itself.
  SINTER_DEVICE void fetchHidden(int chunk) const {
    constexpr ResidualShape s = shape();
    const int first = chunk * s.tile.chunk, channels = least(s.tile.chunk, s.depthwise.channels - first);
    if constexpr (s.hasExpand()) {
      constexpr int k = s.expand.depth();
      copyRows<T, k % kPer == 0>(s.expandFilters(), s.rowBytes(k), expandFilters + int64_t(first) * k, k, channels, k,
                                 ResidualShape::up(k, s.depthUnit()), s.tile.threads);
    } else {
      constexpr ResidualConv c = s.depthwise;
      constexpr bool isAligned = c.channels % kPer == 0 && s.tile.chunk % kPer == 0 && c.pitch % kPer == 0;
      constexpr int chunks = ceilDiv(s.tile.chunk, kPer);
      const T *const picture = in + int64_t(image) * c.height * c.width * c.pitch + first;
      SINTER_DEVICE_LOOP
      for (int i = threadIndex(); i < s.window() * chunks; i += s.tile.threads) {
        const int pixel = i / chunks, channel = i % chunks * kPer;
        const int y = top + pixel / s.windowX(), x = left + pixel % s.windowX();
        const int valid = isInHidden(y, x) ? channels - channel : 0;
        const T *const from = valid > 0 ? picture + (y * c.width + x) * c.pitch + channel : in;
        const SharedPlace to =
            sharedStart() + s.hiddenMap() + pixel * s.rowBytes(s.tile.chunk) + channel * int(sizeof(T));
        if constexpr (isAligned)
          copyChunk(to, from, valid > 0 ? 16 : 0);
        else
          gatherChunk(to, from, valid);
      }
    }
  }

  SINTER_DEVICE void fetchProject(int chunk) const {
    constexpr ResidualShape s = shape();
    constexpr int hidden = s.depthwise.channels;
    const int first = chunk * s.tile.chunk;
    copyRows<T, hidden % kPer == 0 && s.tile.chunk % kPer == 0>(
        s.projectFilters(), s.rowBytes(s.tile.chunk), projectFilters + first, hidden, s.filters,
        least(s.tile.chunk, hidden - first), ResidualShape::up(s.tile.chunk, s.depthUnit()), s.tile.threads);
  }

  /// The window of the chunk's hidden channels; zeros outside of the map.
  SINTER_DEVICE void expand(int firstChannel) const {
    constexpr ResidualShape s = shape();
    constexpr int rows = s.rowBytes(s.expand.depth()), depth = ResidualShape::up(s.expand.depth(), s.depthUnit());
    using U = Unit<s.tile.expandRows>;
    constexpr int groups = ceilDiv(s.window(), U::kRows);
    SINTER_DEVICE_LOOP
    for (int unit = U::worker(); unit < s.expandUnits(); unit += s.workers()) {
      U sums;
      sums.multiply(operandAt<T>(0), rows, operandAt<T>(s.expandFilters()), rows, unit, groups, depth);
      sums.each(unit, groups, [&](int pixel, int column, const float(&sum)[U::kAtOnce]) {
        const int y = top + pixel / s.windowX(), x = left + pixel % s.windowX();
        const bool isInside = pixel < s.window() && isInHidden(y, x);
        Pack<T, U::kAtOnce> values{};
        SINTER_DEVICE_UNROLL
        for (int e = 0; e < U::kAtOnce; ++e)
          if (isInside && firstChannel + column + e < s.depthwise.channels)
            values.at[e] = stored<T>(ofExpand(sum[e], image, firstChannel + column + e, y, x));
        *sharedMemoryAs<Pack<T, U::kAtOnce>>(s.hiddenMap() + pixel * s.rowBytes(s.tile.chunk) +
                                             column * int(sizeof(T))) = values;
      });
    }
  }

  /// The depthwise convolution of the chunk, a thread for a few channels of a pixel; zeros past the last channel.
  SINTER_DEVICE void convolve(int firstChannel) const {
    constexpr ResidualShape s = shape();
    constexpr ResidualConv c = s.depthwise;
    constexpr int pack = c.channels % 4 == 0 ? 4 : 1, packs = ResidualShape::up(s.tile.chunk, s.depthUnit()) / pack;
    constexpr int pitch = s.rowBytes(s.tile.chunk);
    SINTER_DEVICE_LOOP
    for (int i = threadIndex(); i < s.pixels() * packs; i += s.tile.threads) {
      const int pixel = i / packs, channel = i % packs * pack, y = pixel / s.tile.tileX, x = pixel % s.tile.tileX;
      Pack<T, pack> results{};
      if (channel < s.tile.chunk && firstChannel + channel < c.channels) {
        float sums[pack] = {};
        const unsigned char *const from = sharedMemory() + s.hiddenMap() +
                                          (y * c.strideY * s.windowX() + x * c.strideX) * pitch +
                                          channel * int(sizeof(T));
        const T *const filter = depthwiseFilters + firstChannel + channel;
        [[maybe_unused]] constexpr int kLinesAtOnce = c.kernelHeight * c.kernelWidth <= 9 ? c.kernelHeight : 1;
        SINTER_DEVICE_UNROLL_BY(kLinesAtOnce)
        for (int r = 0; r < c.kernelHeight; ++r) {
          SINTER_DEVICE_UNROLL
          for (int q = 0; q < c.kernelWidth; ++q) {
            const auto input = *reinterpret_cast<const Pack<T, pack> *>(
                from + (r * c.dilationY * s.windowX() + q * c.dilationX) * pitch);
            const auto taps = *reinterpret_cast<const Pack<T, pack> *>(filter + (r * c.kernelWidth + q) * c.channels);
            SINTER_DEVICE_UNROLL
            for (int e = 0; e < pack; ++e)
              sums[e] = addProduct(input.at[e], taps.at[e], sums[e]);
          }
        }
        SINTER_DEVICE_UNROLL
        for (int e = 0; e < pack; ++e)
          results.at[e] = stored<T>(ofDepthwise(sums[e], image, firstChannel + channel + e, outY + y, outX + x));
      }
      *sharedMemoryAs<Pack<T, pack>>(s.middleMap() + pixel * pitch + channel * int(sizeof(T))) = results;
    }
  }

  using Sums = Unit<Sizes::shape().tile.projectRows>[Sizes::shape().ownUnits()];
  static constexpr int kGroups = ceilDiv(Sizes::shape().pixels(), Unit<Sizes::shape().tile.projectRows>::kRows);

  /// f(unit, its number) for each of this worker's.
  template <class F>
  static SINTER_DEVICE void eachUnit(Sums &sums, F f) {
    constexpr ResidualShape s = shape();
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < s.ownUnits(); ++i)
      if (const int unit = Unit<s.tile.projectRows>::worker() + i * s.workers(); unit < s.projectUnits())
        f(sums[i], unit);
  }

  static SINTER_DEVICE void project(Sums &sums) {
    constexpr ResidualShape s = shape();
    constexpr int rows = s.rowBytes(s.tile.chunk), depth = ResidualShape::up(s.tile.chunk, s.depthUnit());
    eachUnit(sums, [&](auto &own, int unit) {
      own.multiply(operandAt<T>(s.middleMap()), rows, operandAt<T>(s.projectFilters()), rows, unit, kGroups, depth);
    });
  }

  /// True in the tile's last block, whose sums are all splits' then.
  SINTER_DEVICE bool addSplits(Sums &sums) const {
    constexpr ResidualShape s = shape();
    constexpr int each = s.sumsOfUnit(), perBlock = s.ownUnits() * each * s.tile.threads;
    const auto partOf = [&](int split) {
      return partials + (int64_t(split) * blocksX() + blockX()) * perBlock + threadIndex();
    };
    float *const own = partOf(blockY());
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < s.ownUnits(); ++i)
      sums[i].eachSum([&](float &sum, int number) { own[(i * each + number) * s.tile.threads] = sum; });
    if (!isLastBlock(counters + blockX(), s.tile.splits))
      return false;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < s.ownUnits(); ++i)
      sums[i].eachSum([](float &sum, int) { sum = 0.0f; });
    SINTER_DEVICE_LOOP
    for (int split = 0; split < s.tile.splits; ++split) {
      const float *const part = partOf(split);
      SINTER_DEVICE_UNROLL
      for (int i = 0; i < s.ownUnits(); ++i)
        sums[i].eachSum(
            [&](float &sum, int number) { sum += loadOthers(part + (i * each + number) * s.tile.threads); });
    }
    return true;
  }

  SINTER_DEVICE void store(Sums &sums) const {
    constexpr ResidualShape s = shape();
    using U = Unit<s.tile.projectRows>;
    const bool inPacks = s.filters % U::kAtOnce == 0 && pitch % U::kAtOnce == 0; // known when compiled
    eachUnit(sums, [&](const auto &own, int unit) {
      own.each(unit, kGroups, [&](int pixel, int column, const float(&sum)[U::kAtOnce]) {
        const int y = outY + pixel / s.tile.tileX, x = outX + pixel % s.tile.tileX;
        if (pixel >= s.pixels() || y >= s.outHeight || x >= s.outWidth || column >= s.filters)
          return;
        TC *const to = out + (int64_t(image * s.outHeight + y) * s.outWidth + x) * pitch + column;
        if (inPacks) {
          Pack<TC, U::kAtOnce> values;
          SINTER_DEVICE_UNROLL
          for (int e = 0; e < U::kAtOnce; ++e)
            values.at[e] = stored<TC>(ofProject(sum[e], image, column + e, y, x));
          *reinterpret_cast<Pack<TC, U::kAtOnce> *>(to) = values;
          return;
        }
        SINTER_DEVICE_UNROLL
        for (int e = 0; e < U::kAtOnce; ++e)
          if (column + e < s.filters)
            to[e] = stored<TC>(ofProject(sum[e], image, column + e, y, x));
      });
    });
  }
};

/// `expandFilters` is null where nothing expands; `partials` and `counters` where nothing is split.
template <class T, class Sizes, class TC, class OfExpand, class OfDepthwise, class OfProject>
SINTER_DEVICE void invertedResidual(const T *in, const T *expandFilters, const T *depthwiseFilters,
                                    const T *projectFilters, TC *out, int pitch, float *partials, uint32_t *counters,
                                    OfExpand ofExpand, OfDepthwise ofDepthwise, OfProject ofProject) {
  InvertedResidual<T, Sizes, TC, OfExpand, OfDepthwise, OfProject>{
      in,       expandFilters, depthwiseFilters, projectFilters, out,      pitch,
      partials, counters,      ofExpand,         ofDepthwise,    ofProject}
      .run();
}

} // namespace
} // namespace sinter::cuda
