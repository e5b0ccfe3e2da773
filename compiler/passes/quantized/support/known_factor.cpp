// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "known_factor.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

#include <cmath>

using namespace mlir;

namespace sinter {

namespace {
template <class Contraction>
std::optional<ElementBody> epilogueOf(Operation *op) {
  if (auto contraction = dyn_cast<Contraction>(op))
    return ElementBody{op, &contraction.getEpilogue().front()};
  return std::nullopt;
}
template <class Contraction>
void appendTo(Contraction contraction, Value tensor, AffineMap map) {
  contraction.getEpilogueInputsMutable().append(tensor);
  SmallVector<Attribute> maps(contraction.getEpilogueMaps().getValue());
  maps.push_back(AffineMapAttr::get(map));
  contraction.setEpilogueMapsAttr(ArrayAttr::get(contraction.getContext(), maps));
}
} // namespace

std::optional<ElementBody> ElementBody::of(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return generic.getNumReductionLoops() == 0 && generic.hasPureTensorSemantics()
               ? std::optional(ElementBody{op, generic.getBody()})
               : std::nullopt;
  if (std::optional<ElementBody> body = epilogueOf<ConvOp>(op))
    return body;
  return epilogueOf<MatmulOp>(op);
}

Value ElementBody::operand(BlockArgument argument) const {
  unsigned number = argument.getArgNumber();
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return number < generic.getInputs().size() ? generic.getInputs()[number] : Value();
  auto inputs = isa<ConvOp>(op) ? cast<ConvOp>(op).getEpilogueInputs() : cast<MatmulOp>(op).getEpilogueInputs();
  return number > 0 ? inputs[number - 1] : Value();
}

AffineMap ElementBody::map(BlockArgument argument) const {
  unsigned number = argument.getArgNumber();
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return generic.getIndexingMapsArray()[number];
  ArrayAttr maps = isa<ConvOp>(op) ? cast<ConvOp>(op).getEpilogueMaps() : cast<MatmulOp>(op).getEpilogueMaps();
  return cast<AffineMapAttr>(maps[number - 1]).getValue();
}

BlockArgument ElementBody::append(Value tensor, AffineMap map) const {
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    auto count = static_cast<unsigned>(generic.getInputs().size());
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    maps.insert(maps.begin() + count, map);
    generic.getInputsMutable().append(tensor);
    generic.setIndexingMapsAttr(Builder(op).getAffineMapArrayAttr(maps));
    return block->insertArgument(count, element, op->getLoc());
  }
  if (auto conv = dyn_cast<ConvOp>(op))
    appendTo(conv, tensor, map);
  else
    appendTo(cast<MatmulOp>(op), tensor, map);
  return block->addArgument(element, op->getLoc());
}

void ElementBody::dropUnused() const {
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&inner))
      inner.erase();
  auto generic = dyn_cast<linalg::GenericOp>(op);
  MutableOperandRange inputs = generic           ? generic.getInputsMutable()
                               : isa<ConvOp>(op) ? cast<ConvOp>(op).getEpilogueInputsMutable()
                                                 : cast<MatmulOp>(op).getEpilogueInputsMutable();
  unsigned first = generic ? 0 : 1; // the accumulator stands before
  SmallVector<AffineMap> maps;
  llvm::BitVector unread(block->getNumArguments());
  for (unsigned i = static_cast<unsigned>(inputs.size()); i-- > 0;) {
    BlockArgument argument = block->getArgument(first + i);
    if (!argument.use_empty()) {
      maps.insert(maps.begin(), map(argument));
      continue;
    }
    unread.set(first + i);
    inputs.erase(i);
  }
  if (generic)
    for (unsigned i = static_cast<unsigned>(generic.getOutputs().size()); i > 0; --i)
      maps.push_back(generic.getIndexingMapsArray().rbegin()[i - 1]);
  block->eraseArguments(unread);
  op->setAttr(generic ? "indexing_maps" : "epilogue_maps", Builder(op).getAffineMapArrayAttr(maps));
}

template <class T>
static DenseElementsAttr attributeOf(const KnownFactor &known, Type element) {
  SmallVector<T> values;
  for (double v : known.values)
    values.push_back(static_cast<T>(v));
  return DenseElementsAttr::get(RankedTensorType::get(known.shape, element), ArrayRef<T>(values));
}

BlockArgument KnownFactor::appendTo(const ElementBody &body, Type element) const {
  OpBuilder outside(body.op);
  DenseElementsAttr numbers =
      element.isF32() ? attributeOf<float>(*this, element) : attributeOf<int32_t>(*this, element);
  return body.append(outside.create<arith::ConstantOp>(body.op->getLoc(), numbers), map);
}

KnownFactor KnownFactor::mapped(llvm::function_ref<double(double)> f) const {
  KnownFactor result = *this;
  for (double &value : result.values)
    value = f(value);
  return result;
}

std::optional<KnownFactor> combined(const KnownFactor &a, const KnownFactor &b,
                                    llvm::function_ref<double(double, double)> f) {
  if (!a.isOne() && !b.isOne() && (a.map != b.map || a.shape != b.shape))
    return std::nullopt;
  KnownFactor result = a.isOne() ? b : a;
  for (size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = f(a.values[a.isOne() ? 0 : i], b.values[b.isOne() ? 0 : i]);
  return result;
}

static std::optional<KnownFactor> ofOperand(BlockArgument argument, const ElementBody &body, EvaluationCache &cache) {
  Value operand = body.operand(argument);
  auto type = operand ? dyn_cast<RankedTensorType>(operand.getType()) : RankedTensorType();
  if (!type || !type.hasStaticShape() || !isConstant(operand, cache))
    return std::nullopt;
  std::optional<HostTensor> host = evaluate(operand, cache);
  if (!host || host->size() == 0)
    return std::nullopt;
  KnownFactor known{{}, body.map(argument), SmallVector<int64_t>(type.getShape())};
  for (int64_t i = 0; i < host->size(); ++i)
    known.values.push_back(host->numberAt(i));
  if (host->size() == 1)
    return KnownFactor::one(known.values[0]);
  return known;
}

std::optional<KnownFactor> knownFactor(Value value, const ElementBody &body, EvaluationCache &cache) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == body.block ? ofOperand(argument, body, cache) : std::nullopt;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    if (auto number = dyn_cast<FloatAttr>(constant))
      return KnownFactor::one(number.getValueAsDouble());
    if (auto number = dyn_cast<IntegerAttr>(constant))
      return KnownFactor::one(static_cast<double>(number.getValue().getSExtValue()));
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != body.block || op->getNumOperands() == 0 || op->getNumOperands() > 2)
    return std::nullopt;
  std::optional<KnownFactor> a = knownFactor(op->getOperand(0), body, cache);
  if (!a)
    return std::nullopt;
  if (isa<arith::SIToFPOp, arith::ExtSIOp, arith::ExtFOp>(op))
    return a;
  if (isa<arith::UIToFPOp, arith::ExtUIOp>(op)) {
    double wrap = std::ldexp(1.0, static_cast<int>(op->getOperand(0).getType().getIntOrFloatBitWidth()));
    return a->mapped([&](double x) { return x < 0 ? x + wrap : x; });
  }
  if (isa<arith::NegFOp>(op))
    return a->mapped([](double x) { return -x; });
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<KnownFactor> b = knownFactor(op->getOperand(1), body, cache);
  if (!b)
    return std::nullopt;
  if (isa<arith::AddFOp>(op))
    return combined(*a, *b, [](double x, double y) { return x + y; });
  if (isa<arith::SubFOp>(op))
    return combined(*a, *b, [](double x, double y) { return x - y; });
  if (isa<arith::MulFOp>(op))
    return combined(*a, *b, [](double x, double y) { return x * y; });
  if (isa<arith::DivFOp>(op))
    return combined(*a, *b, [](double x, double y) { return x / y; });
  return std::nullopt;
}

} // namespace sinter
