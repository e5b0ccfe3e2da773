// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "forms.h"

#include "meeting.h"
#include "runtime_sizes.h"

using namespace mlir;

namespace sinter {

bool Form::isSame(const Form &other) const {
  bool areStacks = kind == Stack && other.kind == Stack;
  return kind == other.kind && isOptional == other.isOptional && element == other.element &&
         least.size() == other.least.size() && (!areStacks || *sequence == *other.sequence) &&
         elements.size() == other.elements.size() && llvm::all_of(llvm::zip(elements, other.elements), [](auto pair) {
           return std::get<0>(pair).isSame(std::get<1>(pair));
         });
}

Form formOf(const Tensors &t, const Converted &value) {
  Form form;
  form.isOptional = value.isAbsent || value.present;
  form.element = value.tensor.element;
  if (value.stacked) {
    form.kind = Form::Stack;
    form.element = value.stacked->form.element;
    form.sequence = value.stacked->form;
  } else if (value.isSequence) {
    form.kind = Form::Tuple;
    SequenceForm all;
    all.element = form.element;
    bool areBounded = true;
    for (const Converted &element : value.elements) {
      form.elements.push_back(formOf(t, element));
      std::optional<SequenceForm> one = element.tensor ? formOfElement(t, element.tensor) : std::nullopt;
      areBounded &= one.has_value();
      all = one ? joined(all, *one) : all;
    }
    all.capacity = static_cast<int64_t>(value.elements.size());
    form.sequence = areBounded ? std::optional(all) : std::nullopt;
  } else if (value.tensor) {
    form.kind = Form::OneTensor;
    for (Size size : t.sizes(value.tensor)) {
      auto range = rangeOf(size);
      form.least.push_back(range ? std::max<int64_t>(range->first, 0) : 0);
    }
  }
  return form;
}

FailureOr<Form> stackFormOf(const Op &op, const Form &form, unsigned output) {
  if (!form.sequence)
    return failWithoutBound(op, output,
                            "output " + Twine(output) +
                                " is a sequence that differs from call to call, with elements that have no bound");
  Form stack;
  stack.kind = Form::Stack;
  stack.isOptional = form.isOptional;
  stack.element = form.sequence->element;
  stack.sequence = form.sequence;
  return stack;
}

/// Tuples of as many tensors, each of one rank.
static bool areOneTuple(const Form &a, const Form &b) {
  return a.kind == Form::Tuple && b.kind == Form::Tuple && a.elements.size() == b.elements.size() &&
         llvm::all_of(llvm::zip(a.elements, b.elements), [](auto pair) {
           auto &[mine, other] = pair;
           return mine.kind == Form::OneTensor && other.kind == Form::OneTensor && !mine.isOptional &&
                  !other.isOptional && mine.element == other.element && mine.least.size() == other.least.size();
         });
}

FailureOr<Form> joined(const Op &op, const Form &a, const Form &b, unsigned output) {
  if (a.kind == Form::Nothing || b.kind == Form::Nothing) {
    Form form = a.kind == Form::Nothing ? b : a;
    form.isOptional = true;
    return form;
  }
  if ((a.kind == Form::OneTensor) != (b.kind == Form::OneTensor))
    return op.fail(Code::WrongOperandType,
                   "output " + Twine(output) + " is a tensor on one path and a sequence on another");
  if (a.kind != Form::OneTensor && a.element != b.element && a.element != ElementType::Undefined &&
      b.element != ElementType::Undefined)
    return op.fail(Code::WrongOperandType, "output " + Twine(output) + " is of " + elementTypeName(a.element) +
                                               " on one path and of " + elementTypeName(b.element) + " on another");
  Form form = a;
  form.isOptional = a.isOptional || b.isOptional;
  if (a.kind == Form::OneTensor) {
    for (auto [mine, other] : llvm::zip(form.least, b.least))
      mine = std::min(mine, other);
    return form;
  }
  if (areOneTuple(a, b)) {
    for (auto [mine, other] : llvm::zip(form.elements, b.elements))
      for (auto [least, less] : llvm::zip(mine.least, other.least))
        least = std::min(least, less);
    form.sequence = a.sequence && b.sequence ? std::optional(joined(*a.sequence, *b.sequence)) : std::nullopt;
    return form;
  }
  FailureOr<Form> first = stackFormOf(op, a, output), second = stackFormOf(op, b, output);
  if (failed(first) || failed(second))
    return failure();
  first->isOptional = form.isOptional;
  first->sequence = joined(*a.sequence, *b.sequence);
  first->element = first->sequence->element;
  return *first;
}

static Tensor flag(const Tensors &t, bool value) {
  return rankZero(t.b, t.loc, ElementType::Bool, t.b.create<arith::ConstantOp>(t.loc, t.b.getBoolAttr(value)));
}

Converted inForm(const Tensors &t, const Converted &value, const Form &form) {
  if (value.isAbsent) {
    Converted made = unreadValue(t, form);
    made.present = flag(t, false);
    return made;
  }
  Converted made = value;
  if (form.isOptional && !made.present)
    made.present = flag(t, true);
  if (form.kind != Form::Stack)
    return made;
  made.tensor = {nullptr, form.element};
  made.elements.clear();
  if (value.stacked) {
    made.stacked = std::make_shared<const Stacked>(inForm(t, *value.stacked, *form.sequence));
    return made;
  }
  Stacked stack = emptyStack(t, *form.sequence);
  for (const Converted &element : value.elements)
    stack = inserted(t, stack, element.tensor, nullptr, *form.sequence);
  made.stacked = std::make_shared<const Stacked>(stack);
  return made;
}

Converted unreadValue(const Tensors &t, const Form &form) {
  Converted made;
  if (form.isOptional)
    made.present = flag(t, false);
  made.isSequence = form.kind == Form::Tuple || form.kind == Form::Stack;
  made.tensor.element = form.element;
  if (form.kind == Form::OneTensor)
    made.tensor = t.filled(sizesOf(t.b, form.least), form.element,
                           narrow(t.b, t.loc, form.element, Scalars{t.b, t.loc, form.element}.constant(0)));
  else if (form.kind == Form::Stack)
    made.stacked = std::make_shared<const Stacked>(emptyStack(t, *form.sequence));
  for (const Form &element : form.elements)
    made.elements.push_back(unreadValue(t, element));
  return made;
}

void flatten(const Converted &value, SmallVectorImpl<Tensor> &tensors) {
  if (value.present)
    tensors.push_back(value.present);
  if (value.stacked)
    llvm::append_range(tensors, tensorsOf(*value.stacked));
  else if (value.tensor)
    tensors.push_back(value.tensor);
  for (const Converted &element : value.elements)
    flatten(element, tensors);
}

Converted rebuilt(const Form &form, ArrayRef<Tensor> &tensors) {
  auto next = [&] {
    Tensor tensor = tensors.front();
    tensors = tensors.drop_front();
    return tensor;
  };
  Converted made;
  if (form.isOptional)
    made.present = next();
  made.isSequence = form.kind == Form::Tuple || form.kind == Form::Stack;
  made.tensor.element = form.element;
  if (form.kind == Form::Stack) {
    Tensor items = next(), dims = next(), count = next();
    made.stacked = std::make_shared<const Stacked>(Stacked{items, dims, count, *form.sequence});
  } else if (form.kind == Form::OneTensor) {
    made.tensor = next();
  } else {
    made.isAbsent = form.kind == Form::Nothing;
  }
  if (made.isAbsent)
    made.present = {};
  for (const Form &element : form.elements)
    made.elements.push_back(rebuilt(element, tensors));
  return made;
}

} // namespace sinter
