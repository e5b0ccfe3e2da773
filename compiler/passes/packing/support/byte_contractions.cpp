// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "byte_contractions.h"

using namespace mlir;

namespace sinter {

bool isByte(Value value) { return getElementTypeOrSelf(value.getType()).isInteger(8); }

bool isByteContraction(MatmulOp matmul) {
  auto lhs = dyn_cast<RankedTensorType>(matmul.getLhs().getType()),
       rhs = dyn_cast<RankedTensorType>(matmul.getRhs().getType());
  return lhs && rhs && isByte(matmul.getLhs()) && isByte(matmul.getRhs()) && rhs.getRank() == 2 &&
         rhs.hasStaticShape() && rhs.getNumElements() != 0 && !matmul.getTransposeLhs() && !matmul.getKernelAttr() &&
         matmul.accumulatorType().isInteger(32);
}

Tensor BytePacker::padded(Tensor x, int64_t axis, int64_t low, int64_t high) const {
  SmallVector<Size> before(x.rank(), b.getIndexAttr(0)), after = before;
  before[axis] = b.getIndexAttr(low);
  after[axis] = b.getIndexAttr(high);
  Value zero = b.create<arith::ConstantOp>(loc, b.getZeroAttr(x.type().getElementType()));
  return tensors().pad(x, before, after, zero);
}
Tensor BytePacker::part(Tensor x, int64_t first, int64_t count) const {
  Sizes offsets(x.rank(), b.getIndexAttr(0)), sizes = tensors().sizes(x), strides(x.rank(), b.getIndexAttr(1));
  offsets.back() = b.getIndexAttr(first);
  sizes.back() = b.getIndexAttr(count);
  return tensors().slice(x, offsets, sizes, strides);
}

std::optional<Tensor> BytePacker::weights(Value value, bool isUnsigned, int64_t zero) {
  if (!isUnsigned && zero == 0)
    return isConstant(value, cache) ? std::optional(bytes(value)) : std::nullopt;
  std::optional<HostTensor> data = evaluate(value, cache);
  if (!data)
    return std::nullopt;
  for (int64_t i = 0; i < data->size(); ++i) {
    int64_t weight = (isUnsigned ? int64_t(data->at<uint8_t>(i)) : int64_t(data->at<int8_t>(i))) - zero;
    if (!llvm::isInt<8>(weight))
      return std::nullopt;
  }
  return tensors().elementwise({bytes(value)}, ElementType::Int8, [&](const Scalars &s, ValueRange x) {
    return s.sub(x[0], s.integer(static_cast<int8_t>(zero)));
  });
}

std::optional<Tensor> BytePacker::nearWeights(Value value, bool isUnsigned, int64_t &zero) {
  if (std::optional<Tensor> exact = weights(value, isUnsigned, zero)) {
    zero = 0;
    return exact;
  }
  int64_t middle = isUnsigned ? 128 : 0;
  zero -= middle;
  return weights(value, isUnsigned, middle);
}

Tensor BytePacker::correction(Tensor weights, int64_t zero) {
  SmallVector<int64_t> axes;
  for (int64_t d = 1; d < weights.rank(); ++d)
    axes.push_back(d);
  Tensor sum = tensors().reduce(
      tensors().cast(weights, ElementType::Int32), axes, false, ElementType::Int32,
      [](const Scalars &s) { return s.integer(0); },
      [](const Scalars &s, Value acc, Value x) { return s.add(acc, x); });
  return tensors().elementwise({sum}, ElementType::Int32,
                               [&](const Scalars &s, ValueRange x) { return s.mul(x[0], s.integer(-zero)); });
}

/// What the epilogue adds to its accumulator first, where nothing else reads that.
static OpOperand *biasOf(BlockArgument acc) {
  if (!acc.hasOneUse())
    return nullptr;
  OpOperand &use = *acc.use_begin();
  if (isa<arith::AddIOp>(use.getOwner()))
    return &use.getOwner()->getOpOperand(1 - use.getOperandNumber());
  auto requantize = dyn_cast<RequantizeOp>(use.getOwner());
  bool isValue = requantize && use.getOperandNumber() < requantize.getValues().size();
  return isValue ? &requantize.getBiasesMutable()[use.getOperandNumber()] : nullptr;
}

/// acc + `terms`, int32 along the output's dims that `map` selects. `areOfFilters`: the dims of biases.
template <class Contraction>
static void addTerms(Contraction op, Tensor terms, AffineMap map, bool areOfFilters, const BytePacker &packer) {
  OpBuilder &b = packer.b;
  Block &epilogue = op.getEpilogue().front();
  BlockArgument acc = epilogue.getArgument(0);
  OpOperand *first = biasOf(acc);
  if (auto bias = first ? dyn_cast<BlockArgument>(first->get()) : BlockArgument();
      areOfFilters && bias && bias.hasOneUse() && bias.getOwner() == &epilogue) {
    Value input = op.getEpilogueInputs()[bias.getArgNumber() - 1];
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (type && type.hasStaticShape() && type.getNumElements() == terms.type().getNumElements() &&
        type.getElementType().isInteger(32) && isConstant(input, packer.cache)) {
      Tensor known = packer.reshaped({input, ElementType::Int32}, terms.shape());
      Tensor sum = packer.tensors().elementwise({known, terms}, ElementType::Int32,
                                                [](const Scalars &s, ValueRange x) { return s.add(x[0], x[1]); });
      SmallVector<Attribute> maps(op.getEpilogueMaps().getValue());
      maps[bias.getArgNumber() - 1] = AffineMapAttr::get(map);
      op.getEpilogueInputsMutable()[bias.getArgNumber() - 1].assign(sum.value);
      op.setEpilogueMapsAttr(b.getArrayAttr(maps));
      return;
    }
  }
  BlockArgument term = epilogue.addArgument(b.getI32Type(), op.getLoc());
  if (APInt literal; first && matchPattern(first->get(), m_ConstantInt(&literal))) {
    if (!literal.isZero())
      terms = packer.tensors().elementwise({terms}, ElementType::Int32, [&](const Scalars &s, ValueRange x) {
        return s.add(x[0], s.integer(literal.getSExtValue()));
      });
    first->set(term);
  } else {
    OpBuilder inside(&epilogue, epilogue.begin());
    auto sum = inside.create<arith::AddIOp>(op.getLoc(), acc, term);
    acc.replaceAllUsesExcept(sum.getResult(), sum);
  }
  SmallVector<Attribute> maps(op.getEpilogueMaps().getValue());
  maps.push_back(AffineMapAttr::get(map));
  op.getEpilogueInputsMutable().append(terms.value);
  op.setEpilogueMapsAttr(b.getArrayAttr(maps));
}

void takeZeroOff(ConvOp op, Tensor weights, int64_t zero, BytePacker &packer) {
  OpBuilder &b = packer.b;
  // Channels of the output are dims 1 (of size 1) and the last one.
  auto rank = static_cast<unsigned>(cast<ShapedType>(op.getInits()[0].getType()).getRank());
  AffineMap map = AffineMap::get(rank, 0, {b.getAffineDimExpr(1), b.getAffineDimExpr(rank - 1)}, b.getContext());
  addTerms(op, packer.reshaped(packer.correction(weights, zero), {1, weights.shape()[0]}), map, true, packer);
}
void takeZeroOff(MatmulOp op, Tensor weights, int64_t zero, BytePacker &packer) {
  auto rank = static_cast<unsigned>(cast<ShapedType>(op.getInits()[0].getType()).getRank());
  addTerms(op, packer.correction(weights, zero), AffineMap::get(rank, 0, packer.b.getAffineDimExpr(rank - 1)), true,
           packer);
}

void addSums(MatmulOp op, Tensor operand, int64_t k, int64_t less, int64_t zero, int64_t place, BytePacker &packer) {
  OpBuilder &b = packer.b;
  Tensor sums = packer.tensors().reduce(
      operand, k, false, ElementType::Int32, [](const Scalars &s) { return s.integer(0); },
      [&](const Scalars &s, Value acc, Value x) { return s.add(acc, less ? s.sub(x, s.integer(less)) : x); });
  sums = packer.tensors().elementwise({sums}, ElementType::Int32,
                                      [&](const Scalars &s, ValueRange x) { return s.mul(x[0], s.integer(-zero)); });
  ArrayRef<int64_t> output = cast<ShapedType>(op.getInits()[0].getType()).getShape();
  auto rank = static_cast<int64_t>(output.size());
  SmallVector<AffineExpr> exprs;
  for (int64_t d = 0; d + 2 < operand.rank(); ++d) { // batch dims, of which some may be broadcast
    int64_t of = rank - operand.rank() + d;
    exprs.push_back(operand.shape()[d] == output[of] ? b.getAffineDimExpr(of) : b.getAffineConstantExpr(0));
  }
  exprs.push_back(b.getAffineDimExpr(place));
  addTerms(op, sums, AffineMap::get(rank, 0, exprs, b.getContext()), false, packer);
}

ConvOp addSums(ConvOp op, int64_t zero, BytePacker &packer) {
  OpBuilder &b = packer.b;
  auto filter = cast<RankedTensorType>(op.getFilter().getType());
  SmallVector<int64_t> one(filter.getShape());
  one[0] = op.getGroup();
  auto ones = DenseElementsAttr::get(RankedTensorType::get(one, b.getI8Type()), b.getI8IntegerAttr(1));
  Sizes sizes = dimsOf(b, packer.loc, op.getInits()[0]);
  sizes.back() = b.getIndexAttr(op.getGroup());
  Tensor empty = packer.tensors().empty(sizes, ElementType::Int32);
  auto sums = cast<ConvOp>(b.clone(*op));
  sums.getFilterMutable().assign(b.create<arith::ConstantOp>(packer.loc, ones));
  sums->moveAfter(sums.getFilter().getDefiningOp());
  sums.getEpilogueInputsMutable().clear();
  sums.setEpilogueMapsAttr(b.getArrayAttr({}));
  sums.setSigns(op.getSigns().take_front().str() + "s");
  sums.setFilterZero(0);
  sums.getInitsMutable().assign(empty.value);
  sums->getResult(0).setType(empty.type());
  Block &epilogue = sums.getEpilogue().front();
  epilogue.clear();
  epilogue.eraseArguments(1, epilogue.getNumArguments() - 1);
  OpBuilder::atBlockEnd(&epilogue).create<YieldOp>(packer.loc, ValueRange{epilogue.getArgument(0)});
  sizes.erase(sizes.begin() + 1);
  if (op.getGroup() == 1) // filters share them, else each has its own
    sizes.pop_back();
  Tensor terms = packer.tensors().reshape({sums->getResult(0), ElementType::Int32}, sizes);
  terms = packer.tensors().elementwise({terms}, ElementType::Int32,
                                       [&](const Scalars &s, ValueRange x) { return s.mul(x[0], s.integer(-zero)); });
  SmallVector<AffineExpr> exprs{b.getAffineDimExpr(0)};
  for (unsigned d = 2; d <= sizes.size(); ++d)
    exprs.push_back(b.getAffineDimExpr(d));
  auto rank = unsigned(cast<ShapedType>(op.getInits()[0].getType()).getRank());
  addTerms(op, terms, AffineMap::get(rank, 0, exprs, b.getContext()), false, packer);
  return sums;
}

void takeZerosOff(MatmulOp op, EvaluationCache &cache) {
  int64_t lhsZero = op.getLhsZero(), rhsZero = op.getRhsZero();
  auto output = dyn_cast<RankedTensorType>(op.getInits()[0].getType());
  if ((!lhsZero && !rhsZero) || !output || !isByte(op.getLhs()) || !isByte(op.getRhs()) || op.getKernelAttr() ||
      !op.accumulatorType().isInteger(32) || ShapedType::isDynamicShape(output.getShape().drop_back(2)))
    return;
  OpBuilder b(op);
  BytePacker packer{b, op.getLoc(), cache};
  auto operand = [](Value value, bool isUnsigned) {
    return Tensor{value, isUnsigned ? ElementType::UInt8 : ElementType::Int8};
  };
  Tensor lhs = operand(op.getLhs(), op.isLhsUnsigned()), rhs = operand(op.getRhs(), op.isRhsUnsigned());
  int64_t rank = output.getRank();
  if (rhsZero)
    addSums(op, lhs, lhs.rank() - (op.getTransposeLhs() ? 2 : 1), 0, rhsZero, rank - 2, packer);
  if (lhsZero)
    addSums(op, rhs, rhs.rank() - (op.getTransposeRhs() ? 1 : 2), rhsZero, lhsZero, rank - 1, packer);
  op.setLhsZero(0);
  op.setRhsZero(0);
}

std::optional<ConvSizes> sizesOfBytes(ConvOp conv) {
  auto input = dyn_cast<RankedTensorType>(conv.getInput().getType()),
       output = dyn_cast<RankedTensorType>(conv.getInits()[0].getType()),
       filter = dyn_cast<RankedTensorType>(conv.getFilter().getType());
  auto spatial = static_cast<int64_t>(conv.getStrides().size());
  if (!input || !output || !filter || conv.getLayout() != "nchwc" || conv.getKernelAttr() || conv.getRowPad() ||
      !isByte(conv.getInput()) || !isByte(conv.getFilter()) || spatial > 2 || !filter.hasStaticShape() ||
      filter.getNumElements() == 0 || input.getDimSize(1) != 1 || output.getDimSize(1) != 1 ||
      !conv.accumulatorType().isInteger(32))
    return std::nullopt;
  ConvSizes sizes{
      spatial, input.getShape().back(), output.getShape().back(), static_cast<int64_t>(conv.getGroup()), {}, {}, {}};
  for (int64_t d = 0; d < spatial; ++d) {
    sizes.in.push_back(input.getDimSize(2 + d));
    sizes.out.push_back(output.getDimSize(2 + d));
    sizes.taps.push_back(filter.getDimSize(2 + d));
    if (ShapedType::isDynamic(sizes.in[d]) || ShapedType::isDynamic(sizes.out[d]))
      return std::nullopt;
  }
  return sizes;
}

} // namespace sinter
