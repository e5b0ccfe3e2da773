// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/packing/support/cache_values.h"

#include "passes/packing/support/cache_carriers.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {
namespace {

ElementType numbersOf(Type element) {
  return element.isF32()    ? ElementType::Float
         : element.isF16()  ? ElementType::Float16
         : element.isBF16() ? ElementType::BFloat16
                            : ElementType::Undefined;
}

/// The last dim stays the last, and alone in its group.
bool rowsStayRows(ArrayRef<ReassociationIndices> groups) { return !groups.empty() && groups.back().size() == 1; }

bool rowsStayRows(ArrayRef<int64_t> permutation) {
  return permutation.back() == static_cast<int64_t>(permutation.size()) - 1;
}

/// The slice takes all of the last dim.
template <class Slice>
bool takesWholeRows(Slice slice, int64_t size) {
  return slice.hasUnitStride() && slice.getStaticOffsets().back() == 0 && slice.getStaticSizes().back() == size &&
         !slice.getDroppedDims().test(static_cast<unsigned>(slice.getStaticSizes().size()) - 1);
}

} // namespace

CacheValues::CacheValues(InputOp input, const CacheForm &form)
    : input(input), form(form), size(input.getType().getRank() ? input.getType().getShape().back() : 0),
      numbers(numbersOf(input.getType().getElementType())) {}

bool CacheValues::find() {
  if (input.getType().getRank() < 2 || ShapedType::isDynamic(size) || numbers == ElementType::Undefined)
    return false;
  for (Operation *user : input.getResult().getUsers()) {
    auto whole = dyn_cast<bufferization::ToTensorOp>(user);
    if (!whole)
      return false;
    carry(whole.getResult());
  }
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses())
      follow(use);
  // Rows of the cache that are put into it are none that must be made narrow.
  llvm::erase_if(widened, [&](OpOperand *use) {
    return isa<tensor::InsertSliceOp>(use->getOwner()) && carriers.contains(use->getOwner());
  });
  // The state behind the call is among these; of others nobody knows that rows stay as they are.
  bool isState = false;
  auto main = input->getParentOfType<func::FuncOp>();
  bool allMade = !main.walk([&](OutputOp output) {
                        auto state = output->getAttrOfType<IntegerAttr>("sinter.state");
                        if (!state || state.getInt() != static_cast<int64_t>(input.getIndex()))
                          return WalkResult::advance();
                        isState = true;
                        return llvm::is_contained(outputs, output) ? WalkResult::advance() : WalkResult::interrupt();
                      })
                      .wasInterrupted();
  return isState && allMade;
}

void CacheValues::follow(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned operand = use.getOperandNumber();
  auto carryBy = [&](Value value) {
    carriers.insert(op);
    carry(value);
  };
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      insert && &use == &insert.getDestMutable() && takesWholeRows(insert, size))
    return carryBy(insert.getResult());
  if (auto joined = dyn_cast<tensor::ConcatOp>(op);
      joined && static_cast<int64_t>(joined.getDim()) + 1 < joined.getResultType().getRank())
    return carryBy(joined.getResult());
  if (llvm::is_contained(chosenRows(op, size), &use))
    return carryBy(op->getResult(0));
  if (auto part = dyn_cast<tensor::ExtractSliceOp>(op); part && takesWholeRows(part, size))
    return carryBy(part.getResult());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
      collapse && rowsStayRows(collapse.getReassociationIndices()))
    return carryBy(collapse.getResult());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
      expand && rowsStayRows(expand.getReassociationIndices()) && operand == 0)
    return carryBy(expand.getResult());
  if (auto permute = dyn_cast<PermuteOp>(op); permute && rowsStayRows(permute.getPermutation()))
    return carryBy(permute.getResult());
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op);
      transpose && operand == 0 && rowsStayRows(transpose.getPermutation()))
    return carryBy(transpose->getResult(0));
  if (auto known = dyn_cast<tensor::CastOp>(op))
    if (auto type = dyn_cast<RankedTensorType>(known.getType()); type && type.getShape().back() == size)
      return carryBy(known.getResult());
  if (auto kernel = dyn_cast<KernelOp>(op)) {
    if (kernel.getKernel() == "attention_heads" && (operand == 1 || operand == 2))
      return;
    if (kernel.isScatter() && operand == 0 && scattersRows(kernel))
      return carryBy(kernel.getResult(0));
  }
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && operand >= loop.getNumControlOperands()) {
    carryBy(loop.getTiedLoopRegionIterArg(&use));
    return carry(loop.getTiedLoopResult(&use));
  }
  if (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp())) {
    carriers.insert(op->getParentOp());
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      carry(loop.getRegionIterArg(operand));
    return carry(op->getParentOp()->getResult(operand));
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (axis && *axis + 1 < cast<RankedTensorType>(dim.getSource().getType()).getRank())
      return;
  }
  if (auto end = dyn_cast<bufferization::MaterializeInDestinationOp>(op); end && operand == 0)
    if (auto output = end.getDest().getDefiningOp<OutputOp>())
      if (auto state = output->getAttrOfType<IntegerAttr>("sinter.state");
          state && state.getInt() == static_cast<int64_t>(input.getIndex()))
        return outputs.push_back(output);
  widened.push_back(&use);
}

/// Whole rows, each to one place.
bool CacheValues::scattersRows(KernelOp scatter) const {
  auto updates = cast<RankedTensorType>(scatter.getInputs()[2].getType());
  auto reduction = scatter.getParams().getAs<IntegerAttr>("reduction");
  if (updates.getShape().empty() || updates.getShape().back() != size || (reduction && reduction.getInt() != 0))
    return false;
  Value indices = scatter.getInputs()[1];
  int64_t rank = cast<RankedTensorType>(scatter.getInputs()[0].getType()).getRank(), last = rank - 1;
  if (scatter.getKernel() == "scatter_nd")
    return cast<RankedTensorType>(indices.getType()).getShape().back() < rank;
  if (form.more == 0)
    return true;
  auto nest = indices.getDefiningOp<linalg::GenericOp>();
  if (!nest || static_cast<int64_t>(nest.getNumLoops()) != rank ||
      scatter.getParams().getAs<IntegerAttr>("axis").getInt() == last)
    return false;
  bool isSame =
      !nest->walk([&](linalg::IndexOp index) {
             return static_cast<int64_t>(index.getDim()) == last ? WalkResult::interrupt() : WalkResult::advance();
           })
           .wasInterrupted();
  for (OpOperand *read : nest.getDpsInputOperands())
    isSame &= !nest.getMatchingIndexingMap(read).isFunctionOfDim(static_cast<unsigned>(last));
  return isSame;
}

void CacheValues::narrow() {
  for (Operation *op : carriers) {
    forEachCarried(op, size, [&](OpOperand &use) {
      if (values.contains(slotOf(use)) && !values.contains(use.get()))
        narrowOperand(use);
    });
    OpBuilder b(op);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      insert.setStaticSizes(longer(insert.getStaticSizes()));
    else if (auto part = dyn_cast<tensor::ExtractSliceOp>(op))
      part.setStaticSizes(longer(part.getStaticSizes()));
    else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      expand.setStaticOutputShape(longer(expand.getStaticOutputShape()));
    else if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
      transpose.getInitMutable().assign(emptyLike(b, transpose.getInit()));
    else if (auto choice = dyn_cast<linalg::GenericOp>(op))
      narrowChoice(choice);
    else if (auto kernel = dyn_cast<KernelOp>(op))
      narrowScatter(kernel);
  }
  for (Value value : values)
    value.setType(narrowType(cast<RankedTensorType>(value.getType())));
  for (OutputOp output : outputs)
    narrowBuffer(output.getResult());
  narrowBuffer(input.getResult());
  widen();
}

Value CacheValues::emptyLike(OpBuilder &b, Value rows) const {
  Tensors at{b, rows.getLoc()};
  Sizes sizes = at.sizes({rows, numbers});
  sizes.back() = sizeOf(b, size + form.more);
  return at.empty(sizes, form.onnx).value;
}

/// The scale of a row is chosen as its numbers are.
void CacheValues::narrowChoice(linalg::GenericOp choice) const {
  OpBuilder b(choice);
  Operation *select = choice.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  for (Value each : {select->getOperand(1), select->getOperand(2), Value(select->getResult(0)),
                     Value(choice.getBody()->getArguments().back())})
    each.setType(form.element);
  choice.getDpsInitOperand(0)->set(emptyLike(b, choice.getDpsInitOperand(0)->get()));
}

/// Who reads numbers reads what a conversion of the cache makes.
void CacheValues::widen() {
  llvm::MapVector<Value, SmallVector<OpOperand *>> readers;
  for (OpOperand *use : widened)
    readers[use->get()].push_back(use);
  for (auto &[value, uses] : readers) {
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(value);
    Location loc = value.getLoc();
    Tensors at{b, loc};
    Value wide;
    if (form.more) {
      Sizes sizes = at.sizes({value, form.onnx});
      sizes.back() = sizeOf(b, size);
      Value to = at.empty(sizes, numbers).value;
      wide = b.create<KernelOp>(loc, to.getType(), "widen_rows", value, to, b.getDictionaryAttr({}), "ss").getResult(0);
    } else {
      wide = at.elementwise({{value, form.onnx}}, numbers, [](const Scalars &, ValueRange v) { return v[0]; }).value;
    }
    for (OpOperand *use : uses)
      use->set(wide);
  }
}

void CacheValues::narrowOperand(OpOperand &use) const {
  OpBuilder b(use.getOwner());
  use.set(narrowed(b, use.getOwner()->getLoc(), use.get()));
}

void CacheValues::narrowScatter(KernelOp scatter) const {
  OpBuilder b(scatter);
  Tensors at{b, scatter.getLoc()};
  Value updates = narrowed(b, scatter.getLoc(), scatter.getInputs()[2]), indices = scatter.getInputs()[1];
  if (form.more && scatter.getKernel() == "scatter_elements") // a row's scale goes where its numbers go
    indices =
        at.generate(at.sizes({updates, form.onnx}), ElementType::Int64, [&](OpBuilder &inside, ValueRange i) -> Value {
            SmallVector<Value> place(i);
            place.back() = inside.create<arith::ConstantIndexOp>(at.loc, 0);
            return inside.create<tensor::ExtractOp>(at.loc, indices, place);
          }).value;
  scatter.getInputsMutable()[1].assign(indices);
  scatter.getInputsMutable()[2].assign(updates);
  scatter.getInitsMutable()[0].assign(emptyLike(b, scatter.getInits()[0]));
}

Value CacheValues::narrowed(OpBuilder &b, Location loc, Value rows) const {
  Tensors at{b, loc};
  Tensor x{rows, numbers};
  Sizes sizes = at.sizes(x);
  sizes.back() = sizeOf(b, size + form.more);
  if (rows.getDefiningOp<tensor::EmptyOp>())
    return at.empty(sizes, form.onnx).value;
  if (auto fill = rows.getDefiningOp<linalg::FillOp>(); fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat())) {
    Value zero = b.create<arith::ConstantOp>(loc, b.getZeroAttr(form.element)); // also a scale of zero
    return at.filled(sizes, form.onnx, zero).value;
  }
  if (!form.more)
    return at.elementwise({x}, form.onnx, [](const Scalars &, ValueRange v) { return v[0]; }).value;
  Value to = at.empty(sizes, form.onnx).value;
  return b.create<KernelOp>(loc, to.getType(), "quantize_rows", rows, to, b.getDictionaryAttr({}), "ss").getResult(0);
}

SmallVector<int64_t> CacheValues::longer(ArrayRef<int64_t> sizes) const {
  SmallVector<int64_t> result(sizes);
  result.back() += form.more;
  return result;
}

RankedTensorType CacheValues::narrowType(RankedTensorType type) const {
  return RankedTensorType::get(longer(type.getShape()), form.element);
}

void CacheValues::narrowBuffer(Value buffer) const {
  auto type = cast<MemRefType>(buffer.getType());
  buffer.setType(MemRefType::get(longer(type.getShape()), form.element));
}

} // namespace sinter
