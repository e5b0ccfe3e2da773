// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences whose length, or whose elements' shapes, only a call knows: three tensors of fixed sizes, so that branches,
// loops and the model's edge take them as any others. What is known of them is a form; forms of all values: forms.h.
#pragma once

#include "choices.h"

namespace sinter {

/// The least and the most that a size can be.
struct Extent {
  int64_t least, most;
  bool isFixed() const { return least == most; }
  bool operator==(const Extent &other) const { return least == other.least && most == other.most; }
};

using Extents = llvm::SmallVector<Extent>;

/// What holds for a sequence in each call.
struct SequenceForm {
  ElementType element = ElementType::Undefined; ///< Undefined: of a sequence that says it nowhere
  int64_t capacity = 0;                         ///< the most elements
  std::vector<Extents> shapes;                  ///< that elements have: one for each rank, lower ranks first

  /// That elements may be there has been seen, so that their ranks are known.
  bool hasElements() const { return !shapes.empty(); }
  int64_t mostRank() const { return shapes.empty() ? 0 : static_cast<int64_t>(shapes.back().size()); }
  bool operator==(const SequenceForm &other) const {
    return element == other.element && capacity == other.capacity && shapes == other.shapes;
  }
};

/// The sequence itself.
struct Stacked {
  Tensor items; ///< [rows, room]: an element's values in their order, from the begin of its row
  Tensor dims;  ///< int64[rows, columns]: an element's sizes; -1 behind the last
  Tensor count; ///< int64[]: elements there are
  SequenceForm form;
};

/// Rows and columns of the tensors: one at least, since what has no elements has no place in memory.
int64_t rowsOf(const SequenceForm &form);
int64_t columnsOf(const SequenceForm &form);
/// The most values in an element.
int64_t roomOf(const SequenceForm &form);

/// Of a sequence with just this element, a tensor or a choice; nothing where one of its sizes has no bound.
std::optional<SequenceForm> formOfElement(const Tensors &t, const Converted &element);
/// What holds for both.
SequenceForm joined(const SequenceForm &a, const SequenceForm &b);

Stacked emptyStack(const Tensors &t, const SequenceForm &form);
/// The same sequence in a form that holds for it; the call ends with status 4 where it has more elements.
Stacked inForm(const Tensors &t, const Stacked &stack, const SequenceForm &form);
Size countOf(const Tensors &t, const Stacked &stack);
/// The element at `place`, which lies within the sequence: a choice where elements have several ranks.
Converted elementAt(const Tensors &t, const Stacked &stack, mlir::Value place);
/// Whether the element at `place` has that rank, an i1.
mlir::Value hasRankAt(const Tensors &t, const Stacked &stack, mlir::Value place, int64_t rank);
/// The same sequence, whose elements all have the rank of this shape of the form.
Stacked ofOneShape(const Tensors &t, const Stacked &stack, const Extents &shape);
/// With `element`, a tensor or a choice that fits `form`, in front of that at `place`; null: at the end.
Stacked inserted(const Tensors &t, const Stacked &stack, const Converted &element, mlir::Value place,
                 const SequenceForm &form);
Stacked erased(const Tensors &t, const Stacked &stack, mlir::Value place);

/// The tensors, as the edge of the model and what flattens values have them, and back.
inline llvm::SmallVector<Tensor> tensorsOf(const Stacked &stack) { return {stack.items, stack.dims, stack.count}; }

} // namespace sinter
