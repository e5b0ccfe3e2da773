// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a value before a call: a tensor, one of several tensors of different ranks, a sequence whose
// elements are listed (a tuple), one that only a call knows (stacked.h), an optional. Where paths meet, their values
// get one form, and then are tensors to whoever moves them.
#pragma once

#include "choices.h"
#include "conversion.h"
#include "lowering.h"
#include "stacked.h"

namespace sinter {

struct Form {
  enum Kind { Nothing, OneTensor, OneOf, Tuple, Stack } kind = Nothing;
  bool isOptional = false; ///< only a call knows whether there is a value
  ElementType element = ElementType::Undefined;
  Sizes unread; ///< of a tensor: sizes for one that nobody reads: its own where they are known, or the least
  std::vector<Form> elements;             ///< of a tuple; of a choice its tensors, each of another rank
  std::optional<SequenceForm> sequence{}; ///< of sequences; nothing where an element is no tensor, or has no bound

  /// The same but for the sizes of tensors, which whoever moves them looks after.
  bool isSame(const Form &other) const;
};

/// A tensor, or one of several.
inline bool isOfTensors(const Form &form) { return form.kind == Form::OneTensor || form.kind == Form::OneOf; }

/// `around`: the op in which the value is made, and outside of which the form is asked for.
Form formOf(const Tensors &t, const Converted &value, mlir::Operation *around = nullptr);
/// The form of a sequence as a stack; fails, as output `output` of the node, where it has none.
mlir::FailureOr<Form> stackFormOf(const Op &op, const Form &form, unsigned output);
/// One that holds for both; fails where there is none.
mlir::FailureOr<Form> joined(const Op &op, const Form &a, const Form &b, unsigned output);

/// The same value in a form that holds for it.
Converted inForm(const Tensors &t, const Converted &value, const Form &form);
/// A value of that form that nobody looks at.
Converted unreadValue(const Tensors &t, const Form &form);

/// The tensors of a value, in order; and the value that is made of them, which are taken from the list.
void flatten(const Converted &value, llvm::SmallVectorImpl<Tensor> &tensors);
Converted rebuilt(const Form &form, llvm::ArrayRef<Tensor> &tensors);

} // namespace sinter
