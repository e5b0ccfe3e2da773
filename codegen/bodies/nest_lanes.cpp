// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dim can run in lanes where every operand is contiguous or constant along it and every operation that depends on it
// has a form for lanes; what the body loads by indices of its own may lie apart. Parallel dims come first: no order of
// summation changes. A contiguous reduction is next, if its operation is known to be associative.
#include "nest_lanes.h"

#include "codegen/text/element_text.h"
#include "dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "scalar_expr.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sinter {
namespace {

using Dims = llvm::DenseMap<Value, uint64_t>;

bool dependsOn(Value value, int dim, const Dims &dims) {
  auto it = dims.find(value);
  return it != dims.end() && (it->second >> dim & 1);
}

/// How a load of the body goes along with lanes.
enum class LaneLoad { None, Contiguous, Strided, Computed };

/// Strided: a constant distance that is not 1. Computed: by an index that is computed in lanes itself.
LaneLoad laneLoadOf(memref::LoadOp load, const Nest &nest, int lane, const Dims &dims, const Values &values) {
  const View &view = values.view(load.getMemRef());
  SizeExpr step;
  bool isComputed = false;
  for (auto [index, stride] : llvm::zip(load.getIndices(), view.strides)) {
    if (auto moved = laneStep(index, nest, lane, dims)) {
      step = step + *moved * stride;
      continue;
    }
    Operation *op = index.getDefiningOp();
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

/// So many operations in lanes are worth the collecting of a vector's elements, where offsets are no vector of four.
constexpr int64_t kWorthCollecting = 6;

bool isLaneType(Type type) { return type.isIntOrIndexOrFloat(); }

/// Whether the body has a form for lanes along `dim`; finds the widest type in it. Elements that lie apart are
/// collected where much is done with them.
bool bodyRunsInLanes(const Nest &nest, int dim, const Dims &dims, const Values &values, int vectorBytes, Type &widest) {
  int64_t apart = 0, work = 0;
  auto note = [&](Type type) {
    if (!isLaneType(type))
      return false;
    if (!widest || valueBytes(type) > valueBytes(widest))
      widest = type;
    return true;
  };
  for (const NestOperand &operand : nest.operands)
    if ((operand.isUsed || operand.isOutput) && dependsOn(operand.argument, dim, dims) &&
        !note(operand.argument.getType()))
      return false;
  for (Operation &op : nest.body->without_terminator()) {
    bool varies = llvm::any_of(op.getResults(), [&](Value result) { return dependsOn(result, dim, dims); });
    if (!varies)
      continue;
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      LaneLoad way = laneLoadOf(load, nest, dim, dims, values);
      if (way == LaneLoad::None || !note(load.getType()))
        return false;
      apart += way == LaneLoad::Strided || (way == LaneLoad::Computed && vectorBytes < 32);
      continue;
    }
    if (isa<linalg::IndexOp>(op)) {
      // An index that only addresses costs no lanes.
      bool isData = llvm::any_of(op.getUsers(), [](Operation *user) { return !isa<memref::LoadOp>(user); });
      if (isData && !note(op.getResult(0).getType()))
        return false;
      continue;
    }
    if (!isScalarOp(&op) || !note(op.getResult(0).getType()))
      return false;
    ++work;
  }
  return work >= apart * kWorthCollecting;
}

/// Whether all operands move by 0 or 1 along `dim`, outputs by `outputStep`.
bool operandsFit(const Nest &nest, int dim, int64_t outputStep) {
  return llvm::all_of(nest.operands, [&](const NestOperand &operand) {
    if (!operand.view.element)
      return true;
    for (const auto &part : operand.nonlinear)
      for (auto [original, mapped] : llvm::enumerate(nest.dimOf))
        if (mapped == dim && part.first.isFunctionOfDim(original))
          return false;
    const SizeExpr &step = operand.strides[dim];
    if (operand.isOutput)
      return step.isConstant(outputStep);
    return !operand.isUsed || step.isConstant(0) || step.isConstant(1);
  });
}

int64_t extent(const Nest &nest, int dim) { return nest.sizes[dim].constant().value_or(1 << 20); }

} // namespace

std::optional<SizeExpr> laneStep(Value index, const Nest &nest, int lane, const Dims &dims) {
  if (!dependsOn(index, lane, dims))
    return SizeExpr(0);
  Operation *op = index.getDefiningOp();
  if (!op || op->getBlock() != nest.body)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<SizeExpr>>(op)
      .Case([&](linalg::IndexOp) { return SizeExpr(1); })
      .Case<arith::AddIOp, arith::SubIOp>([&](auto sum) -> std::optional<SizeExpr> {
        auto a = laneStep(sum.getLhs(), nest, lane, dims), b = laneStep(sum.getRhs(), nest, lane, dims);
        if (!a || !b)
          return std::nullopt;
        return isa<arith::AddIOp>(op) ? *a + *b : *a - *b;
      })
      .Case([&](arith::MulIOp product) -> std::optional<SizeExpr> {
        APInt factor;
        auto a = laneStep(product.getLhs(), nest, lane, dims);
        if (!a || !matchPattern(product.getRhs(), m_ConstantInt(&factor)))
          return std::nullopt;
        return *a * SizeExpr(factor.getSExtValue());
      })
      .Default([](Operation *) { return std::nullopt; });
}

void chooseLanes(Nest &nest, const Values &values, int vectorBytes) {
  if (vectorBytes == 0)
    return;
  Dims dims = dependences(nest);
  for (int dim = static_cast<int>(nest.sizes.size()) - 1; dim >= 0; --dim) {
    Type widest;
    if (nest.isReduction[dim] || extent(nest, dim) < 2 || !operandsFit(nest, dim, 1) ||
        !bodyRunsInLanes(nest, dim, dims, values, vectorBytes, widest))
      continue;
    if (nest.lane >= 0 && extent(nest, dim) <= extent(nest, nest.lane))
      continue;
    nest.lane = dim;
    nest.laneUse = LaneUse::Parallel;
    nest.widest = widest;
  }
  if (nest.lane >= 0)
    return;
  Operation *combiner = nest.combiner;
  if (!combiner || isHeldAsFloat(combiner->getResult(0).getType()))
    return;
  for (int dim = static_cast<int>(nest.sizes.size()) - 1; dim >= 0; --dim) {
    Type widest;
    if (!nest.isReduction[dim] || extent(nest, dim) < 4 || !operandsFit(nest, dim, 0) ||
        !bodyRunsInLanes(nest, dim, dims, values, vectorBytes, widest))
      continue;
    nest.lane = dim;
    nest.laneUse = LaneUse::Reduction;
    nest.widest = widest;
    return;
  }
}

} // namespace sinter
