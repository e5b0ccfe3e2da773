// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pair_function.h"

#include "ir/requantize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t mostEntries = 1 << 16;

/// The values of a float that is quantized and used again in the same body.
std::optional<IntegerRange> rangeOfRounded(Value value) {
  std::optional<Requantize> known = value.getType().isF32() ? Requantize::of(value) : std::nullopt;
  return known ? std::optional(IntegerRange{known->low, known->high - known->low + 1}) : std::nullopt;
}

class SourceFinder {
public:
  SourceFinder(const ElementBody &body, Roundings which) : body(body), which(which) {}

  SmallVector<PairSource, 2> sources;
  bool hasRounding = false;

  /// False where `value` reads what is no source.
  bool collect(Value value, bool isRounded) {
    if (!visited.insert(value).second || matchPattern(value, m_Constant()))
      return true;
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == body.block)
      return addElement(argument);
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != body.block || op->getNumRegions() != 0 ||
        !isa<arith::ArithDialect, math::MathDialect, SinterDialect>(op->getDialect()) || !isPure(op))
      return false;
    bool isRounding = isa<RequantizeOp, math::RoundEvenOp>(op);
    auto collectOperands = [&] {
      return llvm::all_of(op->getOperands(), [&](Value operand) { return collect(operand, isRounded || isRounding); });
    };
    hasRounding |= isRounding;
    std::optional<IntegerRange> range = isRounded && which != Roundings::All ? rangeOfRounded(value) : std::nullopt;
    if (!range)
      return collectOperands();
    if (which == Roundings::Most) {
      SourceFinder before = *this;
      if (collectOperands())
        return true;
      *this = before;
    }
    return add({value, *range});
  }

private:
  bool addElement(BlockArgument argument) {
    auto type = dyn_cast<IntegerType>(argument.getType());
    bool isElement = type && type.getWidth() > 1 && type.getWidth() <= 16 && body.operand(argument);
    if (!isElement)
      return false;
    bool isUnsigned = isExtendedUnsigned(argument);
    int64_t count = int64_t(1) << type.getWidth();
    return add({argument, {isUnsigned ? 0 : -count / 2, count}, isUnsigned});
  }
  bool add(const PairSource &source) {
    sources.push_back(source);
    int64_t entries = 1;
    for (const PairSource &each : sources)
      entries *= each.range.count;
    return sources.size() <= 2 && entries <= mostEntries;
  }

  ElementBody body;
  Roundings which;
  DenseSet<Value> visited;
};

/// All values of a source, as a constant tensor.
Value valuesOf(const PairSource &source, OpBuilder &b, Location loc) {
  Type type = source.value.getType();
  HostTensor data = HostTensor::allocate(type, {source.range.count});
  for (int64_t i = 0; i < source.range.count; ++i) {
    int64_t number = source.range.low + i;
    if (type.isF32())
      reinterpret_cast<float *>(data.mutableBytes())[i] = static_cast<float>(number);
    else
      std::memcpy(data.mutableBytes() + i * static_cast<int64_t>(data.bytesPerElement()), &number,
                  data.bytesPerElement()); // little endian
  }
  auto tensor = RankedTensorType::get({source.range.count}, type);
  return b.create<arith::ConstantOp>(loc, cast<TypedAttr>(toAttribute(data, tensor)));
}

/// What `value` depends on in its block down to the sources, operands first.
void pairSliceOf(Value value, ArrayRef<PairSource> sources, SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op || slice.contains(op) ||
      llvm::any_of(sources, [&](const PairSource &source) { return source.value == value; }))
    return;
  for (Value operand : op->getOperands())
    pairSliceOf(operand, sources, slice);
  slice.insert(op);
}

/// Runs `value` on all pairs: a loop nest over the values of its sources that is evaluated and goes away again.
std::optional<PairTable> tabulated(Value value, ArrayRef<PairSource> sources, const ElementBody &body) {
  OpBuilder b(body.op);
  Location loc = body.op->getLoc();
  PairTable table;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<Operation *> made;
  auto erase = llvm::make_scope_exit([&] {
    for (Operation *op : llvm::reverse(made))
      op->erase();
  });
  for (auto [i, source] : llvm::enumerate(sources)) {
    table.inputs[i] = source.range;
    inputs.push_back(valuesOf(source, b, loc));
    made.push_back(inputs.back().getDefiningOp());
    maps.push_back(AffineMap::get(2, 0, b.getAffineDimExpr(i)));
  }
  maps.push_back(b.getMultiDimIdentityMap(2));
  Value init =
      b.create<tensor::EmptyOp>(loc, ArrayRef<int64_t>{table.inputs[0].count, table.inputs[1].count}, value.getType());
  made.push_back(init.getDefiningOp());
  SetVector<Operation *> slice;
  pairSliceOf(value, sources, slice);
  auto nest = b.create<linalg::GenericOp>(loc, init.getType(), inputs, init, maps,
                                          SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
                                          [&](OpBuilder &inside, Location, ValueRange arguments) {
                                            IRMapping mapping;
                                            for (auto [source, argument] : llvm::zip(sources, arguments))
                                              mapping.map(source.value, argument);
                                            for (Operation *op : slice)
                                              inside.clone(*op, mapping);
                                            inside.create<linalg::YieldOp>(loc, mapping.lookup(value));
                                          });
  made.push_back(nest);
  EvaluationCache cache;
  std::optional<HostTensor> results = evaluate(nest.getResult(0), cache);
  if (!results)
    return std::nullopt;
  std::optional<Requantize> known = Requantize::of(value);
  bool isUnsigned = isa<arith::FPToUIOp>(value.getDefiningOp()) || (known && known->isUnsignedIn(value.getType()));
  unsigned width = value.getType().getIntOrFloatBitWidth();
  for (int64_t i = 0; i < results->size(); ++i) {
    int64_t result = results->integerAt(i);
    table.results.push_back(static_cast<int32_t>(isUnsigned && result < 0 ? result + (int64_t(1) << width) : result));
  }
  return table;
}

} // namespace

std::optional<PairFunction> pairFunctionOf(Value value, const ElementBody &body, Roundings which) {
  auto type = dyn_cast<IntegerType>(value.getType());
  SourceFinder finder(body, which);
  if (!type || type.getWidth() > 32 || isa<BlockArgument>(value) || !finder.collect(value, false) ||
      !finder.hasRounding || finder.sources.empty())
    return std::nullopt;
  std::optional<PairTable> table = tabulated(value, finder.sources, body);
  if (!table)
    return std::nullopt;
  return PairFunction{finder.sources, std::move(*table)};
}

} // namespace sinter
