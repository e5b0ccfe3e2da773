// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an attention adds to its scores is made once for all members of a batch, heads and queries that it is the same
// for: the kernel reads a dim of size 1 again and again. Zeros are not added at all. Exporters spread masks over a
// batch before they know what is in them. Precondition: the mask is made by a loop nest, whose body fuse_elementwise
// has put together.
#include "passes/passes.h"

#include "builders/tensors.h"
#include "dialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr unsigned maskOperand = 3;

bool takesMask(KernelOp kernel) {
  return kernel.getKernel() == "attention_heads" && kernel.getNumDpsInputs() > maskOperand;
}

bool isZero(Value mask) {
  if (auto collapse = mask.getDefiningOp<tensor::CollapseShapeOp>())
    mask = collapse.getSrc();
  if (auto fill = mask.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
  auto nest = mask.getDefiningOp<linalg::GenericOp>();
  return nest && matchPattern(nest.getBody()->getTerminator()->getOperand(cast<OpResult>(mask).getResultNumber()),
                              m_AnyZeroFloat());
}

/// Whether what the nest makes is the same along one of its loops.
bool isSameAlong(linalg::GenericOp nest, int64_t loop) {
  for (OpOperand *input : nest.getDpsInputOperands())
    if (nest.getMatchingIndexingMap(input).isFunctionOfDim(loop))
      return false;
  return nest->walk([&](linalg::IndexOp index) {
               return static_cast<int64_t>(index.getDim()) == loop ? WalkResult::interrupt() : WalkResult::advance();
             })
             .wasInterrupted() == false;
}

/// The mask with a size of 1 along all but the last of its dims that it is the same along; null if there is none.
Value narrowed(Value mask) {
  auto collapse = mask.getDefiningOp<tensor::CollapseShapeOp>();
  auto nest = (collapse ? collapse.getSrc() : mask).getDefiningOp<linalg::GenericOp>();
  if (!nest || nest->getNumResults() != 1 || nest.getNumReductionLoops() > 0 ||
      !nest.getMatchingIndexingMap(nest.getDpsInitOperand(0)).isIdentity())
    return nullptr;
  auto type = cast<RankedTensorType>(nest->getResult(0).getType());
  SmallVector<int64_t> alike; // a dim that is collapsed with others stays
  for (int64_t d = 0; d < type.getRank() - 1; ++d) {
    bool isApart =
        !collapse || llvm::any_of(collapse.getReassociationIndices(), [&](const ReassociationIndices &group) {
          return group.size() == 1 && group.front() == d;
        });
    if (isApart && type.getDimSize(d) != 1 && isSameAlong(nest, d))
      alike.push_back(d);
  }
  if (alike.empty())
    return nullptr;
  OpBuilder b(nest);
  Sizes sizes = dimsOf(b, nest.getLoc(), nest.getDpsInits()[0]);
  for (int64_t d : alike)
    sizes[static_cast<size_t>(d)] = sizeOf(b, 1);
  Value init = b.create<tensor::EmptyOp>(nest.getLoc(), sizes, type.getElementType());
  auto once = cast<linalg::GenericOp>(b.clone(*nest));
  once.getDpsInitsMutable()[0].set(init);
  once->getResult(0).setType(cast<RankedTensorType>(init.getType()));
  if (!collapse)
    return once->getResult(0);
  b.setInsertionPoint(collapse);
  return b.create<tensor::CollapseShapeOp>(collapse.getLoc(), once->getResult(0), collapse.getReassociationIndices());
}

void dropMask(KernelOp kernel) {
  kernel.getInputsMutable().erase(maskOperand);
  std::string signedness = kernel.getSignedness().str();
  if (signedness.size() > maskOperand)
    kernel.setSignedness(signedness.erase(maskOperand, 1));
}

} // namespace

LogicalResult narrowMasks(ModuleOp module) {
  SmallVector<KernelOp> kernels;
  module.walk([&](KernelOp kernel) {
    if (takesMask(kernel))
      kernels.push_back(kernel);
  });
  DenseMap<Value, Value> made; // of masks that several attentions share
  for (KernelOp kernel : kernels) {
    Value mask = kernel.getInputs()[maskOperand];
    if (isZero(mask)) {
      dropMask(kernel);
      continue;
    }
    auto [found, isNew] = made.try_emplace(mask, nullptr);
    if (isNew)
      found->second = narrowed(mask);
    if (found->second)
      kernel->setOperand(maskOperand, found->second);
  }
  return success();
}

} // namespace sinter
