// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "channel_constants.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {

HostTensor keptElements(const HostTensor &tensor, int64_t dim, ArrayRef<int64_t> kept) {
  SmallVector<int64_t> shape(tensor.shape());
  shape[dim] = kept.size();
  HostTensor result = HostTensor::allocate(tensor.getElementType(), shape);
  int64_t inner = countElements(tensor.shape().drop_front(dim + 1)) * static_cast<int64_t>(tensor.bytesPerElement()),
          outer = countElements(tensor.shape().take_front(dim)), all = tensor.shape()[dim];
  const char *from = tensor.bytes();
  char *to = result.mutableBytes();
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t channel : kept) {
      std::memcpy(to, from + (o * all + channel) * inner, static_cast<size_t>(inner));
      to += inner;
    }
  return result;
}

Value constantOf(OpBuilder &b, Location loc, const HostTensor &tensor, Type elementType) {
  auto type = RankedTensorType::get(tensor.shape(), elementType);
  return b.create<arith::ConstantOp>(loc, type, cast<TypedAttr>(toAttribute(tensor.retyped(elementType), type)));
}

int64_t inputZero(Operation *contraction) {
  auto conv = dyn_cast<ConvOp>(contraction);
  return static_cast<int64_t>(conv ? conv.getInputZero() : cast<MatmulOp>(contraction).getLhsZero());
}

bool isInputUnsigned(Operation *contraction) {
  auto conv = dyn_cast<ConvOp>(contraction);
  return conv ? conv.isInputUnsigned() : cast<MatmulOp>(contraction).isLhsUnsigned();
}

bool hasPadding(Operation *contraction) {
  auto conv = dyn_cast<ConvOp>(contraction);
  if (!conv)
    return false;
  auto in = cast<ShapedType>(conv.getInput().getType()), out = cast<ShapedType>(conv.getResult(0).getType());
  for (size_t d = 0; d < conv.getStrides().size(); ++d) {
    int64_t extent = (conv.taps(static_cast<int64_t>(d)) - 1) * conv.getDilations()[d] + 1;
    int64_t last = (out.getDimSize(static_cast<int64_t>(d) + 2) - 1) * conv.getStrides()[d] - conv.getPads()[d];
    if (conv.getPads()[d] > 0 || last + extent > in.getDimSize(static_cast<int64_t>(d) + 2))
      return true;
  }
  return false;
}

WeightNumbers::WeightNumbers(Operation *contraction, const ContractionWeights &of, EvaluationCache &cache)
    : weights(of), tensor(evaluate(of.operand->get(), cache)) {
  isInteger = getElementTypeOrSelf(of.operand->get().getType()).isInteger();
  if (auto conv = dyn_cast<ConvOp>(contraction)) {
    isUnsigned = conv.isFilterUnsigned();
    zero = static_cast<int64_t>(conv.getFilterZero());
  } else {
    auto matmul = cast<MatmulOp>(contraction);
    isUnsigned = matmul.isRhsUnsigned();
    zero = static_cast<int64_t>(matmul.getRhsZero());
  }
}

/// The bits of an integer of up to 32 of them, as unsigned or as they are.
static int64_t extended(int64_t value, size_t bytes, bool isUnsigned) {
  return isUnsigned ? value & ((int64_t(1) << (8 * bytes)) - 1) : value;
}

int64_t WeightNumbers::integerAt(int64_t i) const {
  return extended(tensor->integerAt(i), tensor->bytesPerElement(), isUnsigned) - zero;
}

bool WeightNumbers::all(int64_t out, int64_t in, function_ref<bool(int64_t)> visit) const {
  ArrayRef<int64_t> shape = tensor->shape();
  auto strides = rowMajorStrides(shape);
  int64_t taps = 1; // what follows the first two dims lies together
  for (int64_t size : shape.drop_front(2))
    taps *= size;
  auto range = [](int64_t index, int64_t size) {
    return index < 0 ? std::pair<int64_t, int64_t>(0, size) : std::pair<int64_t, int64_t>(index, index + 1);
  };
  int64_t inDim = weights.inDim < 0 ? 1 : weights.inDim;
  auto [firstOut, endOut] = range(out, shape[weights.outDim]);
  auto [firstIn, endIn] = range(in, shape[inDim]);
  for (int64_t o = firstOut; o < endOut; ++o)
    for (int64_t i = firstIn; i < endIn; ++i)
      for (int64_t t = 0; t < taps; ++t)
        if (!visit(o * strides[weights.outDim] + i * strides[inDim] + t))
          return false;
  return true;
}

bool WeightNumbers::isZero(int64_t dim, int64_t index) const {
  return all(dim == weights.outDim ? index : -1, dim == weights.outDim ? -1 : index,
             [&](int64_t at) { return isInteger ? integerAt(at) == 0 : tensor->numberAt(at) == 0; });
}

int64_t WeightNumbers::sum(int64_t out, int64_t in) const {
  int64_t total = 0;
  all(out, in, [&](int64_t at) {
    total += integerAt(at);
    return true;
  });
  return total;
}

ChannelConstants::ChannelConstants(const ChannelGroup &group, EvaluationCache &cache) : group(group), cache(cache) {
  for (Operation *maker : group.makers)
    ofMaker(maker);
  for (Operation *op : group.carriers) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      ofGeneric(generic);
    else if (auto conv = dyn_cast<ConvOp>(op))
      ofDepthwise(conv);
    else if (auto pool = dyn_cast<PoolOp>(op))
      ofPool(pool);
    else if (auto from = known.find(op->getOperand(0)); from != known.end()) { // a reshape
      Known same = from->second;
      known[op->getResult(0)] = same;
    }
  }
}

bool ChannelConstants::isKnown(Value value, int64_t channel) const {
  auto found = known.find(value);
  return found != known.end() && found->second.channels.test(channel);
}

int64_t ChannelConstants::integerAt(Value value, int64_t channel, bool isUnsigned) const {
  const HostTensor &values = known.find(value)->second.values;
  return extended(values.integerAt(channel), values.bytesPerElement(), isUnsigned);
}

double ChannelConstants::numberAt(Value value, int64_t channel) const {
  return known.find(value)->second.values.numberAt(channel);
}

/// values: one per channel of the list.
void ChannelConstants::set(Value value, ArrayRef<int64_t> channels, const HostTensor &values) {
  if (channels.empty())
    return;
  Known all{llvm::BitVector(group.channels), HostTensor::allocate(values.getElementType(), {group.channels})};
  size_t bytes = values.bytesPerElement();
  for (auto [i, channel] : llvm::enumerate(channels)) {
    all.channels.set(channel);
    std::memcpy(all.values.mutableBytes() + channel * bytes, values.bytes() + i * bytes, bytes);
  }
  known[value] = std::move(all);
}

/// Nothing but zeros in the weights: the accumulator stays 0.
void ChannelConstants::ofMaker(Operation *maker) {
  ContractionWeights weights = *plainWeights(maker, cache);
  WeightNumbers numbers(maker, weights, cache);
  Type element = getElementTypeOrSelf(maker->getResult(0).getType());
  SmallVector<int64_t> channels;
  for (int64_t c = 0; numbers && c < group.channels; ++c)
    if (numbers.isZero(weights.outDim, c))
      channels.push_back(c);
  set(maker->getResult(0), channels, HostTensor::allocate(element, {static_cast<int64_t>(channels.size())}));
}

/// The op's body on one element per channel, where all it reads is known and the same for the whole channel.
void ChannelConstants::ofGeneric(linalg::GenericOp op) {
  int64_t dim = group.channelDim.lookup(op.getResult(0));
  auto isMap = [&](OpOperand *input) { return group.channelDim.count(input->get()) != 0; };
  SmallVector<int64_t> channels;
  for (int64_t c = 0; c < group.channels; ++c)
    if (llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *i) { return !isMap(i) || isKnown(i->get(), c); }))
      channels.push_back(c);
  bool readsMap = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    readsMap |= isMap(input);
    for (int64_t d = 0; d < op.getNumLoops() && !isMap(input); ++d)
      if ((d != dim && map.isFunctionOfDim(d)) || !isConstant(input->get(), cache))
        return;
  }
  if (channels.empty() || !readsMap)
    return;
  OpBuilder b(op);
  SmallVector<Operation *> made;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  AffineMap line = b.getMultiDimIdentityMap(1);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    Type element = getElementTypeOrSelf(input->get().getType());
    if (isMap(input)) {
      inputs.push_back(constantOf(b, op.getLoc(), keptElements(known[input->get()].values, 0, channels), element));
      made.push_back(inputs.back().getDefiningOp());
      maps.push_back(line);
      continue;
    }
    inputs.push_back(input->get());
    if (map.isFunctionOfDim(dim)) {
      std::optional<HostTensor> values = evaluate(input->get(), cache);
      if (!values)
        break;
      auto place = llvm::find(map.getResults(), b.getAffineDimExpr(dim)) - map.getResults().begin();
      inputs.back() = constantOf(b, op.getLoc(), keptElements(*values, place, channels), element);
      made.push_back(inputs.back().getDefiningOp());
    }
    SmallVector<AffineExpr> dims(map.getNumDims(), b.getAffineDimExpr(0));
    maps.push_back(map.replaceDimsAndSymbols(dims, {}, 1, 0));
  }
  if (inputs.size() == op.getDpsInputs().size()) {
    maps.push_back(line);
    Type element = getElementTypeOrSelf(op.getResult(0).getType());
    auto empty = b.create<tensor::EmptyOp>(op.getLoc(), static_cast<int64_t>(channels.size()), element);
    auto vector = b.create<linalg::GenericOp>(op.getLoc(), empty.getType(), inputs, ValueRange(empty.getResult()), maps,
                                              ArrayRef(utils::IteratorType::parallel));
    IRMapping mapping;
    op.getRegion().cloneInto(&vector.getRegion(), mapping);
    EvaluationCache own;
    if (std::optional<HostTensor> values = evaluate(vector.getResult(0), own))
      set(op.getResult(0), channels, *values);
    made.push_back(empty);
    made.push_back(vector);
  }
  for (Operation *one : llvm::reverse(made))
    one->erase();
}

/// Weights that are zero, or an input that is the same in all sums: no padding, or nothing more than padding is.
void ChannelConstants::ofDepthwise(ConvOp conv) {
  Value x = conv.getInput();
  ContractionWeights weights = *plainWeights(conv, cache);
  WeightNumbers numbers(conv, weights, cache);
  bool isInteger = getElementTypeOrSelf(x.getType()).isInteger();
  SmallVector<int64_t> channels;
  SmallVector<int64_t> sums;
  for (int64_t c = 0; numbers && c < group.channels; ++c) {
    int64_t sum = 0;
    if (!numbers.isZero(weights.outDim, c)) {
      if (!isKnown(x, c) || (!isInteger && numberAt(x, c) != 0))
        continue;
      int64_t over = isInteger ? integerAt(x, c, conv.isInputUnsigned()) - inputZero(conv) : 0;
      if (over && hasPadding(conv))
        continue;
      sum = over ? over * numbers.sum(c, -1) : 0;
    }
    channels.push_back(c);
    sums.push_back(sum);
  }
  Type element = getElementTypeOrSelf(conv.getResult(0).getType());
  HostTensor values = HostTensor::allocate(element, {static_cast<int64_t>(channels.size())});
  for (auto [i, sum] : llvm::enumerate(sums)) // little endian; in floats only zeros get here
    std::memcpy(values.mutableBytes() + i * values.bytesPerElement(), &sum, values.bytesPerElement());
  set(conv.getResult(0), channels, values);
}

/// A greatest element is one of them; the mean of zeros (of zero points) is zero.
void ChannelConstants::ofPool(PoolOp pool) {
  Value x = pool.getInput();
  bool isMax = pool.getKind() == PoolKind::Max;
  PoolScalesAttr scales = pool.getScalesAttr();
  SmallVector<int64_t> channels;
  for (int64_t c = 0; c < group.channels; ++c)
    if (isKnown(x, c) &&
        (isMax || (scales ? integerAt(x, c, pool.getIsUnsigned()) == scales.getXZero() : numberAt(x, c) == 0)))
      channels.push_back(c);
  if (channels.empty())
    return;
  HostTensor values = keptElements(known[x].values, 0, channels);
  if (scales)
    std::memset(values.mutableBytes(), static_cast<int>(scales.getYZero()), values.sizeInBytes());
  set(pool->getResult(0), channels, values);
}

} // namespace sinter
