// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the body's node IR from the condition backwards. Exporters write `while i < n` so, without a limit of the loop
// or with the largest integer as one.
#include "counted_loop.h"

#include "runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t plausible = 1 << 23; ///< sums of such numbers are exact in each type that is cast to

NodeOp madeBy(Value value, StringRef opType) {
  auto node = value.getDefiningOp<NodeOp>();
  return node && node.getOpType() == opType && node.getDomain().empty() ? node : NodeOp();
}

bool isExactlyCast(NodeOp node) {
  constexpr int64_t types[] = {1, 6, 7, 11, 12, 13}; // float, int32, int64, double, uint32, uint64
  auto to = node.getAttrs().getAs<IntegerAttr>("to");
  return node.getOpType() == "Cast" && to && llvm::is_contained(types, to.getInt());
}

/// What a value of one element is but for its type and its rank.
Value bare(Value value, bool alsoLikeOthers = false) {
  while (auto node = value.getDefiningOp<NodeOp>()) {
    constexpr StringRef passing[] = {"Identity", "Reshape", "Squeeze", "Unsqueeze"};
    StringRef type = node.getOpType();
    if (!node.getDomain().empty() ||
        !(llvm::is_contained(passing, type) || isExactlyCast(node) || (alsoLikeOthers && type == "CastLike")))
      break;
    value = node.getInputs()[0];
  }
  return value;
}

class CountedLoop {
public:
  CountedLoop(Op &op, Region &body, ArrayRef<Converted> carried)
      : op(op), body(body), carried(carried), made(body.front().getTerminator()->getOperands()) {}

  std::optional<Size> trips() { return tripsOf(made[0]); }

private:
  /// A count in an iteration: what it is in the first one, and how much each adds.
  struct Count {
    Size first;
    int64_t step;
  };

  std::optional<Size> tripsOf(Value condition) {
    condition = bare(condition);
    if (NodeOp both = madeBy(condition, "And")) { // either one ends the loop
      std::optional<Size> one = tripsOf(both.getInputs()[0]);
      return one ? one : tripsOf(both.getInputs()[1]);
    }
    struct Comparison {
      StringRef name;
      bool isTurned; // n > i
      int64_t more;  // i <= n is i < n + 1
    };
    for (Comparison c :
         {Comparison{"Less", false, 0}, {"LessOrEqual", false, 1}, {"Greater", true, 0}, {"GreaterOrEqual", true, 1}})
      if (NodeOp compare = madeBy(condition, c.name)) {
        std::optional<Count> count = countOf(compare.getInputs()[c.isTurned]);
        std::optional<Size> end = constantIn(compare.getInputs()[!c.isTurned]);
        if (!count || count->step <= 0 || !end)
          return std::nullopt;
        // Behind iteration j it goes on if first + j * step < end.
        Size way = sub(op.b, op.loc, add(op.b, op.loc, *end, sizeOf(op.b, c.more)), count->first);
        Size others = maximum(op.b, op.loc, ceilDiv(op.b, op.loc, way, count->step), sizeOf(op.b, 0));
        return add(op.b, op.loc, others, sizeOf(op.b, 1));
      }
    return std::nullopt;
  }

  /// An argument of the body that grows, plus what the iteration added to it.
  std::optional<Count> countOf(Value value) {
    value = bare(value);
    int64_t added = 0;
    if (std::optional<std::pair<Value, int64_t>> sum = sumOf(value))
      std::tie(value, added) = *sum;
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &body.front() || argument.getArgNumber() == 1)
      return std::nullopt;
    if (argument.getArgNumber() == 0)
      return Count{sizeOf(op.b, added), 1};
    auto next = sumOf(bare(made[argument.getArgNumber() - 1]));
    std::optional<Size> before = element(carried[argument.getArgNumber() - 2]);
    if (!next || next->first != value || !before)
      return std::nullopt;
    return Count{add(op.b, op.loc, *before, sizeOf(op.b, added)), next->second};
  }

  /// A value and a number that is added to it.
  std::optional<std::pair<Value, int64_t>> sumOf(Value value) {
    NodeOp sum = madeBy(value, "Add");
    for (unsigned i = 0; sum && i < 2; ++i)
      if (std::optional<Size> number = constantIn(sum.getInputs()[i]))
        if (std::optional<int64_t> known = constantOf(*number))
          return std::pair(bare(sum.getInputs()[1 - i]), *known);
    return std::nullopt;
  }

  /// An integer that is the same in all iterations.
  std::optional<Size> constantIn(Value value) {
    value = bare(value, /*alsoLikeOthers=*/true); // the other one is a count
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &body.front()) {
      unsigned i = argument.getArgNumber();
      return i >= 2 && bare(made[i - 1]) == value ? element(carried[i - 2]) : std::nullopt;
    }
    if (auto weight = value.getDefiningOp<WeightOp>()) {
      auto dense = dyn_cast<DenseIntElementsAttr>(weight.getValue());
      if (!dense || dense.size() != 1 || std::abs((*dense.begin()).getSExtValue()) > plausible)
        return std::nullopt;
      return sizeOf(op.b, (*dense.begin()).getSExtValue());
    }
    const Converted *outer = body.isAncestor(value.getParentRegion()) ? nullptr : op.conversion.find(value);
    return outer ? element(*outer) : std::nullopt;
  }

  /// The one element of an integer tensor, if it has a range.
  std::optional<Size> element(const Converted &value) {
    const Tensor &tensor = value.tensor;
    bool isInteger = tensor && (tensor.element == ElementType::Int64 || tensor.element == ElementType::Int32);
    if (!isInteger || value.present ||
        !llvm::all_of(cast<RankedTensorType>(tensor.value.getType()).getShape(), [](int64_t dim) { return dim == 1; }))
      return std::nullopt;
    SmallVector<int64_t> first(tensor.rank(), 0);
    Value scalar = elementOf(op.b, op.loc, tensor.value, first, op.conversion.evaluations);
    if (!scalar)
      return std::nullopt;
    Size size = sizeOfInteger(op.b, op.loc, scalar);
    auto range = rangeOfData(size);
    if (!range || std::max(std::abs(range->first), std::abs(range->second)) > plausible)
      return std::nullopt;
    return dependsOnData(size) && range->first >= 0 ? within(op, size, sizeOf(op.b, range->second)) : size;
  }

  Op &op;
  Region &body;
  ArrayRef<Converted> carried;
  ValueRange made;
};

} // namespace

std::optional<Size> tripsOfCount(Op &op, Region &body, ArrayRef<Converted> carried) {
  return CountedLoop(op, body, carried).trips();
}

} // namespace sinter
