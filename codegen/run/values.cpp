// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of views, and their resolution to base, offset, sizes and strides.
#include "values.h"

#include "codegen/text/element_text.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sinter {

PrintedCode View::address() const {
  if (kind == Base::Pointer)
    return offset.isConstant(0) ? pointer : PrintedCode(pointer, " + ", offset.print());
  bool isText = isa<StringType>(element); // whose size only the C++ compiler knows
  SizeExpr byte = SizeExpr(bytes) + (isText ? SizeExpr(0) : offset * SizeExpr(memoryBytes(element)));
  PrintedCode place("at<", kind == Base::Weights ? PrintedCode("const ") : PrintedCode(), memoryText(element), ">(",
                    pointer, ", ", byte.print(), ")");
  return isText && !offset.isConstant(0) ? PrintedCode(place, " + ", offset.print()) : place;
}

SizeExpr Values::size(Value value) const {
  if (auto it = sizes.find(value); it != sizes.end())
    return it->second;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  llvm_unreachable("run computes each index before it is used");
}

PrintedCode Values::scalar(Value value) const {
  if (auto it = scalars.find(value); it != scalars.end())
    return it->second;
  if (sizes.count(value))
    return sizes.find(value)->second.print();
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer))) {
    if (value.getType().isInteger(1))
      return integer.isZero() ? PrintedCode("false") : PrintedCode("true");
    return PrintedCode::integer(integer.getSExtValue(), integer.getBitWidth());
  }
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number))) {
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    return PrintedCode::number(number.convertToDouble(), !value.getType().isF64());
  }
  llvm_unreachable("run computes each scalar before it is used");
}

SmallVector<SizeExpr> contiguousStrides(ArrayRef<SizeExpr> sizes) {
  SmallVector<SizeExpr> strides(sizes.size());
  SizeExpr product = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = product;
    product = product * sizes[i];
  }
  return strides;
}

SmallVector<SizeExpr> mixedSizes(ArrayRef<int64_t> shape, ValueRange dynamic, const Values &values) {
  SmallVector<SizeExpr> sizes;
  size_t next = 0;
  for (int64_t size : shape)
    sizes.push_back(ShapedType::isDynamic(size) ? values.size(dynamic[next++]) : SizeExpr(size));
  return sizes;
}

static SizeExpr sizeOf(OpFoldResult mixed, const Values &values) {
  if (auto value = dyn_cast<Value>(mixed))
    return values.size(value);
  return cast<IntegerAttr>(cast<Attribute>(mixed)).getInt();
}

static View subview(memref::SubViewOp op, const Values &values) {
  View source = values.view(op.getSource()), result = source;
  result.sizes.clear();
  result.strides.clear();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  auto offsets = op.getMixedOffsets(), sizes = op.getMixedSizes(), strides = op.getMixedStrides();
  for (size_t i = 0; i < offsets.size(); ++i) {
    result.offset = result.offset + sizeOf(offsets[i], values) * source.strides[i];
    if (dropped.test(i))
      continue;
    result.sizes.push_back(sizeOf(sizes[i], values));
    result.strides.push_back(sizeOf(strides[i], values) * source.strides[i]);
  }
  return result;
}

static View collapse(memref::CollapseShapeOp op, const Values &values) {
  View source = values.view(op.getSrc()), result = source;
  result.sizes.clear();
  result.strides.clear();
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    SizeExpr size = 1, stride = 1;
    for (int64_t dim : group) {
      size = size * source.sizes[dim];
      if (!source.sizes[dim].isConstant(1))
        stride = source.strides[dim]; // the last dim that moves
    }
    result.sizes.push_back(size);
    result.strides.push_back(stride);
  }
  return result;
}

static View expand(memref::ExpandShapeOp op, const Values &values) {
  View source = values.view(op.getSrc()), result = source;
  // The type may call a size dynamic that the op knows.
  SmallVector<SizeExpr> sizes = mixedSizes(op.getStaticOutputShape(), op.getOutputShape(), values);
  result.sizes.assign(sizes.begin(), sizes.end());
  result.strides.assign(sizes.size(), SizeExpr(1));
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    SizeExpr stride = source.strides[dim];
    for (int64_t inner : llvm::reverse(group)) {
      result.strides[inner] = stride;
      stride = stride * sizes[inner];
    }
  }
  return result;
}

static View reinterpret(memref::ReinterpretCastOp op, const Values &values) {
  View result = values.view(op.getSource());
  result.offset = sizeOf(op.getMixedOffsets().front(), values);
  result.sizes.clear();
  result.strides.clear();
  for (OpFoldResult size : op.getMixedSizes())
    result.sizes.push_back(sizeOf(size, values));
  for (OpFoldResult stride : op.getMixedStrides())
    result.strides.push_back(sizeOf(stride, values));
  return result;
}

static View typed(memref::ViewOp op, const Values &values) {
  View result = values.view(op.getSource());
  auto type = cast<MemRefType>(op.getType());
  SizeExpr byte = result.offset + values.size(op.getByteShift());
  result.element = type.getElementType();
  result.sizes = mixedSizes(type.getShape(), op.getSizes(), values);
  result.strides = contiguousStrides(result.sizes);
  if (std::optional<SizeExpr> offset = byte.dividedBy(memoryBytes(result.element));
      offset && result.kind != View::Base::Pointer) {
    result.offset = *offset;
    return result;
  }
  result.pointer = PrintedCode("at<", memoryText(result.element), ">(", result.pointer, ", ",
                               (SizeExpr(result.bytes) + byte).print(), ")");
  result.kind = View::Base::Pointer;
  result.offset = 0;
  return result;
}

static View transpose(memref::TransposeOp op, const Values &values) {
  View source = values.view(op.getIn()), result = source;
  for (auto [i, expr] : llvm::enumerate(op.getPermutation().getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    result.sizes[i] = source.sizes[dim];
    result.strides[i] = source.strides[dim];
  }
  return result;
}

bool resolveView(Operation *op, Values &values) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](memref::SubViewOp view) { return values.setView(view, subview(view, values)), true; })
      .Case([&](memref::CollapseShapeOp view) { return values.setView(view, collapse(view, values)), true; })
      .Case([&](memref::ExpandShapeOp view) { return values.setView(view, expand(view, values)), true; })
      .Case([&](memref::ReinterpretCastOp view) { return values.setView(view, reinterpret(view, values)), true; })
      .Case([&](memref::TransposeOp view) { return values.setView(view, transpose(view, values)), true; })
      .Case([&](memref::ViewOp view) { return values.setView(view, typed(view, values)), true; })
      .Case([&](memref::MemorySpaceCastOp view) { return values.setView(view, values.view(view.getSource())), true; })
      .Case([&](memref::CastOp view) {
        View source = values.view(view.getSource());
        // A cast to a static type says what a size is.
        if (auto type = dyn_cast<MemRefType>(view.getType()))
          for (auto [size, known] : llvm::zip(source.sizes, type.getShape()))
            if (!ShapedType::isDynamic(known))
              size = known;
        return values.setView(view, source), true;
      })
      .Default(false);
}

} // namespace sinter
