// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution reads channels that are innermost by vectors, so that they must lie side by side. Of a part of a tensor
// whose other dims are 1, channels may be innermost by a mere reshape and lie apart: such a map is copied first. (Maps
// that are written: place_destinations.cpp and drop_copies.cpp leave them where they are. memory/check_strides.cpp
// looks at both.)
#include "passes.h"

#include "ir/dialect.h"
#include "memory/footprint.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {
namespace {

/// The map in memory of its own.
Value gathered(OpBuilder &b, Location loc, Value map) {
  auto type = cast<MemRefType>(map.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(b.create<memref::DimOp>(loc, map, d));
  auto own = MemRefType::get(type.getShape(), type.getElementType());
  Value buffer = b.create<memref::AllocOp>(loc, own, sizes, b.getI64IntegerAttr(64));
  auto copy = b.create<memref::CopyOp>(loc, map, buffer);
  copy->setAttr("sinter.reason", b.getStringAttr("the channels of the source lie apart"));
  return buffer;
}
} // namespace

LogicalResult gatherChannels(ModuleOp module) {
  SmallVector<ConvOp> convs;
  module.walk([&](ConvOp conv) {
    auto type = dyn_cast<MemRefType>(conv.getInput().getType());
    if (type && conv.inputLayout() != "nchw" && hasGapsInRows(type))
      convs.push_back(conv);
  });
  for (ConvOp conv : convs) {
    OpBuilder b(conv);
    conv.getInputMutable().assign(gathered(b, conv.getLoc(), conv.getInput()));
  }
  return success();
}

} // namespace sinter
