// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stacked.h"

#include "meeting.h"
#include "runtime_sizes.h"

using namespace mlir;

namespace sinter {

int64_t rowsOf(const SequenceForm &form) { return std::max<int64_t>(form.capacity, 1); }
int64_t columnsOf(const SequenceForm &form) { return std::max<int64_t>(form.mostRank(), 1); }

/// Held within what a tensor may have at all; a dim takes a place even where it is 0, as buffers of the model have it.
int64_t roomOf(const SequenceForm &form) {
  int64_t most = 1;
  for (const Extents &shape : form.shapes) {
    int64_t room = 1;
    for (const Extent &dim : shape) {
      int64_t size = std::max<int64_t>(dim.most, 1);
      room = room <= mostElements / size ? room * size : mostElements;
    }
    most = std::max(most, room);
  }
  return most;
}

std::optional<SequenceForm> formOfElement(const Tensors &t, const Converted &element) {
  if (element.choice) {
    std::optional<SequenceForm> first = formOfElement(t, element.choice->first),
                                second = formOfElement(t, element.choice->second);
    return first && second ? std::optional(joined(*first, *second)) : std::nullopt;
  }
  SequenceForm form;
  form.element = element.tensor.element;
  form.capacity = 1;
  Extents shape;
  for (Size size : t.sizes(element.tensor)) {
    auto range = rangeOf(size);
    if (!range)
      return std::nullopt;
    shape.push_back({std::max<int64_t>(range->first, 0), std::max<int64_t>(range->second, 0)});
  }
  form.shapes.push_back(std::move(shape));
  return form;
}

SequenceForm joined(const SequenceForm &a, const SequenceForm &b) {
  SequenceForm form = a;
  form.capacity = std::max(a.capacity, b.capacity);
  if (!a.hasElements() && b.element != ElementType::Undefined)
    form.element = b.element;
  for (const Extents &shape : b.shapes) {
    auto place = llvm::find_if(form.shapes, [&](const Extents &mine) { return mine.size() >= shape.size(); });
    if (place == form.shapes.end() || place->size() != shape.size()) {
      form.shapes.insert(place, shape);
      continue;
    }
    for (auto [mine, other] : llvm::zip(*place, shape))
      mine = {std::min(mine.least, other.least), std::max(mine.most, other.most)};
  }
  return form;
}

static Tensor filledWith(const Tensors &t, ArrayRef<int64_t> shape, int64_t number) {
  return t.filled(sizesOf(t.b, shape), ElementType::Int64,
                  t.b.create<arith::ConstantOp>(t.loc, t.b.getI64IntegerAttr(number)));
}

static Tensor countTensor(const Tensors &t, Size count) {
  Value number = t.b.createOrFold<arith::IndexCastOp>(t.loc, t.b.getI64Type(), toValue(t.b, t.loc, count));
  return rankZero(t.b, t.loc, ElementType::Int64, number);
}

Stacked emptyStack(const Tensors &t, const SequenceForm &form) {
  ElementType element = form.element == ElementType::Undefined ? ElementType::Float : form.element;
  Sizes shape = sizesOf(t.b, {rowsOf(form), roomOf(form)});
  // Rows are moved as a whole, so that all of them must have been written.
  Tensor items = t.filled(shape, element, narrow(t.b, t.loc, element, Scalars{t.b, t.loc, element}.constant(0)));
  return {items, filledWith(t, {rowsOf(form), columnsOf(form)}, -1), countTensor(t, sizeOf(t.b, 0)), form};
}

Size countOf(const Tensors &t, const Stacked &stack) {
  return countSize(t, stack.count, sizeOf(t.b, stack.form.capacity));
}

/// Rows of `from` written over those of `into`, which may be wider.
static Tensor withRowsOf(const Tensors &t, Tensor into, Tensor from, Size first, Size at, Size count) {
  Size zero = sizeOf(t.b, 0), one = sizeOf(t.b, 1), width = t.size(from, 1);
  Value rows = t.slice(from, {first, zero}, {count, width}, {one, one}).value;
  return {
      t.b.create<tensor::InsertSliceOp>(t.loc, rows, into.value, Sizes{at, zero}, Sizes{count, width}, Sizes{one, one}),
      into.element};
}

/// The begin of one row of `into` written over.
static Tensor withRow(const Tensors &t, Tensor into, Tensor values, Size at) {
  Size one = sizeOf(t.b, 1);
  return {t.b.create<tensor::InsertSliceOp>(t.loc, values.value, into.value, Sizes{at, sizeOf(t.b, 0)},
                                            Sizes{one, t.size(values, 0)}, Sizes{one, one}),
          into.element};
}

Stacked inForm(const Tensors &t, const Stacked &stack, const SequenceForm &form) {
  if (stack.form == form)
    return stack;
  Stacked made = emptyStack(t, form);
  if (stack.form.capacity == 0)
    return made;
  Size zero = sizeOf(t.b, 0), rows = sizeOf(t.b, std::min(rowsOf(form), rowsOf(stack.form)));
  made.items = withRowsOf(t, made.items, stack.items, zero, zero, rows);
  made.dims = withRowsOf(t, made.dims, stack.dims, zero, zero, rows);
  Size count = countOf(t, stack);
  if (form.capacity < stack.form.capacity)
    count = t.b.create<BoundOp>(t.loc, t.b.getIndexType(), toValue(t.b, t.loc, count), 0, form.capacity).getResult();
  made.count = countTensor(t, count);
  return made;
}

/// How large dim d of the element at `place` is; -1 behind its last.
static Value sizeAt(const Tensors &t, const Stacked &stack, Value place, int64_t d) {
  Value column = t.b.create<arith::ConstantIndexOp>(t.loc, d);
  Value read = t.b.create<tensor::ExtractOp>(t.loc, stack.dims.value, ValueRange{place, column});
  return t.b.create<arith::IndexCastOp>(t.loc, t.b.getIndexType(), read);
}

static Value isBelowZero(const Tensors &t, Value index) {
  return t.b.create<arith::CmpIOp>(t.loc, arith::CmpIPredicate::slt, index,
                                   t.b.create<arith::ConstantIndexOp>(t.loc, 0));
}

Value hasRankAt(const Tensors &t, const Stacked &stack, Value place, int64_t rank) {
  Value yes = t.b.create<arith::ConstantOp>(t.loc, t.b.getBoolAttr(true));
  bool mayBeMore = rank<stack.form.mostRank(), mayBeLess = rank> static_cast<int64_t>(stack.form.shapes.front().size());
  Value isAtMost = mayBeMore ? isBelowZero(t, sizeAt(t, stack, place, rank)) : yes;
  Value isLess = mayBeLess ? isBelowZero(t, sizeAt(t, stack, place, rank - 1)) : Value();
  Value isAtLeast = isLess ? t.b.create<arith::XOrIOp>(t.loc, isLess, yes).getResult() : yes;
  return t.b.createOrFold<arith::AndIOp>(t.loc, isAtMost, isAtLeast);
}

/// The element as one of that shape, which it is where `isIts` holds (null: always), and else nobody reads.
static Tensor elementOfShape(const Tensors &t, const Stacked &stack, Value place, const Extents &shape, Value isIts) {
  Sizes sizes;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    if (extent.isFixed()) {
      sizes.push_back(sizeOf(t.b, extent.most));
      continue;
    }
    Value size = sizeAt(t, stack, place, d);
    if (isIts)
      size = t.b.create<arith::SelectOp>(t.loc, isIts, size, t.b.create<arith::ConstantIndexOp>(t.loc, extent.least));
    sizes.push_back(t.b.create<BoundOp>(t.loc, t.b.getIndexType(), size, 0, extent.most).getResult());
  }
  Size one = sizeOf(t.b, 1);
  Tensor row = t.slice(stack.items, {place, sizeOf(t.b, 0)}, {one, product(t.b, t.loc, sizes)}, {one, one});
  return t.reshape(t.squeeze(row, {0}), sizes);
}

Converted elementAt(const Tensors &t, const Stacked &stack, Value place) {
  ArrayRef<Extents> shapes = stack.form.shapes;
  SmallVector<Tensor> flags, tensors;
  for (const Extents &shape : shapes) {
    Value isIts = shapes.size() > 1 ? hasRankAt(t, stack, place, static_cast<int64_t>(shape.size())) : Value();
    tensors.push_back(elementOfShape(t, stack, place, shape, isIts));
    if (tensors.size() < shapes.size())
      flags.push_back(rankZero(t.b, t.loc, ElementType::Bool, isIts));
  }
  return choiceOf(flags, tensors);
}

Stacked ofOneShape(const Tensors &t, const Stacked &stack, const Extents &shape) {
  Stacked made = stack;
  made.form.shapes = {shape};
  Size zero = sizeOf(t.b, 0), one = sizeOf(t.b, 1), rows = sizeOf(t.b, rowsOf(made.form));
  made.items = t.slice(stack.items, {zero, zero}, {rows, sizeOf(t.b, roomOf(made.form))}, {one, one});
  made.dims = t.slice(stack.dims, {zero, zero}, {rows, sizeOf(t.b, columnsOf(made.form))}, {one, one});
  return made;
}

Stacked inserted(const Tensors &t, const Stacked &stack, const Converted &element, Value place,
                 const SequenceForm &form) {
  Stacked made = inForm(t, stack, form);
  Size before = countOf(t, stack), one = sizeOf(t.b, 1), zero = sizeOf(t.b, 0);
  Size at = place ? Size(place) : before;
  if (place && stack.form.capacity > 0) { // those behind it move
    Size behind = within(t, sub(t.b, t.loc, before, at), sizeOf(t.b, stack.form.capacity));
    Size next = add(t.b, t.loc, at, one);
    made.items = withRowsOf(t, made.items, stack.items, at, next, behind);
    made.dims = withRowsOf(t, made.dims, stack.dims, at, next, behind);
  }
  Sizes row(columnsOf(form), sizeOf(t.b, -1));
  for (const Extents &shape : form.shapes) {
    auto rank = static_cast<int64_t>(shape.size());
    Tensor tensor = ofRank(t, element, rank);
    if (!tensor)
      continue;
    // Of a choice one tensor fills the row, of the others nothing is taken.
    Value isIts = element.choice ? hasRank(t, element, rank) : Value();
    Sizes sizes = t.sizes(tensor);
    Size width = product(t.b, t.loc, sizes);
    Tensor values = t.reshape(tensor, {width});
    if (isIts)
      values = t.slice(values, {zero}, {chosen(t, isIts, width, zero)}, {one});
    made.items = withRow(t, made.items, values, at);
    sizes.resize(row.size(), sizeOf(t.b, -1));
    for (auto [d, size] : llvm::enumerate(sizes))
      row[d] = isIts ? chosen(t, isIts, size, row[d]) : size;
  }
  made.dims = withRow(t, made.dims, t.fromSizes(row), at);
  made.count = countTensor(t, add(t.b, t.loc, before, one));
  return made;
}

Stacked erased(const Tensors &t, const Stacked &stack, Value place) {
  Stacked made = stack;
  Size one = sizeOf(t.b, 1), count = countOf(t, stack), next = add(t.b, t.loc, place, one);
  Size behind = within(t, sub(t.b, t.loc, count, next), sizeOf(t.b, stack.form.capacity));
  made.items = withRowsOf(t, made.items, stack.items, next, place, behind);
  made.dims = withRowsOf(t, made.dims, stack.dims, next, place, behind);
  made.count = countTensor(t, sub(t.b, t.loc, count, one));
  return made;
}

} // namespace sinter
