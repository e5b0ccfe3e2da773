// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dim can run in lanes where every operation that depends on it has a form for lanes. Operands are best contiguous or
// constant along it; elements that lie apart are collected and scattered where much is done with them. Parallel dims
// come first: no order of summation changes. A contiguous reduction is next, if its operation is known to be
// associative.
#include "nest_lanes.h"

#include "byte_look_up.h"
#include "codegen/text/element_text.h"
#include "dialect.h"
#include "lane_split.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "scalar_expr.h"
#include "selection_fold.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sinter {
namespace {

/// How far an index of the body moves per step of dim `lane`; nothing if that is not a constant distance.
std::optional<SizeExpr> laneStep(Value index, const Nest &nest, int lane, const BodyVariant &variant) {
  index = variant.resolved(index);
  if (!dependsOn(index, lane, variant.dims))
    return SizeExpr(0);
  Operation *op = index.getDefiningOp();
  if (!op || op->getBlock() != nest.body)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<SizeExpr>>(op)
      .Case([&](linalg::IndexOp) { return SizeExpr(1); })
      .Case<arith::AddIOp, arith::SubIOp>([&](auto sum) -> std::optional<SizeExpr> {
        auto a = laneStep(sum.getLhs(), nest, lane, variant), b = laneStep(sum.getRhs(), nest, lane, variant);
        if (!a || !b)
          return std::nullopt;
        return isa<arith::AddIOp>(op) ? *a + *b : *a - *b;
      })
      .Case([&](arith::MulIOp product) -> std::optional<SizeExpr> {
        APInt factor;
        auto a = laneStep(product.getLhs(), nest, lane, variant);
        if (!a || !matchPattern(product.getRhs(), m_ConstantInt(&factor)))
          return std::nullopt;
        return *a * SizeExpr(factor.getSExtValue());
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether an index of the body is an expression of loops and sizes, which is part of an address (body_index.cpp).
bool isExpression(Value index, const Nest &nest, const BodyVariant &variant) {
  index = variant.resolved(index);
  Operation *op = index.getDefiningOp();
  if (!op || op->getBlock() != nest.body || op->hasTrait<OpTrait::ConstantLike>() || isa<linalg::IndexOp>(op))
    return true;
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, affine::AffineApplyOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isExpression(operand, nest, variant); });
}

/// Whether an index is nothing but a part of addresses and of integers of other types, and costs no lanes itself.
bool isAddress(Operation &op, const Nest &nest, int lane, const BodyVariant &variant) {
  if (op.getNumResults() != 1 || !op.getResult(0).getType().isIndex() ||
      !isExpression(op.getResult(0), nest, variant) || !laneStep(op.getResult(0), nest, lane, variant))
    return false;
  return llvm::all_of(op.getUsers(), [&](Operation *user) {
    return !variant.needed.contains(user) || isa<memref::LoadOp, arith::IndexCastOp>(user) ||
           (user->getBlock() == nest.body && isAddress(*user, nest, lane, variant));
  });
}

/// How a load of the body goes along with lanes.
enum class LaneLoad { None, Contiguous, Strided, Computed };

/// Strided: a constant distance that is not 1. Computed: by an index that is computed in lanes itself.
LaneLoad laneLoadOf(memref::LoadOp load, const Nest &nest, int lane, const BodyVariant &variant, const Values &values) {
  const View &view = values.view(load.getMemRef());
  SizeExpr step;
  bool isComputed = false;
  for (auto [index, stride] : llvm::zip(load.getIndices(), view.strides)) {
    if (auto moved = laneStep(index, nest, lane, variant)) {
      step = step + *moved * stride;
      continue;
    }
    Operation *op = variant.resolved(index).getDefiningOp();
    if (!op || op->getBlock() != nest.body || !isScalarOp(op))
      return LaneLoad::None;
    isComputed = true;
  }
  if (!isComputed && step.isConstant(1))
    return LaneLoad::Contiguous;
  if (load.getType().isInteger(1))
    return LaneLoad::None;
  return isComputed ? LaneLoad::Computed : LaneLoad::Strided;
}

/// So many operations in lanes are worth the collecting of a vector's elements, where offsets are no vector of four,
/// or the scattering.
constexpr int64_t kWorthCollecting = 6;

/// What an operation stands for: a function such as exp or tanh is many of them.
int64_t weightOf(Operation &op) { return isa<math::MathDialect>(op.getDialect()) && !isa<math::AbsFOp>(op) ? 12 : 1; }

bool isLaneType(Type type) { return type.isIntOrIndexOrFloat(); }

/// Whether reductions are over so few elements that these fill no vector: results are better neighbours in lanes, even
/// where their elements have to be collected.
bool hasShortReductions(const Nest &nest, int vectorBytes) {
  if (!nest.hasReductions() || vectorBytes < 16)
    return false;
  int64_t count = 1;
  for (auto [size, isReduction] : llvm::zip(nest.sizes, nest.isReduction))
    if (isReduction)
      count *= std::min<int64_t>(size.constant().value_or(INT32_MAX), INT32_MAX);
  int64_t bytes = 4; // narrower elements are collected no faster
  for (const NestOperand &operand : nest.operands)
    if (operand.isUsed && operand.argument.getType().isIntOrFloat())
      bytes = std::max(bytes, valueBytes(operand.argument.getType()));
  return count * bytes < vectorBytes;
}

/// How a nest goes in lanes along a dim.
struct LaneFit {
  int64_t apart = 0; ///< vectors that are collected or scattered
  Type widest;       ///< of the values in lanes
  LaneSplit split;
};

/// Whether the body has a form for lanes along `dim`, with `apart` operands whose elements are collected.
std::optional<LaneFit> bodyInLanes(const Nest &nest, int dim, const BodyVariant &variant, const Values &values,
                                   int vectorBytes, int64_t apart) {
  const Dims &dims = variant.dims;
  LaneFit fit{apart, {}, {}};
  int64_t work = 0;
  auto note = [&](Type type) {
    if (!isLaneType(type))
      return false;
    if (!fit.widest || valueBytes(type) > valueBytes(fit.widest))
      fit.widest = type;
    return true;
  };
  for (const NestOperand &operand : nest.operands)
    if ((variant.arguments.contains(operand.argument) || operand.isOutput) && dependsOn(operand.argument, dim, dims) &&
        !note(operand.argument.getType()))
      return std::nullopt;
  for (Operation &op : nest.body->without_terminator()) {
    bool varies = llvm::any_of(op.getResults(), [&](Value result) { return dependsOn(result, dim, dims); });
    if (!varies || !variant.needed.contains(&op) || isAddress(op, nest, dim, variant) || isPlaceOfByte(op))
      continue;
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      if (lookedUpByte(load) && note(load.getType()))
        continue;
      LaneLoad way = laneLoadOf(load, nest, dim, variant, values);
      if (way == LaneLoad::None || !note(load.getType()))
        return std::nullopt;
      fit.apart += way == LaneLoad::Strided || (way == LaneLoad::Computed && vectorBytes < 32);
      continue;
    }
    if (isa<linalg::IndexOp>(op)) {
      if (!note(op.getResult(0).getType()))
        return std::nullopt;
      continue;
    }
    if (!isScalarOp(&op) || !note(op.getResult(0).getType()))
      return std::nullopt;
    work += weightOf(op);
  }
  bool isWorthCollecting =
      fit.apart == 0 || work >= fit.apart * kWorthCollecting || hasShortReductions(nest, vectorBytes);
  return isWorthCollecting ? std::optional(fit) : std::nullopt;
}

/// The body in parts of rows along `dim` that comparisons of its index divide, where these are long enough.
std::optional<LaneFit> partsInLanes(const Nest &nest, int dim, const Dims &dims, const Values &values, int vectorBytes,
                                    int64_t apart) {
  int64_t leastElements = nest.hasReductions() ? 16 : 64;
  if (nest.sizes[dim].constant().value_or(leastElements) < leastElements ||
      (nest.hasReductions() && !sumsInMemory(nest, dim)))
    return std::nullopt;
  LaneFit all{0, {}, splitAlong(nest, dim, dims)};
  if (all.split.comparisons.empty())
    return std::nullopt;
  for (std::optional<bool> chosen : choicesOf(all.split)) {
    BodyVariant variant = variantOf(nest, all.split, dim, chosen);
    std::optional<LaneFit> fit = bodyInLanes(nest, dim, variant, values, vectorBytes, apart);
    if (!fit)
      return std::nullopt;
    all.apart = std::max(all.apart, fit->apart);
    if (!all.widest || valueBytes(fit->widest) > valueBytes(all.widest))
      all.widest = fit->widest;
  }
  return all;
}

/// The operands that lie apart along `dim`, of which lanes can be collected; none if another one rules lanes out.
std::optional<int64_t> operandsApart(const Nest &nest, int dim) {
  int64_t apart = 0;
  for (const NestOperand &operand : nest.operands) {
    if (!operand.view.element)
      continue;
    for (const auto &part : operand.nonlinear)
      for (auto [original, mapped] : llvm::enumerate(nest.dimOf))
        if (mapped == dim && part.first.isFunctionOfDim(original))
          return std::nullopt;
    const SizeExpr &step = operand.strides[dim];
    if (operand.isOutput ? step.isConstant(1) : !operand.isUsed || step.isConstant(0) || step.isConstant(1))
      continue;
    if (operand.argument.getType().isInteger(1) || (operand.isOutput && (nest.hasReductions() || step.isConstant(0))))
      return std::nullopt;
    ++apart;
  }
  return apart;
}

/// Whether a reduction can go along `dim`: inputs move by 0 or 1, the output not at all.
bool operandsReduce(const Nest &nest, int dim) {
  return llvm::all_of(nest.operands, [&](const NestOperand &operand) {
    return !operand.view.element || operand.strides[dim].isConstant(0) ||
           (!operand.isOutput && (!operand.isUsed || operand.strides[dim].isConstant(1)));
  });
}

int64_t extent(const Nest &nest, int dim) { return nest.sizes[dim].constant().value_or(1 << 20); }

/// Lanes along the reduction of a selection, as wide as its elements. Places are as wide, of bytes they are of four.
void chooseLanesOfSelection(Nest &nest, const Dims &dims, const Values &values, int vectorBytes) {
  int dim = static_cast<int>(llvm::find(nest.isReduction, true) - nest.isReduction.begin());
  if (nest.last || extent(nest, dim) < 4 || !operandsReduce(nest, dim) ||
      !bodyInLanes(nest, dim, variantOf(nest, {}, dim, std::nullopt), values, vectorBytes, 0))
    return;
  SelectionFold fold = selectionFoldOf(nest);
  Type widest = IntegerType::get(nest.body->getParentOp()->getContext(), 32);
  auto note = [&](Value value) {
    if (dependsOn(value, dim, dims) && valueBytes(value.getType()) > valueBytes(widest))
      widest = value.getType();
  };
  for (const NestOperand &operand : nest.operands)
    if (operand.argument != fold.place)
      note(operand.argument);
  for (Operation &op : nest.body->without_terminator())
    if (!isa<linalg::IndexOp>(op) && !llvm::is_contained(fold.placing, &op))
      note(op.getResult(0));
  nest.lane = dim;
  nest.laneUse = LaneUse::Selection;
  nest.widest = widest;
}

} // namespace

void chooseLanes(Nest &nest, const Values &values, int vectorBytes) {
  if (vectorBytes == 0)
    return;
  Dims dims = dependences(nest);
  // Fewest elements lie apart; of equals, the longest run.
  std::optional<LaneFit> best;
  for (int dim = static_cast<int>(nest.sizes.size()) - 1; dim >= 0; --dim) {
    if (nest.isReduction[dim] || extent(nest, dim) < 2)
      continue;
    std::optional<int64_t> apart = operandsApart(nest, dim);
    if (!apart || (*apart > 0 && vectorBytes <= 4)) // one element at a time has nothing to collect
      continue;
    std::optional<LaneFit> fit = partsInLanes(nest, dim, dims, values, vectorBytes, *apart);
    if (!fit)
      fit = bodyInLanes(nest, dim, variantOf(nest, {}, dim, std::nullopt), values, vectorBytes, *apart);
    bool isWorse =
        best && fit &&
        (fit->apart > best->apart || (fit->apart == best->apart && extent(nest, dim) <= extent(nest, nest.lane)));
    if (!fit || isWorse)
      continue;
    best = fit;
    nest.lane = dim;
    nest.laneUse = LaneUse::Parallel;
    nest.widest = fit->widest;
    nest.split = fit->split;
  }
  // Of a long row the best element is found in lanes rather than those of several rows by collecting.
  bool isSelection = vectorBytes >= 16 && isSelectionFold(nest);
  bool isCollected = best && best->apart > 0 && !hasShortReductions(nest, vectorBytes);
  if (nest.lane >= 0 && !(isSelection && isCollected))
    return;
  if (isSelection)
    return chooseLanesOfSelection(nest, dims, values, vectorBytes);
  Operation *combiner = nest.combiner;
  if (!combiner || isHeldAsFloat(combiner->getResult(0).getType()))
    return;
  for (int dim = static_cast<int>(nest.sizes.size()) - 1; dim >= 0; --dim) {
    if (!nest.isReduction[dim] || extent(nest, dim) < 4 || !operandsReduce(nest, dim))
      continue;
    std::optional<LaneFit> fit = bodyInLanes(nest, dim, variantOf(nest, {}, dim, std::nullopt), values, vectorBytes, 0);
    if (!fit)
      continue;
    nest.lane = dim;
    nest.laneUse = LaneUse::Reduction;
    nest.widest = fit->widest;
    return;
  }
}

bool onlyMovesHalfs(const Nest &nest) {
  if (nest.lane >= 0 || nest.hasReductions() || nest.last)
    return false;
  for (const NestOperand &operand : nest.operands)
    if (operand.view.isHeld || (!operand.view.element && isHeldAsFloat(operand.argument.getType())))
      return false;
  auto hasHalfs = [](TypeRange types) { return llvm::any_of(types, isHeldAsFloat); };
  auto result = nest.body->walk([&](Operation *op) {
    bool isMove = isa<memref::LoadOp, arith::SelectOp, scf::IfOp, scf::YieldOp, linalg::YieldOp>(op) ||
                  op->hasTrait<OpTrait::ConstantLike>();
    return isMove || !(hasHalfs(op->getOperandTypes()) || hasHalfs(op->getResultTypes())) ? WalkResult::advance()
                                                                                          : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

} // namespace sinter
