// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A weight that one op reads element by element (rows of an embedding) and a kernel reads in an order of its own (the
// product with the same matrix at the end of a language model) is stored once, in the kernel's order:
//   extract w[i, j]   ->   extract packed[i / NR, j, i % NR]
// Precondition: constants are outlined, the packed one has each element of the weight, and nobody else reads the plain
// one.
#include "passes/passes.h"

#include "passes/packing/support/sparse_reads.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace sinter {
namespace {

/// A smaller weight is not worth the arithmetic of indices.
constexpr int64_t leastSharedBytes = 16384;

/// The only weight that a constant is made of, or null.
WeightOp weightOf(ConstantOp constant) {
  WeightOp found;
  for (Operation &op : constant.getBody().front())
    if (auto weight = dyn_cast<WeightOp>(op)) {
      if (found)
        return {};
      found = weight;
    }
  return found;
}

/// Ops that only move the elements of the weight, from it to the constant.
using WeightMoves = SmallVector<Operation *>;

bool isInsertionAtOrigin(tensor::InsertSliceOp op) {
  return op.getSourceType().getRank() == op.getType().getRank() &&
         llvm::all_of(op.getMixedOffsets(), [](OpFoldResult x) { return isConstantIntValue(x, 0); }) &&
         llvm::all_of(op.getMixedStrides(), [](OpFoldResult x) { return isConstantIntValue(x, 1); });
}

/// Nothing where another op is among them.
std::optional<WeightMoves> movesOf(ConstantOp constant) {
  WeightOp weight = weightOf(constant);
  if (!weight)
    return std::nullopt;
  WeightMoves moves;
  Value at = constant.getBody().front().getTerminator()->getOperand(0);
  while (at != weight.getResult()) {
    Operation *op = at.getDefiningOp();
    auto insertion = dyn_cast_or_null<tensor::InsertSliceOp>(op);
    if (!isa_and_nonnull<linalg::TransposeOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
        !(insertion && isInsertionAtOrigin(insertion)))
      return std::nullopt;
    moves.push_back(op);
    at = op->getOperand(0);
  }
  std::reverse(moves.begin(), moves.end());
  return moves;
}

/// Index arithmetic of one place.
struct WeightPlaces {
  OpBuilder &b;
  Location loc;

  Value number(int64_t n) { return b.create<arith::ConstantIndexOp>(loc, n); }

  /// The coordinates that make up `index` in dims of these sizes, the last one fastest.
  void split(Value index, ArrayRef<int64_t> sizes, SmallVectorImpl<Value> &to) {
    size_t first = to.size();
    for (int64_t size : llvm::reverse(sizes.drop_front())) {
      to.insert(to.begin() + first, b.create<arith::RemUIOp>(loc, index, number(size)));
      index = b.create<arith::DivUIOp>(loc, index, number(size));
    }
    to.insert(to.begin() + first, index);
  }
  Value joined(ArrayRef<Value> indices, ArrayRef<int64_t> sizes) {
    Value index = indices.front();
    for (auto [next, size] : llvm::zip(indices.drop_front(), sizes.drop_front()))
      index = b.create<arith::AddIOp>(loc, b.create<arith::MulIOp>(loc, index, number(size)), next);
    return index;
  }

  /// Where `place` of the operand lies in the result of a move.
  SmallVector<Value> moved(Operation *move, ArrayRef<Value> place) {
    SmallVector<Value> to;
    if (auto transpose = dyn_cast<linalg::TransposeOp>(move)) {
      for (int64_t from : transpose.getPermutation())
        to.push_back(place[static_cast<size_t>(from)]);
    } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(move)) {
      for (auto [index, dims] : llvm::zip(place, expand.getReassociationIndices()))
        split(index, expand.getResultType().getShape().slice(dims.front(), dims.size()), to);
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(move)) {
      for (const ReassociationIndices &dims : collapse.getReassociationIndices())
        to.push_back(joined(place.slice(dims.front(), dims.size()),
                            collapse.getSrcType().getShape().slice(dims.front(), dims.size())));
    } else {
      to.assign(place.begin(), place.end());
    }
    return to;
  }
};

int64_t tensorBytesOf(RankedTensorType type) {
  Type element = type.getElementType();
  return element.isIntOrFloat() ? type.getNumElements() * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8) : 0;
}

void readIn(ConstantOp plain, ConstantOp packed, const WeightMoves &moves) {
  for (Operation *user : llvm::make_early_inc_range(plain->getUsers())) {
    auto extract = cast<tensor::ExtractOp>(user);
    OpBuilder b(extract);
    WeightPlaces places{b, extract.getLoc()};
    SmallVector<Value> place(extract.getIndices());
    for (Operation *move : moves)
      place = places.moved(move, place);
    extract.replaceAllUsesWith(b.create<tensor::ExtractOp>(extract.getLoc(), packed.getResult(), place).getResult());
    extract.erase();
  }
  plain.erase();
}
} // namespace

LogicalResult shareWeights(ModuleOp module, Fit fit) {
  if (fit == Fit::Speed)
    return success();
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    llvm::MapVector<Attribute, SmallVector<ConstantOp>> byWeight;
    function.walk([&](ConstantOp constant) {
      if (WeightOp weight = weightOf(constant); weight && isa<RankedTensorType>(constant.getType()))
        byWeight[weight.getValue()].push_back(constant);
    });
    for (auto &[weight, constants] : byWeight)
      for (ConstantOp plain : constants) {
        std::optional<WeightMoves> none = movesOf(plain);
        if (!none || !none->empty() || tensorBytesOf(cast<RankedTensorType>(plain.getType())) < leastSharedBytes ||
            !isReadSparsely(plain.getResult()))
          continue;
        auto *packed = llvm::find_if(constants, [&](ConstantOp other) {
          std::optional<WeightMoves> moves = movesOf(other);
          return other != plain && moves && !moves->empty();
        });
        if (packed == constants.end())
          continue;
        if (plain->isBeforeInBlock(*packed))
          (*packed)->moveBefore(plain); // where those that read it find it
        readIn(plain, *packed, *movesOf(*packed));
        break;
      }
  }
  return success();
}

} // namespace sinter
