// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "winograd_cost.h"

#include "ir/dim_bounds.h"
#include "ir/spreads.h"
#include "kernels/cycles.h"
#include "kernels/panels/support/tile.h"
#include "templates/panels/conv_winograd.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// Measured cycles of transforms by those of their vector instructions as counted below.
constexpr double kOverInstructionsIn = 1.25, kOverInstructionsOut = 1.15;
/// Of a dim: longer ones have not been measured.
constexpr int64_t kMostTaps = 15;

/// Sizes of a convolution, of one group where there are several.
struct WinogradSizes {
  int64_t images, rows, columns, groups, channels, filters;
  WinogradTiling tiling;
  int64_t weights(int64_t perFilter) const { return groups * channels * filters * perFilter; }
  int64_t products() const { return int64_t{tiling.y.products()} * tiling.x.products(); }
  int64_t sums() const { return int64_t{tiling.y.sums()} * tiling.x.sums(); }
  int64_t tiles() const {
    auto along = [](int64_t outputs, WinogradTaps taps, int64_t dilation) {
      int64_t together = taps.outputs() * dilation;
      return static_cast<int64_t>(llvm::divideCeil(outputs, together)) * dilation;
    };
    return images * along(rows, tiling.y, tiling.dilationY) * along(columns, tiling.x, tiling.dilationX);
  }
};

/// Instructions of B' d and A' s along one dim (winogradInputs, winogradOutputs).
int64_t instructionsIn(WinogradTaps taps) {
  return taps.together == 2 ? 4 * taps.threes() + 2 * taps.pairs() : 12 * taps.threes() + 9 * taps.pairs();
}
int64_t instructionsOut(WinogradTaps taps) { return taps.isPlain() ? 0 : taps.together == 2 ? 4 : 13; }

/// Of one vector of a tile's channels from the input to scratch, loads and stores included. A tile has only its new
/// columns to transform where the next one lies beside it.
int64_t transformIn(const WinogradTiling &t) {
  int64_t columns = t.dilationX == 1 ? t.x.outputs() : t.x.inputs();
  return columns * (t.y.inputs() + instructionsIn(t.y)) + t.y.products() * (instructionsIn(t.x) + t.x.products());
}
/// Of one vector of its filters from scratch to the output.
int64_t transformOut(const WinogradTiling &t) {
  return t.x.sums() * (t.y.sums() + instructionsOut(t.y)) + t.y.outputs() * (instructionsOut(t.x) + t.x.outputs());
}

bool isFloatMap(Value value) {
  auto element = cast<ShapedType>(value.getType()).getElementType();
  return element.isF32() || element.isF16() || element.isBF16();
}

/// Blocks of whole vectors, or one of all channels: in each, channels lie beside each other.
bool hasWholeVectors(Value map, const Target &target) {
  auto type = cast<ShapedType>(map.getType());
  return type.getShape().back() % target.lanes() == 0 || type.getDimSize(1) == 1;
}

/// A line, a map, or a volume each of whose slices is made of one of the input's.
bool hasPlanesForWinograd(ConvOp conv) {
  if (conv.getStrides().size() < 3)
    return true;
  int64_t depth = cast<ShapedType>(conv.getInput().getType()).getDimSize(2);
  return conv.getStrides().size() == 3 && conv.taps(0) == 1 && conv.getPads()[0] == 0 &&
         !ShapedType::isDynamic(depth) && depth == cast<ShapedType>(conv.getInits()[0].getType()).getDimSize(2);
}

bool hasTapsForWinograd(ConvOp conv) {
  bool hasSeveral = false;
  for (int64_t d = 0, dims = static_cast<int64_t>(conv.getStrides().size()); d < dims; ++d) {
    if (conv.taps(d) > kMostTaps)
      return false;
    hasSeveral |= conv.taps(d) > 1;
  }
  return hasSeveral;
}

std::optional<WinogradSizes> winogradSizesOf(ConvOp conv, const WinogradTiling &tiling, const Target &target) {
  ArrayRef<int64_t> strides = conv.getStrides();
  auto isOne = [](int64_t step) { return step == 1; };
  if (target.isGpu() || target.vectorRegisters == 0 || target.l2Kbytes == 0 || !hasPlanesForWinograd(conv) ||
      !llvm::all_of(strides, isOne) || spreadsOf(conv) || conv.inputLayout() != "nchwc" ||
      conv.outputLayout() != "nchwc" || !hasTapsForWinograd(conv) || !isFloatMap(conv.getInput()) ||
      !isFloatMap(conv.getInits()[0]) || !isFloatMap(conv.getFilter()) || !conv.accumulatorType().isF32() ||
      !hasWholeVectors(conv.getInput(), target) || !hasWholeVectors(conv.getInits()[0], target))
    return std::nullopt;
  DimBounds bounds;
  constexpr int64_t usual = 32; // where no bound is known
  auto size = [&](Value map, int64_t dim) {
    int64_t most = bounds.ofDim(map, dim).high;
    return most < INT64_MAX ? most : usual;
  };
  Value in = conv.getInput(), out = conv.getInits()[0];
  auto groups = static_cast<int64_t>(conv.getGroup());
  auto channels = [&](Value map) {
    auto type = cast<ShapedType>(map.getType());
    return type.getDimSize(1) * type.getShape().back() / groups;
  };
  auto dims = static_cast<int64_t>(strides.size());
  int64_t images = size(out, 0) * (dims == 3 ? size(out, 2) : 1);
  WinogradSizes sizes{images, dims == 1 ? 1 : size(out, dims), size(out, dims + 1), groups, channels(in), channels(out),
                      tiling};
  bool isWhole = groups == 1 || (sizes.channels % target.lanes() == 0 && sizes.filters % target.lanes() == 0);
  return isWhole && sizes.channels >= target.lanes() / 2 ? std::optional(sizes) : std::nullopt;
}

bool fitsSecondLevel(const Target &target, double bytes) { return bytes * 2 <= double(target.l2Kbytes) * 1024; }
/// Cycles until bytes have come from behind the second-level cache.
double farCycles(const Target &target, double bytes) { return bytes / double(target.bytesPerCycle) * 2; }

/// Of weights, once for each of `times` that they are read.
double weightCycles(const Target &target, double bytes, int64_t times) {
  return farCycles(target, bytes * (fitsSecondLevel(target, bytes) ? 1 : double(times)));
}
/// Of maps. Transforms read and write them in bursts, which products do not hide.
double mapCycles(const Target &target, const WinogradSizes &s) {
  double bytes = double(s.images * s.rows * s.columns * s.groups * (s.channels + s.filters)) * 4;
  return fitsSecondLevel(target, bytes) ? 0 : farCycles(target, bytes);
}

/// The share of a window's taps in one dim that are inside of the map, in the mean of all outputs.
double shareInside(int64_t outputs, int64_t taps, int64_t dilation, int64_t pad) {
  int64_t inside = 0, size = outputs; // about the input's
  for (int64_t tap = 0; tap < taps; ++tap) {
    int64_t shift = tap * dilation - pad;
    inside += std::max<int64_t>(0, size - std::abs(shift));
  }
  return double(inside) / double(std::max<int64_t>(1, outputs * taps));
}

} // namespace

/// With two outputs a dim.
static WinogradTiling tilingOfTaps(ConvOp conv) {
  auto dims = static_cast<int64_t>(conv.getStrides().size());
  WinogradTiling tiling;
  tiling.x.taps = static_cast<int>(conv.taps(dims - 1));
  if (!tiling.x.isPlain())
    tiling.dilationX = conv.getDilations()[dims - 1];
  if (dims == 1)
    return tiling;
  tiling.y.taps = static_cast<int>(conv.taps(dims - 2));
  if (!tiling.y.isPlain())
    tiling.dilationY = conv.getDilations()[dims - 2];
  return tiling;
}

WinogradTiling winogradTilingOf(ConvOp conv) {
  WinogradTiling tiling = tilingOfTaps(conv);
  if (KernelAttr kernel = conv.getKernelAttr(); kernel && !tiling.x.isPlain())
    tiling.x.together = static_cast<int>(kernel.number("columns_together", 2));
  return tiling;
}

/// The fewest tiles that are made together: sums of fewer wait for each other.
static int64_t fewestTiles(const Target &target, int64_t columns) {
  return std::min<int64_t>(rowsOfTile(target, columns), 4);
}
/// So many tiles have scratch that is a quarter of the maps or of the weights.
static int64_t tilesThatFit(const WinogradSizes &s, int64_t columns) {
  int64_t maps = s.images * s.rows * s.columns * s.groups * (s.channels + s.filters);
  return std::max(maps, s.weights(s.products())) / 4 /
         convWinogradScratch(s.tiling.y, s.tiling.x, s.channels, 1, columns);
}

/// Tiles of outputs whose products are made together: enough to fill the register tile a few times, fewer where
/// scratch would be large beside the maps and weights, and with Fit::Ram.
static int64_t tilesTogether(const WinogradSizes &s, const Target &target, Fit fit, int64_t columns) {
  constexpr int64_t enough = 24;
  int64_t rows = rowsOfTile(target, columns), least = fewestTiles(target, columns);
  return fit == Fit::Ram
             ? least
             : std::clamp(tilesThatFit(s, columns), least, static_cast<int64_t>(llvm::divideCeil(enough, rows)) * rows);
}

int winogradTilesOf(ConvOp conv, const WinogradTiling &tiling, const Target &target, Fit fit, int64_t columns) {
  return static_cast<int>(tilesTogether(*winogradSizesOf(conv, tiling, target), target, fit, columns));
}

std::optional<double> winogradCycles(ConvOp conv, const WinogradTiling &tiling, const Target &target, int64_t columns) {
  std::optional<WinogradSizes> s = winogradSizesOf(conv, tiling, target);
  if (!s)
    return std::nullopt;
  int64_t tiles = s->tiles(), together = std::min(tiles, tilesTogether(*s, target, Fit::Speed, columns));
  int64_t blocks = llvm::divideCeil(tiles, together), rows = std::min<int64_t>(rowsOfTile(target, columns), together);
  // Products of one sum are one product, as deep as they all.
  ProductSizes products{s->groups * s->sums(), tiles, s->filters, s->channels * s->products() / s->sums(), tiles};
  auto vectors = [&](int64_t channels) { return double(llvm::divideCeil(channels, target.lanes())); };
  double perMac = cyclesPerMac(target) * double(target.lanes()); // of a vector
  double transforms = double(s->groups * tiles) * perMac *
                      (vectors(s->channels) * kOverInstructionsIn * double(transformIn(tiling)) +
                       vectors(s->filters) * kOverInstructionsOut * double(transformOut(tiling)));
  double bytes = double(s->weights(s->products())) * 4;
  return std::max(tileCycles(target, products, rows, columns) + transforms + mapCycles(target, *s),
                  weightCycles(target, bytes, blocks));
}

std::optional<WinogradTiling> winogradFor(ConvOp conv, const Target &target, int64_t columns) {
  WinogradTiling tiling = tilingOfTaps(conv);
  std::optional<double> cycles = winogradCycles(conv, tiling, target, columns);
  if (!cycles)
    return std::nullopt;
  constexpr double margin = 0.9, marginOfFours = 0.95; // fours have more weights and larger errors
  if (conv.getStrides().size() >= 2 && hasSmallErrorsByFours(tiling.y, tiling.x)) {
    WinogradTiling fours = tiling;
    fours.x.together = 4;
    double those = *winogradCycles(conv, fours, target, columns);
    WinogradSizes byTwos = *winogradSizesOf(conv, tiling, target), byFours = *winogradSizesOf(conv, fours, target);
    // Longer weights may have to come from memory.
    auto atLeast = [&](const WinogradSizes &s) {
      return double(s.weights(s.products())) * 4 / target.bytesPerCycleFrom(MemoryLevel::Memory);
    };
    bool fits = tilesThatFit(byFours, columns) >= fewestTiles(target, columns);
    if (fits && std::max(those, atLeast(byFours)) < marginOfFours * std::max(*cycles, atLeast(byTwos))) {
      tiling = fours;
      cycles = those;
    }
  }
  WinogradSizes s = *winogradSizesOf(conv, tiling, target);
  int64_t taps = int64_t{s.tiling.y.taps} * s.tiling.x.taps;
  ProductSizes direct{s.images * s.groups, s.rows * s.columns, s.filters, s.channels * taps, s.columns};
  double bytes = double(s.weights(taps)) * 4;
  // The direct kernel leaves out what is outside.
  ArrayRef<int64_t> pads = conv.getPads();
  double inside = shareInside(s.columns, s.tiling.x.taps, s.tiling.dilationX, pads.back());
  if (pads.size() > 1)
    inside *= shareInside(s.rows, s.tiling.y.taps, s.tiling.dilationY, pads[pads.size() - 2]);
  double directCycles = std::max(inside * tileCycles(target, direct, rowsOfTile(target, columns), columns),
                                 weightCycles(target, bytes, s.images));
  return *cycles < margin * directCycles ? std::optional(tiling) : std::nullopt;
}

} // namespace sinter
