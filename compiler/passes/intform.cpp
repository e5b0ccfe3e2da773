// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic around a rounding in its shortest form. What conversion wrote step by step - sums times the scales of
// both operands, plus a bias, a clamp, over the scale of the result, rounded, plus its zero point, clamped - becomes
//   round((acc + bias) * factor) clamped, + zero
// with an int32 bias and one factor, both constants; so do loop nests that add or rescale quantized tensors. A value
// that is quantized and dequantized in one body stays a float. quantized_value.h has the algebra.
//
// Precondition: scales and zero points are known; factors merge over whole numbers only, so that what was rounded
// before stays as it was. A bias counts as int32 if it is a whole number of accumulator steps within 1e-6.
#include "passes.h"

#include "quantized_value.h"

#include "interpreter/interpreter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t mostNumbers = 1 << 16;

/// An operand of the op that the body belongs to, and the body's argument for it.
struct Input {
  Value tensor;
  AffineMap map;
  BlockArgument argument;
  std::optional<HostTensor> known;
};

class BodyWriter {
public:
  BodyWriter(ArrayRef<Input> inputs, Block &from, Block &to, Location loc)
      : inputs(inputs), from(from), to(to), b(loc.getContext()), loc(loc) {
    b.setInsertionPointToEnd(&to);
    for (auto [i, input] : llvm::enumerate(inputs))
      byArgument[input.argument] = i;
  }

  /// The counterpart of `value`, which the old body makes or reads.
  Value write(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &from)
      return writeArgument(argument);
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &from)
      return value;
    if (Value done = written.lookupOrNull(value))
      return done;
    Value result;
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      result = writeQuantized(value);
    if (!result && value.getType().isF32())
      if (std::optional<QuantizedValue> known = valueOf(value))
        result = writeValue(*known);
    if (!result)
      result = cloned(value);
    written.map(value, result);
    return result;
  }

  /// Ends the new body.
  template <class Terminator>
  void yield(Value result) {
    b.create<Terminator>(loc, result);
  }

  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  /// The new body's argument for something that is not an input.
  void give(Value old, Value argument) { written.map(old, argument); }

private:
  Value addInput(Value tensor, AffineMap map, Type type) {
    tensors.push_back(tensor);
    maps.push_back(map);
    return to.addArgument(type, loc);
  }

  Value writeArgument(BlockArgument argument) {
    if (Value done = written.lookupOrNull(argument))
      return done;
    const Input &input = inputs[byArgument.lookup(argument)];
    Value result;
    if (input.known && input.known->size() == 1 && argument.getType().isIntOrFloat())
      result = isa<FloatType>(argument.getType())
                   ? constant(b.getFloatAttr(argument.getType(), input.known->numberAt(0)))
                   : constant(b.getIntegerAttr(argument.getType(), input.known->integerAt(0)));
    else
      result = addInput(input.tensor, input.map, argument.getType());
    written.map(argument, result);
    return result;
  }

  Value constant(TypedAttr attribute) { return b.create<arith::ConstantOp>(loc, attribute); }

  Value cloned(Value value) {
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      if (Value done = write(operand); !written.contains(operand))
        written.map(operand, done);
    Operation *copy = b.clone(*op, written);
    return copy->getResult(cast<OpResult>(value).getResultNumber());
  }

  /// The contents of a constant operand; integers as they are extended.
  std::optional<QuantizedValue> constantOf(BlockArgument argument, bool isUnsigned = false) {
    auto found = byArgument.find(argument);
    if (found == byArgument.end() || !inputs[found->second].known)
      return std::nullopt;
    const Input &input = inputs[found->second];
    Numbers numbers;
    numbers.values.clear();
    bool isFloat = isa<FloatType>(argument.getType());
    for (int64_t i = 0; i < input.known->size(); ++i) {
      double number = isFloat ? input.known->numberAt(i) : static_cast<double>(input.known->integerAt(i));
      bool wraps = isUnsigned && number < 0;
      numbers.values.push_back(wraps ? number + std::ldexp(1.0, argument.getType().getIntOrFloatBitWidth()) : number);
    }
    if (!numbers.isOne())
      numbers.like = likeOf(input);
    QuantizedValue result;
    result.constant = numbers;
    return result;
  }

  /// The first operand that runs along the same dims.
  unsigned likeOf(const Input &input) {
    for (auto [i, other] : llvm::enumerate(inputs))
      if (other.known && other.map == input.map && other.known->shape() == input.known->shape())
        return i;
    return &input - inputs.begin();
  }

  Numbers literal(double value) { return Numbers(value); }
  QuantizedValue atom(Value value, Term::Kind kind) {
    QuantizedValue result;
    result.terms.push_back({value, kind, literal(1), literal(0)});
    return result;
  }

  std::optional<QuantizedValue> valueOf(Value value) {
    auto found = values.find(value);
    if (found != values.end())
      return found->second;
    std::optional<QuantizedValue> result = computeValue(value);
    if (!result && value.getDefiningOp() && value.getDefiningOp()->getBlock() == &from &&
        !isa<arith::FPToSIOp, arith::FPToUIOp>(value.getDefiningOp())) {
      Value copy = cloned(value);
      written.map(value, copy);
      result = atom(copy, Term::Real);
    }
    values[value] = result;
    return result;
  }

  std::optional<QuantizedValue> computeValue(Value value) {
    if (!value.getType().isF32())
      return std::nullopt;
    if (APFloat number(0.0f); matchPattern(value, m_ConstantFloat(&number))) {
      QuantizedValue result;
      result.constant = literal(number.convertToFloat());
      return result;
    }
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &from) {
      if (std::optional<QuantizedValue> known = constantOf(argument))
        return known;
      return atom(write(argument), Term::Real);
    }
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &from)
      return atom(value, Term::Real);
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
      return ofInteger(op->getOperand(0), isa<arith::UIToFPOp>(op));
    if (auto round = dyn_cast<math::RoundEvenOp>(op))
      return rounded(round);
    if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
      return clamped(op);
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
      return std::nullopt;
    std::optional<QuantizedValue> x = valueOf(op->getOperand(0)), y = valueOf(op->getOperand(1));
    if (!x || !y)
      return std::nullopt;
    bool divides = isa<arith::DivFOp>(op);
    if (isa<arith::MulFOp>(op) && x->terms.empty())
      std::swap(x, y);
    if (divides || isa<arith::MulFOp>(op))
      return y->terms.empty() && !y->isClamped() && x->isExact() ? scaled(*x, y->constant, divides) : std::nullopt;
    if (isa<arith::SubFOp>(op))
      y = negated(*y);
    return y ? sum(*x, *y) : std::nullopt;
  }

  std::optional<QuantizedValue> ofInteger(Value value, bool isUnsigned) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &from)
      if (std::optional<QuantizedValue> known = constantOf(argument, isUnsigned))
        return known;
    if (value.getDefiningOp<arith::FPToSIOp>() || value.getDefiningOp<arith::FPToUIOp>()) {
      (void)write(value);
      if (auto image = images.find(value); image != images.end())
        return image->second;
    }
    if (Operation *op = value.getDefiningOp(); op && op->getBlock() == &from) {
      if (isa<arith::ExtSIOp, arith::ExtUIOp>(op))
        return ofInteger(op->getOperand(0), isa<arith::ExtUIOp>(op));
      // Accumulators do not overflow, so that a bias may be added later.
      if (isa<arith::AddIOp>(op) && value.getType().getIntOrFloatBitWidth() >= 32) {
        std::optional<QuantizedValue> x = ofInteger(op->getOperand(0), false), y = ofInteger(op->getOperand(1), false);
        if (x && y && (x->terms.empty() || y->terms.empty()))
          return sum(*x, *y);
      }
    }
    return atom(write(value), isUnsigned ? Term::Unsigned : Term::Signed);
  }

  std::optional<QuantizedValue> clamped(Operation *op) {
    std::optional<QuantizedValue> x = valueOf(op->getOperand(0)), bound = valueOf(op->getOperand(1));
    if (x && x->terms.empty())
      std::swap(x, bound);
    if (!x || !bound || !bound->terms.empty() || bound->isClamped() || !bound->constant.isOne())
      return std::nullopt;
    clamp(*x, bound->constant.values[0], isa<arith::MaximumFOp>(op));
    return x;
  }

  /// Rounding is monotone: clamps pass through it.
  std::optional<QuantizedValue> rounded(math::RoundEvenOp op) {
    std::optional<QuantizedValue> x = valueOf(op.getOperand());
    if (!x)
      return std::nullopt;
    std::optional<double> low = x->low, high = x->high;
    x->low = x->high = std::nullopt;
    QuantizedValue result = atom(b.create<math::RoundEvenOp>(loc, writeValue(*x)), Term::Whole);
    if (low)
      result.low = std::nearbyint(*low);
    if (high)
      result.high = std::nearbyint(*high);
    return result;
  }

  /// A conversion to few bits of a rounded value within them: clamp, convert, add the zero point.
  Value writeQuantized(Value value) {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    std::optional<QuantizedValue> x = valueOf(value.getDefiningOp()->getOperand(0));
    if (!x || width > 16 || x->terms.size() != 1 || x->terms[0].kind != Term::Whole || !x->terms[0].factor.is(1) ||
        !x->terms[0].offset.is(0) || !x->constant.isOne() || !x->low || !x->high)
      return {};
    double zero = x->constant.values[0];
    bool isUnsigned = isa<arith::FPToUIOp>(value.getDefiningOp());
    double least = isUnsigned ? 0 : -std::ldexp(1.0, width - 1),
           most = std::ldexp(1.0, isUnsigned ? width : width - 1) - 1;
    if (zero != std::nearbyint(zero) || !(*x->low >= least) || !(*x->high <= most) || std::fabs(zero) > most - least)
      return {};
    QuantizedValue held = *x;
    held.constant = literal(0);
    *held.low -= zero;
    *held.high -= zero;
    Value real = writeValue(held), integer = b.create<arith::FPToSIOp>(loc, b.getI32Type(), real);
    if (zero != 0)
      integer = b.create<arith::AddIOp>(loc, integer, constant(b.getI32IntegerAttr(static_cast<int32_t>(zero))));
    QuantizedValue image = atom(real, Term::Whole);
    image.constant = literal(zero);
    images[value] = image;
    return b.create<arith::TruncIOp>(loc, value.getType(), integer);
  }

  /// The numbers as values of the body: a literal, or an operand of its own.
  Value writeNumbers(const Numbers &numbers, Type type) {
    if (numbers.isOne())
      return isa<FloatType>(type) ? constant(b.getFloatAttr(type, numbers.values[0]))
                                  : constant(b.getIntegerAttr(type, static_cast<int64_t>(numbers.values[0])));
    const Input &like = inputs[*numbers.like];
    HostTensor data = HostTensor::allocate(type, like.known->shape());
    for (auto [i, number] : llvm::enumerate(numbers.values)) {
      if (type.isF32())
        reinterpret_cast<float *>(data.mutableBytes())[i] = static_cast<float>(number);
      else if (type.isInteger(32))
        reinterpret_cast<int32_t *>(data.mutableBytes())[i] = static_cast<int32_t>(number);
      else
        reinterpret_cast<int64_t *>(data.mutableBytes())[i] = static_cast<int64_t>(number);
    }
    auto shaped = RankedTensorType::get(like.known->shape(), type);
    OpBuilder outside(from.getParentOp());
    Value tensor = outside.create<arith::ConstantOp>(loc, cast<TypedAttr>(toAttribute(data, shaped)));
    return addInput(tensor, like.map, type);
  }

  Value writeTerm(const Term &term) {
    Type f32 = b.getF32Type();
    Value real = term.atom;
    bool isInteger = term.kind == Term::Signed || term.kind == Term::Unsigned, offsetDone = term.offset.is(0);
    if (isInteger) {
      if (!offsetDone && real.getType().getIntOrFloatBitWidth() >= 32) {
        real = b.create<arith::AddIOp>(loc, real, writeNumbers(term.offset, real.getType()));
        offsetDone = true;
      }
      real = term.kind == Term::Unsigned ? b.create<arith::UIToFPOp>(loc, f32, real).getResult()
                                         : b.create<arith::SIToFPOp>(loc, f32, real).getResult();
    }
    if (!offsetDone)
      real = b.create<arith::AddFOp>(loc, real, writeNumbers(term.offset, f32));
    return term.factor.is(1) ? real : b.create<arith::MulFOp>(loc, real, writeNumbers(term.factor, f32)).getResult();
  }

  Value writeValue(QuantizedValue x) {
    x.settle();
    Type f32 = b.getF32Type();
    Value total;
    for (const Term &term : x.terms) {
      Value part = writeTerm(term);
      total = total ? b.create<arith::AddFOp>(loc, total, part).getResult() : part;
    }
    if (!total)
      total = writeNumbers(x.constant, f32);
    else if (!x.constant.is(0))
      total = b.create<arith::AddFOp>(loc, total, writeNumbers(x.constant, f32));
    if (x.low)
      total = b.create<arith::MaximumFOp>(loc, total, writeNumbers(literal(*x.low), f32));
    if (x.high)
      total = b.create<arith::MinimumFOp>(loc, total, writeNumbers(literal(*x.high), f32));
    return total;
  }

  ArrayRef<Input> inputs;
  Block &from, &to;
  OpBuilder b;
  Location loc;
  IRMapping written;
  DenseMap<Value, unsigned> byArgument;
  DenseMap<Value, std::optional<QuantizedValue>> values;
  DenseMap<Value, QuantizedValue> images; ///< quantized results of the old body as the floats that they are
};

bool isBodyOfScalars(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) { return op.getNumRegions() == 0 && isPure(&op); });
}
bool rounds(Block &body) {
  return llvm::any_of(body, [](Operation &op) { return isa<math::RoundEvenOp>(op); });
}

Input inputOf(Value tensor, AffineMap map, BlockArgument argument, EvaluationCache &cache) {
  Input input{tensor, map, argument, std::nullopt};
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (type && type.hasStaticShape() && type.getNumElements() <= mostNumbers && type.getNumElements() > 0 &&
      type.getElementType().isIntOrFloat() && isConstant(tensor, cache))
    input.known = evaluate(tensor, cache);
  return input;
}

void eraseDead(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Without arguments that nobody reads.
void dropUnread(Block &body, unsigned first, SmallVectorImpl<Value> &tensors, SmallVectorImpl<AffineMap> &maps) {
  for (unsigned i = tensors.size(); i-- > 0;)
    if (body.getArgument(first + i).use_empty()) {
      body.eraseArgument(first + i);
      tensors.erase(tensors.begin() + i);
      maps.erase(maps.begin() + i);
    }
}

template <class Product>
void rewriteProduct(Product op, EvaluationCache &cache) {
  Block &old = op.getEpilogue().front();
  if (!isa<IntegerType>(old.getArgument(0).getType()) || op.getInits().size() != 1 || !isBodyOfScalars(old))
    return;
  SmallVector<Input> inputs;
  for (auto [i, tensor] : llvm::enumerate(op.getEpilogueInputs()))
    inputs.push_back(
        inputOf(tensor, cast<AffineMapAttr>(op.getEpilogueMaps()[i]).getValue(), old.getArgument(i + 1), cache));
  Region fresh;
  Block &body = fresh.emplaceBlock();
  Value accumulator = body.addArgument(old.getArgument(0).getType(), op.getLoc());
  BodyWriter writer(inputs, old, body, op.getLoc());
  writer.give(old.getArgument(0), accumulator);
  Value result = writer.write(old.getTerminator()->getOperand(0));
  writer.template yield<YieldOp>(result);
  eraseDead(body);
  dropUnread(body, 1, writer.tensors, writer.maps);
  op.getEpilogueInputsMutable().assign(writer.tensors);
  op.setEpilogueMapsAttr(OpBuilder(op).getAffineMapArrayAttr(writer.maps));
  op.getEpilogue().takeBody(fresh);
}

void rewriteNest(linalg::GenericOp op, EvaluationCache &cache) {
  Block &old = *op.getBody();
  if (op.getNumDpsInits() != 1 || op->getNumResults() != 1 || op.getNumReductionLoops() || !rounds(old) ||
      !isBodyOfScalars(old) || !op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty() ||
      isConstant(op.getResult(0), cache))
    return;
  SmallVector<Input> inputs;
  for (OpOperand *input : op.getDpsInputOperands())
    inputs.push_back(
        inputOf(input->get(), op.getMatchingIndexingMap(input), op.getMatchingBlockArgument(input), cache));
  Region fresh;
  Block &body = fresh.emplaceBlock();
  BodyWriter writer(inputs, old, body, op.getLoc());
  Value result = writer.write(old.getTerminator()->getOperand(0));
  writer.yield<linalg::YieldOp>(result);
  eraseDead(body);
  dropUnread(body, 0, writer.tensors, writer.maps);
  body.addArgument(old.getArguments().back().getType(), op.getLoc());
  SmallVector<AffineMap> maps(writer.maps);
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  OpBuilder b(op);
  auto rest = b.create<linalg::GenericOp>(op.getLoc(), op->getResultTypes(), writer.tensors, op.getDpsInits(), maps,
                                          op.getIteratorTypesArray());
  rest.getRegion().takeBody(fresh);
  op->replaceAllUsesWith(rest);
  op->erase();
  cache.clear();
}

} // namespace

LogicalResult intform(ModuleOp module) {
  EvaluationCache cache;
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isa<ConvOp, MatmulOp, linalg::GenericOp>(op))
      found.push_back(op);
  });
  for (Operation *op : found) {
    if (auto conv = dyn_cast<ConvOp>(op))
      rewriteProduct(conv, cache);
    else if (auto matmul = dyn_cast<MatmulOp>(op))
      rewriteProduct(matmul, cache);
    else
      rewriteNest(cast<linalg::GenericOp>(op), cache);
  }
  return success();
}

} // namespace sinter
