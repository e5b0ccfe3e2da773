// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an attention adds to its scores is made once for all members of a batch, heads and queries that it is the same
// for: the kernel reads a dim of size 1 again and again. Zeros are not added at all. Exporters spread masks over a
// batch before they know what is in them. Where heads of a group lie one behind the other as queries of one, a CPU's
// kernel goes through the rows of one head again and again. Precondition: the mask is made by a loop nest, whose body
// fuse_elementwise has put together.
#include "passes/passes.h"

#include "builders/sizes.h"
#include "builders/tensors.h"
#include "dialect.h"
#include "target/target.h"

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

/// Whether each of its loops goes along a dim of its one result.
bool fillsOneResult(linalg::GenericOp nest) {
  return nest && nest->getNumResults() == 1 && nest.getNumReductionLoops() == 0 &&
         nest.getMatchingIndexingMap(nest.getDpsInitOperand(0)).isIdentity();
}

/// The same with a size of 1 along these dims.
Value madeOnce(linalg::GenericOp nest, ArrayRef<int64_t> alike) {
  OpBuilder b(nest);
  Sizes sizes = dimsOf(b, nest.getLoc(), nest.getDpsInits()[0]);
  for (int64_t d : alike)
    sizes[static_cast<size_t>(d)] = sizeOf(b, 1);
  Value init = b.create<tensor::EmptyOp>(nest.getLoc(), sizes,
                                         cast<RankedTensorType>(nest->getResult(0).getType()).getElementType());
  auto once = cast<linalg::GenericOp>(b.clone(*nest));
  once.getDpsInitsMutable()[0].set(init);
  once->getResult(0).setType(cast<RankedTensorType>(init.getType()));
  return once->getResult(0);
}

/// The mask with a size of 1 along all but the last of its dims that it is the same along; null if there is none.
Value narrowed(Value mask) {
  auto collapse = mask.getDefiningOp<tensor::CollapseShapeOp>();
  auto nest = (collapse ? collapse.getSrc() : mask).getDefiningOp<linalg::GenericOp>();
  if (!fillsOneResult(nest))
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
  Value once = madeOnce(nest, alike);
  if (!collapse)
    return once;
  OpBuilder b(collapse);
  return b.create<tensor::CollapseShapeOp>(collapse.getLoc(), once, collapse.getReassociationIndices());
}

/// What the nest takes its numbers from, place by place, along `spread` always from the first; null if it computes
/// anything.
Value copiedBy(linalg::GenericOp nest, size_t spread) {
  Operation *end = nest.getBody()->getTerminator();
  auto read = end->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  if (!read || read->getBlock() != nest.getBody())
    return nullptr;
  OpBuilder b(nest);
  Sizes from = dimsOf(b, nest.getLoc(), read.getTensor()), to = dimsOf(b, nest.getLoc(), nest.getDpsInits()[0]);
  if (from.size() != to.size())
    return nullptr;
  for (auto [d, place] : llvm::enumerate(read.getIndices())) {
    auto index = place.getDefiningOp<linalg::IndexOp>();
    bool isSame = index && index.getDim() == d && sameSize(from[d], to[d]);
    bool isFirst = matchPattern(place, m_Zero()) && constantOf(from[d]) == 1 && (d == spread || constantOf(to[d]) == 1);
    if (!isSame && !isFirst)
      return nullptr;
  }
  return read.getTensor();
}

/// Rows of [batch, heads, queries, keys]: a nest, or places of it that are cut out.
struct MaskPlaces {
  linalg::GenericOp nest;
  Sizes offsets, sizes;
};

/// Places that are cut out of a nest whose dims of one element count for nothing: expanded, cut, collapsed.
std::optional<MaskPlaces> cutOut(tensor::ExtractSliceOp slice) {
  auto expand = slice.getSource().getDefiningOp<tensor::ExpandShapeOp>();
  MaskPlaces places{
      (expand ? Value(expand.getSrc()) : Value(slice.getSource())).getDefiningOp<linalg::GenericOp>(), {}, {}};
  auto sizeOne = [&](int64_t d) { return slice.getSourceType().getDimSize(d) == 1; };
  if (!places.nest || !llvm::all_of(slice.getMixedStrides(), [](Size step) { return constantOf(step) == 1; }) ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return std::nullopt;
  int64_t rank = cast<RankedTensorType>(places.nest->getResult(0).getType()).getRank();
  for (int64_t d = 0; d < rank; ++d) {
    ReassociationIndices dims = expand ? expand.getReassociationIndices()[d] : ReassociationIndices{d};
    int64_t found = dims.front();
    for (int64_t dim : dims)
      found = sizeOne(dim) ? found : dim;
    if (llvm::count_if(dims, sizeOne) + 1 < static_cast<int64_t>(dims.size()))
      return std::nullopt;
    places.offsets.push_back(slice.getMixedOffsets()[found]);
    places.sizes.push_back(slice.getMixedSizes()[found]);
  }
  return places;
}

/// Of a mask that spreads rows of all heads over the heads of a group, [batch, 1, heads * queries, keys], these rows:
/// [batch, 1, queries, keys]. Null where it is none.
Value ofOneHead(Value mask) {
  Value source = mask;
  while (Operation *reshape = source.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(reshape))
      break;
    source = reshape->getOperand(0);
  }
  OpBuilder b(mask.getContext());
  b.setInsertionPointAfterValue(mask);
  std::optional<MaskPlaces> places;
  auto slice = source.getDefiningOp<tensor::ExtractSliceOp>();
  if (slice)
    places = cutOut(slice);
  else if (auto nest = source.getDefiningOp<linalg::GenericOp>())
    places = MaskPlaces{nest, Sizes(4, sizeOf(b, 0)), dimsOf(b, nest.getLoc(), nest.getDpsInits()[0])};
  if (source == mask || !places || !fillsOneResult(places->nest) || places->sizes.size() != 4)
    return nullptr;
  Sizes joined = dimsOf(b, mask.getLoc(), mask), spread = dimsOf(b, mask.getLoc(), places->nest.getDpsInits()[0]);
  bool areJoined = constantOf(joined[1]) == 1 && sameSize(joined[0], places->sizes[0]) &&
                   sameSize(joined[3], places->sizes[3]) && sameSize(spread[1], places->sizes[1]);
  if (!areJoined || !isSameAlong(places->nest, 1))
    return nullptr;
  Value once = copiedBy(places->nest, 1);
  if (!once)
    once = madeOnce(places->nest, 1);
  if (!slice)
    return once;
  places->offsets[1] = sizeOf(b, 0);
  places->sizes[1] = sizeOf(b, 1);
  return b.create<tensor::ExtractSliceOp>(mask.getLoc(), once, places->offsets, places->sizes, Sizes(4, sizeOf(b, 1)));
}

void dropMask(KernelOp kernel) {
  kernel.getInputsMutable().erase(maskOperand);
  std::string signedness = kernel.getSignedness().str();
  if (signedness.size() > maskOperand)
    kernel.setSignedness(signedness.erase(maskOperand, 1));
}

} // namespace

LogicalResult narrowMasks(ModuleOp module, const Target &target) {
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
    if (isNew) {
      found->second = narrowed(mask);
      if (!found->second && !target.isGpu())
        found->second = ofOneHead(mask);
    }
    if (found->second)
      kernel->setOperand(maskOperand, found->second);
  }
  return success();
}

} // namespace sinter
