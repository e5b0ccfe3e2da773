// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stacked.h"

#include "meeting.h"
#include "runtime_sizes.h"

using namespace mlir;

namespace sinter {

bool SequenceForm::operator==(const SequenceForm &other) const {
  return element == other.element && capacity == other.capacity && hasElements == other.hasElements &&
         leastRank == other.leastRank && mostRank == other.mostRank && dims == other.dims && room == other.room;
}

int64_t rowsOf(const SequenceForm &form) { return std::max<int64_t>(form.capacity, 1); }
int64_t columnsOf(const SequenceForm &form) { return std::max<int64_t>(form.mostRank, 1); }

/// The most values that tensors of these extents have, held within what a tensor may have at all.
static int64_t roomOf(ArrayRef<Extent> dims) {
  int64_t room = 1;
  for (const Extent &dim : dims)
    room = dim.most == 0 || room <= mostElements / dim.most ? room * dim.most : mostElements;
  return std::max<int64_t>(room, 1);
}

std::optional<SequenceForm> formOfElement(const Tensors &t, Tensor element) {
  SequenceForm form;
  form.element = element.element;
  form.capacity = 1;
  form.hasElements = true;
  form.leastRank = form.mostRank = element.rank();
  for (Size size : t.sizes(element)) {
    auto range = rangeOf(size);
    if (!range)
      return std::nullopt;
    form.dims.push_back({std::max<int64_t>(range->first, 0), std::max<int64_t>(range->second, 0)});
  }
  form.room = roomOf(form.dims);
  return form;
}

SequenceForm joined(const SequenceForm &a, const SequenceForm &b) {
  if (!a.hasElements || !b.hasElements) {
    SequenceForm form = a.hasElements ? a : b;
    form.capacity = std::max(a.capacity, b.capacity);
    if (form.element == ElementType::Undefined)
      form.element = a.hasElements ? b.element : a.element;
    return form;
  }
  SequenceForm form = a;
  form.capacity = std::max(a.capacity, b.capacity);
  form.leastRank = std::min(a.leastRank, b.leastRank);
  form.mostRank = std::max(a.mostRank, b.mostRank);
  form.room = std::max(a.room, b.room);
  if (!form.isOfOneRank()) {
    form.dims.clear();
    return form;
  }
  for (auto [mine, other] : llvm::zip(form.dims, b.dims))
    mine = {std::min(mine.least, other.least), std::max(mine.most, other.most)};
  form.room = roomOf(form.dims);
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
  Sizes shape = sizesOf(t.b, {rowsOf(form), form.room});
  // Rows are moved as a whole, so that all of them must have been written.
  Tensor items = t.filled(shape, element, narrow(t.b, t.loc, element, Scalars{t.b, t.loc, element}.constant(0)));
  return {items, filledWith(t, {rowsOf(form), columnsOf(form)}, -1), countTensor(t, sizeOf(t.b, 0)), form};
}

Size countOf(const Tensors &t, const Stacked &stack) {
  return countSize(t, stack.count, sizeOf(t.b, stack.form.capacity));
}

/// Rows of `from` written over those of `into`, which may be wider.
static Tensor withRows(const Tensors &t, Tensor into, Tensor from, Size first, Size at, Size count) {
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
  made.items = withRows(t, made.items, stack.items, zero, zero, rows);
  made.dims = withRows(t, made.dims, stack.dims, zero, zero, rows);
  Size count = countOf(t, stack);
  if (form.capacity < stack.form.capacity)
    count = t.b.create<BoundOp>(t.loc, t.b.getIndexType(), toValue(t.b, t.loc, count), 0, form.capacity).getResult();
  made.count = countTensor(t, count);
  return made;
}

Tensor elementAt(const Tensors &t, const Stacked &stack, Value place) {
  Sizes sizes;
  for (auto [d, extent] : llvm::enumerate(stack.form.dims)) {
    if (extent.isFixed()) {
      sizes.push_back(sizeOf(t.b, extent.most));
      continue;
    }
    Value column = t.b.create<arith::ConstantIndexOp>(t.loc, d);
    Value read = t.b.create<tensor::ExtractOp>(t.loc, stack.dims.value, ValueRange{place, column});
    Value index = t.b.create<arith::IndexCastOp>(t.loc, t.b.getIndexType(), read);
    sizes.push_back(t.b.create<BoundOp>(t.loc, t.b.getIndexType(), index, 0, extent.most).getResult());
  }
  Size one = sizeOf(t.b, 1);
  Tensor row = t.slice(stack.items, {place, sizeOf(t.b, 0)}, {one, product(t.b, t.loc, sizes)}, {one, one});
  return t.reshape(t.squeeze(row, {0}), sizes);
}

Stacked inserted(const Tensors &t, const Stacked &stack, Tensor element, Value place, const SequenceForm &form) {
  Stacked made = inForm(t, stack, form);
  Size before = countOf(t, stack), one = sizeOf(t.b, 1);
  Size at = place ? Size(place) : before;
  if (place && stack.form.capacity > 0) { // those behind it move
    Size behind = within(t, sub(t.b, t.loc, before, at), sizeOf(t.b, stack.form.capacity));
    Size next = add(t.b, t.loc, at, one);
    made.items = withRows(t, made.items, stack.items, at, next, behind);
    made.dims = withRows(t, made.dims, stack.dims, at, next, behind);
  }
  Sizes sizes = t.sizes(element);
  made.items = withRow(t, made.items, t.reshape(element, {product(t.b, t.loc, sizes)}), at);
  Sizes row = sizes;
  while (static_cast<int64_t>(row.size()) < columnsOf(form))
    row.push_back(sizeOf(t.b, -1));
  made.dims = withRow(t, made.dims, t.fromSizes(row), at);
  made.count = countTensor(t, add(t.b, t.loc, before, one));
  return made;
}

Stacked erased(const Tensors &t, const Stacked &stack, Value place) {
  Stacked made = stack;
  Size one = sizeOf(t.b, 1), count = countOf(t, stack), next = add(t.b, t.loc, place, one);
  Size behind = within(t, sub(t.b, t.loc, count, next), sizeOf(t.b, stack.form.capacity));
  made.items = withRows(t, made.items, stack.items, next, place, behind);
  made.dims = withRows(t, made.dims, stack.dims, next, place, behind);
  made.count = countTensor(t, sub(t.b, t.loc, count, one));
  return made;
}

} // namespace sinter
