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
/// for each of the matrix unit. Tiles of the same size differ by their warps: many of small tiles wait less for each
/// other's instructions, few of large ones have less of them.
struct Block {
  int64_t rows, columns, bytes, warpRows, warpColumns, registers;
  double perUnit;
};
constexpr Block blockTable[] = {
    {128, 128, 64, 64, 32, 132, 2.6}, {128, 128, 64, 32, 32, 88, 3.5}, {128, 64, 64, 64, 32, 136, 3.1},
    {128, 64, 64, 32, 32, 88, 3.7},   {64, 64, 128, 32, 32, 104, 3.8}, {64, 64, 128, 32, 16, 72, 4.6},
    {64, 64, 128, 16, 16, 56, 6.7},   {32, 64, 128, 16, 32, 72, 5.5},  {32, 64, 128, 16, 16, 56, 7.7},
    {32, 64, 128, 32, 32, 104, 4.0},  {32, 32, 128, 16, 16, 56, 8.0}};
/// The same of floats, which are split in two, as three products.
constexpr Block floatTable[] = {
    {128, 128, 64, 64, 32, 194, 3.3}, {128, 64, 64, 64, 32, 199, 3.4}, {128, 64, 64, 32, 32, 125, 4.0},
    {64, 64, 128, 32, 32, 144, 3.6},  {64, 64, 128, 32, 16, 93, 4.4},  {64, 64, 128, 16, 16, 81, 6.2},
    {32, 64, 128, 16, 32, 94, 4.8},   {32, 64, 128, 16, 16, 83, 6.3},  {32, 32, 128, 16, 16, 88, 6.8}};
/// More of them cover a longer way to memory where blocks are few.
constexpr int64_t stageTable[] = {3, 5, 8};

/// BlockTile<element, ..., unit>.
GpuTile block(StringRef element, const Block &of, int64_t stages, StringRef unit) {
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
  tile.type =
      ("cuda::BlockTile<" + element + ", " + Twine(of.rows) + ", " + Twine(of.columns) + ", " + Twine(of.bytes) + ", " +
       Twine(of.warpRows) + ", " + Twine(of.warpColumns) + ", " + Twine(stages) + unit + ">")
          .str();
  return tile;
}

std::vector<GpuTile> blocks(StringRef element, ArrayRef<Block> table = blockTable, int64_t products = 1,
                            StringRef unit = "") {
  std::vector<GpuTile> tiles;
  for (const Block &of : table)
    for (int64_t stages : stageTable) {
      tiles.push_back(block(element, of, stages, unit));
      tiles.back().products = products;
    }
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

ArrayRef<GpuTile> matrixTiles(Type element, bool isUnsigned, bool isFast) {
  static const std::vector<GpuTile> ofHalves = blocks("f16"), ofBrains = blocks("bf16"), ofBytes = blocks("int8_t"),
                                    ofUnsigned = blocks("uint8_t"), ofFloats = blocks("float", floatTable, 3),
                                    ofFast = blocks("float", blockTable, 1, ", cuda::Tf32Unit");
  return element.isF32()    ? (isFast ? ofFast : ofFloats)
         : element.isF16()  ? ofHalves
         : element.isBF16() ? ofBrains
         : isUnsigned       ? ofUnsigned
                            : ofBytes;
}

bool isFast(Operation *op) { return op->getParentOfType<ModuleOp>()->hasAttr("sinter.fast"); }

bool hasMatrixUnit(const Target &target, Type element) {
  int first = target.sms.front(); // they ascend
  return ((element.isF16() || element.isInteger(8)) && first >= 75) ||
         ((element.isBF16() || element.isF32()) && first >= 80);
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
  if (ShapedType::isDynamic(offset) || offset * element % bytes != 0)
    return false;
  int64_t inner = 1; // of which the distance is a multiple, where all lies side by side
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    int64_t distance = ShapedType::isDynamic(strides[d]) && type.getLayout().isIdentity() ? inner : strides[d];
    // The last dim's elements are taken several at a time; where there is one place, nobody goes to the next.
    bool isStep = d + 1 < type.getRank() && type.getDimSize(d) != 1;
    if (isStep && (ShapedType::isDynamic(distance) || distance * element % bytes != 0))
      return false;
    inner *= type.isDynamicDim(d) ? 1 : type.getDimSize(d);
  }
  return true;
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
