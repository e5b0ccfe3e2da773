// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu_tile.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// kSharedBytes of SimtTile<rows, columns, 16, ...>.
GpuTile simt(int64_t rows, int64_t columns, int64_t perM, int64_t perN, int64_t registers) {
  constexpr int64_t depth = 16, padding = 4;
  GpuTile tile;
  tile.rows = rows;
  tile.columns = columns;
  tile.threads = rows / perM * (columns / perN);
  tile.sharedBytes = 2 * depth * (rows + columns + 2 * padding) * 4;
  tile.stages = 2;
  tile.depthBytes = depth * 4;
  tile.registers = registers;
  tile.type = ("cuda::SimtTile<" + Twine(rows) + ", " + Twine(columns) + ", " + Twine(depth) + ", " + Twine(perM) +
               ", " + Twine(perN) + ">")
                  .str();
  return tile;
}

/// A row of docs/design/cuda-kernels.md: a block's tile and a warp's, its registers, and the main loop's instructions
/// for each of the matrix unit.
struct Block {
  int64_t rows, columns, bytes, warpRows, warpColumns, registers;
  double perUnit;
};
constexpr Block blockTable[] = {{128, 128, 64, 64, 32, 132, 2.6},
                                {128, 64, 64, 64, 32, 136, 3.1},
                                {64, 64, 128, 32, 32, 104, 3.8},
                                {32, 64, 128, 16, 32, 72, 5.5},
                                {32, 32, 128, 16, 16, 56, 8.0}};
/// More of them cover a longer way to memory where blocks are few.
constexpr int64_t stageTable[] = {3, 5, 8};

/// BlockTile<element, ...>.
GpuTile block(StringRef element, const Block &of, int64_t stages) {
  constexpr int64_t warp = 32;
  GpuTile tile;
  tile.rows = of.rows;
  tile.columns = of.columns;
  tile.threads = warp * (of.rows / of.warpRows) * (of.columns / of.warpColumns);
  tile.sharedBytes = stages * (of.rows + of.columns) * of.bytes;
  tile.stages = stages;
  tile.depthBytes = of.bytes;
  tile.warpRows = of.warpRows;
  tile.warpColumns = of.warpColumns;
  tile.registers = of.registers;
  tile.perUnit = of.perUnit;
  tile.type = ("cuda::BlockTile<" + element + ", " + Twine(of.rows) + ", " + Twine(of.columns) + ", " +
               Twine(of.bytes) + ", " + Twine(of.warpRows) + ", " + Twine(of.warpColumns) + ", " + Twine(stages) + ">")
                  .str();
  return tile;
}

std::vector<GpuTile> blocks(StringRef element) {
  std::vector<GpuTile> tiles;
  for (const Block &of : blockTable)
    for (int64_t stages : stageTable)
      tiles.push_back(block(element, of, stages));
  return tiles;
}

} // namespace

ArrayRef<GpuTile> simtTiles() {
  static const std::vector<GpuTile> tiles = {simt(128, 128, 8, 8, 128), simt(64, 64, 4, 4, 64), simt(32, 32, 4, 2, 48)};
  return tiles;
}

int64_t normedTileBytes(const GpuTile &tile, int64_t k) {
  constexpr int64_t halfBytes = 2;
  return llvm::divideCeil(k * halfBytes, tile.depthBytes) * tile.rows * tile.depthBytes +
         tile.stages * tile.columns * tile.depthBytes;
}

StringRef elementName(Type element, bool isUnsigned) {
  return element.isF32()    ? "float"
         : element.isF16()  ? "f16"
         : element.isBF16() ? "bf16"
         : isUnsigned       ? "uint8_t"
                            : "int8_t";
}

ArrayRef<GpuTile> matrixTiles(Type element, bool isUnsigned) {
  static const std::vector<GpuTile> ofHalves = blocks("f16"), ofBrains = blocks("bf16"), ofBytes = blocks("int8_t"),
                                    ofUnsigned = blocks("uint8_t");
  return element.isF16() ? ofHalves : element.isBF16() ? ofBrains : isUnsigned ? ofUnsigned : ofBytes;
}

bool hasMatrixUnit(const Target &target, Type element) {
  int first = target.sms.front(); // they ascend
  return (element.isF16() && first >= 75) || (element.isBF16() && first >= 80) || (element.isInteger(8) && first >= 75);
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
