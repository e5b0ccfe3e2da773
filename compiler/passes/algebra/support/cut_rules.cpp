// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rule per kind of op: loop nests, products, kernels of rows, reshapes, and what joins or cuts along another dim.
#include "cut_rules.h"

#include "builders/polynomial_sizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {
namespace {

using CutOperands = SmallVector<CutOperand>;

int64_t rankOfTensor(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getRank(); }

bool hasSizeOne(Value tensor, int64_t dim) { return cast<RankedTensorType>(tensor.getType()).getDimSize(dim) == 1; }

/// Operands that a map of loops (or of the result's dims) places; false where one of them mixes positions.
bool addPlaced(CutOperands &cut, OpOperand &operand, AffineMap map, unsigned loop, int64_t inner) {
  bool isPlaced = false;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (!isa<AffineDimExpr>(expr) || isPlaced)
      return false;
    isPlaced = true;
    cut.push_back({&operand, {static_cast<int64_t>(dim), inner}});
  }
  return true;
}

/// What the body of a loop nest reads at its own position.
void addRead(OpBuilder &b, CutOperands &cut, tensor::ExtractOp read, unsigned loop, Size whole) {
  std::optional<int64_t> place;
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    auto own = index.getDefiningOp<linalg::IndexOp>();
    if (!own || own.getDim() != loop ||
        !sameSize(dimOf(b, read.getLoc(), read.getTensor(), static_cast<int64_t>(dim)), whole))
      continue;
    if (place) // of both dims: neither is cut
      return;
    place = static_cast<int64_t>(dim);
  }
  if (place)
    cut.push_back({&read.getTensorMutable(), {*place}});
}

std::optional<CutOperands> ofNest(OpBuilder &b, linalg::LinalgOp nest, Positions positions, Size whole, bool isPlain) {
  std::optional<unsigned> loop = loopOver(nest, positions.dim);
  if (!loop)
    return std::nullopt;
  CutOperands cut;
  for (OpOperand &operand : nest->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) &&
        !addPlaced(cut, operand, nest.getMatchingIndexingMap(&operand), *loop, positions.inner))
      return std::nullopt;
  bool asksIndex = false;
  for (Region &region : nest->getRegions())
    region.walk([&](Operation *inner) {
      auto index = dyn_cast<linalg::IndexOp>(inner);
      asksIndex |= index && index.getDim() == *loop;
      auto read = dyn_cast<tensor::ExtractOp>(inner);
      if (read && isPlain && !region.isAncestor(read.getTensor().getParentRegion()))
        addRead(b, cut, read, *loop, whole);
    });
  return asksIndex && !isPlain ? std::nullopt : std::optional(cut);
}

/// Rows of the left-hand side, or one of the batch's dims.
std::optional<CutOperands> ofProduct(MatmulOp matmul, Positions positions) {
  if (matmul.getInits().size() != 1 || matmul.getKernelAttr())
    return std::nullopt;
  int64_t rank = rankOfTensor(matmul.getInits()[0]);
  CutOperands cut{{&matmul.getInitsMutable()[0], positions}};
  if (positions.dim == rank - 1)
    return std::nullopt;
  if (positions.dim == rank - 2)
    cut.push_back({&matmul.getLhsMutable(),
                   {rankOfTensor(matmul.getLhs()) - (matmul.getTransposeLhs() ? 1 : 2), positions.inner}});
  else
    for (OpOperand *side : {&matmul.getLhsMutable(), &matmul.getRhsMutable()}) {
      int64_t dim = positions.dim - (rank - rankOfTensor(side->get()));
      if (dim >= 0 && !hasSizeOne(side->get(), dim))
        cut.push_back({side, {dim, positions.inner}});
    }
  auto maps = matmul.getEpilogueMaps().getAsValueRange<AffineMapAttr>();
  for (auto [operand, map] : llvm::zip_equal(matmul.getEpilogueInputsMutable(), maps))
    if (isa<RankedTensorType>(operand.get().getType()) &&
        !addPlaced(cut, operand, map, static_cast<unsigned>(positions.dim), positions.inner))
      return std::nullopt;
  return cut;
}

/// Kernels that treat rows each by itself. Behind the output of attention lies scratch, which is made anew.
std::optional<CutOperands> ofKernel(KernelOp kernel, Positions positions) {
  StringRef name = kernel.getKernel();
  if (kernel.getHeader())
    return std::nullopt;
  auto inputs = kernel.getInputsMutable();
  CutOperands cut{{&inputs[0], positions}, {&kernel.getInitsMutable()[0], positions}};
  if (name == "layer_norm" && kernel.getInits().size() == 1 && positions.dim == 0)
    return cut;
  if (name == "softmax" && kernel.getInits().size() == 1 && positions.dim != 1)
    return cut;
  if (name != "attention_heads" || positions.dim != 2)
    return std::nullopt;
  if (inputs.size() > 3 && !hasSizeOne(inputs[3].get(), 2)) // the mask
    cut.push_back({&inputs[3], positions});
  return cut;
}

/// Dims of the source joined: of those in the group the one with as many elements behind it as a position has, at most.
std::optional<CutOperands> ofCollapse(tensor::CollapseShapeOp collapse, Positions positions) {
  int64_t inner = positions.inner;
  ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
  const ReassociationIndices group = collapse.getReassociationIndices()[positions.dim];
  for (int64_t dim : llvm::reverse(group)) {
    if (shape[dim] == 1)
      continue;
    if (ShapedType::isDynamic(shape[dim]) || inner % shape[dim] != 0)
      return CutOperands{{&collapse.getSrcMutable(), {dim, inner}}};
    inner /= shape[dim];
  }
  return std::nullopt;
}

std::optional<CutOperands> ofExpand(tensor::ExpandShapeOp expand, Positions positions) {
  const SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
  for (const auto &[dim, group] : llvm::enumerate(groups)) {
    ArrayRef<int64_t> dims(group);
    if (!llvm::is_contained(dims, positions.dim))
      continue;
    int64_t inner = positions.inner;
    for (int64_t behind : dims.take_back(static_cast<size_t>(dims.back() - positions.dim))) {
      int64_t size = expand.getResultType().getDimSize(behind);
      if (ShapedType::isDynamic(size) || llvm::MulOverflow(inner, size, inner))
        return std::nullopt;
    }
    return CutOperands{{&expand.getSrcMutable(), {static_cast<int64_t>(dim), inner}}};
  }
  return std::nullopt;
}

/// All of that dim, as many dims.
std::optional<CutOperands> ofSlice(OpBuilder &b, tensor::ExtractSliceOp slice, Positions positions) {
  auto d = static_cast<size_t>(positions.dim);
  if (slice.getSourceType().getRank() != slice.getResultType().getRank() ||
      !isConstantIntValue(slice.getMixedOffsets()[d], 0) || !isConstantIntValue(slice.getMixedStrides()[d], 1) ||
      !sameSize(slice.getMixedSizes()[d], dimOf(b, slice.getLoc(), slice.getSource(), positions.dim)))
    return std::nullopt;
  return CutOperands{{&slice.getSourceMutable(), positions}};
}

std::optional<CutOperands> ofConcat(tensor::ConcatOp concat, Positions positions) {
  if (static_cast<int64_t>(concat.getDim()) == positions.dim)
    return std::nullopt;
  CutOperands cut;
  for (OpOperand &operand : concat->getOpOperands())
    cut.push_back({&operand, positions});
  return cut;
}

std::optional<CutOperands> ruleOf(OpBuilder &b, OpResult result, Positions positions, Size whole, bool isPlain) {
  Operation *op = result.getOwner();
  if (result.getResultNumber() != 0 ||
      !llvm::all_of(op->getResults().drop_front(), [](Value other) { return other.use_empty(); }))
    return std::nullopt;
  if (isa<tensor::EmptyOp>(op))
    return CutOperands();
  if (auto nest = dyn_cast<linalg::LinalgOp>(op))
    return ofNest(b, nest, positions, whole, isPlain);
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return ofProduct(matmul, positions);
  if (auto kernel = dyn_cast<KernelOp>(op))
    return ofKernel(kernel, positions);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return ofCollapse(collapse, positions);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return ofExpand(expand, positions);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return ofSlice(b, slice, positions);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return ofConcat(concat, positions);
  if (isa<tensor::CastOp>(op))
    return CutOperands{{&op->getOpOperand(0), positions}};
  return std::nullopt;
}

} // namespace

std::optional<unsigned> loopOver(linalg::LinalgOp nest, int64_t dim) {
  if (nest->getNumResults() != 1 || !nest.hasPureTensorSemantics())
    return std::nullopt;
  AffineMap map = nest.getIndexingMapMatchingResult(nest->getResult(0));
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(static_cast<unsigned>(dim)));
  if (!loop || nest.getIteratorTypesArray()[loop.getPosition()] != utils::IteratorType::parallel)
    return std::nullopt;
  return loop.getPosition();
}

std::optional<Size> perPosition(OpBuilder &b, Value tensor, Positions positions, Size whole) {
  Location loc = tensor.getLoc();
  Size least = mul(b, loc, whole, sizeOf(b, positions.inner));
  if (!exactQuotient(b, loc, dimOf(b, loc, tensor, positions.dim), least))
    return std::nullopt;
  return exactQuotient(b, loc, dimOf(b, loc, tensor, positions.dim), whole);
}

std::optional<SmallVector<CutOperand>> cutOperands(OpBuilder &b, OpResult result, Positions positions, Size whole) {
  bool isPlain = sameSize(dimOf(b, result.getLoc(), result, positions.dim), whole);
  std::optional<CutOperands> cut = ruleOf(b, result, positions, whole, isPlain);
  if (!cut || !llvm::all_of(*cut, [&](const CutOperand &operand) {
        return perPosition(b, operand.operand->get(), operand.positions, whole);
      }))
    return std::nullopt;
  return cut;
}

} // namespace sinter
