// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cycles.h"

#include "ir/dim_bounds.h"
#include "ir/work.h"
#include "kernels/panels/support/tile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// Of the multiply-adds that a machine does at most, those that a register tile comes to beside loads and loop ends.
constexpr double kReached = 0.6;
/// Instructions that add up the lanes of a vector, for each halving.
constexpr double kPerHalving = 3;
/// Cycles of an element that is turned round in registers.
constexpr double kPerTurned = 0.4;
/// Cycles for each element that is copied so.
constexpr double kPerCopied = 0.25;

/// Sums of products in so many accumulators, for each of k: no faster than the additions follow each other.
double cyclesPerStep(const Target &target, double vectors) {
  return std::max(vectors * double(target.lanes()) * cyclesPerMac(target),
                  target.vectorRegisters ? target.machine.addCycles : 0);
}

/// All rows of one column of tiles.
double columnOfTiles(const Target &target, const ProductSizes &sizes, int64_t rows, double vectors) {
  int64_t whole = sizes.m / rows;
  double steps = double(whole) * cyclesPerStep(target, double(rows) * vectors);
  if (int64_t rest = sizes.m % rows)
    steps += cyclesPerStep(target, double(rest) * vectors);
  return steps * double(sizes.k);
}

} // namespace

double cyclesPerMac(const Target &target) {
  return target.costs ? target.costs->perMac : 1 / (kReached * target.macsPerCycle());
}

std::optional<ProductSizes> productSizesOf(MatmulOp op) {
  Value y = op.getInits()[0];
  auto type = cast<ShapedType>(y.getType());
  DimBounds bounds;
  auto size = [&](int64_t dim) { return bounds.ofDim(y, dim).high; };
  ProductSizes sizes;
  sizes.row = sizes.m = size(type.getRank() - 2);
  sizes.n = size(type.getRank() - 1);
  sizes.batch = 1;
  for (int64_t d = 0; d < type.getRank() - 2; ++d)
    sizes.batch = times(sizes.batch, size(d));
  sizes.k =
      bounds.ofDim(op.getLhs(), cast<ShapedType>(op.getLhs().getType()).getRank() - (op.getTransposeLhs() ? 2 : 1))
          .high;
  bool isKnown =
      llvm::all_of(ArrayRef{sizes.batch, sizes.m, sizes.n, sizes.k}, [](int64_t s) { return s < INT64_MAX; });
  return isKnown ? std::optional(sizes) : std::nullopt;
}

std::optional<ProductSizes> productSizesOf(ConvOp op) {
  auto type = cast<ShapedType>(op.getInits()[0].getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  int64_t elements = type.getNumElements(), macs = Work().macsOf(op);
  if (elements == 0)
    return ProductSizes{0, 0, 0, 0, 0};
  auto spatial = static_cast<int64_t>(op.getStrides().size());
  ProductSizes sizes;
  sizes.m = sizes.batch = 1;
  for (int64_t d = 0; d < spatial; ++d)
    sizes.m *= sizes.row = type.getDimSize(op.firstSpatialOut() + d);
  auto groups = static_cast<int64_t>(op.getGroup());
  sizes.batch = type.getDimSize(0) * groups;
  sizes.n = elements / (sizes.m * sizes.batch);
  sizes.k = macs / elements;
  return sizes;
}

double tileCycles(const Target &target, const ProductSizes &sizes, int64_t rows, int64_t columns) {
  double vectors = double(llvm::divideCeil(columns, target.lanes()));
  return double(sizes.batch) * double(llvm::divideCeil(sizes.n, columns)) * columnOfTiles(target, sizes, rows, vectors);
}

double rowCycles(const Target &target, const ProductSizes &sizes, int64_t rows, int64_t columns) {
  int64_t lanes = target.lanes(), whole = sizes.n / columns, left = sizes.n % columns;
  int64_t single = left / lanes + left % lanes / 4 + left % lanes % 4;
  double cycles = double(whole) * columnOfTiles(target, sizes, rows, double(columns) / double(lanes)) +
                  double(single) * columnOfTiles(target, sizes, rows, 1);
  return double(sizes.batch) * cycles;
}

double tileCycles(const Target &target, const ProductSizes &sizes) {
  return tileCycles(target, sizes, tileFor(target).rows, tileFor(target).columns);
}

double rowCycles(const Target &target, const ProductSizes &sizes) {
  return rowCycles(target, sizes, tileFor(target).rows, tileFor(target).columns);
}

double dotCycles(const Target &target, const ProductSizes &sizes) {
  int64_t lanes = target.lanes(), wholeSteps = sizes.k / lanes;
  if (sizes.k < lanes) { // a vector of columns at a time, whose elements are collected once for all rows
    double vectors = double(llvm::divideCeil(sizes.n, lanes)), collecting = double(lanes * sizes.k);
    return double(sizes.batch) * vectors *
           (collecting + double(sizes.m) * std::max(1.0, double(sizes.k * lanes) * cyclesPerMac(target)));
  }
  double steps = double(wholeSteps), sums = double(sizes.m) * double(sizes.n);
  constexpr int64_t rows = 4, columns = 4; // together
  double perStep = double(sizes.n / columns) * cyclesPerStep(target, double(rows * columns));
  if (int64_t left = sizes.n % columns)
    perStep += cyclesPerStep(target, double(rows * left));
  double perSum = kPerHalving * llvm::Log2_64_Ceil(lanes) + double(sizes.k % lanes);
  return double(sizes.batch) * (double(llvm::divideCeil(sizes.m, rows)) * steps * perStep + sums * perSum);
}

double turnedCycles(const Target &target, const ProductSizes &sizes) {
  return tileCycles(target, sizes) + double(sizes.batch) * double(sizes.n) * double(sizes.k) * kPerTurned;
}

double copiedCycles(const Target &target, const ProductSizes &sizes) {
  return tileCycles(target, sizes) + double(sizes.batch) * double(sizes.n) * double(sizes.k) * kPerCopied;
}

double alongRowCycles(const Target &target, const ProductSizes &sizes) {
  constexpr int64_t most = 6, wide = 4;
  int64_t vectors = llvm::divideCeil(sizes.row, target.lanes());
  int64_t wholes = vectors / wide, tiles = llvm::divideCeil(sizes.n, most);
  if (tiles == 0)
    return 0;
  double perRow = double(wholes) * wide, single = double(vectors % wide);
  auto steps = [&](int64_t together) {
    return perRow / wide * cyclesPerStep(target, double(wide * together)) +
           single * cyclesPerStep(target, double(together));
  };
  double rows = double(sizes.batch) * double(sizes.m) / double(std::max<int64_t>(1, sizes.row)) * double(sizes.k);
  int64_t filters = sizes.n / tiles, larger = sizes.n % tiles;
  return rows * (double(tiles - larger) * steps(filters) + double(larger) * steps(filters + 1));
}

double macCycles(const Target &target, const ProductSizes &sizes) {
  return double(sizes.sums()) * double(sizes.k) * cyclesPerMac(target);
}

double byteCycles(const Target &target, const ProductSizes &sizes) {
  return macCycles(target, sizes) * target.macsPerCycle() / target.byteMacsPerCycle();
}

double scalarCycles(const Target &target, const ProductSizes &sizes) {
  return double(sizes.batch) * double(sizes.m) * double(sizes.n) * double(sizes.k) * target.machine.addCycles;
}

} // namespace sinter
