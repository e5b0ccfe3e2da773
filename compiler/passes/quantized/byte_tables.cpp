// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On microcontrollers a quantized function of one byte that no integer arithmetic equals (fit_integers.cpp) - an
// activation between two quantizations, an exact tie in a change of scale - is a table of 256 bytes, which the
// interpreter computes: a load takes less than any float operation and is the definition by construction. What is
// rounded behind a contraction is such a byte too; the im2col kernel that makes four elements at a time keeps floats.
// On other CPUs maps from bytes to bytes are looked up as well, 16 or 32 elements at a time
// (templates/maps/look_up_bytes.h); bodies that read more, and epilogues, keep vectors of floats.
#include "passes/passes.h"

#include "passes/quantized/support/pair_function.h"

#include "ir/requantize.h"
#include "kernels/im2col/support/im2col_core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {
namespace {

/// The one input's values in the order of their index: integers by their bits, rounded floats from the least on.
Value tableIndexOf(const PairSource &source, OpBuilder &b, Location loc) {
  Type i32 = b.getI32Type();
  Value bits;
  if (isa<IntegerType>(source.value.getType()))
    bits = b.create<arith::ExtUIOp>(loc, i32, source.value);
  else
    bits = wholeOf(b, loc, source.value, -source.range.low);
  return b.create<arith::IndexCastUIOp>(loc, b.getIndexType(), bits);
}

bool makeByteTable(Value value, const ElementBody &body) {
  if (auto narrowed = value.getDefiningOp<arith::TruncIOp>())
    value = narrowed.getIn();
  for (Roundings which : {Roundings::Most, Roundings::Last}) {
    std::optional<PairFunction> function = pairFunctionOf(value, body, which);
    if (!function || function->sources.size() != 1 || function->sources[0].range.count > 256)
      continue;
    const PairSource &source = function->sources[0];
    ArrayRef<int32_t> results(function->table.results);
    bool isSigned = llvm::all_of(results, [](int32_t x) { return llvm::isInt<8>(x); });
    if (!isSigned && !llvm::all_of(results, [](int32_t x) { return llvm::isUInt<8>(x); }))
      return false;
    SmallVector<int8_t> bytes(results.begin(), results.end());
    if (isa<IntegerType>(source.value.getType())) // negative numbers stand behind the others
      std::rotate(bytes.begin(), bytes.begin() - source.range.low, bytes.end());
    OpBuilder b(body.op);
    Location loc = body.op->getLoc();
    auto type = RankedTensorType::get({source.range.count}, b.getI8Type());
    Value table = b.create<arith::ConstantOp>(loc, DenseIntElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
    b.setInsertionPointAfterValue(value);
    Value result = b.create<tensor::ExtractOp>(loc, table, tableIndexOf(source, b, loc));
    if (!value.getType().isInteger(8))
      result = isSigned ? b.create<arith::ExtSIOp>(loc, value.getType(), result).getResult()
                        : b.create<arith::ExtUIOp>(loc, value.getType(), result).getResult();
    value.replaceAllUsesWith(result);
    return true;
  }
  return false;
}

/// Whether a table is read faster than `op` is computed in vectors of floats: any where bytes are shuffled or there are
/// no vectors, else functions such as tanh.
bool isWorthTable(Operation *op, const Target &target) {
  if (target.vectorRegisters == 0 || StringRef(target.triple).starts_with("x86_64"))
    return true;
  auto result = op->walk([](Operation *inner) {
    bool isStep = !isa<math::MathDialect>(inner->getDialect()) || isa<math::AbsFOp, math::RoundEvenOp>(inner);
    return isStep && !isa<ApplyOp>(inner) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

/// A loop nest from one map of bytes to bytes, whose lanes stay bytes where they look a table up.
bool isMapOfBytes(Operation *op) {
  auto nest = dyn_cast<linalg::GenericOp>(op);
  auto isOfBytes = [](Value value) { return getElementTypeOrSelf(value.getType()).isInteger(8); };
  return nest && nest.getNumDpsInputs() == 1 && nest.getNumParallelLoops() == nest.getNumLoops() &&
         llvm::all_of(op->getOperands(), isOfBytes);
}

} // namespace

LogicalResult byteTables(ModuleOp module, const Target &target) {
  const Im2colCore *core = im2colCore(target);
  bool areSumsInVectors = core && core->isVector;
  module.walk([&](Operation *op) {
    std::optional<ElementBody> body = ElementBody::of(op);
    if (!body || (areSumsInVectors && !isa<linalg::GenericOp>(op)))
      return;
    if (!target.isMicrocontroller() && !(isMapOfBytes(op) && isWorthTable(op, target)))
      return;
    bool isChanged = false;
    for (Value result : body->block->getTerminator()->getOperands())
      isChanged |= makeByteTable(result, *body);
    if (isChanged)
      body->dropUnused();
  });
  return success();
}

} // namespace sinter
