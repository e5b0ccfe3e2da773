// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention on the matrix unit, in halves and in floats: templates/cuda/attention_tiles.h. Of tiles with few and many
// queries, whose keys one warp has or several share, the one with the least modelled time is taken.
#include "kernels/cuda/support/attention_sizes.h"
#include "kernels/cuda/support/gpu_tile.h"
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/kernel.h"

#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;

namespace sinter {
namespace {

using Shape = cuda::AttentionShape;

struct Way {
  Shape shape;
  GpuWork work;
  double microseconds;
};

/// Of a head's size, what tiles have room for: multiples of 32, and of 64 where there are more than three of these.
int roomFor(int64_t size) {
  int64_t unit = size > 96 ? 64 : 32;
  return int(llvm::divideCeil(size, unit) * unit);
}
/// What registers hold of sums. Floats have others besides, that are added to them.
int64_t widestHead(const Target &target, Type element) {
  return element.isF32() || target.sms.front() < 80 ? 128 : 256;
}
int64_t lastSize(Value buffer) { return cast<MemRefType>(buffer.getType()).getShape().back(); }

/// The fastest first; none where a head's size is not known or no tile fits.
std::vector<Way> waysOf(KernelOp op, const Target &target) {
  if (ShapedType::isDynamic(lastSize(op.getInputs()[0])) || ShapedType::isDynamic(lastSize(op.getInputs()[2])))
    return {};
  // rowWarps, keyWarps, keys of a warp, stages
  constexpr int table[][4] = {{1, 1, 32, 2}, {2, 1, 32, 2}, {4, 1, 32, 2}, {4, 1, 64, 2}, {1, 2, 32, 2}, {1, 4, 32, 2},
                              {1, 8, 32, 2}, {2, 2, 32, 2}, {2, 4, 32, 2}, {1, 2, 32, 1}, {1, 4, 32, 1}, {1, 8, 16, 1},
                              {2, 2, 32, 1}, {2, 4, 32, 1}, {1, 1, 16, 2}, {1, 4, 16, 1}, {4, 1, 16, 2}};
  AttentionSizes sizes = attentionSizesOf(op).value_or(AttentionSizes{16, 1024, 1024, 64, 64, 2, 0, false, true});
  int depth = roomFor(lastSize(op.getInputs()[0])), width = roomFor(lastSize(op.getInputs()[2]));
  int bytes = int(getElementTypeOrSelf(op.getInputs()[0].getType()).getIntOrFloatBitWidth() / 8);
  std::vector<Way> ways;
  for (auto [rowWarps, keyWarps, keys, stages] : table) {
    Shape shape{depth, width, rowWarps, keyWarps, keys, stages, bytes};
    // Wide heads take most registers for sums; what scores take is kept small.
    int mostKeys = width * bytes <= 192 ? 64 : width * bytes <= 256 ? 32 : 16;
    if (shape.sharedBytes() > target.gpu.sharedPerBlock || keys > mostKeys)
      continue;
    GpuWork work = attentionTilesWork(sizes, shape, target.gpu);
    ways.push_back({shape, work, timeOf(target.gpu, work).microseconds});
  }
  llvm::stable_sort(ways, [](const Way &a, const Way &b) { return a.microseconds < b.microseconds; });
  return ways;
}

SmallVector<int64_t> numbersOfShape(const Shape &s) {
  return {s.depth, s.width, s.rowWarps, s.keyWarps, s.keys, s.stages};
}
std::string describeAttentionTiles(const Way &way) {
  return llvm::formatv("{0} queries x {1} keys by {2} warps in {3} stages, {4:f1} us", way.shape.queries(),
                       way.shape.tileKeys(), way.shape.rowWarps * way.shape.keyWarps, way.shape.stages,
                       way.microseconds);
}
/// The one that the op's parameters say; else the first.
Way wayOf(KernelOp op, const Target &target) {
  std::vector<Way> ways = waysOf(op, target);
  KernelAttr chosen = chosenKernel(op);
  for (const Way &way : ways)
    if (chosen && chosen.numbers("tile") == ArrayRef(numbersOfShape(way.shape)))
      return way;
  return ways.front();
}

KernelAttr settleAttentionTiles(KernelOp op, const Target &target, StringRef &whyNot) {
  Type element = getElementTypeOrSelf(op.getInputs()[0].getType());
  int64_t depth = lastSize(op.getInputs()[0]), width = lastSize(op.getInputs()[2]);
  SmallVector<Value> rows(op.getInputs().take_front(3));
  rows.push_back(op.getInits()[0]);
  if (llvm::any_of(rows, [&](Value each) { return getElementTypeOrSelf(each.getType()) != element; }) ||
      !(element.isF16() || element.isBF16() || element.isF32()))
    whyNot = "operands that are not halves or floats of one type";
  else if (!hasMatrixUnit(target, element))
    whyNot = "a GPU of the target has no matrix unit for them";
  else if (ShapedType::isDynamic(depth) || ShapedType::isDynamic(width) ||
           std::max(depth, width) > widestHead(target, element))
    whyNot = "heads that are wider than registers hold";
  else if (!llvm::all_of(rows, isSmall))
    whyNot = "operands of 2^31 elements and more";
  else if (std::vector<Way> ways = waysOf(op, target); ways.empty())
    whyNot = "no tile fits into the shared memory of a GPU of the target";
  else {
    Builder b(op.getContext());
    std::string choice = describeAttentionTiles(ways.front());
    if (ways.size() > 1)
      choice += "; then " + describeAttentionTiles(ways[1]);
    return KernelAttr::get(op.getContext(), "attention_tiles", DictionaryAttr::get(op.getContext()))
        .with("tile", b.getDenseI64ArrayAttr(numbersOfShape(ways.front().shape)))
        .with("choice", b.getStringAttr(choice));
  }
  return {};
}

/// The tile as the source names it; lasts.
StringRef typeOf(Type element, const Shape &s) {
  static std::map<std::string, std::string> all;
  std::string type = llvm::formatv("cuda::AttentionTile<{0}, {1:$[, ]}>", elementName(element, false),
                                   llvm::iterator_range(numbersOfShape(s)));
  return all.try_emplace(type, type).first->second;
}

ContractionCall callOfAttentionTiles(KernelOp op, const Target &target) {
  Shape shape = wayOf(op, target).shape;
  bool isAligned = hasAlignedHeads(op);
  ContractionCall call;
  call.kind = "attention_heads";
  constexpr int64_t products = 3; // of floats
  call.why = llvm::formatv("{0}, a tile of queries a block{1}: attentionTiles",
                           onMatrixUnit(getElementTypeOrSelf(op.getInputs()[0].getType()), products),
                           isAligned ? "" : ", elements one by one");
  call.headers = {"templates/cuda/attention_tiles.h"};
  call.function = "cuda::attentionTiles";
  call.templateArguments = {named(typeOf(getElementTypeOrSelf(op.getInputs()[0].getType()), shape)),
                            named(isAligned ? "true" : "false")};
  call.rows = shape.queries();
  call.grid = GridOfTiles{shape.threads(), shape.sharedBytes()};
  return call;
}

std::optional<GpuWork> workOfAttentionTiles(KernelOp op, const Target &target) {
  bool isKnown = attentionSizesOf(op) && !waysOf(op, target).empty();
  return isKnown ? std::optional(wayOf(op, target).work) : std::nullopt;
}

} // namespace

Kernel attention_tiles_kernel() {
  TemplateKernel record{settleAttentionTiles, callOfAttentionTiles};
  record.work = workOfAttentionTiles;
  return {"attention_tiles", 0, record, "attention_heads"};
}

} // namespace sinter
