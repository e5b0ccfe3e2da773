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

constexpr int64_t kProducts = 16, kTaps = 9;
/// Vector instructions that a vector of a tile's channels takes from the input to scratch, and one of its filters from
/// the sums to the output.
constexpr double kPerVectorIn = 60, kPerVectorOut = 50;

/// Sizes of a convolution, of one group where there are several.
struct WinogradSizes {
  int64_t images, rows, columns, groups, channels, filters;
  int64_t weights(int64_t perFilter) const { return groups * channels * filters * perFilter; }
  int64_t tiles() const { return images * llvm::divideCeil(rows, 2) * llvm::divideCeil(columns, 2); }
};

bool isFloatMap(Value value) {
  auto element = cast<ShapedType>(value.getType()).getElementType();
  return element.isF32() || element.isF16() || element.isBF16();
}

/// Blocks of whole vectors, or one of all channels: in each, channels lie beside each other.
bool hasWholeVectors(Value map, const Target &target) {
  auto type = cast<ShapedType>(map.getType());
  return type.getShape().back() % target.lanes() == 0 || type.getDimSize(1) == 1;
}

std::optional<WinogradSizes> winogradSizesOf(ConvOp conv, const Target &target) {
  ArrayRef<int64_t> strides = conv.getStrides(), dilations = conv.getDilations();
  auto isOne = [](int64_t step) { return step == 1; };
  if (target.isGpu() || target.vectorRegisters == 0 || target.l2Kbytes == 0 || strides.size() != 2 ||
      !llvm::all_of(strides, isOne) || !llvm::all_of(dilations, isOne) || spreadsOf(conv) ||
      conv.inputLayout() != "nchwc" || conv.outputLayout() != "nchwc" || conv.taps(0) != 3 || conv.taps(1) != 3 ||
      !isFloatMap(conv.getInput()) || !isFloatMap(conv.getInits()[0]) || !isFloatMap(conv.getFilter()) ||
      !conv.getEpilogue().front().getArgument(0).getType().isF32() || !hasWholeVectors(conv.getInput(), target) ||
      !hasWholeVectors(conv.getInits()[0], target))
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
  WinogradSizes sizes{size(out, 0), size(out, 2), size(out, 3), groups, channels(in), channels(out)};
  bool isWhole = groups == 1 || (sizes.channels % target.lanes() == 0 && sizes.filters % target.lanes() == 0);
  return isWhole && sizes.channels >= target.lanes() / 2 ? std::optional(sizes) : std::nullopt;
}

/// Cycles until weights have come from behind the second-level cache, once for each of `times` that they are read.
double weightCycles(const Target &target, double bytes, int64_t times) {
  if (bytes * 2 <= double(target.l2Kbytes) * 1024)
    times = 1;
  return bytes * double(times) / double(target.bytesPerCycle) * 2;
}

} // namespace

/// Those that fill the register tile a few times.
static int enoughTiles(const Target &target, int64_t columns) {
  constexpr int enough = 24;
  int rows = rowsOfTile(target, columns);
  return (enough + rows - 1) / rows * rows;
}

int winogradTilesOf(ConvOp conv, const Target &target, Fit fit, int64_t columns) {
  constexpr int64_t few = 4; // sums of fewer wait for each other
  auto least = std::min<int64_t>(rowsOfTile(target, columns), few);
  WinogradSizes s = *winogradSizesOf(conv, target);
  int64_t maps = s.images * s.rows * s.columns * s.groups * (s.channels + s.filters);
  int64_t fitting = std::max(maps, s.weights(kProducts)) / 4 / convWinogradScratch(s.channels, 1, columns);
  return static_cast<int>(fit == Fit::Ram ? least : std::clamp<int64_t>(fitting, least, enoughTiles(target, columns)));
}

std::optional<double> winogradCycles(ConvOp conv, const Target &target, int64_t columns) {
  std::optional<WinogradSizes> s = winogradSizesOf(conv, target);
  if (!s)
    return std::nullopt;
  int64_t tiles = s->tiles(), blocks = llvm::divideCeil(tiles, enoughTiles(target, columns));
  ProductSizes products{s->groups * kProducts, tiles, s->filters, s->channels, tiles};
  auto vectors = [&](int64_t channels) { return double(llvm::divideCeil(channels, target.lanes())); };
  double perMac = cyclesPerMac(target) * double(target.lanes()); // of a vector
  double transforms =
      double(s->groups * tiles) * perMac * (vectors(s->channels) * kPerVectorIn + vectors(s->filters) * kPerVectorOut);
  double bytes = double(s->weights(kProducts)) * 4;
  return std::max(tileCycles(target, products, rowsOfTile(target, columns), columns) + transforms,
                  weightCycles(target, bytes, blocks));
}

bool paysWinograd(ConvOp conv, const Target &target, int64_t columns) {
  std::optional<double> cycles = winogradCycles(conv, target, columns);
  if (!cycles)
    return false;
  WinogradSizes s = *winogradSizesOf(conv, target);
  ProductSizes direct{s.images * s.groups, s.rows * s.columns, s.filters, s.channels * kTaps, s.columns};
  double bytes = double(s.weights(kTaps)) * 4;
  double directCycles =
      std::max(tileCycles(target, direct, rowsOfTile(target, columns), columns), weightCycles(target, bytes, s.images));
  constexpr double margin = 0.9;
  return *cycles < margin * directCycles;
}

} // namespace sinter
