// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row number that grows evenly from tile to tile, but for borders that windows hang over, is that expression,
// bounded; any other is computed as rowsOfTiles does, from the rows of the step's readers.
#include "tile_rows_ir.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;

namespace sinter {

OpFoldResult TileRowsIR::apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
}
OpFoldResult TileRowsIR::least(ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(static_cast<unsigned>(operands.size()), 0, exprs, b.getContext()), operands);
}
OpFoldResult TileRowsIR::most(ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineMax(
      b, loc, AffineMap::get(static_cast<unsigned>(operands.size()), 0, exprs, b.getContext()), operands);
}

size_t TileRowsIR::middleTile() const {
  auto ofBand = static_cast<size_t>(segment.tilesOfBand());
  if (ofBand == 1)
    return tiles.size() / 2;
  size_t middle = static_cast<size_t>(segment.bands / 2) * ofBand + ofBand / 2;
  return middle < tiles.size() ? middle : ofBand / 2;
}

std::optional<OpFoldResult> TileRowsIR::even(size_t i, int64_t back, Number number) {
  std::vector<int64_t> wanted;
  for (size_t tile = 0; tile < tiles.size(); ++tile) {
    bool isFirst = segment.beginsBand(static_cast<int64_t>(tile)); // nothing moves up
    wanted.push_back(number(rowsOf(tile, i), isFirst ? rowsOf(tile, i) : rowsOf(tile - 1, i)));
  }
  size_t middle = middleTile();
  int64_t step = wanted[middle] - wanted[middle - 1];
  if (step % segment.rows || step < 0)
    return std::nullopt;
  int64_t lead = segment.lead * segment.rows;
  int64_t factor = step / segment.rows, offset = wanted[middle] - step * static_cast<int64_t>(middle) + factor * lead;
  auto [low, high] = std::minmax_element(wanted.begin(), wanted.end());
  AffineExpr at = b.getAffineDimExpr(0) - back * segment.rows, line = at * factor + offset;
  AffineExpr behind = b.getAffineDimExpr(1) - back * segment.rows; // the first row of the band
  // The line, the line within bounds, the same but nothing in the first tile of a band.
  enum { Line, Bounded, Late, Forms };
  for (int form = Line; form < Forms; ++form) {
    bool fits = true, isAbove = false, isBelow = form == Late;
    for (size_t tile = 0; tile < wanted.size() && fits; ++tile) {
      auto number = static_cast<int64_t>(tile);
      int64_t value = (number * segment.rows - lead) * factor + offset;
      isAbove |= value > *high;
      isBelow |= value < *low;
      if (form == Late)
        value = std::min(value, number % segment.tilesOfBand() * segment.rows * chain[i].rows);
      fits = (form == Line ? value : std::clamp(value, *low, *high)) == wanted[tile];
    }
    if (!fits)
      continue;
    if (form == Line)
      return apply(line, begin);
    SmallVector<AffineExpr> upper{line};
    if (isAbove)
      upper.push_back(constant(*high));
    if (form == Late)
      upper.push_back(behind * chain[i].rows);
    OpFoldResult bounded = upper.size() > 1 ? least(upper, {begin, since}) : apply(line, begin);
    bool needsLow = isBelow && (form == Bounded || back > 0 || *low > 0);
    return needsLow ? most({b.getAffineDimExpr(0), constant(*low)}, bounded) : bounded;
  }
  return std::nullopt;
}

OpFoldResult TileRowsIR::once(char what, size_t i, int64_t back, llvm::function_ref<OpFoldResult()> make) {
  OpFoldResult &value = made[{what, i, back}];
  if (!value)
    value = make();
  return value;
}

OpFoldResult TileRowsIR::reach(size_t i, int64_t back) {
  return once('r', i, back, [&]() -> OpFoldResult {
    AffineExpr d = b.getAffineDimExpr(0);
    if (i == segment.last) {
      AffineExpr last = d + segment.rows * (1 - back);
      return chain[i].rows % segment.rows ? least({last, constant(chain[i].rows)}, {begin}) : apply(last, begin);
    }
    SmallVector<OpFoldResult> reaches;
    SmallVector<AffineExpr> exprs;
    for (const RowReader &reader : chain[i].readers) {
      reaches.push_back(least({(d - 1) * reader.stride - reader.pad + reader.extent, constant(chain[i].rows)},
                              {reach(reader.step, back)}));
      exprs.push_back(b.getAffineDimExpr(static_cast<unsigned>(exprs.size())));
    }
    return most(exprs, reaches);
  });
}

OpFoldResult TileRowsIR::end(size_t i, int64_t back) {
  return once('e', i, back, [&]() -> OpFoldResult {
    if (auto value = even(i, back, [](const TileRows &row, const TileRows &) { return row.end; }))
      return *value;
    return most({b.getAffineDimExpr(0), constant(0)}, {reach(i, back)});
  });
}

OpFoldResult TileRowsIR::done(size_t i, int64_t back) {
  return once('d', i, back, [&] { // nothing before the first tile of a band
    AffineExpr before = b.getAffineDimExpr(0), behind = b.getAffineDimExpr(1);
    OpFoldResult value = least({before, (behind - back * segment.rows) * chain[i].rows}, {end(i, back + 1), since});
    return most({before, constant(0)}, {value});
  });
}

OpFoldResult TileRowsIR::low(size_t i, int64_t back) {
  return once('l', i, back, [&]() -> OpFoldResult {
    if (auto value = even(i, back, [](const TileRows &row, const TileRows &) { return row.low; }))
      return *value;
    SmallVector<OpFoldResult> lows{end(i, back)};
    SmallVector<AffineExpr> exprs{b.getAffineDimExpr(0)};
    for (const RowReader &reader : chain[i].readers) {
      AffineExpr d = b.getAffineDimExpr(0);
      lows.push_back(most({d * reader.stride - reader.pad, constant(0)}, {first(reader.step, back)}));
      exprs.push_back(b.getAffineDimExpr(static_cast<unsigned>(exprs.size())));
    }
    return least(exprs, lows);
  });
}

OpFoldResult TileRowsIR::first(size_t i, int64_t back) {
  return once('f', i, back, [&]() -> OpFoldResult {
    if (auto value = even(i, back, [](const TileRows &row, const TileRows &) { return row.first; }))
      return *value;
    if (i == segment.last)
      return most({b.getAffineDimExpr(0) - back * segment.rows, constant(0)}, {begin});
    return most({b.getAffineDimExpr(0), b.getAffineDimExpr(1)}, {done(i, back), low(i, back)});
  });
}

OpFoldResult TileRowsIR::count(size_t i) {
  if (auto value = even(i, 0, [](const TileRows &row, const TileRows &) { return row.end - row.first; }))
    return *value;
  return apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {end(i, 0), first(i, 0)});
}

OpFoldResult TileRowsIR::kept(size_t i) {
  if (auto value = even(i, 0, [](const TileRows &row, const TileRows &) { return row.first - row.low; }))
    return *value;
  return apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {first(i, 0), low(i, 0)});
}

OpFoldResult TileRowsIR::shift(size_t i) {
  if (auto value = even(i, 0, [](const TileRows &row, const TileRows &before) { return row.low - before.low; }))
    return *value;
  return apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {low(i, 0), low(i, 1)});
}

} // namespace sinter
