// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu_tile.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// From the largest to the smallest.
using Tiles = std::vector<GpuTile>;

/// Blocks for the multiprocessors of a large GPU, once around. Sizes that only calls know are taken for large ones.
constexpr int64_t enoughTiles = 100;

const GpuTile &choose(const Tiles &tiles, std::optional<int64_t> rows, std::optional<int64_t> columns) {
  for (const GpuTile &tile : tiles) {
    int64_t count =
        llvm::divideCeil(rows.value_or(1024), tile.rows) * llvm::divideCeil(columns.value_or(1024), tile.columns);
    // Half of a tile's rows or columns without elements is work for nothing.
    bool isFilled = (!rows || *rows * 2 > tile.rows) && (!columns || *columns * 2 > tile.columns);
    if (count >= enoughTiles && isFilled)
      return tile;
  }
  return tiles.back();
}

/// kSharedBytes of SimtTile<rows, columns, 16, ...>.
GpuTile simt(int64_t rows, int64_t columns, int64_t perM, int64_t perN) {
  constexpr int64_t depth = 16, padding = 4;
  int64_t shared = 2 * depth * (rows + columns + 2 * padding) * 4;
  return {rows, columns, rows / perM * (columns / perN), shared,
          ("cuda::SimtTile<" + Twine(rows) + ", " + Twine(columns) + ", " + Twine(depth) + ", " + Twine(perM) + ", " +
           Twine(perN) + ">")
              .str()};
}

/// BlockTile<element, ...> of three stages.
GpuTile block(StringRef element, int64_t rows, int64_t columns, int64_t bytes, int64_t warpRows, int64_t warpColumns) {
  constexpr int64_t stages = 3, warp = 32;
  return {rows, columns, warp * (rows / warpRows) * (columns / warpColumns), stages * (rows + columns) * bytes,
          ("cuda::BlockTile<" + element + ", " + Twine(rows) + ", " + Twine(columns) + ", " + Twine(bytes) + ", " +
           Twine(warpRows) + ", " + Twine(warpColumns) + ", " + Twine(stages) + ">")
              .str()};
}

Tiles blocks(StringRef element) {
  return {block(element, 128, 128, 64, 64, 32), block(element, 128, 64, 64, 64, 32),
          block(element, 64, 64, 128, 32, 32), block(element, 32, 64, 128, 16, 32),
          block(element, 32, 32, 128, 16, 16)};
}

} // namespace

const GpuTile &simtTile(std::optional<int64_t> rows, std::optional<int64_t> columns) {
  static const Tiles tiles = {simt(128, 128, 8, 8), simt(64, 64, 4, 4), simt(32, 32, 4, 2)};
  return choose(tiles, rows, columns);
}

StringRef elementName(Type element, bool isUnsigned) {
  return element.isF32()    ? "float"
         : element.isF16()  ? "f16"
         : element.isBF16() ? "bf16"
         : isUnsigned       ? "uint8_t"
                            : "int8_t";
}

const GpuTile &matrixTile(Type element, bool isUnsigned, std::optional<int64_t> rows, std::optional<int64_t> columns) {
  static const Tiles ofHalves = blocks("f16"), ofBrains = blocks("bf16"), ofBytes = blocks("int8_t"),
                     ofUnsigned = blocks("uint8_t");
  return choose(element.isF16()    ? ofHalves
                : element.isBF16() ? ofBrains
                : isUnsigned       ? ofUnsigned
                                   : ofBytes,
                rows, columns);
}

bool hasMatrixUnit(const Target &target, Type element) {
  int first = target.sms.front(); // they ascend
  return (element.isF16() && first >= 75) || (element.isBF16() && first >= 80) || (element.isInteger(8) && first >= 75);
}

void setTile(ContractionCall &call, const GpuTile &tile) {
  call.rows = tile.rows;
  call.columns = tile.columns;
  call.grid = GridOfTiles{tile.threads, tile.sharedBytes};
  call.templateArguments.push_back(named(tile.type));
}

std::pair<std::optional<int64_t>, std::optional<int64_t>> outputSizesOf(MatmulOp op) {
  auto type = cast<MemRefType>(op.getInits()[0].getType());
  std::optional<int64_t> rows, columns;
  if (type.hasStaticShape())
    rows = type.getNumElements() / std::max<int64_t>(type.getShape().back(), 1);
  if (!ShapedType::isDynamic(type.getShape().back()))
    columns = type.getShape().back();
  return {rows, columns};
}

bool areMultiples(Value buffer, int64_t bytes) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t element = type.getElementTypeBitWidth() / 8;
  auto [strides, offset] = getStridesAndOffset(type);
  if (type.getRank() == 0 || strides.back() != 1 || element == 0)
    return false;
  strides.back() = offset;
  return llvm::all_of(
      strides, [&](int64_t distance) { return !ShapedType::isDynamic(distance) && distance * element % bytes == 0; });
}

bool hasAlignedRows(Value buffer) {
  constexpr int64_t chunk = 16;
  return areMultiples(buffer, chunk);
}
bool hasAlignedPairs(Value buffer) {
  if (cast<MemRefType>(buffer.getType()).getLayout().isIdentity()) // where rows are odd, no pairs are stored
    return true;
  return areMultiples(buffer, 2 * cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8);
}

bool isSmall(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return !type.hasStaticShape() || type.getNumElements() < (int64_t(1) << 31) - (1 << 20);
}

bool isOfPixels(Value map) {
  auto type = cast<MemRefType>(map.getType());
  int64_t rank = type.getRank();
  if (rank < 4 || rank > 5 || type.getDimSize(1) != 1)
    return false;
  if (type.getLayout().isIdentity())
    return true;
  auto [strides, offset] = getStridesAndOffset(type);
  if (strides.back() != 1 || ShapedType::isDynamic(strides[rank - 2]))
    return false;
  // From the last spatial dim outwards to the batch; the dim of one block has no step.
  int64_t expected = strides[rank - 2];
  for (int64_t d = rank - 2; d >= 0; --d) {
    if (d == 1)
      continue;
    if (strides[d] != expected && type.getDimSize(d) != 1)
      return false;
    if (type.isDynamicDim(d) && d != 0)
      return false;
    expected *= type.getDimSize(d);
  }
  return true;
}

} // namespace sinter
