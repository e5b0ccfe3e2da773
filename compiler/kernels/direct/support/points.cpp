// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points.h"

#include "ir/spreads.h"

using namespace mlir;

namespace sinter {
namespace {

/// Whether a map of the output's elements has the spatial dims at its end, as they stand; nothing where it has none.
std::optional<bool> takesPlanes(AffineMap map) {
  auto spatial = static_cast<int64_t>(map.getNumDims()) - 2;
  bool readsAny = false;
  for (int64_t d = 0; d < spatial; ++d)
    readsAny |= map.isFunctionOfDim(static_cast<unsigned>(2 + d));
  if (!readsAny)
    return std::nullopt;
  auto results = static_cast<int64_t>(map.getNumResults());
  if (results < spatial)
    return false;
  for (int64_t i = 0; i < results; ++i) {
    int64_t d = i - (results - spatial);
    AffineExpr result = map.getResult(static_cast<unsigned>(i));
    for (int64_t e = 0; e < spatial; ++e)
      if (result.isFunctionOfDim(static_cast<unsigned>(2 + e)) &&
          (d != e || result != getAffineDimExpr(static_cast<unsigned>(2 + e), map.getContext())))
        return false;
    if (d >= 0 && !result.isFunctionOfDim(static_cast<unsigned>(2 + d)))
      return false;
  }
  return true;
}

bool isDensePlane(Value map, int64_t spatial) {
  auto type = cast<MemRefType>(map.getType());
  auto [strides, offset] = getStridesAndOffset(type);
  (void)offset;
  int64_t wanted = 1;
  for (int64_t d = type.getRank() - 1; d >= type.getRank() - spatial; --d) {
    if (strides[static_cast<size_t>(d)] != wanted ||
        (type.isDynamicDim(static_cast<unsigned>(d)) && d > type.getRank() - spatial))
      return false;
    wanted *= type.getDimSize(static_cast<unsigned>(d));
  }
  return true;
}

} // namespace

bool isOfPoints(ConvOp op) {
  auto spatial = static_cast<int64_t>(op.getStrides().size());
  for (int64_t d = 0; d < spatial; ++d)
    if (op.taps(d) != 1)
      return false;
  auto input = cast<ShapedType>(op.getInput().getType()), output = cast<ShapedType>(op.getInits()[0].getType());
  return op.getLayout() == "nchw" && !spreadsOf(op) && !op.getRowPad() &&
         llvm::all_of(op.getStrides(), [](int64_t stride) { return stride == 1; }) &&
         llvm::all_of(op.getPads(), [](int64_t pad) { return pad == 0; }) &&
         input.getShape().drop_front(2) == output.getShape().drop_front(2);
}

bool hasEpilogueOfPlanes(ConvOp op) {
  return llvm::all_of(op.getEpilogueMaps(),
                      [](Attribute map) { return takesPlanes(cast<AffineMapAttr>(map).getValue()).value_or(true); });
}

bool hasDensePlanes(ConvOp op) {
  auto spatial = static_cast<int64_t>(op.getStrides().size());
  if (!isDensePlane(op.getInput(), spatial) || !isDensePlane(op.getInits()[0], spatial))
    return false;
  for (auto [operand, map] : llvm::zip_equal(op.getEpilogueInputs(), op.getEpilogueMaps()))
    if (takesPlanes(cast<AffineMapAttr>(map).getValue()) && !isDensePlane(operand, spatial))
      return false;
  return true;
}

} // namespace sinter
