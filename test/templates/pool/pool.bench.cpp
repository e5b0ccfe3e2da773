// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pools: max_pool.h, max_pool_indices.h, average_pool.h on NCHW, *_blocked.h (pool.h) in channel blocks,
// poolPlanar; and pools of regions, roi_align.h, max_roi_pool.h. Arguments: channels, input size, kernel, stride.
#include "probe.h"
#include "templates/pool/average_pool.h"
#include "templates/pool/average_pool_blocked.h"
#include "templates/pool/max_pool.h"
#include "templates/pool/max_pool_blocked.h"
#include "templates/pool/max_pool_indices.h"
#include "templates/pool/max_roi_pool.h"
#include "templates/pool/quantized_average_pool_blocked.h"
#include "templates/pool/roi_align.h"
#include "views.h"

using namespace sinter;
using test::dense;

namespace {

constexpr int64_t kBlock = kLanes<float>;

/// A square pool with half a kernel of padding around.
struct Pool {
  const int64_t channels, size, kernel[2], strides[2], dilations[2] = {1, 1}, pads[4], outSize;
  test::Floats in, out;
  explicit Pool(const benchmark::State &s)
      : channels(s.range(0)), size(s.range(1)), kernel{s.range(2), s.range(2)}, strides{s.range(3), s.range(3)},
        pads{(s.range(2) - 1) / 2, (s.range(2) - 1) / 2, (s.range(2) - 1) / 2, (s.range(2) - 1) / 2},
        outSize((size + 2 * pads[0] - kernel[0]) / strides[0] + 1), in(size_t(channels * size * size), -1, 1),
        out(size_t(channels * outSize * outSize), 0) {}
  /// run(x, y): NCHW, nanoseconds for each of the windows' elements.
  template <class Run>
  void planar(benchmark::State &state, Run run) {
    test::measureElements(state, elements(), [&] {
      run(dense<const float>(in.data(), 1, channels, size, size), dense(out.data(), 1, channels, outSize, outSize));
    });
  }
  template <class Run>
  void blocked(benchmark::State &state, Run run) {
    const int64_t blocks = channels / kBlock;
    test::measureElements(state, elements(), [&] {
      run(dense<const float>(in.data(), 1, blocks, size, size, kBlock),
          dense(out.data(), 1, blocks, outSize, outSize, kBlock));
    });
  }
  int64_t elements() const { return channels * outSize * outSize * kernel[0] * kernel[1]; }
};

void maxPlanar(benchmark::State &state) {
  Pool p(state);
  p.planar(state, [&](auto x, auto y) { maxPool(MaxPoolParams{p.kernel, p.strides, p.dilations, p.pads}, x, y); });
}
void maxWithPlaces(benchmark::State &state) {
  Pool p(state);
  test::Buffer<int64_t> places(size_t(p.channels * p.outSize * p.outSize));
  p.planar(state, [&](auto x, auto y) {
    maxPoolIndices(MaxPoolIndicesParams{p.kernel, p.strides, p.dilations, false}, x, dense(p.pads, 2), y,
                   dense(places.data(), 1, p.channels, p.outSize, p.outSize));
  });
}
void maxBlocked(benchmark::State &state) {
  Pool p(state);
  p.blocked(state, [&](auto x, auto y) {
    maxPoolBlocked(MaxPoolBlockedParams{p.kernel, p.strides, p.dilations, p.pads}, x, y);
  });
}
void averagePlanar(benchmark::State &state) {
  Pool p(state);
  const AveragePoolParams params{p.kernel, p.strides, p.dilations, p.pads, false, false};
  p.planar(state, [&](auto x, auto y) { averagePool(params, x, y); });
}
void averageBlocked(benchmark::State &state) {
  Pool p(state);
  const AveragePoolBlockedParams params{p.kernel, p.strides, p.dilations, p.pads, false};
  p.blocked(state, [&](auto x, auto y) { averagePoolBlocked(params, x, y); });
}
/// Bytes, channels last as quantized nets have them: one block.
void averageOfBytes(benchmark::State &state) {
  Pool p(state);
  const QuantizedAveragePoolBlockedParams params{p.kernel, p.strides, p.dilations, p.pads, false,
                                                 false,    0.1,       0.1,         -128,   -128};
  test::Buffer<int8_t> in(size_t(p.channels * p.size * p.size)), out(size_t(p.channels * p.outSize * p.outSize));
  test::measureElements(state, p.elements(), [&] {
    quantizedAveragePoolBlocked(params, dense<const int8_t>(in.data(), 1, 1, p.size, p.size, p.channels),
                                dense(out.data(), 1, 1, p.outSize, p.outSize, p.channels));
  });
}
/// pool.h's form for NCHW.
void maxInStretches(benchmark::State &state) {
  Pool p(state);
  PoolShape s;
  s.channels = s.filters = p.channels, s.height = s.width = p.size, s.outHeight = s.outWidth = p.outSize;
  s.kernelH = s.kernelW = p.kernel[0], s.strideH = s.strideW = p.strides[0], s.padTop = s.padLeft = p.pads[0];
  s.in = blockedLayout(p.channels, p.size, p.size, 1);
  s.out = blockedLayout(p.channels, p.outSize, p.outSize, 1);
  p.planar(state,
           [&](auto x, auto y) { poolPlanar<float>(s, MaxPool{}, x.data, y.data, 0, p.outSize, PoolIdentity{}); });
}

/// ResNet's first pool, a detector's, a global one.
void sizes(benchmark::internal::Benchmark *b) { b->Args({64, 112, 3, 2})->Args({128, 20, 5, 1})->Args({512, 7, 7, 7}); }
BENCHMARK(maxPlanar)->Apply(sizes);
BENCHMARK(maxInStretches)->Apply(sizes);
BENCHMARK(maxWithPlaces)->Apply(sizes);
BENCHMARK(maxBlocked)->Apply(sizes);
BENCHMARK(averagePlanar)->Apply(sizes);
BENCHMARK(averageBlocked)->Apply(sizes);
BENCHMARK(averageOfBytes)->Apply(sizes);

/// A detector's head: 20 regions of a 50 x 50 map as 7 x 7 bins; nanoseconds for each bin.
template <class Run>
void regions(benchmark::State &state, int64_t edges, Run run) {
  constexpr int64_t channels = 32, size = 50, count = 20, bins = 7;
  test::Floats x(channels * size * size, -1, 1), rois(size_t(count * edges), 0), y(count * channels * bins * bins, 0);
  for (int64_t r = 0; r < count; ++r) {
    float *corners = rois.data() + (r + 1) * edges - 4; // behind the image's number, where there is one
    corners[0] = float(r), corners[1] = float(2 * r);
    corners[2] = float(r) + 20.5f, corners[3] = float(2 * r) + 10.5f;
  }
  test::measureElements(state, count * channels * bins * bins, [&] {
    run(dense<const float>(x.data(), 1, channels, size, size), dense<const float>(rois.data(), count, edges),
        dense(y.data(), count, channels, bins, bins));
  });
}
void roiAlignBins(benchmark::State &state) {
  const int64_t images[20] = {};
  regions(state, 4, [&](auto x, auto rois, auto y) {
    roiAlign(RoiAlignParams{1, state.range(0), true, false}, x, rois, dense(images, 20), y);
  });
}
BENCHMARK(roiAlignBins)->Arg(0)->Arg(2);
void maxRoiPoolBins(benchmark::State &state) {
  regions(state, 5, [&](auto x, auto rois, auto y) { maxRoiPool(MaxRoiPoolParams{1}, x, rois, y); });
}
BENCHMARK(maxRoiPoolBins);

} // namespace

BENCHMARK_MAIN();
