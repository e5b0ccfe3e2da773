// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of tensors: slices, insertion, padding, concatenation, reassociation of dims. All are strided copies
// (movement.h) or new shapes on old bytes.
#include "engine.h"
#include "loop_nest.h"

#include "ir/dialect.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Whether a box of `sizes` at `offsets`, `strides` apart, lies within `shape`.
bool boxInside(ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t last = offsets[i] + (sizes[i] - 1) * strides[i];
    if (sizes[i] < 0 || (sizes[i] > 0 && (offsets[i] < 0 || last < 0 || offsets[i] >= shape[i] || last >= shape[i])))
      return false;
  }
  return true;
}

bool runExtractSlice(Engine &engine, tensor::ExtractSliceOp op) {
  std::optional<HostTensor> source = engine.get(op.getSource());
  auto offsets = engine.indices(op.getMixedOffsets()), sizes = engine.indices(op.getMixedSizes()),
       strides = engine.indices(op.getMixedStrides());
  if (!source || !offsets || !sizes || !strides || !boxInside(source->shape(), *offsets, *sizes, *strides))
    return false;
  // rank reduction drops unit dims and moves nothing
  SmallVector<int64_t> shape;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [i, size] : llvm::enumerate(*sizes))
    if (!dropped.test(i))
      shape.push_back(size);
  if (ArrayRef<int64_t>(*sizes) == source->shape()) {
    engine.set(op.getResult(), source->reshaped(shape));
    return true;
  }
  std::optional<HostTensor> result = engine.allocate(source->getElementType(), shape);
  if (!result || !engine.spend(result->size()))
    return false;
  SmallVector<int64_t, 6> toStrides = rowMajorStrides(*sizes), fromStrides = rowMajorStrides(source->shape());
  int64_t offset = 0;
  for (size_t i = 0; i < fromStrides.size(); ++i) {
    offset += (*offsets)[i] * fromStrides[i];
    fromStrides[i] *= (*strides)[i];
  }
  if (source->isSplat())
    fromStrides.assign(fromStrides.size(), offset = 0);
  if (result->size())
    copyStrided(source->kind(), *sizes, result->mutableBytes(), toStrides,
                source->storedBytes() + offset * static_cast<int64_t>(source->bytesPerElement()), fromStrides);
  engine.set(op.getResult(), std::move(*result));
  return true;
}

/// insert_slice, and the form of it that ends a scf.forall's iteration (there the target is the shared output,
/// updated).
template <class InsertOp>
bool insertSlice(Engine &engine, InsertOp op, Value result) {
  std::optional<HostTensor> source = engine.get(op.getSource());
  auto offsets = engine.indices(op.getMixedOffsets()), sizes = engine.indices(op.getMixedSizes()),
       strides = engine.indices(op.getMixedStrides());
  if (!source || !offsets || !sizes || !strides || countElements(*sizes) != source->size())
    return false;
  std::optional<HostTensor> target = engine.own(op.getDest());
  if (!target || !boxInside(target->shape(), *offsets, *sizes, *strides) || !engine.spend(source->size()))
    return false;
  insertBox(*target, source->reshaped(*sizes), *offsets, *strides);
  engine.set(result, std::move(*target));
  return true;
}
bool runInsertSlice(Engine &engine, tensor::InsertSliceOp op) { return insertSlice(engine, op, op.getResult()); }
bool runParallelInsertSlice(Engine &engine, tensor::ParallelInsertSliceOp op) {
  return insertSlice(engine, op, op.getDest());
}

bool runConcat(Engine &engine, tensor::ConcatOp op) {
  SmallVector<HostTensor> inputs;
  SmallVector<int64_t> shape;
  uint64_t dim = op.getDim();
  for (Value value : op.getInputs()) {
    std::optional<HostTensor> input = engine.get(value);
    if (!input || static_cast<uint64_t>(input->rank()) <= dim)
      return false;
    if (inputs.empty())
      shape.assign(input->shape().begin(), input->shape().end());
    else
      shape[dim] += input->shape()[dim];
    inputs.push_back(std::move(*input));
  }
  std::optional<HostTensor> result = engine.allocate(inputs[0].getElementType(), shape);
  if (!result || !engine.spend(result->size()))
    return false;
  SmallVector<int64_t> offsets(shape.size(), 0), ones(shape.size(), 1);
  for (const HostTensor &input : inputs) {
    if (!boxInside(shape, offsets, input.shape(), ones))
      return false;
    insertBox(*result, input, offsets, ones);
    offsets[dim] += input.shape()[dim];
  }
  engine.set(op.getResult(), std::move(*result));
  return true;
}

bool runPad(Engine &engine, tensor::PadOp op) {
  std::optional<HostTensor> source = engine.get(op.getSource());
  auto low = engine.indices(op.getMixedLowPad()), high = engine.indices(op.getMixedHighPad());
  if (!source || !low || !high)
    return false;
  SmallVector<int64_t> shape(source->shape()), ones(shape.size(), 1);
  for (size_t i = 0; i < shape.size(); ++i)
    shape[i] += (*low)[i] + (*high)[i];
  if (!boxInside(shape, *low, source->shape(), ones)) // negative pads are slices
    return false;
  std::optional<HostTensor> result = engine.allocate(source->getElementType(), shape);
  if (!result || !engine.spend(result->size()))
    return false;
  if (Value constant = op.getConstantPaddingValue()) {
    std::optional<HostTensor> element = engine.get(constant);
    if (!element)
      return false;
    fillElements(result->kind(), result->mutableBytes(), result->size(), element->storedBytes());
  } else {
    Engine::Tensors indices(shape.size()), yielded;
    for (int64_t i = 0; i < result->size(); ++i) {
      int64_t rest = i;
      for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
        indices[dim] = HostTensor::scalar(IndexType::get(op.getContext()), rest % shape[dim]);
      if (!engine.runBlock(op.getRegion().front(), indices, yielded))
        return false;
      setElement(*result, i, yielded[0]);
    }
  }
  insertBox(*result, *source, *low, ones);
  engine.set(op.getResult(), std::move(*result));
  return true;
}

bool runCollapse(Engine &engine, tensor::CollapseShapeOp op) {
  std::optional<HostTensor> source = engine.get(op.getSrc());
  if (!source)
    return false;
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1;
    for (int64_t dim : group)
      size *= source->shape()[dim];
    shape.push_back(size);
  }
  engine.set(op.getResult(), source->reshaped(shape));
  return true;
}

bool runExpand(Engine &engine, tensor::ExpandShapeOp op) {
  std::optional<HostTensor> source = engine.get(op.getSrc());
  Builder b(op);
  auto shape = engine.indices(getMixedValues(op.getStaticOutputShape(), op.getOutputShape(), b));
  if (!source || !shape || countElements(*shape) != source->size())
    return false;
  engine.set(op.getResult(), source->reshaped(*shape));
  return true;
}

} // namespace

void sinter::addSliceHandlers(HandlerTable &table) {
  addHandler<tensor::ExtractSliceOp, runExtractSlice>(table);
  addHandler<tensor::InsertSliceOp, runInsertSlice>(table);
  addHandler<tensor::ParallelInsertSliceOp, runParallelInsertSlice>(table);
  addHandler<tensor::ConcatOp, runConcat>(table);
  addHandler<tensor::PadOp, runPad>(table);
  addHandler<tensor::CollapseShapeOp, runCollapse>(table);
  addHandler<tensor::ExpandShapeOp, runExpand>(table);
}
