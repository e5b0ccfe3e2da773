// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attention_sizes.h"

#include "gpu_tile.h"
#include "ir/dim_bounds.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace sinter {
std::optional<AttentionSizes> attentionSizesOf(KernelOp op) {
  DimBounds bounds;
  bool isKnown = true;
  auto size = [&](Value buffer, int64_t dim) {
    int64_t high = bounds.ofDim(buffer, dim).high;
    isKnown &= high != INT64_MAX;
    return double(std::max<int64_t>(high, 1));
  };
  Value q = op.getInputs()[0], k = op.getInputs()[1], v = op.getInputs()[2], out = op.getInits()[0];
  AttentionSizes sizes;
  sizes.heads = size(q, 0) * size(q, 1);
  sizes.queries = size(q, 2);
  sizes.keys = size(k, 2);
  sizes.depth = size(q, 3);
  sizes.width = size(v, 3);
  sizes.elementBytes = cast<MemRefType>(q.getType()).getElementTypeBitWidth() / 8.0;
  sizes.hasMask = op.getInputs().size() > 3;
  sizes.isAligned = hasAlignedHeads(op);
  for (Value operand : op.getInputs())
    sizes.mapBytes += double(bounds.maxElements(operand).value_or(0)) *
                      cast<MemRefType>(operand.getType()).getElementTypeBitWidth() / 8.0;
  sizes.mapBytes += double(bounds.maxElements(out).value_or(0)) * sizes.elementBytes;
  return isKnown ? std::optional(sizes) : std::nullopt;
}

bool hasAlignedHeads(KernelOp op) {
  auto inputs = op.getInputs().take_front(3);
  // What a lane stores at once: two halves, or four floats.
  int64_t bits = cast<MemRefType>(op.getInits()[0].getType()).getElementTypeBitWidth(), run = bits < 32 ? 2 : 4;
  return llvm::all_of(inputs, hasAlignedRows) && areMultiples(op.getInits()[0], run * bits / 8);
}

GpuWork attentionRowsWork(const AttentionSizes &sizes, int64_t warpsOfQuery) {
  constexpr double widthOfPass = 4 * warp, perProduct = 4, perKey = 40, chunkBytes = 16;
  constexpr double loadsAtATime = 8;
  double warpsOfBlock = warpsOfQuery > 1 ? double(warpsOfQuery) : 4;
  double passes = std::ceil(sizes.width / widthOfPass), values = std::ceil(std::min(sizes.width, widthOfPass) / warp);
  // 32 keys, a lane for each, by loads of 16 bytes where these are aligned; then their values one by one. Loads,
  // conversions and places; exponentials, greatest and sum.
  double loads = sizes.isAligned ? sizes.depth * sizes.elementBytes / chunkBytes : sizes.depth;
  double stepsOfKeys = std::ceil((loads + warp) / loadsAtATime);
  GpuWork work;
  work.threads = int64_t(warpsOfBlock * warp);
  work.blocks = std::ceil(sizes.heads * sizes.queries / (warpsOfQuery > 1 ? 1 : warpsOfBlock));
  work.steps = passes * std::ceil(std::ceil(sizes.keys / warp) / double(warpsOfQuery)) * stepsOfKeys;
  work.instructions =
      warpsOfBlock * (loads * perProduct + sizes.depth * 2 + warp * (values * perProduct + 2) + perKey) / stepsOfKeys;
  work.floatMacs = warpsOfBlock * warp * (sizes.depth + values * warp) / stepsOfKeys;
  work.fetched = warpsOfBlock * warp * (sizes.depth + sizes.width / passes) * sizes.elementBytes / stepsOfKeys;
  // Lanes load from a row each, so a load of keys takes 32 lines of L1, one of values takes one. Two clocks each, as
  // 200 bytes of shared memory: 128 queries and keys of 12 heads of 64 floats, 32 us on an H200. Blocks whose warps
  // share keys have fewer of them at a time: these are not counted.
  constexpr double bytesOfLine = 200;
  if (warpsOfQuery == 1)
    work.sharedTraffic = warpsOfBlock * warp * (loads + values) * bytesOfLine / stepsOfKeys;
  if (warpsOfQuery > 1) { // what each has seen is merged
    work.sharedBytes = int64_t(warpsOfBlock * (widthOfPass + 2)) * 4;
    work.once = passes * warpsOfBlock * (warpsOfBlock * 6 + 40);
  }
  work.mapBytes = sizes.mapBytes;
  return work;
}

GpuWork attentionTilesWork(const AttentionSizes &sizes, const cuda::AttentionShape &shape, const GpuModel &gpu) {
  constexpr double chunkBytes = 16, unitBytes = 32;
  double depth = shape.depth, width = shape.width, keys = shape.tileKeys(), queries = shape.queries();
  double warps = shape.threads() / warp, bytes = shape.elementBytes;
  bool isSplit = shape.elementBytes == 4;
  int64_t held = std::min(shape.depth * shape.elementBytes, 256) / 8;
  GpuWork work;
  work.threads = shape.threads();
  work.blocks = sizes.heads * std::ceil(sizes.queries / queries);
  work.sharedBytes = shape.sharedBytes();
  // Sums, queries, scores and their mask, and what addresses take: about what ptxas says. Floats' scores have sums that
  // are added to them, and become two operands.
  work.registers = std::min<int64_t>(255, 48 + shape.width / 2 + held + shape.keys * (isSplit ? 6 : 1) / 2);
  work.steps = std::ceil(sizes.keys / keys);
  // An instruction of the unit is 16 x 8 sums of 32 bytes; half a load of matrices goes with each. Floats take three of
  // them, and two instructions to split each word. A lane has a half of the keys' scores of 16 rows, and scales its
  // sums.
  constexpr double perScore = 14, perChunk = 8;
  double perUnit = isSplit ? 4 : 1.6, products = isSplit ? 3 : 1;
  double units = products * queries * keys * (depth + width) * bytes / (16 * 8 * unitBytes);
  double chunks = (depth + width) * bytes / chunkBytes;
  work.instructions = units * perUnit + queries * keys / warp * (perScore + (sizes.hasMask ? 6 : 0)) +
                      warps * (width / 2 + 40) +
                      keys * chunks / warp * (sizes.isAligned ? perChunk : 6 * chunkBytes / bytes);
  // Products wait for each other, then the softmax for all: a warp begins an instruction every other clock.
  work.chain = 2 * work.instructions / warps;
  work.matrixMacs = products * queries * keys * (depth + width) * bytes / 2;
  work.sharedTraffic = (shape.rowWarps + 1.0) * keys * (depth + width) * bytes;
  work.fetched = keys * (depth + width) * bytes;
  work.ahead = gpu.copiesAsynchronously && sizes.isAligned ? shape.stages : 1;
  work.once = queries * (depth * bytes / chunkBytes * perChunk + width * 4) / warp + 100 * warps;
  if (shape.keyWarps > 1)
    work.once += queries * width / warp * (2.0 * shape.keyWarps + 6);
  work.mapBytes = sizes.mapBytes;
  return work;
}

} // namespace sinter
