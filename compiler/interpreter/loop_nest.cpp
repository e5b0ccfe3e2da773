// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From indexing maps and shapes to strides; pure data movement. Running bodies: generic.cpp.
#include "loop_nest.h"

#include "ir/dialect.h"

#include "mlir/IR/AffineExprVisitor.h"

using namespace mlir;
using namespace sinter;

static int64_t evaluateExpr(AffineExpr expr, ArrayRef<int64_t> point) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return point[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluateExpr(binary.getLHS(), point), rhs = evaluateExpr(binary.getRHS(), point);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
    return rhs > 0 ? llvm::divideFloorSigned(lhs, rhs) : 0;
  case AffineExprKind::CeilDiv:
    return rhs > 0 ? llvm::divideCeilSigned(lhs, rhs) : 0;
  default:
    return rhs > 0 ? llvm::mod(lhs, rhs) : 0;
  }
}

/// Adds scale * expr to base and strides; false when the expression is not linear.
static bool addLinear(AffineExpr expr, int64_t scale, int64_t &base, MutableArrayRef<int64_t> strides) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    base += scale * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    strides[dim.getPosition()] += scale;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), scale, base, strides) && addLinear(binary.getRHS(), scale, base, strides);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && factor &&
         addLinear(binary.getLHS(), scale * factor.getValue(), base, strides);
}

std::optional<int64_t> Access::mappedOffset(ArrayRef<int64_t> point) const {
  int64_t offset = 0;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    int64_t index = evaluateExpr(expr, point);
    if (index < 0 || index >= tensor.shape()[i])
      return std::nullopt;
    offset += index * dimStrides[i];
  }
  return offset;
}

bool LoopNest::resolve(Access &access) const {
  const HostTensor &tensor = access.tensor;
  access.dimStrides =
      tensor.isSplat() ? SmallVector<int64_t, 6>(tensor.shape().size(), 0) : rowMajorStrides(tensor.shape());
  access.data = tensor.storedBytes();
  access.linear = true;
  access.strides.assign(extents.size(), 0);
  bool empty = llvm::is_contained(extents, 0);
  for (auto [i, expr] : llvm::enumerate(access.map.getResults())) {
    int64_t base = 0;
    SmallVector<int64_t> strides(extents.size(), 0);
    if (!addLinear(expr, 1, base, strides)) {
      access.linear = false; // checked point by point
      return true;
    }
    int64_t low = base, high = base;
    for (auto [extent, stride] : llvm::zip_equal(extents, strides))
      (stride < 0 ? low : high) += stride * (extent - 1);
    if (!empty && (low < 0 || high >= tensor.shape()[i]))
      return false;
    access.base += base * access.dimStrides[i];
    for (size_t k = 0; k < strides.size(); ++k)
      access.strides[k] += strides[k] * access.dimStrides[i];
  }
  return true;
}

std::optional<LoopNest> LoopNest::make(Engine &engine, linalg::LinalgOp op) {
  LoopNest nest;
  SmallVector<int64_t> sizes;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<HostTensor> tensor = engine.get(operand.get());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!tensor || map.getNumSymbols() || map.getNumResults() != static_cast<unsigned>(tensor->rank()))
      return std::nullopt;
    sizes.append(tensor->shape().begin(), tensor->shape().end());
    Access access;
    access.tensor = std::move(*tensor);
    access.map = map;
    nest.accesses.push_back(std::move(access));
  }
  AffineMap shapesToLoops = op.getShapesToLoopsMap();
  if (!shapesToLoops)
    return std::nullopt;
  for (AffineExpr expr : shapesToLoops.getResults())
    nest.extents.push_back(evaluateExpr(expr, sizes));
  for (utils::IteratorType type : op.getIteratorTypesArray())
    nest.parallel.push_back(type == utils::IteratorType::parallel);
  nest.outputCount = op.getNumDpsInits();
  for (Access &access : nest.accesses)
    if (!nest.resolve(access))
      return std::nullopt;
  if (nest.points() < 0 || llvm::any_of(nest.outputs(), [](const Access &access) { return !access.linear; }))
    return std::nullopt;
  return nest;
}

bool LoopNest::isLinear() const {
  return llvm::all_of(accesses, [](const Access &access) { return access.linear; });
}

bool LoopNest::hasStrings() const {
  return llvm::any_of(accesses, [](const Access &access) { return access.tensor.kind() == ElementKind::String; });
}

bool LoopNest::isMovement(Block &body) const {
  if (!llvm::hasSingleElement(body) || llvm::is_contained(parallel, false))
    return false;
  size_t firstOutput = accesses.size() - outputCount;
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &body || argument.getArgNumber() >= firstOutput ||
        !accesses[argument.getArgNumber()].linear)
      return false;
    if (accesses[argument.getArgNumber()].tensor.kind() != accesses[firstOutput + i].tensor.kind())
      return false;
  }
  return true;
}

void LoopNest::move(Block &body) {
  for (auto [output, value] : llvm::zip_equal(outputs(), body.getTerminator()->getOperands())) {
    const Access &input = accesses[cast<BlockArgument>(value).getArgNumber()];
    auto bytes = static_cast<int64_t>(output.tensor.bytesPerElement());
    bool sameEverywhere = llvm::all_of(input.strides, [](int64_t stride) { return stride == 0; });
    if (sameEverywhere && output.map.isPermutation() && output.tensor.kind() != ElementKind::String && points() > 0)
      output.tensor =
          HostTensor::splat(output.tensor.getElementType(), output.tensor.shape(), input.data + input.base * bytes);
    else
      copyStrided(output.tensor.kind(), extents, const_cast<char *>(output.data) + output.base * bytes, output.strides,
                  input.data + input.base * bytes, input.strides);
  }
}

bool LoopNest::prepareOutputs(Engine &engine, linalg::LinalgOp op, bool readsOutputs) {
  for (auto [output, init] : llvm::zip_equal(outputs(), op.getDpsInits())) {
    bool writesAll = output.map.isProjectedPermutation() && output.map.getNumResults() == output.tensor.shape().size();
    bool keepsInit = readsOutputs || !writesAll || points() == 0;
    Access fresh;
    fresh.map = output.map;
    fresh.used = output.used;
    Type elementType = output.tensor.getElementType();
    SmallVector<int64_t> shape(output.tensor.shape());
    output = Access(); // its handle goes first, so that the init may be reused
    std::optional<HostTensor> memory = keepsInit ? engine.own(init) : engine.allocate(elementType, shape);
    if (!memory)
      return false;
    output = std::move(fresh);
    output.tensor = std::move(*memory);
    output.tensor.mutableBytes(); // expands a splat
    if (!resolve(output))
      return false;
  }
  return true;
}

bool LoopNest::finish(Engine &engine, linalg::LinalgOp op) {
  for (auto [result, output] : llvm::zip_equal(op->getResults(), outputs()))
    engine.set(result, std::move(output.tensor));
  return true;
}

HostTensor sinter::elementAt(const HostTensor &tensor, int64_t offset) {
  if (tensor.kind() == ElementKind::String)
    return HostTensor::ofStrings(tensor.getElementType(), {}, {tensor.strings()[offset]});
  return HostTensor::fromBytes(tensor.getElementType(), {},
                               tensor.storedBytes() +
                                   (tensor.isSplat() ? 0 : offset * static_cast<int64_t>(tensor.bytesPerElement())));
}

void sinter::setElement(HostTensor &tensor, int64_t offset, const HostTensor &scalar) {
  if (tensor.kind() == ElementKind::String)
    tensor.mutableStrings()[offset] = scalar.strings()[0];
  else
    std::memcpy(tensor.mutableBytes() + offset * static_cast<int64_t>(tensor.bytesPerElement()), scalar.storedBytes(),
                tensor.bytesPerElement());
}
