// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: a LayerNormalization (or RMSNormalization) and the products that read its result are one launch: blocks of a
// product find the mean and the scale of their own rows and normalise what they fetch. That is a second read of a few
// rows, from the cache, for a launch and a pass over memory less. What others read of the result later is stored.
//
// Preconditions: float or halves, rows without gaps, as long as the products' k; a form of a kernel that normalises
// rows, which takes hardly longer than the norm, a gap and the products by their own kernels one after the other.
#include "passes/passes.h"

#include "kernels/cuda/support/tile_choice.h"
#include "kernels/kernel.h"
#include "memory/footprint.h"
#include "passes/launches/support/grid_of.h"
#include "passes/launches/support/launches.h"

using namespace mlir;

namespace sinter {
namespace {

/// What a launch more has to save, in microseconds: the model knows it no better.
constexpr double leastGainOfNorms = 0.3;

/// Rows that stay of their type, by scales of one type.
bool isPlainNorm(KernelOp norm) {
  if (norm.getKernel() != "layer_norm" || norm.getInits().size() != 1 || norm.getInputs().size() < 2)
    return false;
  for (Value operand : norm->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || !isa<FloatType>(type.getElementType()) || type.getElementTypeBitWidth() > 32 ||
        !type.hasStaticShape() || !type.getLayout().isIdentity())
      return false;
  }
  OperandRange inputs = norm.getInputs();
  return inputs[0].getType() == norm.getInits()[0].getType() &&
         llvm::all_of(inputs.drop_front(), [&](Value each) { return each.getType() == inputs[1].getType(); }) &&
         norm.getInits()[0].getDefiningOp<memref::AllocOp>() != nullptr;
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
  return type.getElementType() == normed.getType().getElementType() && !product.getTransposeLhs() &&
         rootOf(product.getLhs()) == normed.getResult() && !readsElsewhere && type.hasStaticShape() &&
         type.getLayout().isIdentity() && type.getNumElements() == normed.getType().getNumElements() &&
         type.getShape().back() == normed.getType().getShape().back() && gridOf(product, target);
}

/// How long the products take side by side as they are; nothing where it does not show.
std::optional<double> microsecondsOf(ArrayRef<MatmulOp> products, const Target &target) {
  std::optional<GpuWork> all;
  for (MatmulOp product : products) {
    std::optional<GpuWork> each = kernelOf(product)->work(product, target);
    if (!each)
      return std::nullopt;
    all = all ? sideBySide(*all, *each) : *each;
  }
  return timeInSequence(target.gpu, *all).microseconds;
}

/// The products as one kernel that normalises rows takes them.
struct NormedProducts {
  SmallVector<KernelAttr> kernels;
  std::vector<TileWay> ways; ///< of all together, the fastest first
};

KernelAttr asIfNoneWasChosen(const MatmulKernel &kernel, MatmulOp product, const Target &target) {
  KernelAttr chosen = product.getKernelAttr();
  product.removeKernelAttr();
  StringRef whyNot;
  KernelAttr settled = kernel.settle(product, target, whyNot);
  product.setKernelAttr(chosen);
  return settled;
}

/// The fastest kernel's, whichever the products have without the norm.
NormedProducts fastestForm(ArrayRef<MatmulOp> products, const Target &target) {
  NormedProducts best;
  for (const Kernel &kernel : kernels()) {
    if (!kernel.isForGpu || !kernel.matmul || !kernel.matmul->normed)
      continue;
    NormedProducts form;
    SmallVector<std::vector<TileWay>> all;
    for (MatmulOp product : products) {
      form.kernels.push_back(asIfNoneWasChosen(*kernel.matmul, product, target));
      all.push_back(form.kernels.back() ? kernel.matmul->normed->ways(product, target) : std::vector<TileWay>());
    }
    form.ways = waysTogether(all, target); // none, where one of the products has none
    if (!form.ways.empty() && (best.ways.empty() || form.ways.front().microseconds < best.ways.front().microseconds))
      best = form;
  }
  return best;
}

/// Gives the products a kernel that normalises rows, the same tile to all, if the launch and the pass over memory that
/// this saves are worth what each block does again.
bool takeNormedForm(KernelOp norm, ArrayRef<MatmulOp> products, const Target &target) {
  auto rows = cast<MemRefType>(norm.getInputs()[0].getType());
  auto size = static_cast<double>(rows.getShape().back()), count = static_cast<double>(rows.getNumElements()) / size;
  NormedProducts form = fastestForm(products, target);
  if (form.ways.empty())
    return false;
  double alone =
      timeInSequence(target.gpu, normRowsWork(count, size, rows.getElementTypeBitWidth() / 8.0)).microseconds;
  std::optional<double> apart = microsecondsOf(products, target);
  // Where launches overlap, a norm is too short for the weights behind it to come in time: all of the gap counts.
  if (apart && form.ways.front().microseconds > *apart + alone + target.gpu.gapMicroseconds + leastGainOfNorms)
    return false;
  for (auto [product, kernel] : llvm::zip(products, form.kernels))
    MatmulOp(product).setKernelAttr(withTile(kernel, form.ways));
  return true;
}

void fuseNorm(KernelOp norm, const Target &target) {
  if (!isPlainNorm(norm))
    return;
  auto normed = norm.getInits()[0].getDefiningOp<memref::AllocOp>();
  std::optional<SmallVector<Operation *>> users = usersOf(normed);
  if (!users || users->size() < 2 || users->front() != norm)
    return;
  Operation *reader = (*users)[1];
  SmallVector<MatmulOp> products = productsOf(reader);
  if (products.empty() || !llvm::all_of(products, [&](MatmulOp each) { return multiplies(each, normed, target); }) ||
      !canMeet({norm, reader}) || !takeNormedForm(norm, products, target))
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
    fuseNorm(norm, target);
  return success();
}

} // namespace sinter
