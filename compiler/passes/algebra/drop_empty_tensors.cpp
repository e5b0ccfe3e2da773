// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors without elements (a dim is 0) need no work, and passes behind this one need no care for them: what makes one
// goes, and what is made of one is what is left without it. Sums over nothing are 0, or what they start from; a part
// without elements is left out of a concatenation. What kernels make of empty operands they know themselves. Sizes that
// only the run knows may be 0 all the same: loops over them run not at all.
#include "passes/passes.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace sinter {
namespace {

bool isEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && llvm::is_contained(type.getShape(), 0);
}

/// Uses of results without elements read some of their own; of their makers nothing is left but other results.
void replaceResults(Operation *op) {
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (isa<tensor::EmptyOp>(op) || !type || !type.hasStaticShape() || !isEmpty(result) || result.use_empty())
      continue;
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    result.replaceAllUsesWith(b.create<tensor::EmptyOp>(op->getLoc(), type.getShape(), type.getElementType()));
  }
}

/// What sizes are in the collapsed dim.
Value productOfDims(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> dims) {
  Value product = b.create<arith::ConstantIndexOp>(loc, 1);
  for (int64_t dim : dims)
    product = b.createOrFold<arith::MulIOp>(loc, product, b.createOrFold<tensor::DimOp>(loc, tensor, dim));
  return product;
}

/// A reshape of nothing, to sizes of run time. (Upstream takes 0 times a run-time size for 0 in types of buffers.)
template <class Reshape>
void replaceReshape(Reshape op) {
  RankedTensorType type = op.getResultType();
  if (!isEmpty(op.getSrc()) || type.hasStaticShape())
    return;
  OpBuilder b(op);
  SmallVector<Value> sizes;
  if constexpr (std::is_same_v<Reshape, tensor::ExpandShapeOp>)
    sizes = op.getOutputShape();
  else
    for (auto [size, dims] : llvm::zip(type.getShape(), op.getReassociationIndices()))
      if (ShapedType::isDynamic(size))
        sizes.push_back(productOfDims(b, op.getLoc(), op.getSrc(), dims));
  op.getResult().replaceAllUsesWith(b.create<tensor::EmptyOp>(op.getLoc(), type, sizes));
  op.erase();
}

/// What a loop carries without elements it carries unchanged.
void keepCarried(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (BlockArgument carried : loop.getRegionIterArgs())
      if (isEmpty(carried))
        loop.getTiedLoopYieldedValue(carried)->set(carried);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    // Of what comes before the condition not all goes behind it, and not in that order.
    for (auto [operand, before] : llvm::zip_equal(loop.getYieldOp().getResultsMutable(), loop.getBeforeArguments())) {
      auto passed = llvm::find(loop.getConditionOp().getArgs(), before);
      if (isEmpty(before) && passed != loop.getConditionOp().getArgs().end())
        operand.set(loop.getAfterArguments()[static_cast<size_t>(passed - loop.getConditionOp().getArgs().begin())]);
    }
  }
}

/// A contraction of empty operands: its epilogue on sums that are 0.
template <class Contraction>
void dropContraction(Contraction op, Value lhs, Value rhs) {
  if ((!isEmpty(lhs) && !isEmpty(rhs)) || op.getInits().size() != 1)
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Block &epilogue = op.getEpilogue().front();
  SmallVector<AffineMap> maps(op.getEpilogueMaps().template getAsValueRange<AffineMapAttr>());
  auto rank = static_cast<unsigned>(cast<ShapedType>(op.getInits()[0].getType()).getRank());
  maps.push_back(AffineMap::getMultiDimIdentityMap(rank, b.getContext()));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto nest = b.create<linalg::GenericOp>(
      loc, op->getResultTypes(), op.getEpilogueInputs(), op.getInits(), maps, loops,
      [&](OpBuilder &inside, Location, ValueRange arguments) {
        IRMapping mapping;
        Type sum = epilogue.getArgument(0).getType();
        mapping.map(epilogue.getArgument(0), inside.create<arith::ConstantOp>(loc, inside.getZeroAttr(sum)));
        for (auto [from, to] : llvm::zip(epilogue.getArguments().drop_front(), arguments))
          mapping.map(from, to);
        for (Operation &one : epilogue.without_terminator())
          inside.clone(one, mapping);
        inside.create<linalg::YieldOp>(loc, mapping.lookupOrDefault(epilogue.getTerminator()->getOperand(0)));
      });
  op->replaceAllUsesWith(nest);
  op->erase();
}

/// Sums over no elements stay what they were.
void dropReduction(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  bool sumsNothing = false;
  for (auto [extent, loop] : llvm::zip(extents, loops))
    sumsNothing |= extent == 0 && loop == utils::IteratorType::reduction;
  if (!sumsNothing || !op.hasPureTensorSemantics())
    return;
  op->replaceAllUsesWith(op.getDpsInits());
  op->erase();
}

void dropParts(tensor::ConcatOp op) {
  SmallVector<Value> parts;
  llvm::copy_if(op.getInputs(), std::back_inserter(parts), [](Value part) { return !isEmpty(part); });
  if (parts.empty() || parts.size() == op.getInputs().size())
    return;
  OpBuilder b(op);
  Value joined = parts[0];
  if (parts.size() > 1)
    joined = b.create<tensor::ConcatOp>(op.getLoc(), op.getResultType(), op.getDim(), parts);
  else if (joined.getType() != op.getResultType())
    joined = b.create<tensor::CastOp>(op.getLoc(), op.getResultType(), joined);
  op.getResult().replaceAllUsesWith(joined);
  op.erase();
}

/// Where nothing can be read, what is read does not count: a choice beside it sees to that.
void dropRead(tensor::ExtractOp op) {
  OpBuilder b(op);
  TypedAttr zero = isEmpty(op.getTensor()) ? b.getZeroAttr(op.getType()) : TypedAttr();
  if (!zero)
    return;
  op.getResult().replaceAllUsesWith(b.create<arith::ConstantOp>(op.getLoc(), zero));
  op.erase();
}

} // namespace

LogicalResult dropEmptyTensors(ModuleOp module) {
  SmallVector<Operation *> touched; // not in the order of a walk, which the changes would disturb
  module.walk([&](Operation *op) {
    if (llvm::any_of(op->getOperands(), isEmpty) || llvm::any_of(op->getResults(), isEmpty) ||
        isa<linalg::LinalgOp>(op))
      touched.push_back(op);
  });
  for (Operation *op : touched) {
    replaceResults(op);
    keepCarried(op);
  }
  for (Operation *op : touched)
    TypeSwitch<Operation *>(op)
        .Case([](ConvOp conv) { dropContraction(conv, conv.getInput(), conv.getFilter()); })
        .Case([](MatmulOp matmul) { dropContraction(matmul, matmul.getLhs(), matmul.getRhs()); })
        .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([](auto reshape) { replaceReshape(reshape); })
        .Case([](tensor::ConcatOp concat) { dropParts(concat); })
        .Case([](tensor::ExtractOp extract) { dropRead(extract); })
        .Case([](tensor::InsertSliceOp insert) {
          if (!isEmpty(insert.getSource()))
            return;
          insert.getResult().replaceAllUsesWith(insert.getDest());
          insert.erase();
        })
        .Case([](bufferization::MaterializeInDestinationOp write) {
          if (isEmpty(write.getSource()) && !write->getNumResults())
            write.erase();
        })
        .Default([](Operation *other) {
          if (auto nest = dyn_cast<linalg::LinalgOp>(other))
            dropReduction(nest);
        });
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, module->getRegions()); // whether anything went does not matter
  return success();
}

} // namespace sinter
