// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [1, 1, depth, h, w, c] by [k, c, taps of depth, y, x] is [depths, 1, h, w, taps c] by [k, taps c, y, x]: kernels of
// planes sum up runs of channels, however many these are. Channels last, planes of the output are those of the volume,
// as they lie; of the input, what several windows read is copied for each tap of depth, which is little beside the
// products. In groups, one for each channel or fewer, those of a tap would not lie side by side. There taps of depth
// are rows, all of a row behind each other: [depths, 1, h taps, w, c] by [k, c / g, y taps, x], where a window goes on
// by as many rows as there are taps.
#include "volumes_as_planes.h"

#include "builders/tensors.h"
#include "byte_contractions.h"
#include "passes/support/contractions.h"

using namespace mlir;

namespace sinter {
namespace {

bool isVolumeOfBytes(ConvOp conv) {
  auto input = dyn_cast<RankedTensorType>(conv.getInput().getType()),
       output = dyn_cast<RankedTensorType>(conv.getInits()[0].getType()),
       filter = dyn_cast<RankedTensorType>(conv.getFilter().getType());
  return input && output && filter && conv.getStrides().size() == 3 && conv.getLayout() == "nchwc" &&
         !conv.getKernelAttr() && !conv.getRowPad() && isByte(conv.getInput()) && isByte(conv.getFilter()) &&
         conv.getInits().size() == 1 && input.hasStaticShape() && output.hasStaticShape() && filter.hasStaticShape() &&
         filter.getNumElements() != 0 && input.getDimSize(0) == 1 && input.getDimSize(1) == 1 &&
         output.getDimSize(1) == 1 && conv.accumulatorType().isInteger(32);
}

/// The planes that windows read, for each plane of the output those of all taps of depth: side by side as channels, or
/// as rows.
Tensor planesOfWindows(ConvOp conv, bool inRows, const Tensors &t) {
  OpBuilder &b = t.b;
  Tensor x{conv.getInput(), ElementType::Int8};
  int64_t taps = cast<ShapedType>(conv.getFilter().getType()).getDimSize(2), step = conv.getStrides()[0],
          dilation = conv.getDilations()[0], low = conv.getPads()[0], depth = x.shape()[2],
          depths = cast<ShapedType>(conv.getInits()[0].getType()).getDimSize(2);
  int64_t high = std::max<int64_t>((depths - 1) * step + (taps - 1) * dilation + 1 - low - depth, 0);
  if (low || high) {
    Sizes before(x.rank(), b.getIndexAttr(0)), after = before;
    before[2] = b.getIndexAttr(low);
    after[2] = b.getIndexAttr(high);
    auto zero = static_cast<int8_t>(static_cast<int64_t>(conv.getInputZero()));
    x = t.pad(x, before, after, b.create<arith::ConstantOp>(t.loc, b.getIntegerAttr(b.getI8Type(), zero)));
  }
  SmallVector<Tensor> parts;
  for (int64_t tap = 0; tap < taps; ++tap) {
    Sizes offsets(x.rank(), b.getIndexAttr(0)), strides(x.rank(), b.getIndexAttr(1)), sizes = t.sizes(x);
    offsets[2] = b.getIndexAttr(tap * dilation);
    sizes[2] = b.getIndexAttr(depths);
    strides[2] = b.getIndexAttr(step);
    parts.push_back(t.slice(x, offsets, sizes, strides));
  }
  int64_t height = x.shape()[3], width = x.shape()[4], channels = x.shape()[5];
  if (inRows) {
    for (Tensor &part : parts)
      part = t.reshape(part, sizesOf(b, {depths, 1, height, 1, width, channels}));
    Tensor all = taps == 1 ? parts[0] : t.concat(parts, 3);
    return t.reshape(all, sizesOf(b, {depths, 1, height * taps, width, channels}));
  }
  Tensor all = taps == 1 ? parts[0] : t.concat(parts, x.rank() - 1);
  return t.reshape(all, sizesOf(b, {depths, 1, height, width, taps * channels}));
}

/// The filter of planes.
Tensor filterOfPlanes(ConvOp conv, bool inRows, const Tensors &t) {
  Tensor filter{conv.getFilter(), ElementType::Int8};
  SmallVector<int64_t> shape(filter.shape()); // [k, c, taps of depth, y, x]
  if (inRows)
    return t.reshape(t.transpose(filter, {0, 1, 3, 2, 4}),
                     sizesOf(t.b, {shape[0], shape[1], shape[3] * shape[2], shape[4]}));
  return t.reshape(t.transpose(filter, {0, 2, 1, 3, 4}),
                   sizesOf(t.b, {shape[0], shape[2] * shape[1], shape[3], shape[4]}));
}

} // namespace

ConvOp volumeAsPlanes(ConvOp conv) {
  if (!isVolumeOfBytes(conv) || !hasTapsOfPlanes(conv))
    return conv;
  bool inRows = conv.getGroup() != 1;
  OpBuilder b(conv);
  Tensors t{b, conv.getLoc()};
  auto volume = cast<RankedTensorType>(conv.getInits()[0].getType());
  ArrayRef<int64_t> out = volume.getShape();
  Tensor planes = planesOfWindows(conv, inRows, t), filter = filterOfPlanes(conv, inRows, t);
  auto element = conv.getInits()[0].getType();
  Value made = b.create<tensor::EmptyOp>(conv.getLoc(), ArrayRef<int64_t>{out[2], 1, out[3], out[4], out[5]},
                                         getElementTypeOrSelf(element));
  auto ofPlanes = cast<ConvOp>(b.clone(*conv));
  ofPlanes.getInputMutable().assign(planes.value);
  ofPlanes.getFilterMutable().assign(filter.value);
  ofPlanes.getInitsMutable().assign(made);
  ofPlanes->getResult(0).setType(made.getType());
  int64_t rowsOfRow = inRows ? cast<ShapedType>(conv.getFilter().getType()).getDimSize(2) : 1;
  ofPlanes.setStrides({conv.getStrides()[1] * rowsOfRow, conv.getStrides()[2]});
  ofPlanes.setDilations({inRows ? 1 : conv.getDilations()[1], conv.getDilations()[2]});
  ofPlanes.setPads({conv.getPads()[1] * rowsOfRow, conv.getPads()[2]});
  // Of the volume's dims the first is 0, and depth the planes' number.
  SmallVector<AffineExpr> dims{b.getAffineConstantExpr(0), b.getAffineDimExpr(1), b.getAffineDimExpr(0),
                               b.getAffineDimExpr(2),      b.getAffineDimExpr(3), b.getAffineDimExpr(4)};
  SmallVector<Attribute> maps;
  for (Attribute map : conv.getEpilogueMaps())
    maps.push_back(AffineMapAttr::get(cast<AffineMapAttr>(map).getValue().replaceDimsAndSymbols(dims, {}, 5, 0)));
  ofPlanes.setEpilogueMapsAttr(b.getArrayAttr(maps));
  b.setInsertionPointAfter(ofPlanes);
  Tensor result = t.reshape({ofPlanes->getResult(0), ElementType::Int8}, sizesOf(b, out));
  conv->getResult(0).replaceAllUsesWith(result.value);
  conv.erase();
  return ofPlanes;
}

} // namespace sinter
