// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How one-shot bufferization takes this dialect's ops: destination-style ops are cloned onto buffers.
// Constants: passes/buffers/bufferize.cpp.
#include "dialect.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace sinter {
namespace {

template <class OpTy>
struct DpsModel : DstBufferizableOpInterfaceExternalModel<DpsModel<OpTy>, OpTy> {
  /// A kernel marked `updates` changes what its inits hold; others write all of them without a look.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand) || op->hasAttr("updates");
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
      if (isa<TensorType>(init.get().getType())) // text.h's buffers are none
        results.push_back(operands[init.getOperandNumber()]);
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

/// A view: neither reads nor writes, and its result is the source's memory with other strides.
struct PermuteModel : BufferizableOpInterface::ExternalModel<PermuteModel, PermuteOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &, const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Unknown}};
  }
  FailureOr<BaseMemRefType> getBufferType(Operation *op, Value, const BufferizationOptions &options,
                                          SmallVector<Value> &stack) const {
    auto permute = cast<PermuteOp>(op);
    FailureOr<BaseMemRefType> source = bufferization::getBufferType(permute.getSource(), options, stack);
    if (failed(source))
      return failure();
    return cast<BaseMemRefType>(viewType(cast<MemRefType>(*source), permute.getPermutation()));
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options) const {
    auto permute = cast<PermuteOp>(op);
    FailureOr<Value> source = getBuffer(rewriter, permute.getSource(), options);
    if (failed(source))
      return failure();
    auto order = AffineMapAttr::get(AffineMap::getPermutationMap(permute.getPermutation(), op->getContext()));
    replaceOpWithNewBufferizedOp<memref::TransposeOp>(rewriter, op, *source, order);
    return success();
  }

private:
  static MemRefType viewType(MemRefType source, ArrayRef<int64_t> permutation) {
    auto [strides, offset] = getStridesAndOffset(source);
    SmallVector<int64_t> shape, moved;
    for (int64_t d : permutation) {
      shape.push_back(source.getDimSize(d));
      moved.push_back(strides[d]);
    }
    return MemRefType::get(shape, source.getElementType(), StridedLayoutAttr::get(source.getContext(), offset, moved),
                           source.getMemorySpace());
  }
};

/// As upstream's, but with the sizes that the op states: upstream infers them, which fails (without a check) for two
/// dynamic sizes from one.
struct ExpandShapeModel : BufferizableOpInterface::ExternalModel<ExpandShapeModel, tensor::ExpandShapeOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &, const AnalysisState &) const {
    return {{op->getOpResult(0), BufferRelation::Equivalent}};
  }
  FailureOr<BaseMemRefType> getBufferType(Operation *op, Value, const BufferizationOptions &options,
                                          SmallVector<Value> &stack) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    auto source = bufferization::getBufferType(expand.getSrc(), options, stack);
    if (failed(source))
      return failure();
    auto type = memref::ExpandShapeOp::computeExpandedType(cast<MemRefType>(*source), expand.getResultType().getShape(),
                                                           expand.getReassociationIndices());
    if (failed(type))
      return failure();
    return BaseMemRefType(*type);
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    FailureOr<Value> buffer = getBuffer(rewriter, expand.getSrc(), options);
    auto type = bufferization::getBufferType(expand.getResult(), options);
    if (failed(buffer) || failed(type))
      return failure();
    replaceOpWithNewBufferizedOp<memref::ExpandShapeOp>(
        rewriter, op, *type, *buffer, expand.getReassociationIndices(),
        getMixedValues(expand.getStaticOutputShape(), expand.getOutputShape(), rewriter));
    return success();
  }
};

} // namespace

void registerBufferizableModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) { // the first model attached stays
    tensor::ExpandShapeOp::attachInterface<ExpandShapeModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, SinterDialect *) {
    ConvOp::attachInterface<DpsModel<ConvOp>>(*context);
    MatmulOp::attachInterface<DpsModel<MatmulOp>>(*context);
    PoolOp::attachInterface<DpsModel<PoolOp>>(*context);
    KernelOp::attachInterface<DpsModel<KernelOp>>(*context);
    PermuteOp::attachInterface<PermuteModel>(*context);
  });
}

} // namespace sinter
