// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reduction starts from (a fill) and the reduction are one launch: the sums are in registers from the first to
// the last. On GPUs the elementwise nest that alone reads its result (a mean's division, a norm's root) is, too.
//
// Preconditions: the fill writes all of the buffer with one number; the nest behind goes over the result's elements in
// their order, once each, without asking for their places.
#include "passes/passes.h"

#include "ir/host_ops.h"
#include "memory/footprint.h"
#include "passes/launches/support/launches.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {
namespace {

/// Whether it goes over more than one element for a result: other loops vanish, and nothing would be left to start.
bool reducesElements(linalg::GenericOp op) {
  return llvm::any_of(llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()), [](auto loop) {
    auto [size, kind] = loop;
    return size != 1 && kind == utils::IteratorType::reduction;
  });
}

/// One result, of numbers that have neutral elements.
Value resultOf(linalg::GenericOp reduction) {
  if (!reducesElements(reduction) || reduction.getNumDpsInits() != 1)
    return {};
  Value result = reduction.getDpsInits()[0];
  Type element = cast<MemRefType>(result.getType()).getElementType();
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8 ? result : Value();
}

bool fillsWithNumber(Operation *op, Value buffer) {
  auto fill = dyn_cast<linalg::FillOp>(op);
  return fill && fill.getOutputs()[0] == buffer && matchPattern(fill.getInputs()[0], m_Constant());
}

/// Sizes other than 1.
SmallVector<int64_t> realSizes(MemRefType type) {
  SmallVector<int64_t> sizes;
  llvm::copy_if(type.getShape(), std::back_inserter(sizes), [](int64_t size) { return size != 1; });
  return sizes;
}

/// Where the nest's operand is read, loops of size 1 left out: of channels in one block `c + 32 * block` is c.
SmallVector<AffineExpr> placesOf(linalg::GenericOp nest, OpOperand *operand) {
  MLIRContext *context = nest.getContext();
  AffineMap map = nest.getMatchingIndexingMap(operand);
  SmallVector<AffineExpr> dims;
  for (auto [d, size] : llvm::enumerate(nest.getStaticLoopRanges()))
    dims.push_back(size == 1 ? getAffineConstantExpr(0, context) : getAffineDimExpr(unsigned(d), context));
  SmallVector<AffineExpr> places;
  for (AffineExpr place : map.getResults())
    places.push_back(simplifyAffineExpr(place.replaceDims(dims), map.getNumDims(), 0));
  return places;
}

/// Whether they are all loops, in their order.
bool areLoopsInOrder(linalg::GenericOp nest, ArrayRef<AffineExpr> places) {
  SmallVector<unsigned> loops, all;
  for (AffineExpr place : places)
    if (auto dim = dyn_cast<AffineDimExpr>(place))
      loops.push_back(dim.getPosition());
  for (auto [d, size] : llvm::enumerate(nest.getStaticLoopRanges()))
    if (size != 1)
      all.push_back(unsigned(d));
  return loops == all;
}

/// Whether `op` reads `result`, or a view of other sizes 1, element by element and writes what it makes at the same
/// places.
bool goesOverResult(Operation *op, memref::AllocOp result) {
  auto nest = dyn_cast<linalg::GenericOp>(op);
  if (!nest || !reasonForHost(op).empty() || nest.getNumReductionLoops() || nest.getNumDpsInits() != 1 ||
      nest.hasIndexSemantics())
    return false;
  OpOperand *init = nest.getDpsInitOperand(0);
  if (!nest.getMatchingIndexingMap(init).isIdentity() || !nest.getMatchingBlockArgument(init).use_empty() ||
      realSizes(cast<MemRefType>(init->get().getType())) != realSizes(result.getType()))
    return false;
  unsigned readers = 0;
  for (OpOperand *input : nest.getDpsInputOperands()) {
    auto type = dyn_cast<MemRefType>(input->get().getType());
    if (!type)
      continue;
    SmallVector<AffineExpr> places = placesOf(nest, input);
    if (!llvm::all_of(places, llvm::IsaPred<AffineDimExpr, AffineConstantExpr>))
      return false;
    if (rootOf(input->get()) != result)
      continue;
    bool isWhole = type.getLayout().isIdentity() && (input->get() == result || type.hasStaticShape()) &&
                   realSizes(type) == realSizes(result.getType());
    if (++readers > 1 || !isWhole || !areLoopsInOrder(nest, places))
      return false;
  }
  // Bodies that read memory by themselves may read what the launch writes.
  return readers == 1 &&
         nest.getBody()->walk([](memref::LoadOp) { return WalkResult::interrupt(); }).wasInterrupted() == false;
}

/// The fill in front of a reduction: nothing touches the result in between.
Operation *fillBefore(linalg::GenericOp reduction, Value result) {
  Operation *last = nullptr;
  for (Operation *user : result.getUsers())
    if (fillsWithNumber(user, result) && user->getBlock() == reduction->getBlock() &&
        user->isBeforeInBlock(reduction) && (!last || last->isBeforeInBlock(user)))
      last = user;
  return last && canMeet({last, reduction}) ? last : nullptr;
}

/// The nest that alone reads a result that only `fill` and `reduction` write.
Operation *nextOf(Operation *fill, linalg::GenericOp reduction, Value result) {
  auto buffer = result.getDefiningOp<memref::AllocOp>();
  std::optional<SmallVector<Operation *>> users = buffer ? usersOf(buffer) : std::nullopt;
  bool isOnly = users && users->size() == 3 && (*users)[0] == fill && (*users)[1] == reduction &&
                goesOverResult((*users)[2], buffer) && canMeet(*users);
  return isOnly ? users->back() : nullptr;
}

/// `takesNext`: the nest that reads the result comes along.
void fuseReduction(linalg::GenericOp reduction, bool takesNext) {
  Value result = resultOf(reduction);
  Operation *fill = result ? fillBefore(reduction, result) : nullptr;
  if (!fill)
    return;
  SmallVector<Operation *> ops{fill, reduction};
  if (Operation *next = takesNext ? nextOf(fill, reduction, result) : nullptr)
    ops.push_back(next);
  makeLaunch("reduction", ops, [&](memref::AllocOp each) { return each == result.getDefiningOp() && ops.size() == 3; });
}

} // namespace

LogicalResult fuseReductions(ModuleOp module, const Target &target) {
  SmallVector<linalg::GenericOp> reductions;
  module.walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() && op.hasPureBufferSemantics())
      reductions.push_back(op);
  });
  for (linalg::GenericOp reduction : reductions)
    fuseReduction(reduction, target.isGpu());
  return success();
}

} // namespace sinter
