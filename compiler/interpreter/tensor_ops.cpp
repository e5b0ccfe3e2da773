// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the tensor dialect on whole tensors and single elements, and linalg.index. Boxes: slice_ops.cpp; pack and
// unpack: layout_ops.cpp.
#include "engine.h"
#include "loop_nest.h"

#include "ir/dialect.h"

using namespace mlir;
using namespace sinter;

OpFoldResult sinter::statedDim(Value tensor, int64_t dim) {
  while (true) {
    auto type = dyn_cast<ShapedType>(tensor.getType());
    if (!type || !type.hasRank() || dim < 0 || dim >= type.getRank())
      return {};
    if (!type.isDynamicDim(dim))
      return IntegerAttr::get(IndexType::get(tensor.getContext()), type.getDimSize(dim));
    Operation *op = tensor.getDefiningOp();
    if (!op)
      return {};
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return empty.getMixedSizes()[dim];
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      Builder b(op);
      return getMixedValues(expand.getStaticOutputShape(), expand.getOutputShape(), b)[dim];
    }
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (slice.getSourceType().getRank() != type.getRank())
        return {};
      return slice.getMixedSizes()[dim];
    }
    if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      tensor = cast.getSource();
      continue;
    }
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps)
      return {};
    tensor = dps.getTiedOpOperand(cast<OpResult>(tensor))->get();
  }
}

namespace {

/// The type's static sizes, with the run-time ones from `dynamic` in order.
std::optional<SmallVector<int64_t>> hostShapeOf(Engine &engine, ShapedType type, ValueRange dynamic) {
  SmallVector<int64_t> shape(type.getShape());
  auto next = dynamic.begin();
  for (int64_t &size : shape) {
    if (!ShapedType::isDynamic(size))
      continue;
    if (next == dynamic.end())
      return std::nullopt;
    std::optional<int64_t> value = engine.index(*next++);
    if (!value)
      return std::nullopt;
    size = *value;
  }
  return shape;
}

/// The offset of an element; nothing outside of the tensor.
std::optional<int64_t> offsetOf(const HostTensor &tensor, ArrayRef<int64_t> indices) {
  int64_t offset = 0;
  for (auto [index, size] : llvm::zip_equal(indices, tensor.shape())) {
    if (index < 0 || index >= size)
      return std::nullopt;
    offset = offset * size + index;
  }
  return offset;
}

bool runEmpty(Engine &engine, tensor::EmptyOp op) {
  std::optional<SmallVector<int64_t>> shape = hostShapeOf(engine, op.getType(), op.getDynamicSizes());
  std::optional<HostTensor> tensor = shape ? engine.allocate(op.getType().getElementType(), *shape) : std::nullopt;
  if (tensor)
    engine.set(op.getResult(), std::move(*tensor));
  return tensor.has_value();
}

bool runCast(Engine &engine, tensor::CastOp op) {
  std::optional<HostTensor> tensor = engine.get(op.getSource());
  if (!tensor)
    return false;
  if (auto type = dyn_cast<RankedTensorType>(op.getType())) {
    if (type.getRank() != tensor->rank())
      return false;
    for (auto [size, actual] : llvm::zip_equal(type.getShape(), tensor->shape()))
      if (!ShapedType::isDynamic(size) && size != actual)
        return false;
  }
  engine.set(op.getResult(), std::move(*tensor));
  return true;
}

bool runBitcast(Engine &engine, tensor::BitcastOp op) {
  std::optional<HostTensor> tensor = engine.get(op.getSource());
  Type element = getElementTypeOrSelf(op.getType());
  if (!tensor || !elementKind(element) || elementBytes(*elementKind(element)) != tensor->bytesPerElement())
    return false;
  engine.set(op.getResult(), tensor->retyped(element));
  return true;
}

bool runTensorDim(Engine &engine, tensor::DimOp op) {
  std::optional<int64_t> index = engine.index(op.getIndex());
  if (!index)
    return false;
  std::optional<int64_t> size;
  if (OpFoldResult stated = statedDim(op.getSource(), *index))
    size = engine.index(stated);
  if (!size) {
    std::optional<HostTensor> tensor = engine.get(op.getSource());
    if (!tensor || *index < 0 || *index >= tensor->rank())
      return false;
    size = tensor->shape()[*index];
  }
  engine.set(op.getResult(), HostTensor::scalar(op.getType(), *size));
  return true;
}

bool runRank(Engine &engine, tensor::RankOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getTensor().getType());
  if (!type)
    return false;
  engine.set(op.getResult(), HostTensor::scalar(op.getType(), type.getRank()));
  return true;
}

bool runExtract(Engine &engine, tensor::ExtractOp op) {
  std::optional<HostTensor> tensor = engine.get(op.getTensor());
  std::optional<SmallVector<int64_t>> indices = engine.indices(op.getIndices());
  if (!tensor || !indices)
    return false;
  std::optional<int64_t> offset = offsetOf(*tensor, *indices);
  if (!offset)
    return engine.refuse();
  engine.set(op.getResult(), elementAt(*tensor, *offset));
  return true;
}

bool runInsert(Engine &engine, tensor::InsertOp op) {
  std::optional<HostTensor> scalar = engine.get(op.getScalar());
  std::optional<SmallVector<int64_t>> indices = engine.indices(op.getIndices());
  std::optional<HostTensor> tensor = scalar && indices ? engine.own(op.getDest()) : std::nullopt;
  if (!tensor)
    return false;
  std::optional<int64_t> offset = offsetOf(*tensor, *indices);
  if (!offset)
    return engine.refuse();
  setElement(*tensor, *offset, *scalar);
  engine.set(op.getResult(), std::move(*tensor));
  return true;
}

bool runFromElements(Engine &engine, tensor::FromElementsOp op) {
  std::optional<HostTensor> tensor = engine.allocate(op.getType().getElementType(), op.getType().getShape());
  if (!tensor)
    return false;
  for (auto [i, value] : llvm::enumerate(op.getElements())) {
    std::optional<HostTensor> scalar = engine.get(value);
    if (!scalar)
      return false;
    setElement(*tensor, static_cast<int64_t>(i), *scalar);
  }
  engine.set(op.getResult(), std::move(*tensor));
  return true;
}

bool runSplat(Engine &engine, tensor::SplatOp op) {
  std::optional<HostTensor> scalar = engine.get(op.getInput());
  std::optional<SmallVector<int64_t>> shape = hostShapeOf(engine, op.getType(), op.getDynamicSizes());
  if (!scalar || !shape || countElements(*shape) < 0 || scalar->kind() == ElementKind::String)
    return false;
  engine.set(op.getResult(), HostTensor::splat(op.getType().getElementType(), *shape, scalar->storedBytes()));
  return true;
}

bool runGenerate(Engine &engine, tensor::GenerateOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  std::optional<SmallVector<int64_t>> shape = hostShapeOf(engine, type, op.getDynamicExtents());
  std::optional<HostTensor> tensor = shape ? engine.allocate(type.getElementType(), *shape) : std::nullopt;
  Block &body = op.getBody().front();
  if (!tensor || !engine.spend(tensor->size() * static_cast<int64_t>(body.getOperations().size())))
    return false;
  Engine::Tensors indices(shape->size()), results;
  for (int64_t i = 0; i < tensor->size(); ++i) {
    int64_t rest = i;
    for (size_t dim = shape->size(); dim-- > 0; rest /= (*shape)[dim])
      indices[dim] = HostTensor::scalar(IndexType::get(op.getContext()), rest % (*shape)[dim]);
    if (!engine.runBlock(body, indices, results))
      return false;
    setElement(*tensor, i, results[0]);
  }
  engine.set(op.getResult(), std::move(*tensor));
  return true;
}

bool runReshape(Engine &engine, tensor::ReshapeOp op) {
  std::optional<HostTensor> tensor = engine.get(op.getSource()), sizes = engine.get(op.getShape());
  if (!tensor || !sizes)
    return false;
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < sizes->size(); ++i)
    shape.push_back(sizes->integerAt(i));
  if (countElements(shape) != tensor->size())
    return false;
  engine.set(op.getResult(), tensor->reshaped(shape));
  return true;
}

/// Positions in bodies that run point by point; programs have registers for them.
bool runIndex(Engine &engine, linalg::IndexOp op) {
  if (engine.positions.empty())
    return false;
  engine.set(op.getResult(), HostTensor::scalar(op.getType(), engine.positions.back()[op.getDim()]));
  return true;
}

} // namespace

void sinter::addTensorHandlers(HandlerTable &table) {
  addHandler<tensor::EmptyOp, runEmpty>(table);
  addHandler<tensor::CastOp, runCast>(table);
  addHandler<tensor::BitcastOp, runBitcast>(table);
  addHandler<tensor::DimOp, runTensorDim>(table);
  addHandler<tensor::RankOp, runRank>(table);
  addHandler<tensor::ExtractOp, runExtract>(table);
  addHandler<tensor::InsertOp, runInsert>(table);
  addHandler<tensor::FromElementsOp, runFromElements>(table);
  addHandler<tensor::SplatOp, runSplat>(table);
  addHandler<tensor::GenerateOp, runGenerate>(table);
  addHandler<tensor::ReshapeOp, runReshape>(table);
  addHandler<linalg::IndexOp, runIndex>(table);
}
