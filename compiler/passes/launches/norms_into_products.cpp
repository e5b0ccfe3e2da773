// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: a LayerNormalization (or RMSNormalization) and the products that read its result are one launch: blocks of a
// product find the mean and the scale of their own rows and normalise what they fetch. That is a second read of a few
// rows, from the cache, for a launch and a pass over memory less. What others read of the result later is stored.
//
// Preconditions: float, rows without gaps, as long as the products' k.
#include "passes/passes.h"

#include "kernels/kernel.h"
#include "memory/footprint.h"
#include "passes/launches/support/grid_of.h"
#include "passes/launches/support/launches.h"

using namespace mlir;

namespace sinter {
namespace {

bool isPlainNorm(KernelOp norm) {
  if (norm.getKernel() != "layer_norm" || norm.getInits().size() != 1 || norm.getInputs().size() < 2)
    return false;
  for (Value operand : norm->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || !type.getElementType().isF32() || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return false;
  }
  return norm.getInits()[0].getDefiningOp<memref::AllocOp>() != nullptr;
}

SmallVector<MatmulOp> productsOf(Operation *op) {
  if (auto product = dyn_cast<MatmulOp>(op))
    return {product};
  SmallVector<MatmulOp> products;
  if (auto launch = dyn_cast<LaunchOp>(op); launch && launch.getForm() == "side_by_side")
    for (Operation &inner : launch.getBody().front().without_terminator()) {
      if (!isa<MatmulOp>(inner))
        return {};
      products.push_back(cast<MatmulOp>(inner));
    }
  return products;
}

/// Whether `product` multiplies all rows of `normed` as they lie, and reads it in no other way.
bool multiplies(MatmulOp product, memref::AllocOp normed, const Target &target) {
  auto type = cast<MemRefType>(product.getLhs().getType());
  bool readsElsewhere = llvm::any_of(product->getOperands().drop_front(), [&](Value operand) {
    return isa<MemRefType>(operand.getType()) && rootOf(operand) == normed.getResult();
  });
  const MatmulKernel *kernel = kernelOf(product);
  return kernel && kernel->hasNormedForm && !product.getTransposeLhs() &&
         rootOf(product.getLhs()) == normed.getResult() && !readsElsewhere && type.hasStaticShape() &&
         type.getLayout().isIdentity() && type.getNumElements() == normed.getType().getNumElements() &&
         type.getShape().back() == normed.getType().getShape().back() && gridOf(product, target);
}

void fuse(KernelOp norm, const Target &target) {
  if (!isPlainNorm(norm))
    return;
  auto normed = norm.getInits()[0].getDefiningOp<memref::AllocOp>();
  std::optional<SmallVector<Operation *>> users = usersOf(normed);
  if (!users || users->size() < 2 || users->front() != norm)
    return;
  Operation *reader = (*users)[1];
  SmallVector<MatmulOp> products = productsOf(reader);
  if (products.empty() || !llvm::all_of(products, [&](MatmulOp each) { return multiplies(each, normed, target); }) ||
      !canMeet({norm, reader}))
    return;
  makeLaunch("normed_products", {norm, reader}, [&](memref::AllocOp buffer) { return buffer == normed; });
}

} // namespace

LogicalResult normsIntoProducts(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  SmallVector<KernelOp> norms;
  module.walk([&](KernelOp op) {
    if (op.hasPureBufferSemantics())
      norms.push_back(op);
  });
  for (KernelOp norm : norms)
    fuse(norm, target);
  return success();
}

} // namespace sinter
