// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_time.h"

#include "codegen/launches/launch_forms.h"
#include "codegen/report/report.h"
#include "codegen/text/element_text.h"
#include "ir/work.h"
#include "kernels/cuda/support/block_fold.h"
#include "kernels/cuda/support/product_work.h"
#include "kernels/kernel.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// The blocks of a launch; nothing where they are no numbers.
std::optional<double> blocksOf(const Launch &launch) {
  double blocks = 1;
  for (const PrintedCode *part : {&launch.x, &launch.y, &launch.z}) {
    int64_t number = 0;
    if (part->text().getAsInteger(10, number))
      return std::nullopt;
    blocks *= static_cast<double>(number);
  }
  return blocks;
}

void addBytes(Operation *op, GpuWork &work) {
  Work sizes;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType())) {
      double bytes =
          static_cast<double>(sizes.elements(operand)) * static_cast<double>(memoryBytes(type.getElementType()));
      bool isConstant = isa_and_nonnull<ConstantOp>(bufferOf(operand).getDefiningOp());
      (isConstant ? work.weightBytes : work.mapBytes) += bytes;
    }
}

/// What no record describes: threads share the innermost loop's iterations, and a few loads are under way at a time.
std::optional<GpuWork> plainWork(Operation *op, const Launch &launch, double iterations) {
  constexpr double warp = 32, perIteration = 8, loadsAtATime = 4, oneThread = 32;
  std::optional<double> blocks = blocksOf(launch);
  if (!blocks)
    return std::nullopt;
  GpuWork work;
  work.blocks = *blocks;
  work.threads = launch.threads;
  work.sharedBytes = launch.sharedBytes;
  double threads = static_cast<double>(launch.threads);
  // A block of one warp is the form of templates that one thread runs.
  double sharers = threads <= oneThread ? 1 : *blocks * threads;
  work.steps = std::max(std::ceil(iterations / sharers), 1.0);
  work.instructions = threads / warp * perIteration;
  work.ahead = loadsAtATime;
  addBytes(op, work);
  work.fetched = (work.weightBytes + work.mapBytes) / (*blocks * work.steps);
  return work;
}

template <class Contraction>
std::optional<GpuWork> recordedWork(Contraction op, const Target &target) {
  const auto *kernel = kernelOf(op);
  return kernel && kernel->work ? kernel->work(op, target) : std::nullopt;
}
/// A warp for each row, where their number is known.
std::optional<GpuWork> normWork(KernelOp norm) {
  auto rows = cast<MemRefType>(norm.getInputs()[0].getType());
  if (!rows.hasStaticShape())
    return std::nullopt;
  auto size = static_cast<double>(std::max<int64_t>(rows.getShape().back(), 1));
  GpuWork work = normRowsWork(static_cast<double>(rows.getNumElements()) / size, size,
                              static_cast<double>(memoryBytes(rows.getElementType())));
  work.mapBytes = 0;
  addBytes(norm, work);
  return work;
}
/// Of a reduction whose elements the threads of a block share.
std::optional<GpuWork> sharedWork(linalg::GenericOp nest) {
  std::optional<BlockFold> fold = blockFoldOf(nest);
  DimBounds bounds;
  std::optional<FoldSizes> sizes = fold ? foldSizesOf(nest, bounds) : std::nullopt;
  if (!sizes || sizes->results != sizes->mostResults)
    return std::nullopt;
  return blockFoldWork(*sizes, *fold);
}
/// Of what has a record: contractions, and templates of which one was chosen; of norms and reductions.
std::optional<GpuWork> workOf(Operation *op, const Target &target) {
  if (auto conv = dyn_cast<ConvOp>(op))
    return recordedWork(conv, target);
  auto launch = op->getParentOfType<LaunchOp>();
  if (auto kernel = dyn_cast<KernelOp>(op)) // in a launch norms are part of what is done with the products
    return kernel.getKernel() == "layer_norm" && !launch ? normWork(kernel) : recordedWork(kernel, target);
  if (auto nest = dyn_cast<linalg::GenericOp>(op))
    return sharedWork(nest);
  auto matmul = dyn_cast<MatmulOp>(op);
  if (matmul && launch && launch.getForm() == "normed_products")
    return kernelOf(matmul)->normed->work(matmul, target);
  return matmul ? recordedWork(matmul, target) : std::nullopt;
}

/// The works that follow each other in a launch.
std::optional<SmallVector<GpuWork>> worksOf(Operation *op, const Launch &launch, const Target &target) {
  auto several = dyn_cast<LaunchOp>(op);
  SmallVector<GpuWork> works;
  bool isBeside = several && several.getForm() != "in_turn" && several.getForm() != "reduction";
  for (Operation *each : several ? payloadsOf(several) : SmallVector<Operation *>{op}) {
    std::optional<GpuWork> work = workOf(each, target);
    if (!work && several)
      continue; // its bytes are the launch's
    if (!work)
      return std::nullopt;
    if (isBeside && !works.empty())
      works.back() = sideBySide(works.back(), *work);
    else
      works.push_back(*work);
  }
  if (works.empty())
    return std::nullopt;
  return works;
}

std::string choiceOf(Operation *op) {
  std::string choice;
  op->walk([&](Operation *inner) {
    for (StringRef name : {"kernel", "chosen"})
      if (auto kernel = inner->getAttrOfType<KernelAttr>(name); kernel && kernel.has("choice") && choice.empty())
        choice = kernel.text("choice").str();
  });
  return choice;
}

} // namespace

std::optional<DeviceTime> deviceTimeOf(const PrintedCall &call, const PrintedFunction &function, const Target &target,
                                       LaunchSequence &sequence) {
  if (!function.launch) {
    sequence.addUnknown();
    return std::nullopt;
  }
  Work sizes;
  std::optional<SmallVector<GpuWork>> works = worksOf(call.op, *function.launch, target);
  if (!works) {
    std::optional<GpuWork> work =
        plainWork(call.op, *function.launch, static_cast<double>(sizes.iterationsOf(call.op)));
    if (!work) {
      sequence.addUnknown();
      return std::nullopt;
    }
    works = {*work};
  }
  DeviceTime time;
  for (const GpuWork &work : *works) {
    time.weightBytes += work.weightBytes;
    time.mapBytes += work.mapBytes;
  }
  LaunchSequence::Timed timed = sequence.add(*works, function.bringsWeights);
  time.microseconds = timed.microseconds;
  time.gap = timed.gap;
  time.bound = timed.bound.str();
  time.flops = 2 * static_cast<double>(sizes.macsOf(call.op));
  time.choice = choiceOf(call.op);
  return time;
}

} // namespace sinter
