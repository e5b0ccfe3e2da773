// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions read more than they are large: an activation for each block of filters, a weight for each block of
// outputs. Where a kernel gathers its input into scratch, that is what it reads so often, and the input once for each
// row of taps. Loop nests access each operand at each point. All else goes through its operands once.
#include "accesses.h"

#include "dialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace sinter {
namespace {

/// What kernels of small cores keep in registers: this many filters meet this many outputs.
constexpr double filtersAtOnce = 4, outputsAtOnce = 2;

double widthOf(Value buffer) {
  Type element = cast<BaseMemRefType>(buffer.getType()).getElementType();
  return element.isIntOrFloat() ? double(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)) : 8;
}

/// Rows of taps that meet each row of the input.
double timesEachRow(ConvOp conv) {
  double extent = double(conv.taps(0)), stride = double(conv.getStrides()[0]);
  return std::max(1.0, extent / stride);
}

template <class Contraction>
double ofContraction(Contraction op, OpOperand &operand, double macs, double elements, double inputPasses) {
  Value buffer = operand.get();
  double bytes = elements * widthOf(buffer);
  bool hasScratch = op.getScratch() != nullptr;
  unsigned number = operand.getOperandNumber();
  if (number == 0)
    return hasScratch ? bytes * inputPasses : std::max(bytes, macs / filtersAtOnce * widthOf(buffer));
  if (number == 1)
    return std::max(bytes, macs / outputsAtOnce * widthOf(buffer));
  if (hasScratch && &operand == &op->getOpOperands().back())
    return std::max(bytes, macs / filtersAtOnce * widthOf(buffer));
  return bytes;
}

} // namespace

double accessedBytes(OpOperand &operand, Work &work) {
  Operation *op = operand.getOwner();
  if (isa<LoopLikeOpInterface>(op) || op->hasTrait<OpTrait::IsTerminator>()) // hand buffers on
    return 0;
  auto repeats = double(work.repeatsOf(op)), elements = double(work.elements(operand.get()));
  if (auto conv = dyn_cast<ConvOp>(op))
    return repeats * ofContraction(conv, operand, double(work.macsOf(op)), elements, timesEachRow(conv));
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return repeats * ofContraction(matmul, operand, double(work.macsOf(op)), elements, 1);
  if (auto loops = dyn_cast<linalg::LinalgOp>(op); loops && !loops.isDpsInit(&operand)) {
    double points = 1;
    for (int64_t size : loops.getStaticLoopRanges())
      points *= ShapedType::isDynamic(size) ? 1 : double(size);
    elements = std::max(elements, points);
  }
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    elements = 1;
  return repeats * elements * widthOf(operand.get());
}

} // namespace sinter
