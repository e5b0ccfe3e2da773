// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element of a small tensor, followed through the ops that made it: the mechanism by which shape computations of
// exporters become constants or index arithmetic on symbolic dims.
#include "conversion.h"

using namespace mlir;

namespace sinter {
namespace {

SmallVector<int64_t> unlinearize(int64_t linear, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (int64_t d = shape.size() - 1; d >= 0; --d) {
    index[d] = linear % shape[d];
    linear /= shape[d];
  }
  return index;
}

int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t linear = 0;
  for (auto [i, d] : llvm::zip(index, shape))
    linear = linear * d + i;
  return linear;
}

class ElementReader {
public:
  ElementReader(OpBuilder &b, Location loc, EvaluationCache &evaluations) : b(b), loc(loc), evaluations(evaluations) {}

  /// Null when the element is only known by reading memory.
  Value read(Value tensor, ArrayRef<int64_t> index) {
    if (std::optional<HostTensor> host = constant(tensor))
      return scalarOf(*host, linearize(index, host->shape()));
    auto result = dyn_cast<OpResult>(tensor);
    if (!result || !cast<RankedTensorType>(tensor.getType()).hasStaticShape() || ++depth > limit)
      return nullptr;
    Value element = TypeSwitch<Operation *, Value>(tensor.getDefiningOp())
                        .Case([&](tensor::FromElementsOp op) {
                          return op.getElements()[linearize(index, op.getType().getShape())];
                        })
                        .Case([&](tensor::CastOp op) { return read(op.getSource(), index); })
                        .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](auto op) -> Value {
                          if (!op.getSrcType().hasStaticShape())
                            return nullptr;
                          return read(op.getSrc(), unlinearize(linearize(index, op.getType().getShape()),
                                                               op.getSrcType().getShape()));
                        })
                        .Case([&](tensor::ExtractSliceOp op) { return readSlice(op, index); })
                        .Case([&](tensor::InsertSliceOp op) { return readInserted(op, index); })
                        .Case([&](tensor::ConcatOp op) { return readConcat(op, index); })
                        .Case([&](linalg::TransposeOp op) {
                          SmallVector<int64_t> source(index.size());
                          for (auto [d, from] : llvm::enumerate(op.getPermutation()))
                            source[from] = index[d];
                          return read(op.getInput(), source);
                        })
                        .Case([&](linalg::FillOp op) { return op.getInputs()[0]; })
                        .Case([&](linalg::GenericOp op) { return readGeneric(op, result.getResultNumber(), index); })
                        .Default(Value());
    --depth;
    return element;
  }

private:
  static constexpr int limit = 2000;

  std::optional<HostTensor> constant(Value tensor) {
    if (!isConstant(tensor, evaluations))
      return std::nullopt;
    return evaluate(tensor, evaluations);
  }

  Value scalarOf(const HostTensor &host, int64_t position) {
    Type type = host.getElementType();
    if (isa<IntegerType>(type))
      return b.create<arith::ConstantOp>(
          loc, IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(), host.integerAt(position), true)));
    if (auto floating = dyn_cast<FloatType>(type))
      return b.create<arith::ConstantOp>(loc, b.getFloatAttr(floating, host.numberAt(position)));
    return nullptr;
  }

  Value readSlice(tensor::ExtractSliceOp op, ArrayRef<int64_t> index) {
    SmallVector<int64_t> source;
    llvm::SmallBitVector dropped = op.getDroppedDims();
    size_t next = 0;
    for (size_t d = 0; d < dropped.size(); ++d) {
      std::optional<int64_t> offset = getConstantIntValue(op.getMixedOffsets()[d]),
                             stride = getConstantIntValue(op.getMixedStrides()[d]);
      if (!offset || !stride)
        return nullptr;
      source.push_back(*offset + (dropped.test(d) ? 0 : index[next++] * *stride));
    }
    return read(op.getSource(), source);
  }

  Value readInserted(tensor::InsertSliceOp op, ArrayRef<int64_t> index) {
    SmallVector<int64_t> inner;
    llvm::SmallBitVector dropped = op.getDroppedDims();
    for (size_t d = 0; d < index.size(); ++d) {
      std::optional<int64_t> offset = getConstantIntValue(op.getMixedOffsets()[d]),
                             size = getConstantIntValue(op.getMixedSizes()[d]),
                             stride = getConstantIntValue(op.getMixedStrides()[d]);
      if (!offset || !size || !stride)
        return nullptr;
      int64_t at = index[d] - *offset;
      if (at < 0 || at % *stride || at / *stride >= *size)
        return read(op.getDest(), index);
      if (!dropped.test(d))
        inner.push_back(at / *stride);
    }
    return read(op.getSource(), inner);
  }

  Value readConcat(tensor::ConcatOp op, ArrayRef<int64_t> index) {
    SmallVector<int64_t> at(index);
    int64_t axis = op.getDim();
    for (Value input : op.getInputs()) {
      auto type = cast<RankedTensorType>(input.getType());
      if (type.isDynamicDim(axis))
        return nullptr;
      if (at[axis] < type.getDimSize(axis))
        return read(input, at);
      at[axis] -= type.getDimSize(axis);
    }
    return nullptr;
  }

  Value readGeneric(linalg::GenericOp op, unsigned resultNumber, ArrayRef<int64_t> index) {
    if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
      return nullptr;
    IRMapping mapping;
    Block &body = *op.getBody();
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      if (argument.use_empty())
        continue;
      if (!isa<RankedTensorType>(operand->get().getType())) {
        mapping.map(argument, operand->get());
        continue;
      }
      Value element = read(operand->get(), op.getMatchingIndexingMap(operand).compose(index));
      if (!element)
        return nullptr;
      mapping.map(argument, element);
    }
    if (!op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty())
      return nullptr;
    for (Operation &inner : body.without_terminator()) {
      if (auto at = dyn_cast<linalg::IndexOp>(inner)) {
        mapping.map(at.getResult(), b.create<arith::ConstantIndexOp>(loc, index[at.getDim()]));
        continue;
      }
      if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
        SmallVector<int64_t> at;
        for (Value i : extract.getIndices()) {
          std::optional<int64_t> c = getConstantIntValue(mapping.lookupOrDefault(i));
          if (!c)
            return nullptr;
          at.push_back(*c);
        }
        Value element = read(extract.getTensor(), at);
        if (!element)
          return nullptr;
        mapping.map(extract.getResult(), element);
        continue;
      }
      // A division stays where it was computed, so that it needs no proof that it may be moved.
      if (inner.getNumRegions() || inner.getNumResults() != 1 || !isMemoryEffectFree(&inner))
        return nullptr;
      mapping.map(inner.getResult(0), foldedClone(inner, mapping));
    }
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(resultNumber));
  }

  /// The op on mapped operands, or what it folds to. An index checked against a constant size is that index.
  Value foldedClone(Operation &inner, IRMapping &mapping) {
    if (auto check = dyn_cast<CheckIndexOp>(inner)) {
      std::optional<int64_t> index = getConstantIntValue(mapping.lookupOrDefault(check.getIndex())),
                             size = getConstantIntValue(mapping.lookupOrDefault(check.getSize()));
      if (index && size && *index >= -*size && *index < *size)
        return b.create<arith::ConstantIndexOp>(loc, *index < 0 ? *index + *size : *index);
    }
    Operation *clone = b.clone(inner, mapping);
    SmallVector<Value> folded;
    if (succeeded(b.tryFold(clone, folded)) && !folded.empty()) {
      clone->erase();
      return folded.front();
    }
    // index_cast there and back
    if (auto outer = dyn_cast<arith::IndexCastOp>(clone))
      if (auto innerCast = outer.getIn().getDefiningOp<arith::IndexCastOp>())
        if (innerCast.getIn().getType() == outer.getType()) {
          Value source = innerCast.getIn();
          clone->erase();
          return source;
        }
    return clone->getResult(0);
  }

  OpBuilder &b;
  Location loc;
  EvaluationCache &evaluations;
  int depth = 0;
};

} // namespace

std::optional<HostTensor> contentsOf(Tensor tensor, EvaluationCache &evaluations) {
  std::optional<HostTensor> host = evaluate(tensor.value, evaluations);
  if (!host || !isUnsignedInteger(tensor.element))
    return host;
  Type stored = host->getElementType();
  return host->retyped(IntegerType::get(stored.getContext(), stored.getIntOrFloatBitWidth(), IntegerType::Unsigned));
}

Value elementOf(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> index, EvaluationCache &evaluations) {
  if (Value element = ElementReader(b, loc, evaluations).read(tensor, index))
    return element;
  SmallVector<Value> at;
  for (int64_t i : index)
    at.push_back(b.create<arith::ConstantIndexOp>(loc, i));
  return b.create<tensor::ExtractOp>(loc, tensor, at);
}

} // namespace sinter
