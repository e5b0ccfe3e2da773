// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product_work.h"

#include "ir/dim_bounds.h"
#include "ir/work.h"

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr double chunk = 16;
/// Instructions that make one output of a sum and store it, and those that fetch an element by itself: assumed.
constexpr double perOutput = 10, perElementFetched = 6;
/// Of block_tile.h's loop, where a warp loads ahead of what it multiplies.
constexpr double clocksOfPipelinedWarp = 2.8, sumBytes = 4;

bool isConstant(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return isa_and_nonnull<ConstantOp>(buffer.getDefiningOp());
}

std::optional<ProductSizes> largestSizesOf(MatmulOp op) { return productSizesOf(op); }
/// Those of a convolution whose sizes have bounds.
std::optional<ProductSizes> largestSizesOf(ConvOp op) {
  Value y = op.getInits()[0];
  if (cast<ShapedType>(y.getType()).hasStaticShape())
    return productSizesOf(op);
  DimBounds bounds;
  int64_t elements = bounds.maxElements(y).value_or(0), macs = Work().macsOf(op);
  if (elements == 0 || macs == 0)
    return std::nullopt;
  ProductSizes sizes;
  sizes.m = 1;
  for (int64_t d = 0; d < static_cast<int64_t>(op.getStrides().size()); ++d)
    sizes.m *= sizes.row = bounds.ofDim(y, op.firstSpatialOut() + d).high;
  sizes.batch = bounds.ofDim(y, 0).high * static_cast<int64_t>(op.getGroup());
  sizes.n = elements / std::max<int64_t>(sizes.m * sizes.batch, 1);
  sizes.k = macs / elements;
  return sizes.n == 0 ? std::nullopt : std::optional(sizes);
}

template <class Contraction>
std::optional<GpuProduct> gpuProductWith(Contraction op, Value lhs) {
  std::optional<ProductSizes> sizes = largestSizesOf(op);
  if (!sizes)
    return std::nullopt;
  GpuProduct product;
  product.sizes = *sizes;
  product.elementBytes = getElementTypeOrSelf(lhs.getType()).getIntOrFloatBitWidth() / 8.0;
  DimBounds bounds;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType())) {
      double bytes = double(bounds.maxElements(operand).value_or(0)) * type.getElementTypeBitWidth() / 8.0;
      (isConstant(operand) ? product.weightBytes : product.mapBytes) += bytes;
    }
  return product;
}

double wholeParts(int64_t a, int64_t b) { return double(llvm::divideCeil(std::max<int64_t>(a, 1), b)); }

/// Blocks of a tile for each.
double tilesOf(const ProductSizes &sizes, const GpuTile &tile) {
  return double(sizes.batch) * wholeParts(sizes.m, tile.rows) * wholeParts(sizes.n, tile.columns);
}

} // namespace

std::optional<GpuProduct> gpuProductOf(ConvOp op) {
  std::optional<GpuProduct> product = gpuProductWith(op, op.getInput());
  if (!product)
    return std::nullopt;
  auto filter = cast<MemRefType>(op.getFilter().getType());
  product->isConv = true;
  product->isAligned = op.inputLayout() != "nchw" && filter.getRank() > 0 &&
                       double(filter.getShape().back()) * product->elementBytes / chunk ==
                           std::floor(double(filter.getShape().back()) * product->elementBytes / chunk) &&
                       hasAlignedRows(op.getInput());
  return product;
}
std::optional<GpuProduct> gpuProductOf(MatmulOp op) {
  std::optional<GpuProduct> product = gpuProductWith(op, op.getLhs());
  if (!product)
    return std::nullopt;
  product->isAligned = hasAlignedRows(op.getLhs()) && hasAlignedRows(op.getRhs());
  // Batches that one right-hand side serves are rows.
  if (cast<ShapedType>(op.getRhs().getType()).getRank() == 2) {
    product->sizes.m *= product->sizes.batch;
    product->sizes.batch = 1;
  }
  return product;
}

GpuWork matrixWork(const GpuProduct &product, const GpuTile &tile, int64_t slices, const GpuModel &gpu) {
  double rows = double(tile.rows), columns = double(tile.columns),
         step = double(tile.depthBytes) / product.elementBytes;
  GpuWork work;
  work.blocks = tilesOf(product.sizes, tile) * double(slices);
  work.threads = tile.threads;
  work.registers = tile.registers;
  work.sharedBytes = tile.sharedBytes;
  work.steps = std::ceil(std::ceil(double(product.sizes.k) / step) / double(slices));
  // An instruction of the unit is 16 x 8 sums of 32 bytes of k.
  double units = rows / 16 * columns / 8 * double(tile.depthBytes) / 32 * double(tile.products);
  work.instructions = units * tile.perUnit;
  if (product.isConv) // a window's place, for each chunk that a thread copies
    work.instructions += (rows + columns) * double(tile.depthBytes) / chunk / warp * 8;
  if (!product.isAligned)
    work.instructions += (rows + columns) * step / warp * perElementFetched;
  work.matrixMacs = rows * columns * step * double(tile.products) * product.elementBytes / 2;
  double warps = double(tile.threads) / warp;
  double sharedRows = warps * double(tile.warpRows + tile.warpColumns) + rows + columns;
  work.sharedTraffic = sharedRows * double(tile.depthBytes);
  work.fetched = (rows + columns) * double(tile.depthBytes);
  work.ahead = gpu.copiesAsynchronously && product.isAligned ? double(tile.stages - 1) : 1;
  // Of halves 112 products on an H100 say so: 4 to 100 steps, with and without slices (off by 6 %). Parts of floats are
  // added to sums besides.
  if (tile.products == 1)
    work.clocksOfWarp = clocksOfPipelinedWarp;
  work.once = rows * columns / warp * perOutput;
  if (slices > 1) { // sums to memory, a count, and all slices' sums, some at a time
    work.once += rows * columns / warp * 2;
    work.parts = rows * columns * double(slices) * sumBytes;
    work.trips += 3;
  }
  work.weightBytes = product.weightBytes;
  work.mapBytes = product.mapBytes;
  return work;
}

namespace {

/// Instructions of templates/cuda/lane_runs.h, counted in machine code for sm_90: of an element and a row, and what a
/// warp does once: for an element of scale and shift, and for places.
constexpr double perNormed = 6.5, perNormedRow = 45, perNormFactor = 2, perNormingWarp = 110;

/// Elements of a row that a lane has, in whole runs.
double laneElements(double size, double elementBytes) {
  double run = elementBytes == 2 ? chunk / elementBytes : 1;
  return std::ceil(size / (warp * run)) * run;
}

} // namespace

GpuWork normedWork(const GpuProduct &product, const GpuTile &tile, const GpuModel &gpu) {
  double rows = double(tile.rows), k = double(product.sizes.k), warps = double(tile.threads) / warp;
  double lane = laneElements(k, product.elementBytes);
  GpuWork work = matrixWork(product, tile, 1, gpu);
  work.sharedBytes = normedTileBytes(tile, product.sizes.k);
  work.fetched = double(tile.columns * tile.depthBytes);
  // As many rows at once as tile_norm_gemm.h has: registers hold them, and what is done to each element.
  constexpr double mostOfLane = 24, mostHeld = 256 * 16, others = 50;
  double fits = lane <= mostOfLane && double(tile.threads) * lane <= mostHeld ? 4 : 2;
  double atOnce = std::min(fits, std::max(rows / warps, 1.0));
  work.registers = std::max(tile.registers, int64_t((atOnce + perNormFactor) * lane + others));
  work.once += rows * (lane * perNormed + perNormedRow) + warps * (lane * perNormFactor + perNormingWarp);
  work.trips += std::ceil(rows / (warps * atOnce)); // rows come from L2
  return work;
}

GpuWork normRowsWork(double rows, double size, double elementBytes) {
  constexpr double warpsOfBlock = 4, mostHeld = 1024;
  double runs = std::ceil(size * elementBytes / (warp * chunk)), passes = size > mostHeld ? 3 : 1;
  double lane = laneElements(size, elementBytes);
  GpuWork work;
  work.blocks = std::ceil(rows / warpsOfBlock);
  work.steps = passes * runs;
  work.instructions = warpsOfBlock * lane * (perNormed + perNormFactor) / work.steps;
  work.fetched = warpsOfBlock * size * elementBytes / runs;
  work.ahead = runs; // loads of one pass do not wait for each other
  work.once = warpsOfBlock * (perNormedRow + perNormingWarp);
  work.mapBytes = 2 * rows * size * elementBytes;
  return work;
}

GpuWork simtNormedWork(const GpuProduct &product, const GpuTile &tile) {
  // A warp's four rows are read for the mean and for the squares, four elements at a time; what is fetched for the
  // product is normalised on its way, by scales and shifts of which each thread fetches its own.
  constexpr double perMoment = 4, perFetched = 7, depth = 16, rowsAtOnce = 4, ahead = 4;
  double rows = double(tile.rows), k = double(product.sizes.k), warps = double(tile.threads) / warp;
  GpuWork work = simtWork(product, tile);
  work.instructions += rows * depth / warp * perFetched;
  work.once += rows * (k / warp * perMoment + perNormedRow);
  work.trips += std::ceil(rows / (warps * rowsAtOnce)) * 2 * std::ceil(k / (warp * ahead));
  return work;
}

GpuWork simtWork(const GpuProduct &product, const GpuTile &tile) {
  constexpr double depth = 16, macsPerInstruction = 32;
  double rows = double(tile.rows), columns = double(tile.columns), perThread = rows * columns / double(tile.threads);
  GpuWork work;
  work.blocks = tilesOf(product.sizes, tile);
  work.threads = tile.threads;
  work.registers = tile.registers;
  work.sharedBytes = tile.sharedBytes;
  work.steps = std::ceil(double(product.sizes.k) / depth);
  work.floatMacs = rows * columns * depth;
  work.clocksOfWarp = 2; // sums of a thread do not wait for each other
  // Beside the products: loads from shared memory, two vectors of them for each of k, and what fetches the next step.
  work.instructions = work.floatMacs / macsPerInstruction * (1 + 4 / std::sqrt(perThread)) +
                      (rows + columns) * depth / warp * (product.isAligned && !product.isConv ? 2 : perElementFetched);
  work.sharedTraffic = (2 * std::sqrt(perThread) * double(tile.threads) * depth / 4 + (rows + columns) * depth) * 4;
  work.fetched = (rows + columns) * depth * product.elementBytes;
  work.once = rows * columns / warp * perOutput;
  work.weightBytes = product.weightBytes;
  work.mapBytes = product.mapBytes;
  return work;
}

GpuWork rowsWork(const GpuProduct &product) {
  constexpr double warpsOfBlock = 4;
  const ProductSizes &sizes = product.sizes;
  double perLane = product.isAligned ? chunk / product.elementBytes : 1, rows = double(std::min<int64_t>(sizes.m, 4));
  GpuWork work;
  work.blocks = double(sizes.batch) * std::ceil(double(sizes.m) / rows) * std::ceil(double(sizes.n) / warpsOfBlock);
  work.steps = std::ceil(double(sizes.k) / (perLane * warp));
  work.instructions = warpsOfBlock * ((1 + rows) * 3 + rows * perLane * 2);
  work.floatMacs = warpsOfBlock * warp * rows * perLane;
  work.fetched = warpsOfBlock * warp * perLane * product.elementBytes * (1 + rows);
  work.ahead = 2;
  work.once = warpsOfBlock * rows * 2 * perOutput; // lanes are added up
  work.weightBytes = product.weightBytes;
  work.mapBytes = product.mapBytes;
  return work;
}

GpuWork stripWork(const GpuProduct &product, const DepthwiseStrip &strip) {
  // Of each load its place and each of its elements as a float; all by what an H100 took for 80 kernels of nine layers.
  constexpr double threads = 128, perLoad = 2, measured = 1.5;
  GpuWork work;
  double pack = double(strip.pack), perThread = pack * double(strip.outputs), taps = double(strip.taps);
  work.threads = 128;
  work.blocks = std::ceil(double(product.sizes.sums()) / (threads * perThread));
  double lines = double(product.sizes.k) / taps, loads = double(strip.inputs) + taps; // one is on its way, one is used
  // Two lines of loads are held beside the sums, as far as there are registers (depthwise_strip.h).
  constexpr double mostHeld = 640, others = 40, word = 4;
  double sums = perThread * word, held = std::min(2 * loads * pack * product.elementBytes, mostHeld - sums);
  work.registers = int64_t(others + (sums + held) / word);
  work.instructions = threads / warp * lines * (loads * (perLoad + pack) + taps * perThread) * measured;
  work.clocksOfWarp = 3;
  work.floatMacs = threads * perThread * double(product.sizes.k);
  work.fetched = (product.weightBytes + product.mapBytes) / work.blocks; // neighbours find it in L1
  work.once = threads / warp * perThread * perOutput;
  work.weightBytes = product.weightBytes;
  work.mapBytes = product.mapBytes;
  return work;
}

GpuWork elementWork(const GpuProduct &product) {
  constexpr double threads = 256, perProduct = 12;
  GpuWork work;
  work.threads = 256;
  work.blocks = std::ceil(std::max(double(product.sizes.sums()), 1.0) / threads);
  work.steps = double(product.sizes.k);
  work.instructions = threads / warp * perProduct;
  work.floatMacs = threads;
  work.fetched = threads * product.elementBytes; // a warp's other operand is one place
  work.ahead = 2;
  work.once = threads / warp * perOutput;
  work.weightBytes = product.weightBytes;
  work.mapBytes = product.mapBytes;
  return work;
}

} // namespace sinter
