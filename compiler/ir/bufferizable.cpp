// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How one-shot bufferization takes this dialect's ops: destination-style ops are cloned onto buffers.
// Constants: passes/bufferize.cpp.
#include "dialect.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace sinter {
namespace {

template <class OpTy>
struct DpsModel : DstBufferizableOpInterfaceExternalModel<DpsModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options) const {
    auto dps = cast<DestinationStyleOpInterface>(op);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        operands.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    state.addAttributes(op->getAttrs()); // inherent ones included: segment sizes stay true, operands keep their places
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    rewriter.create(state);
    SmallVector<Value> results;
    for (OpOperand &init : dps.getDpsInitsMutable())
      results.push_back(operands[init.getOperandNumber()]);
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

} // namespace

void registerBufferizableModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, SinterDialect *) {
    ConvOp::attachInterface<DpsModel<ConvOp>>(*context);
    MatmulOp::attachInterface<DpsModel<MatmulOp>>(*context);
    KernelOp::attachInterface<DpsModel<KernelOp>>(*context);
  });
}

} // namespace sinter
