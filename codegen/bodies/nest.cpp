// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From indexing maps to strides; merging of dims. The choice of lanes is in nest_lanes.cpp.
#include "nest.h"

#include "fold_combiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "nest_lanes.h"

using namespace mlir;

namespace sinter {
namespace {

/// Adds `expr * stride` to the operand's address.
void addIndex(NestOperand &operand, AffineExpr expr, const SizeExpr &stride) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    SizeExpr &total = operand.strides[dim.getPosition()];
    total = total + stride;
    return;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    operand.base = operand.base + stride * SizeExpr(constant.getValue());
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add) {
    addIndex(operand, binary.getLHS(), stride);
    addIndex(operand, binary.getRHS(), stride);
    return;
  }
  if (expr.getKind() == AffineExprKind::Mul)
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return addIndex(operand, binary.getLHS(), stride * SizeExpr(factor.getValue()));
  operand.nonlinear.emplace_back(expr, stride);
}

/// Dims whose number the body or an address asks for: they stay as they are.
llvm::SmallBitVector namedDims(linalg::GenericOp op, ArrayRef<NestOperand> operands) {
  llvm::SmallBitVector named(op.getNumLoops());
  op.getBody()->walk([&](linalg::IndexOp index) { named.set(index.getDim()); });
  for (const NestOperand &operand : operands)
    for (const auto &part : operand.nonlinear)
      for (unsigned dim = 0; dim < named.size(); ++dim)
        if (part.first.isFunctionOfDim(dim))
          named.set(dim);
  return named;
}

/// Whether dim `outer`, stepping over all of `inner`, continues where `inner` ended, for each operand.
bool areMergeable(const Nest &nest, int outer, int inner) {
  if (nest.isReduction[outer] != nest.isReduction[inner])
    return false;
  auto continues = [&](const NestOperand &operand) {
    return !operand.view.element || operand.strides[outer] == operand.strides[inner] * nest.sizes[inner];
  };
  return llvm::all_of(nest.operands, continues) && llvm::all_of(nest.operandsOfLast, continues);
}

void removeDim(Nest &nest, int dim) {
  nest.sizes.erase(nest.sizes.begin() + dim);
  nest.isReduction.erase(nest.isReduction.begin() + dim);
  for (NestOperand &operand : nest.operands)
    operand.strides.erase(operand.strides.begin() + dim);
  for (NestOperand &operand : nest.operandsOfLast)
    operand.strides.erase(operand.strides.begin() + dim);
  for (int &mapped : nest.dimOf)
    mapped = mapped == dim ? -1 : mapped > dim ? mapped - 1 : mapped;
}

void mergeDims(Nest &nest, const llvm::SmallBitVector &named) {
  auto isNamed = [&](int dim) {
    for (auto [original, mapped] : llvm::enumerate(nest.dimOf))
      if (mapped == dim && named.test(original))
        return true;
    return false;
  };
  for (int dim = static_cast<int>(nest.sizes.size()) - 1; dim >= 0; --dim)
    if (nest.sizes[dim].isConstant(1))
      removeDim(nest, dim);
  for (int outer = static_cast<int>(nest.sizes.size()) - 2; outer >= 0; --outer) {
    int inner = outer + 1;
    if (isNamed(outer) || isNamed(inner) || !areMergeable(nest, outer, inner))
      continue;
    nest.sizes[inner] = nest.sizes[outer] * nest.sizes[inner];
    removeDim(nest, outer);
  }
}

/// The dims of a shape that are more than one element.
SmallVector<int64_t> realDims(ShapedType type) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.getDimSize(d) != 1)
      dims.push_back(d);
  return dims;
}

/// Operands of the nest that goes over the results of `op`, along the dims of `op` that results lie along.
void addLast(Nest &nest, linalg::GenericOp op, linalg::GenericOp last, const Values &values) {
  AffineMap resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto resultType = cast<ShapedType>(op.getDpsInits()[0].getType()),
       lastType = cast<ShapedType>(last.getDpsInits()[0].getType());
  SmallVector<AffineExpr> dims(last.getNumLoops(), getAffineConstantExpr(0, op.getContext()));
  for (auto [own, ofResult] : llvm::zip(realDims(lastType), realDims(resultType)))
    dims[own] = resultMap.getResult(static_cast<unsigned>(ofResult));
  nest.last = last.getBody();
  for (OpOperand &opOperand : last->getOpOperands()) {
    NestOperand operand;
    operand.operand = &opOperand;
    operand.argument = last.getMatchingBlockArgument(&opOperand);
    operand.isOutput = last.isDpsInit(&opOperand);
    operand.isUsed = !operand.argument.use_empty();
    operand.strides.resize(op.getNumLoops());
    if (isa<MemRefType>(opOperand.get().getType())) {
      operand.view = values.view(opOperand.get());
      if (operand.view.isHeld) {
        nest.resultInLast = operand.argument;
        continue;
      }
      AffineMap map = last.getMatchingIndexingMap(&opOperand);
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        addIndex(operand, expr.replaceDims(dims), operand.view.strides[i]);
    }
    nest.operandsOfLast.push_back(std::move(operand));
  }
}

} // namespace

Nest planNest(linalg::GenericOp op, const Values &values, int vectorBytes, linalg::GenericOp last) {
  Nest nest;
  nest.body = op.getBody();
  unsigned rank = op.getNumLoops();
  nest.sizes.resize(rank);
  llvm::SmallBitVector known(rank);
  for (utils::IteratorType type : op.getIteratorTypesArray())
    nest.isReduction.push_back(type == utils::IteratorType::reduction);
  for (unsigned dim = 0; dim < rank; ++dim)
    nest.dimOf.push_back(static_cast<int>(dim));

  for (OpOperand &opOperand : op->getOpOperands()) {
    NestOperand operand;
    operand.operand = &opOperand;
    operand.argument = op.getMatchingBlockArgument(&opOperand);
    operand.isOutput = op.isDpsInit(&opOperand);
    operand.isUsed = !operand.argument.use_empty();
    operand.strides.resize(rank);
    if (isa<MemRefType>(opOperand.get().getType())) {
      operand.view = values.view(opOperand.get());
      AffineMap map = op.getMatchingIndexingMap(&opOperand);
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        addIndex(operand, expr, operand.view.strides[i]);
        // A static size wins over an expression of the same value.
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          if (unsigned d = dim.getPosition(); !known.test(d) || operand.view.sizes[i].constant()) {
            nest.sizes[d] = operand.view.sizes[i];
            known.set(d);
          }
      }
    }
    nest.operands.push_back(std::move(operand));
  }
  if (last)
    addLast(nest, op, last, values);
  mergeDims(nest, namedDims(op, nest.operands));
  nest.combiner = nest.hasReductions() ? combinerOf(op) : nullptr;
  nest.sharing = blockFoldOf(op);
  chooseLanes(nest, values, vectorBytes);
  return nest;
}

namespace {

/// A loop's index, divided by `times` where each element is read so often.
struct RepeatedIndex {
  int64_t loop, times;
};

std::optional<RepeatedIndex> repeatedIndexOf(Value index) {
  int64_t times = 1;
  APInt divisor;
  if (auto quotient = index.getDefiningOp<arith::DivUIOp>()) {
    if (!matchPattern(quotient.getRhs(), m_ConstantInt(&divisor)) || divisor.isZero())
      return std::nullopt;
    times = divisor.getSExtValue();
    index = quotient.getLhs();
  }
  auto loop = index.getDefiningOp<linalg::IndexOp>();
  return loop ? std::optional<RepeatedIndex>({static_cast<int64_t>(loop.getDim()), times}) : std::nullopt;
}

} // namespace

std::optional<Nest> planRepeats(linalg::GenericOp op, const Values &values) {
  Block *body = op.getBody();
  auto load = body->getTerminator()->getNumOperands() == 1
                  ? body->getTerminator()->getOperand(0).getDefiningOp<memref::LoadOp>()
                  : memref::LoadOp();
  if (!load || load->getBlock() != body || op.getNumReductionLoops() != 0 ||
      llvm::any_of(body->getArguments(), [](BlockArgument argument) { return !argument.use_empty(); }) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  const View &from = values.view(load.getMemRef()), &to = values.view(op.getDpsInits()[0]);
  if (from.element != to.element)
    return std::nullopt;
  size_t rank = to.sizes.size();
  SmallVector<int64_t> times(rank, 1);
  SmallVector<SizeExpr> steps(rank), whole(rank);
  SizeExpr base;
  bool isSpread = false;
  llvm::SmallBitVector found(rank);
  for (auto [index, size, stride] : llvm::zip(load.getIndices(), from.sizes, from.strides)) {
    APInt fixed;
    if (matchPattern(index, m_ConstantInt(&fixed))) {
      base = base + stride * SizeExpr(fixed.getSExtValue());
      isSpread = true;
      continue;
    }
    std::optional<RepeatedIndex> repeated = repeatedIndexOf(index);
    if (!repeated || found.test(repeated->loop) || !(size * SizeExpr(repeated->times) == to.sizes[repeated->loop]))
      return std::nullopt;
    found.set(repeated->loop);
    times[repeated->loop] = repeated->times;
    steps[repeated->loop] = stride;
    whole[repeated->loop] = size;
  }
  // What is spread over all of a dim, as Expand and Tile do it, is a copy of rows that lie behind each other; of single
  // elements it is a fill, which goes in lanes.
  isSpread |= !found.all();
  if (isSpread && (rank == 0 || times[rank - 1] > 1 || !steps[rank - 1].isConstant(1)))
    return std::nullopt;
  Nest nest;
  nest.operands.resize(2);
  NestOperand &source = nest.operands[0], &target = nest.operands[1];
  source.view = from;
  source.base = base;
  target.view = to;
  target.isOutput = true;
  auto addDim = [&](const SizeExpr &size, const SizeExpr &fromStep, const SizeExpr &toStep) {
    nest.sizes.push_back(size);
    nest.isReduction.push_back(false);
    source.strides.push_back(fromStep);
    target.strides.push_back(toStep);
  };
  for (size_t dim = 0; dim < rank; ++dim) {
    addDim(found.test(dim) ? whole[dim] : to.sizes[dim], steps[dim], to.strides[dim] * SizeExpr(times[dim]));
    if (times[dim] > 1)
      addDim(SizeExpr(times[dim]), SizeExpr(0), to.strides[dim]);
  }
  mergeDims(nest, llvm::SmallBitVector());
  return nest;
}

Dims dependences(const Nest &nest, llvm::function_ref<std::optional<uint64_t>(Operation &, const Dims &)> known) {
  Dims dims;
  uint64_t reductions = 0;
  for (auto [dim, isReduction] : llvm::enumerate(nest.isReduction))
    reductions |= uint64_t(isReduction) << dim;
  for (const NestOperand &operand : nest.operands) {
    uint64_t &mask = dims[operand.argument];
    for (auto [dim, stride] : llvm::enumerate(operand.strides))
      if (!stride.isConstant(0))
        mask |= uint64_t(1) << dim;
    for (const auto &part : operand.nonlinear)
      for (auto [original, dim] : llvm::enumerate(nest.dimOf))
        if (dim >= 0 && part.first.isFunctionOfDim(original))
          mask |= uint64_t(1) << dim;
    if (operand.isOutput)
      mask |= reductions;
  }
  for (Operation &op : *nest.body) {
    uint64_t mask = 0;
    if (std::optional<uint64_t> given = known ? known(op, dims) : std::nullopt) {
      for (Value result : op.getResults())
        dims[result] = *given;
      continue;
    }
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto it = dims.find(operand); it != dims.end())
          mask |= it->second;
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        if (int dim = nest.dimOf[index.getDim()]; dim >= 0)
          mask |= uint64_t(1) << dim;
    });
    for (Value result : op.getResults())
      dims[result] = mask;
  }
  return dims;
}

} // namespace sinter
