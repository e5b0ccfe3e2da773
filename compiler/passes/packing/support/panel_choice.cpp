// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "panel_choice.h"

#include "kernels/cycles.h"
#include "kernels/direct/support/points.h"
#include "kernels/panels/support/tile.h"
#include "kernels/terms/support/term_cost.h"

#include "ir/dim_bounds.h"
#include "ir/spreads.h"
#include "ir/work.h"
#include "passes/layout/support/blocked_layout.h"
#include "templates/dot4/tile_steps.h"

using namespace mlir;

namespace sinter {

bool isForSquares(MatmulOp matmul, const Target &target) {
  return target.bf16Squares && getElementTypeOrSelf(matmul.getLhs().getType()).isBF16() &&
         getElementTypeOrSelf(matmul.getRhs().getType()).isBF16() && matmul.accumulatorType().isF32() &&
         !matmul.getTransposeLhs();
}

std::optional<int64_t> leastRowsOfTerms(MatmulOp matmul, const Target &target, int64_t width) {
  auto type = cast<ShapedType>(matmul.getRhs().getType());
  std::optional<int64_t> least =
      leastRowsForTerms(target, type.getDimSize(matmul.getTransposeRhs() ? 0 : 1),
                        getElementTypeOrSelf(matmul.getLhs().getType()), type.getElementType());
  std::optional<ProductSizes> most = productSizesOf(matmul);
  bool isMany = !most || times(most->m, most->batch) >= least.value_or(0);
  bool hasTiles = width == kTileColumns || width == 2 * kTileColumns;
  if (!least || !isMany || !hasTiles || !matmul.accumulatorType().isF32() || matmul.getTransposeLhs())
    return std::nullopt;
  return cast<ShapedType>(matmul.getInits()[0].getType()).hasStaticShape() ? 0 : *least;
}

/// The outputs of a channel: of rows and columns that vary as many as there may be, of images the fewest.
static int64_t pixelsOf(ConvOp conv) {
  constexpr int64_t usual = 32; // where no bound is known
  Value out = conv.getInits()[0];
  DimBounds bounds;
  int64_t pixels = std::max<int64_t>(bounds.ofDim(out, 0).low, 1);
  for (size_t d = 0; d < conv.getStrides().size(); ++d) {
    int64_t most = bounds.ofDim(out, conv.firstSpatialOut() + static_cast<int64_t>(d)).high;
    pixels = times(pixels, most < INT64_MAX ? most : usual);
  }
  return pixels;
}

bool isFasterByTerms(ConvOp conv, const Target &target, int64_t width) {
  auto filter = cast<ShapedType>(conv.getFilter().getType());
  int64_t channels = filter.getDimSize(1), filters = filter.getDimSize(0);
  int64_t taps = ShapedType::getNumElements(filter.getShape().drop_front(2));
  bool isBlocked = llvm::all_of(ArrayRef{conv.inputLayout(), conv.outputLayout()},
                                [](StringRef layout) { return layout != "nchw"; });
  bool hasTiles = width == kTileColumns || width == 2 * kTileColumns;
  if ((taps > 1 && channels % 16 != 0) || !isBlocked || !hasTiles || spreadsOf(conv) || !conv.accumulatorType().isF32())
    return false;
  auto groups = static_cast<int64_t>(conv.getGroup());
  ProductSizes sizes{groups, pixelsOf(conv), filters / groups, channels * taps};
  return mapsAreFasterByTerms(target, sizes, getElementTypeOrSelf(conv.getInput().getType()), filter.getElementType());
}

bool fitsRows(ConvOp conv, const Target &target, int64_t columns) {
  if (suitsRows(conv, target) || (isOfPoints(conv) && hasEpilogueOfPlanes(conv) && leavesVectorsEmpty(conv, target)))
    return true;
  int64_t filters = cast<ShapedType>(conv.getFilter().getType()).getDimSize(0) / static_cast<int64_t>(conv.getGroup());
  auto output = cast<ShapedType>(conv.getInits()[0].getType());
  return conv.getLayout() == "nchw" && filters * 4 <= columns &&
         (output.isDynamicDim(output.getRank() - 1) || output.getShape().back() >= 8);
}

int64_t panelColumns(int64_t n, int64_t columns) {
  int64_t narrow = columns % 3 == 0 ? columns / 3 : columns / 2;
  if (narrow < 4 || llvm::divideCeil(n, narrow) * narrow * 115 >= llvm::divideCeil(n, columns) * columns * 100)
    return columns;
  while (narrow >= 8 && n <= narrow / 2)
    narrow /= 2;
  return narrow;
}

int64_t panelColumnsOfTaps(int64_t n, int64_t columns, const Target &target) {
  int64_t lanes = target.lanes();
  if (target.vectorRegisters != 16 || columns != 2 * lanes || n <= lanes || rowsOfTile(target, 3 * lanes) < 4)
    return panelColumns(n, columns);
  auto cost = [&](int64_t vectors) { return llvm::divideCeil(n, vectors * lanes) * vectors * (vectors == 1 ? 7 : 5); };
  int64_t vectors = cost(3) < cost(2) ? 3 : 2;
  return (cost(1) < cost(vectors) ? 1 : vectors) * lanes;
}

bool suitsDots(MatmulOp matmul, const Target &target, int64_t columns, int64_t width) {
  constexpr int64_t rows = 1024; // whatever they are: copies of a program for some of its sizes share weights
  if (target.vectorRegisters == 0 || matmul.getTransposeLhs() || columns >= target.lanes())
    return false;
  auto shape = cast<ShapedType>(matmul.getRhs().getType()).getShape();
  const ProductSizes sizes{1, rows, columns, matmul.getTransposeRhs() ? shape.back() : shape.front()};
  return sizes.k >= target.lanes() &&
         dotCycles(target, sizes) < tileCycles(target, sizes, rowsOfTile(target, width), width);
}

std::vector<std::string> panelOptions(const Target &target, int64_t n, int64_t usual) {
  constexpr int mostVectors = 4, fewestRows = 3;
  std::vector<std::string> options = {std::to_string(usual)};
  auto filledUp = [&](int64_t columns) { return llvm::divideCeil(n, columns) * columns; };
  for (int vectors = 1; vectors <= mostVectors && target.vectorRegisters; ++vectors) {
    int64_t columns = vectors * target.lanes();
    if (columns != usual && rowsOfTile(target, columns) >= fewestRows && filledUp(columns) * 4 <= filledUp(usual) * 5)
      options.push_back(std::to_string(columns));
  }
  return options;
}

std::optional<int64_t> lanesOfDots(ConvOp conv, const Target &target) {
  auto type = cast<RankedTensorType>(conv.getFilter().getType());
  int64_t filters = type.getDimSize(0) / static_cast<int64_t>(conv.getGroup()), channels = type.getDimSize(1);
  bool isBlocked = !conv.getLayout().starts_with("nchw") || conv.getLayout().starts_with("nchwc");
  if (target.vectorRegisters == 0 || !isBlocked)
    return std::nullopt;
  int64_t lanes = std::min<int64_t>(target.lanes(), llvm::bit_floor(uint64_t(std::max<int64_t>(channels, 1))));
  int64_t steps = filters * (channels / lanes + channels % lanes); // for `channels` of panels
  return lanes >= 4 && steps * 2 <= channels ? std::optional(lanes) : std::nullopt;
}

} // namespace sinter
