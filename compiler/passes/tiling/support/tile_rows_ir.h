// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of each step of a tiled segment as index arithmetic on the loop's variable: TileRows in IR.
#pragma once

#include "row_tile_choice.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace sinter {

class TileRowsIR {
public:
  /// `tiles`: rowsOfTiles of the segment. `begin`: the first output row of its last step in the tile at hand; `since`:
  /// how many rows before it the band of the tile begins.
  TileRowsIR(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<ChainStep> chain, const Segment &segment,
             llvm::ArrayRef<std::vector<TileRows>> tiles, mlir::OpFoldResult begin, mlir::OpFoldResult since)
      : b(b), loc(loc), chain(chain), segment(segment), begin(begin), since(since), tiles(tiles) {}

  /// Of step `i` of the chain. Constants where all tiles have the same.
  mlir::OpFoldResult first(size_t i) { return first(i, 0); }
  mlir::OpFoldResult count(size_t i);
  mlir::OpFoldResult low(size_t i) { return low(i, 0); }
  /// As many rows of the window are from earlier tiles,
  mlir::OpFoldResult kept(size_t i);
  /// and move up so far.
  mlir::OpFoldResult shift(size_t i);

private:
  using Number = llvm::function_ref<int64_t(const TileRows &row, const TileRows &before)>;
  /// What `number` is in each tile (that many tiles `back`), as a bounded linear function of `begin`, if it is one.
  std::optional<mlir::OpFoldResult> even(size_t i, int64_t back, Number number);
  const TileRows &rowsOf(size_t tile, size_t i) const { return tiles[tile][i - segment.first]; }
  /// A tile behind the first one of its band, if there is one, away from the borders of the map.
  size_t middleTile() const;

  // `back` tiles ago.
  mlir::OpFoldResult reach(size_t i, int64_t back);
  mlir::OpFoldResult end(size_t i, int64_t back);
  mlir::OpFoldResult done(size_t i, int64_t back);
  mlir::OpFoldResult low(size_t i, int64_t back);
  mlir::OpFoldResult first(size_t i, int64_t back);
  mlir::OpFoldResult once(char what, size_t i, int64_t back, llvm::function_ref<mlir::OpFoldResult()> make);

  mlir::OpFoldResult apply(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::OpFoldResult least(llvm::ArrayRef<mlir::AffineExpr> exprs, llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::OpFoldResult most(llvm::ArrayRef<mlir::AffineExpr> exprs, llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::AffineExpr constant(int64_t value) const { return mlir::getAffineConstantExpr(value, b.getContext()); }

  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::ArrayRef<ChainStep> chain;
  const Segment &segment;
  mlir::OpFoldResult begin, since;
  llvm::ArrayRef<std::vector<TileRows>> tiles;
  std::map<std::tuple<char, size_t, int64_t>, mlir::OpFoldResult> made;
};

} // namespace sinter
