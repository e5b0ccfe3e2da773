// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile_cost.h"

#include "templates/dot4/tile_steps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sinter {
namespace {

// Intel's 64 and IA-32 Architectures Optimization Reference Manual, on AMX: cycles until the next instruction can
// start, and until another can use what one gives. A product starts a row of A each cycle.
constexpr double kConfigure = 204, kRelease = 13, kLoad = 8, kStore = 16, kProductLatency = 52;

/// A block of so many rows by tiles of columns.
double cyclesOfBlock(double rows, double tiles, double steps) {
  double tall = rows > double(kTileRows) ? 2 : 1;
  double step = std::max({tiles * rows, (tall + tiles) * kLoad, kProductLatency});
  return steps * step + kProductLatency + tall * tiles * kStore;
}

/// All columns for a block's rows: pairs of tiles.
double cyclesOfRows(int64_t rows, int64_t tiles, double steps) {
  return double(tiles / 2) * cyclesOfBlock(double(rows), 2, steps) +
         double(tiles % 2) * cyclesOfBlock(double(rows), 1, steps);
}

/// Rows of a map's outputs are groups, unless each reads on behind the one before.
TileProduct asTiles(const ProductSizes &sizes, int64_t runs, int64_t length, bool isFlat) {
  TileProduct product{sizes.batch, 1, sizes.m, sizes.n, runs, length};
  if (!isFlat && sizes.row > 0) {
    product.groups = sizes.m / sizes.row;
    product.rows = sizes.row;
  }
  return product;
}

template <class Contraction>
bool saysTiles(Contraction op) {
  KernelAttr kernel = op.getKernelAttr();
  return kernel && kernel.has("tiles");
}

} // namespace

std::optional<double> cyclesInTiles(const Target &target, const TileProduct &product) {
  int64_t step = bytesOfTileStep(product.length);
  if (!target.tileRegisters || step == 0)
    return std::nullopt;
  int64_t stepsOfRun = product.length / step, tiles = llvm::divideCeil(product.n, kTileColumns);
  int64_t blocks = product.rows / kRowsOfTiles, rest = product.rows % kRowsOfTiles;
  double steps = double(product.runs) * double(stepsOfRun);
  double cycles = double(blocks) * cyclesOfRows(kRowsOfTiles, tiles, steps);
  double configurations = product.rows >= kRowsOfTiles ? 1 : 0;
  if (rest > 0) {
    cycles += cyclesOfRows(rest, tiles, steps);
    ++configurations;
  }
  return double(product.batch) * (double(product.groups) * cycles + configurations * kConfigure + kRelease);
}

bool isForTiles(const Target &target, const TileProduct &product) {
  std::optional<double> inTiles = cyclesInTiles(target, product);
  if (!inTiles)
    return false;
  double columns = double(llvm::alignTo(product.n, target.lanes()));
  double macs = double(product.batch) * double(product.groups) * double(product.rows) * columns * double(product.runs) *
                double(product.length);
  return *inTiles < macs / target.byteMacsPerCycle();
}

std::optional<double> estimateBytes(MatmulOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  if (sizes && saysTiles(op))
    return cyclesInTiles(target, asTiles(*sizes, 1, sizes->k, /*isFlat=*/true));
  return sizes ? std::optional(byteCycles(target, *sizes)) : std::nullopt;
}

std::optional<double> estimateBytes(ConvOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  if (!sizes || !saysTiles(op))
    return sizes ? std::optional(byteCycles(target, *sizes)) : std::nullopt;
  ArrayRef<int64_t> panels = cast<ShapedType>(op.getFilter().getType()).getShape(); // [panels, runs, fours, columns, 4]
  bool isFlat = sizes->k == panels[2] * 4 && panels[1] == 1 &&
                llvm::all_of(op.getStrides(), [](int64_t stride) { return stride == 1; });
  return cyclesInTiles(target, asTiles(*sizes, panels[1], panels[2] * 4, isFlat));
}

} // namespace sinter
