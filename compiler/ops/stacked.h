// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences whose length, or whose elements' shapes, only a call knows: three tensors of fixed sizes, so that branches,
// loops and the model's edge take them as any others. What is known of them is a form; forms of all values: forms.h.
#pragma once

#include "lowering.h"

namespace sinter {

/// The least and the most that a size can be.
struct Extent {
  int64_t least, most;
  bool isFixed() const { return least == most; }
  bool operator==(const Extent &other) const { return least == other.least && most == other.most; }
};

/// What holds for a sequence in each call.
struct SequenceForm {
  ElementType element = ElementType::Undefined; ///< Undefined: of a sequence that says it nowhere
  int64_t capacity = 0;                         ///< the most elements
  bool hasElements = false;                     ///< that elements may be there has been seen, so that ranks are known
  int64_t leastRank = 0, mostRank = 0;
  llvm::SmallVector<Extent> dims; ///< of an element, where all have one rank
  int64_t room = 1;               ///< the most values in an element

  bool isOfOneRank() const { return leastRank == mostRank; }
  bool operator==(const SequenceForm &other) const;
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

/// Of a sequence with just this element; nothing where one of its sizes has no bound.
std::optional<SequenceForm> formOfElement(const Tensors &t, Tensor element);
/// What holds for both.
SequenceForm joined(const SequenceForm &a, const SequenceForm &b);

Stacked emptyStack(const Tensors &t, const SequenceForm &form);
/// The same sequence in a form that holds for it; the call ends with status 4 where it has more elements.
Stacked inForm(const Tensors &t, const Stacked &stack, const SequenceForm &form);
Size countOf(const Tensors &t, const Stacked &stack);
/// An element of a sequence whose elements have one rank; `place` lies within it.
Tensor elementAt(const Tensors &t, const Stacked &stack, mlir::Value place);
/// With `element`, which fits `form`, in front of that at `place`; null: at the end.
Stacked inserted(const Tensors &t, const Stacked &stack, Tensor element, mlir::Value place, const SequenceForm &form);
Stacked erased(const Tensors &t, const Stacked &stack, mlir::Value place);

/// The tensors, as the edge of the model and what flattens values have them, and back.
inline llvm::SmallVector<Tensor> tensorsOf(const Stacked &stack) { return {stack.items, stack.dims, stack.count}; }

} // namespace sinter
