// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are looked up in a constant matrix of small numbers with scales (an embedding) are computed of these where
// they are read, so that the matrix of floats is nowhere:
//   extract w[i, j]   ->   (number[i, j] - zero[i, j / block]) * scale[i, j / block]
// Numbers are read where a product has them, if it multiplies by the same matrix (the end of a language model), else
// from rows of as few bits. Precondition: products have their weights in order (pack-weights).
#include "passes/passes.h"

#include "passes/packing/support/sparse_reads.h"
#include "passes/support/block_weights.h"

#include "builders/scalars.h"
#include "builders/tensors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace sinter {
namespace {

/// A smaller matrix is not worth the arithmetic.
constexpr int64_t leastLookedUpBytes = 4096;

/// Arithmetic of one look-up.
struct LookUp {
  OpBuilder &b;
  Location loc;
  Value row, column;

  Scalars floats() const { return {b, loc, ElementType::Float}; }
  Value number(int64_t n) const { return b.create<arith::ConstantIndexOp>(loc, n); }
  Value quotient(Value x, int64_t by) const { return by == 1 ? x : b.create<arith::DivUIOp>(loc, x, number(by)); }
  Value rest(Value x, int64_t by) const { return by == 1 ? number(0) : b.create<arith::RemUIOp>(loc, x, number(by)); }
  Value sum(Value x, Value y) const { return b.create<arith::AddIOp>(loc, x, y); }
  Value times(Value x, int64_t by) const { return by == 1 ? x : b.create<arith::MulIOp>(loc, x, number(by)); }
  Value read(Value tensor, ValueRange at) const { return b.create<tensor::ExtractOp>(loc, tensor, at); }

  /// The unsigned number of `bits` bits whose lowest is bit `bits * part` of a byte.
  Value partOf(Value byte, Value part, int64_t bits) const {
    if (bits == 8)
      return byte;
    Value by = b.create<arith::IndexCastOp>(loc, b.getI8Type(), times(part, bits));
    Value moved = b.create<arith::ShRUIOp>(loc, byte, by);
    return b.create<arith::AndIOp>(loc, moved, b.create<arith::ConstantIntOp>(loc, (1 << bits) - 1, 8));
  }
  Value asFloat(Value integer, bool isSigned) const {
    return Scalars{b, loc, isSigned ? ElementType::Int8 : ElementType::UInt8}.castTo(ElementType::Float, integer);
  }
  Value real(Value stored) const { return widen(b, loc, elementTypeOf(stored.getType()), stored); }
  Value meant(Value number, Value zero, Value scale) const { return floats().mul(floats().sub(number, zero), scale); }
};

/// From numbers in rows of bytes, with scales and zero points beside them.
class RowLookUp {
public:
  RowLookUp(OpBuilder &b, Location loc, const BlockWeights &given) : weights(given) {
    isPacked = weights.isPacked;
    if (isPacked || weights.bits == 8)
      return;
    int64_t bytes = llvm::divideCeil(weights.columns * weights.bits, 8);
    Value empty = b.create<tensor::EmptyOp>(loc, ArrayRef<int64_t>{weights.rows, bytes}, b.getI8Type());
    NamedAttribute params[] = {b.getNamedAttr("bits", b.getI64IntegerAttr(weights.bits)),
                               b.getNamedAttr("low", b.getI64IntegerAttr(weights.low))};
    weights.numbers = b.create<KernelOp>(loc, empty.getType(), "pack_rows", weights.numbers, empty,
                                         b.getDictionaryAttr(params), weights.isSigned ? "su" : "uu")
                          .getResult(0);
    isPacked = true;
  }

  Value operator()(const LookUp &at) const {
    Value which = at.quotient(at.column, weights.block);
    Value number = integer(at, weights.numbers, at.column, isPacked);
    return at.meant(number, zero(at, which), at.real(at.read(weights.scales, {at.row, which})));
  }

private:
  /// From 0 up.
  Value integer(const LookUp &at, Value from, Value place, bool packed) const {
    if (packed) {
      int64_t perByte = 8 / weights.bits;
      Value byte = at.read(from, {at.row, at.quotient(place, perByte)});
      return at.asFloat(at.partOf(byte, at.rest(place, perByte), weights.bits), false);
    }
    Value stored = at.asFloat(at.read(from, {at.row, place}), weights.isSigned);
    return weights.low ? at.floats().sub(stored, low(at)) : stored;
  }
  Value low(const LookUp &at) const { return at.floats().constant(static_cast<double>(weights.low)); }
  Value zero(const LookUp &at, Value which) const {
    if (!weights.zeros)
      return at.floats().constant(static_cast<double>(int64_t(1) << (weights.bits - 1)));
    if (getElementTypeOrSelf(weights.zeros.getType()).isInteger(8))
      return integer(at, weights.zeros, which, weights.isPacked);
    Value real = at.real(at.read(weights.zeros, {at.row, which}));
    return weights.low ? at.floats().sub(real, low(at)) : real;
  }

  BlockWeights weights;
  bool isPacked;
};

/// From a product's panels, whose order templates/blocks/block_weights.h says.
class PanelLookUp {
public:
  explicit PanelLookUp(MatmulOp product) : panels(product.getRhs()), kernel(product.getKernelAttr()) {}

  Value operator()(const LookUp &at) const {
    int64_t width = kernel.number("columns"), stored = kernel.number("block"), bits = kernel.number("bits");
    int64_t group = 32 / bits;
    Value panel = at.quotient(at.row, width), lane = at.rest(at.row, width);
    Value block = at.quotient(at.column, stored), inBlock = at.rest(at.column, stored);
    Value inGroup = at.rest(inBlock, group);
    Value word = at.sum(at.times(at.quotient(inBlock, group), width), lane);
    Value byte = at.read(panels, {panel, block, at.sum(at.times(word, 4), at.rest(inGroup, 4))});
    Value number = at.asFloat(at.partOf(byte, at.quotient(inGroup, 4), bits), false);
    auto parameter = [&](int64_t which) { // of which a block has `width` each behind its numbers
      int64_t size = kernel.text("scale") == "float" ? 4 : 2;
      Value first = at.sum(at.times(lane, size), at.number(width * stored * bits / 8 + which * width * size));
      return real(at, panel, block, first, size);
    };
    Value zero =
        kernel.has("zeros") ? parameter(1) : at.floats().constant(static_cast<double>(int64_t(1) << (bits - 1)));
    return at.meant(number, zero, parameter(0));
  }

private:
  Value real(const LookUp &at, Value panel, Value block, Value first, int64_t size) const {
    Type wide = at.b.getIntegerType(static_cast<unsigned>(8 * size));
    Value all;
    for (int64_t i = 0; i < size; ++i) {
      Value byte = at.read(panels, {panel, block, at.sum(first, at.number(i))});
      Value part = at.b.create<arith::ExtUIOp>(at.loc, wide, byte);
      if (i)
        part = at.b.create<arith::ShLIOp>(at.loc, part,
                                          at.b.create<arith::ConstantOp>(at.loc, at.b.getIntegerAttr(wide, 8 * i)));
      all = all ? at.b.create<arith::OrIOp>(at.loc, all, part).getResult() : part;
    }
    StringRef scale = kernel.text("scale");
    Type type = scale == "float" ? Type(at.b.getF32Type())
                : scale == "f16" ? Type(at.b.getF16Type())
                                 : at.b.getBF16Type();
    return at.real(at.b.create<arith::BitcastOp>(at.loc, type, all));
  }

  Value panels;
  KernelAttr kernel;
};

bool haveSameContents(Value a, Value b, EvaluationCache &cache) {
  if (a == b)
    return true;
  std::optional<HostTensor> left = a && b ? evaluate(a, cache) : std::nullopt;
  std::optional<HostTensor> right = left ? evaluate(b, cache) : std::nullopt;
  return right && left->type() == right->type() && !std::memcmp(left->bytes(), right->bytes(), left->sizeInBytes());
}

/// The weight that a value has the elements of, in this or another order of dims.
Value sourceOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<linalg::TransposeOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// A product with the same rows of numbers.
MatmulOp productWith(ArrayRef<MatmulOp> products, const BlockWeights &weights, EvaluationCache &cache) {
  for (MatmulOp product : products) {
    auto packing = product.getRhs().getDefiningOp<KernelOp>();
    auto flag = [&](StringRef name) { return packing.getParams().getAs<BoolAttr>(name).getValue(); };
    auto number = [&](StringRef name) { return packing.getParams().getAs<IntegerAttr>(name).getInt(); };
    if (sourceOf(packing.getInputs()[0]) != sourceOf(weights.numbers) || flag("ordered") ||
        flag("packed") != weights.isPacked || flag("zeros") != static_cast<bool>(weights.zeros) ||
        number("bits") != weights.bits || number("low") != weights.low || number("depth") != weights.columns)
      continue;
    bool isSame =
        haveSameContents(packing.getInputs()[1], weights.scales, cache) &&
        (!weights.zeros || haveSameContents(packing.getInputs()[2], weights.zeros, cache)) &&
        (packing.getInputs()[0] == weights.numbers || haveSameContents(packing.getInputs()[0], weights.numbers, cache));
    if (isSame)
      return product;
  }
  return {};
}

/// An op behind all that it reads.
void collectSlice(Operation *op, SetVector<Operation *> &slice) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  for (Value value : values)
    if (Operation *from = value.getDefiningOp(); from && !slice.contains(from))
      collectSlice(from, slice);
  slice.insert(op);
}

/// A constant, and what it is made of, to where everybody finds it.
void moveToStart(Operation *constant) {
  SetVector<Operation *> slice;
  collectSlice(constant, slice);
  Block &entry = constant->getParentOfType<func::FuncOp>().getBody().front();
  auto point = llvm::find_if(entry, [&](Operation &op) { return !slice.contains(&op); });
  for (Operation *op : slice)
    op->moveBefore(&entry, point);
}

/// Whether nobody but loop nests that look up needs the floats when it runs: products have their own order of them by
/// now, and what is made of them is constant.
bool isOnlyLookedUp(Value matrix, EvaluationCache &cache) {
  return llvm::all_of(matrix.getUsers(), [&](Operation *user) {
    return isElementRead(user) ||
           (user->getNumResults() && llvm::all_of(user->getResults(), [&](Value y) { return isConstant(y, cache); }));
  });
}

template <class Reader>
void readAll(Value matrix, const Reader &reader) {
  for (Operation *user : llvm::make_early_inc_range(matrix.getUsers())) {
    if (!isElementRead(user))
      continue;
    auto extract = cast<tensor::ExtractOp>(user);
    OpBuilder b(extract);
    Value meant = reader(LookUp{b, extract.getLoc(), extract.getIndices()[0], extract.getIndices()[1]});
    extract.replaceAllUsesWith(narrow(b, extract.getLoc(), elementTypeOf(extract.getType()), meant));
    extract.erase();
  }
}

} // namespace

LogicalResult lookUpPacked(ModuleOp module) {
  EvaluationCache cache;
  SetVector<Value> matrices;
  SmallVector<MatmulOp> products;
  module.walk([&](Operation *op) {
    if (auto product = dyn_cast<MatmulOp>(op)) {
      auto packing = product.getRhs().getDefiningOp<KernelOp>();
      if (packing && packing.getKernel() == "pack_blocks")
        products.push_back(product);
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(op); extract && isElementRead(op)) {
      auto type = cast<RankedTensorType>(extract.getTensor().getType());
      if (type.getRank() == 2 && isa<FloatType>(type.getElementType()) && !type.getElementType().isF64() &&
          type.hasStaticShape() && type.getNumElements() * 4 >= leastLookedUpBytes)
        matrices.insert(extract.getTensor());
    }
  });
  for (Value matrix : matrices) {
    if (!matrix.getDefiningOp() || !isConstant(matrix, cache) || !isOnlyLookedUp(matrix, cache))
      continue;
    OpBuilder b(matrix.getContext());
    b.setInsertionPointAfterValue(matrix);
    std::optional<BlockWeights> weights = blockWeightsOf(b, matrix, true, cache);
    if (!weights || weights->order)
      continue;
    if (MatmulOp product = productWith(products, *weights, cache)) {
      moveToStart(product.getRhs().getDefiningOp());
      readAll(matrix, PanelLookUp(product));
    } else {
      readAll(matrix, RowLookUp(b, matrix.getLoc(), *weights));
    }
  }
  return success();
}

} // namespace sinter
