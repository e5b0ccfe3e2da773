// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "view_runs.h"

#include "ir/dialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sinter {

bool overlap(ArrayRef<std::pair<int64_t, int64_t>> a, ArrayRef<std::pair<int64_t, int64_t>> b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first < b[j].second && b[j].first < a[i].second)
      return true;
    (a[i].second < b[j].second ? i : j)++;
  }
  return false;
}

Runs difference(ArrayRef<std::pair<int64_t, int64_t>> whole, ArrayRef<std::pair<int64_t, int64_t>> part) {
  Runs left;
  size_t j = 0;
  for (auto [begin, end] : whole) {
    while (j < part.size() && part[j].second <= begin)
      ++j;
    for (size_t k = j; k < part.size() && part[k].first < end; ++k) {
      if (begin < part[k].first)
        left.emplace_back(begin, part[k].first);
      begin = std::max(begin, part[k].second);
    }
    if (begin < end)
      left.emplace_back(begin, end);
  }
  return left;
}

void Numbers::set(Value value, std::optional<int64_t> number) {
  given[value] = number;
  known.clear();
}

std::optional<int64_t> Numbers::of(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return of(cast<Value>(value));
}

std::optional<int64_t> Numbers::of(Value value) {
  if (auto found = given.find(value); found != given.end())
    return found->second;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  std::optional<int64_t> number;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    number = constant.getSExtValue();
  } else if (auto dim = dyn_cast_or_null<DimOp>(op)) {
    number = dim.getMax();
  } else if (auto bound = dyn_cast_or_null<BoundOp>(op)) {
    std::optional<int64_t> exact = of(bound.getValue());
    number = exact ? std::min(*exact, static_cast<int64_t>(bound.getMax())) : static_cast<int64_t>(bound.getMax());
  } else if (op && op->getNumRegions() == 0 && op->getNumResults() == 1 && isPure(op) &&
             value.getType().isIntOrIndex() &&
             llvm::all_of(op->getOperandTypes(), [](Type type) { return type.isIntOrIndex(); })) {
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> one = of(operand);
      if (!one)
        break;
      operands.push_back(IntegerAttr::get(
          operand.getType(), APInt(operand.getType().isIndex() ? 64 : operand.getType().getIntOrFloatBitWidth(),
                                   static_cast<uint64_t>(*one), true)));
    }
    SmallVector<OpFoldResult> results;
    if (operands.size() == op->getNumOperands() && succeeded(op->fold(operands, results)) && results.size() == 1) {
      if (auto folded = dyn_cast_or_null<IntegerAttr>(llvm::dyn_cast_if_present<Attribute>(results.front())))
        number = folded.getValue().getSExtValue();
      else if (auto operand = llvm::dyn_cast_if_present<Value>(results.front())) // x - 0 is x
        number = of(operand);
    }
  }
  known[value] = number;
  return number;
}

namespace {

struct Layout {
  int64_t offset = 0;
  SmallVector<int64_t> sizes, strides;
  int64_t elements = 0; ///< of the buffer
};

std::optional<SmallVector<int64_t>> numbersOfSizes(ArrayRef<OpFoldResult> values, Numbers &numbers) {
  SmallVector<int64_t> result;
  for (OpFoldResult value : values) {
    std::optional<int64_t> one = numbers.of(value);
    if (!one)
      return std::nullopt;
    result.push_back(*one);
  }
  return result;
}

void makeContiguous(Layout &layout) {
  int64_t stride = 1;
  layout.strides.assign(layout.sizes.size(), 1);
  for (size_t d = layout.sizes.size(); d-- > 0; stride *= std::max<int64_t>(layout.sizes[d], 1))
    layout.strides[d] = stride;
}

std::optional<Layout> layoutOf(Value view, Numbers &numbers) {
  Operation *op = view.getDefiningOp();
  Builder builder(view.getContext());
  Layout layout;
  if (isa_and_nonnull<memref::AllocOp, ArenaOp, InputOp, OutputOp>(op)) {
    auto sizes = numbersOfSizes(getMixedValues(cast<MemRefType>(view.getType()).getShape(), op->getOperands(), builder),
                                numbers);
    if (!sizes || !cast<MemRefType>(view.getType()).getLayout().isIdentity())
      return std::nullopt;
    layout.sizes = *sizes;
    makeContiguous(layout);
    layout.elements = 1;
    for (int64_t size : layout.sizes)
      layout.elements *= size;
    return layout;
  }
  if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op)) {
    auto offset = numbersOfSizes(cast.getMixedOffsets(), numbers),
         sizes = numbersOfSizes(cast.getMixedSizes(), numbers),
         strides = numbersOfSizes(cast.getMixedStrides(), numbers);
    std::optional<Layout> source = layoutOf(cast.getSource(), numbers);
    if (!offset || !sizes || !strides || !source)
      return std::nullopt;
    return Layout{offset->front(), *sizes, *strides, source->elements};
  }
  if (!isa_and_nonnull<memref::SubViewOp, memref::CastOp, memref::MemorySpaceCastOp, memref::ExpandShapeOp,
                       memref::CollapseShapeOp, memref::TransposeOp>(op))
    return std::nullopt;
  std::optional<Layout> source = layoutOf(op->getOperand(0), numbers);
  if (!source || isa<memref::CastOp, memref::MemorySpaceCastOp>(op))
    return source;
  layout.offset = source->offset;
  layout.elements = source->elements;
  if (auto cut = dyn_cast<memref::SubViewOp>(op)) {
    auto offsets = numbersOfSizes(cut.getMixedOffsets(), numbers), sizes = numbersOfSizes(cut.getMixedSizes(), numbers),
         strides = numbersOfSizes(cut.getMixedStrides(), numbers);
    if (!offsets || !sizes || !strides)
      return std::nullopt;
    llvm::SmallBitVector dropped = cut.getDroppedDims();
    for (size_t d = 0; d < offsets->size(); ++d) {
      layout.offset += (*offsets)[d] * source->strides[d];
      if (!dropped[d]) {
        layout.sizes.push_back(std::max<int64_t>((*sizes)[d], 0));
        layout.strides.push_back((*strides)[d] * source->strides[d]);
      }
    }
  } else if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
    for (AffineExpr result : transpose.getPermutation().getResults()) {
      unsigned d = cast<AffineDimExpr>(result).getPosition();
      layout.sizes.push_back(source->sizes[d]);
      layout.strides.push_back(source->strides[d]);
    }
  } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    auto sizes =
        numbersOfSizes(getMixedValues(expand.getStaticOutputShape(), expand.getOutputShape(), builder), numbers);
    if (!sizes)
      return std::nullopt;
    layout.sizes = *sizes;
    layout.strides.assign(sizes->size(), 1);
    for (auto [d, group] : llvm::enumerate(expand.getReassociationIndices())) {
      int64_t stride = source->strides[d];
      for (int64_t inner : llvm::reverse(group)) {
        layout.strides[inner] = stride;
        stride *= std::max<int64_t>(layout.sizes[inner], 1);
      }
    }
  } else {
    for (ArrayRef<int64_t> group : cast<memref::CollapseShapeOp>(op).getReassociationIndices()) {
      int64_t size = 1, stride = 1;
      for (int64_t d : group) { // the innermost that has more than one element counts
        size *= source->sizes[d];
        if (source->sizes[d] != 1)
          stride = source->strides[d];
      }
      layout.sizes.push_back(size);
      layout.strides.push_back(stride);
    }
  }
  return layout;
}

} // namespace

std::optional<Runs> runsOf(Value view, Numbers &numbers) {
  constexpr int64_t most = 4096;
  std::optional<Layout> layout = layoutOf(view, numbers);
  if (!layout)
    return std::nullopt;
  SmallVector<std::pair<int64_t, int64_t>> dims; // stride, size
  for (auto [size, stride] : llvm::zip(layout->sizes, layout->strides)) {
    if (size == 0)
      return Runs();
    if (stride < 0)
      layout->offset += (size - 1) * stride;
    if (size > 1 && stride != 0)
      dims.emplace_back(std::abs(stride), size);
  }
  llvm::sort(dims, std::greater<>());
  int64_t run = 1, pieces = 1;
  while (!dims.empty() && dims.back().first == run)
    run *= dims.pop_back_val().second;
  for (auto [stride, size] : dims)
    if ((pieces *= size) > most)
      return std::nullopt;
  Runs runs;
  for (int64_t i = 0; i < pieces; ++i) {
    int64_t at = layout->offset, rest = i;
    for (auto [stride, size] : llvm::reverse(dims)) {
      at += rest % size * stride;
      rest /= size;
    }
    if (!runs.empty() && runs.back().second == at)
      runs.back().second += run;
    else
      runs.emplace_back(at, at + run);
  }
  // Sizes that each may be so, but not together: assertions that consistent_sizes.h does not see through.
  if (runs.front().first < 0 || llvm::any_of(runs, [&](auto &one) { return one.second > layout->elements; }))
    return std::nullopt;
  return runs;
}

SmallVector<Operation *> buffersOf(Value view) {
  llvm::SetVector<Value> seen;
  SmallVector<Operation *> found;
  seen.insert(view);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(seen[i])) {
      Operation *parent = argument.getOwner()->getParentOp();
      unsigned index = argument.getArgNumber();
      if (auto loop = dyn_cast<scf::ForOp>(parent)) {
        seen.insert(loop.getInitArgs()[index - 1]);
        seen.insert(loop.getYieldedValues()[index - 1]);
      } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
        bool isAfter = argument.getOwner() == loop.getAfterBody();
        seen.insert(isAfter ? loop.getConditionOp().getArgs()[index] : loop.getInits()[index]);
        if (!isAfter)
          seen.insert(loop.getYieldOp().getOperand(index));
      }
      continue;
    }
    Operation *op = seen[i].getDefiningOp();
    unsigned index = cast<OpResult>(seen[i]).getResultNumber();
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      seen.insert(choice.thenYield().getOperand(index));
      seen.insert(choice.elseYield().getOperand(index));
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      seen.insert(loop.getRegionIterArg(index));
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      seen.insert(loop.getConditionOp().getArgs()[index]);
    } else {
      bool isView = false;
      for (Value operand : op->getOperands())
        if (isa<BaseMemRefType>(operand.getType()))
          isView = true, seen.insert(operand);
      if (!isView)
        found.push_back(op);
    }
  }
  return found;
}

} // namespace sinter
