// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer is filled, then a kernel writes a part of it, all of that part and without a look: a feature map inside of
// its padding. The fill writes only what stays of it, the halo: what is in front of the part in memory, the gaps
// between its rows, what is behind it (templates/maps/fill_halo.h). Works on buffer IR, where the order of readers and
// writers is fixed.
//
// Precondition: sizes and places are known, nobody looks at the buffer between the fill and the kernel, and the part is
// large, with long rows.
#include "passes/passes.h"

#include "ir/value_names.h"
#include "memory/aliases.h"
#include "memory/footprint.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace sinter;

namespace {

/// That a fill need not write: of a row, below which one fill of everything is as fast, and of all rows, below which
/// code for the halo costs more than it saves.
constexpr int64_t leastRowBytes = 128, leastHaloBytes = 2048;

int64_t footprintElements(const Footprint &part) {
  int64_t product = 1;
  for (Footprint::Dim dim : part.dims)
    product *= dim.size;
  return product;
}

/// Both as one part, if `b` goes on where `a` ends in some dim: two parts of a concatenation.
std::optional<Footprint> joined(const Footprint &a, const Footprint &b, MLIRContext *context) {
  if (a.dims.size() != b.dims.size())
    return std::nullopt;
  SmallVector<int64_t> sizes, strides;
  bool isJoined = false;
  for (auto [dim, other] : llvm::zip(a.dims, b.dims)) {
    if (dim.stride != other.stride)
      return std::nullopt;
    bool isHere = !isJoined && b.offset - a.offset == dim.size * dim.stride;
    if (!isHere && dim.size != other.size)
      return std::nullopt;
    isJoined |= isHere;
    sizes.push_back(isHere ? dim.size + other.size : dim.size);
    strides.push_back(dim.stride);
  }
  auto layout = StridedLayoutAttr::get(context, a.offset, strides);
  return isJoined ? footprintOf(MemRefType::get(sizes, IntegerType::get(context, 8), layout)) : std::nullopt;
}

class FrameFill {
public:
  explicit FrameFill(linalg::FillOp fill)
      : fill(fill), target(fill.getOutputs()[0]), root(rootOf(target)), type(cast<MemRefType>(target.getType())) {}

  void run() {
    Operation *maker = root.getDefiningOp();
    if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat() || type.getElementTypeBitWidth() < 8 ||
        !isa_and_nonnull<memref::AllocOp, OutputOp>(maker) || maker->getBlock() != fill->getBlock() ||
        !isEvenlySpaced())
      return;
    SmallVector<Footprint> parts = overwritten();
    if (parts.empty())
      return;
    Footprint part = *llvm::max_element(
        parts, [](const Footprint &a, const Footprint &b) { return footprintElements(a) < footprintElements(b); });
    if (part.dims.empty() || part.dims.back().stride != 1)
      part.dims.push_back({1, 1});
    bool isAll = part.dims[0].size == count;
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    SmallVector<Value> halo;
    if (!isAll && (part.dims.back().size * bytes < leastRowBytes || footprintElements(part) * bytes < leastHaloBytes ||
                   !makeHalo(part, halo)))
      return;
    if (!isAll) {
      OpBuilder b(fill);
      b.create<KernelOp>(withoutValueNames(fill.getLoc()), TypeRange(), "fill_halo", fill.getInputs(), halo,
                         b.getDictionaryAttr({}), "");
    }
    fill.erase();
  }

private:
  /// Precondition: what is filled are `count` elements, `unit` apart from each other. Then they are numbers
  /// 0 .. count - 1, and so footprints are given from here on.
  bool isEvenlySpaced() {
    std::optional<Footprint> whole = footprintOf(type);
    if (!whole || whole->dims.size() != 1)
      return false;
    first = whole->offset;
    unit = whole->dims[0].stride;
    count = whole->dims[0].size;
    return true;
  }

  /// Nullopt if any of it is outside of what is filled.
  std::optional<Footprint> numbered(Footprint part) {
    part.offset -= first;
    int64_t last = part.offset;
    bool fits = part.offset >= 0 && part.offset % unit == 0;
    for (Footprint::Dim &dim : part.dims) {
      fits &= dim.stride % unit == 0;
      last += (dim.size - 1) * dim.stride;
      dim.stride /= unit;
    }
    part.offset /= unit;
    return fits && last / unit < count ? std::optional(part) : std::nullopt;
  }

  /// The parts that are written right behind the fill, before anybody reads, adjacent ones joined.
  SmallVector<Footprint> overwritten() {
    Block *block = fill->getBlock();
    std::optional<Footprint> filled = footprintOf(type);
    llvm::MapVector<Operation *, SmallVector<OpOperand *, 1>> touches;
    forEachTouch(root, [&](OpOperand &use) {
      Operation *op = block->findAncestorOpInBlock(*use.getOwner());
      if (op && fill->isBeforeInBlock(op) && !areDisjoint(footprintOf(cast<MemRefType>(use.get().getType())), filled))
        touches[op].push_back(&use);
    });
    auto inOrder = touches.takeVector();
    llvm::sort(inOrder, [](auto &a, auto &b) { return a.first->isBeforeInBlock(b.first); });
    SmallVector<Footprint> parts;
    for (auto &[op, uses] : inOrder) {
      std::optional<Footprint> part = uses.size() == 1 ? writtenBy(op, *uses[0]) : std::nullopt;
      if (!part)
        break;
      for (size_t i = 0; i < parts.size();) {
        std::optional<Footprint> both = joined(parts[i], *part, op->getContext());
        if (!both)
          both = joined(*part, parts[i], op->getContext());
        if (!both) {
          ++i;
          continue;
        }
        part = both;
        parts.erase(parts.begin() + static_cast<ptrdiff_t>(i));
        i = 0;
      }
      parts.push_back(*part);
    }
    return parts;
  }

  /// What `op` writes through `use`, all of it and without a look.
  std::optional<Footprint> writtenBy(Operation *op, OpOperand &use) {
    auto view = cast<MemRefType>(use.get().getType());
    if (use.getOwner() != op || rootOf(use.get()) != root || view.getElementType() != type.getElementType() ||
        !view.hasStaticShape() || view.getNumElements() == 0 || mayRead(use) || op->hasAttr("updates"))
      return std::nullopt;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!isa<memref::CopyOp>(op) && !(dps && dps.isDpsInit(&use)))
      return std::nullopt;
    if (auto loops = dyn_cast<linalg::LinalgOp>(op);
        loops && !loops.getMatchingIndexingMap(&use).isProjectedPermutation())
      return std::nullopt;
    std::optional<Footprint> part = footprintOf(view);
    return part ? numbered(*part) : std::nullopt;
  }

  /// Views of all that is not in `part`. False if the part runs into itself.
  bool makeHalo(const Footprint &part, SmallVectorImpl<Value> &halo) {
    SmallVector<int64_t> gaps(part.dims.size()); // behind an index of each dim, up to the next
    int64_t extent = 1;                          // of what is inside the dim
    for (size_t dim = part.dims.size(); dim-- > 0;) {
      gaps[dim] = part.dims[dim].stride - extent;
      if (gaps[dim] < 0)
        return false;
      extent += (part.dims[dim].size - 1) * part.dims[dim].stride;
    }
    addView(halo, 0, {part.offset}, {1});
    SmallVector<int64_t> sizes, strides;
    for (auto [dim, gap] : llvm::zip(part.dims, gaps)) {
      sizes.append({dim.size - 1, gap});
      strides.append({dim.stride, 1});
      addView(halo, part.offset + dim.stride - gap, sizes, strides);
      sizes.pop_back();
      strides.pop_back();
      sizes.back() = dim.size;
    }
    addView(halo, part.offset + extent, {count - part.offset - extent}, {1});
    return true;
  }

  /// Unless it is empty.
  void addView(SmallVectorImpl<Value> &halo, int64_t offset, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
    if (llvm::is_contained(sizes, 0))
      return;
    OpBuilder b(fill);
    SmallVector<int64_t> steps(llvm::map_range(strides, [&](int64_t stride) { return stride * unit; }));
    int64_t start = first + offset * unit;
    auto layout = StridedLayoutAttr::get(b.getContext(), start, steps);
    auto view = MemRefType::get(sizes, type.getElementType(), layout, type.getMemorySpace());
    halo.push_back(b.create<memref::ReinterpretCastOp>(fill.getLoc(), view, root, start, sizes, steps));
  }

  linalg::FillOp fill;
  Value target, root;
  MemRefType type;
  int64_t first = 0, unit = 1, count = 0;
};

} // namespace

LogicalResult sinter::fillHalos(ModuleOp module) {
  SmallVector<linalg::FillOp> fills;
  module.walk([&](Operation *op) {
    if (isa<ConstantOp>(op))
      return WalkResult::skip();
    if (auto fill = dyn_cast<linalg::FillOp>(op); fill && fill.hasPureBufferSemantics())
      fills.push_back(fill);
    return WalkResult::advance();
  });
  for (linalg::FillOp fill : fills)
    FrameFill(fill).run();
  return success();
}
