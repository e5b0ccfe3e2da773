// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "forms.h"

#include "meeting.h"
#include "runtime_sizes.h"

#include <limits>

using namespace mlir;

namespace sinter {

bool Form::isSame(const Form &other) const {
  bool areStacks = kind == Stack && other.kind == Stack;
  return kind == other.kind && isOptional == other.isOptional && element == other.element &&
         unread.size() == other.unread.size() && (!areStacks || *sequence == *other.sequence) &&
         elements.size() == other.elements.size() && llvm::all_of(llvm::zip(elements, other.elements), [](auto pair) {
           return std::get<0>(pair).isSame(std::get<1>(pair));
         });
}

namespace {
Sizes unreadSizes(const Tensors &t, Tensor x, Operation *around) {
  Sizes sizes;
  for (Size size : t.sizes(x)) {
    std::optional<Size> known = around ? hoisted(size, around) : size;
    auto range = rangeOf(size);
    sizes.push_back(known ? *known : sizeOf(t.b, range ? std::max<int64_t>(range->first, 0) : 0));
  }
  return sizes;
}

/// Sizes for either: their own, or the least.
void takeCommon(OpBuilder &b, Sizes &sizes, ArrayRef<Size> others) {
  for (auto [size, other] : llvm::zip(sizes, others)) {
    if (sameSize(size, other))
      continue;
    int64_t least = std::numeric_limits<int64_t>::max();
    for (Size each : {size, Size(other)}) {
      auto range = rangeOf(each);
      least = std::min(least, range ? std::max<int64_t>(range->first, 0) : 0);
    }
    size = sizeOf(b, least);
  }
}

/// The forms of single tensors, one for each rank.
ArrayRef<Form> tensorsIn(const Form &form) {
  return form.kind == Form::OneOf ? ArrayRef(form.elements) : ArrayRef(form);
}

/// Of tensors of these and those ranks.
Form joinedRanks(OpBuilder &b, const Form &a, const Form &other) {
  std::vector<Form> all(tensorsIn(a).begin(), tensorsIn(a).end());
  for (const Form &one : tensorsIn(other)) {
    auto same = llvm::find_if(all, [&](const Form &form) { return form.unread.size() == one.unread.size(); });
    if (same == all.end())
      all.push_back(one);
    else
      takeCommon(b, same->unread, one.unread);
  }
  for (Form &one : all)
    one.isOptional = false;
  Form form;
  if (all.size() == 1)
    form = all.front();
  else
    form.elements = std::move(all);
  form.kind = form.elements.empty() ? Form::OneTensor : Form::OneOf;
  form.isOptional = a.isOptional || other.isOptional;
  form.element = a.element;
  return form;
}
} // namespace

Form formOf(const Tensors &t, const Converted &value, Operation *around) {
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
      form.elements.push_back(formOf(t, element, around));
      bool isTensor = (element.tensor || element.choice) && !element.present;
      std::optional<SequenceForm> one = isTensor ? formOfElement(t, element) : std::nullopt;
      areBounded &= one.has_value();
      all = one ? joined(all, *one) : all;
    }
    all.capacity = static_cast<int64_t>(value.elements.size());
    form.sequence = areBounded ? std::optional(all) : std::nullopt;
  } else if (value.choice) {
    form = joinedRanks(t.b, formOf(t, value.choice->first, around), formOf(t, value.choice->second, around));
    form.isOptional = static_cast<bool>(value.present);
  } else if (value.tensor) {
    form.kind = Form::OneTensor;
    form.unread = unreadSizes(t, value.tensor, around);
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

/// Tuples of as many tensors.
static bool areOneTuple(const Form &a, const Form &b) {
  return a.kind == Form::Tuple && b.kind == Form::Tuple && a.elements.size() == b.elements.size() &&
         llvm::all_of(llvm::zip(a.elements, b.elements), [](auto pair) {
           auto &[mine, other] = pair;
           return isOfTensors(mine) && isOfTensors(other) && !mine.isOptional && !other.isOptional &&
                  mine.element == other.element;
         });
}

FailureOr<Form> joined(const Op &op, const Form &a, const Form &b, unsigned output) {
  if (a.kind == Form::Nothing || b.kind == Form::Nothing) {
    Form form = a.kind == Form::Nothing ? b : a;
    form.isOptional = true;
    return form;
  }
  if (isOfTensors(a) != isOfTensors(b))
    return op.fail(Code::WrongOperandType,
                   "output " + Twine(output) + " is a tensor on one path and a sequence on another");
  if (isOfTensors(a))
    return joinedRanks(op.b, a, b);
  if (a.element != b.element && a.element != ElementType::Undefined && b.element != ElementType::Undefined)
    return op.fail(Code::WrongOperandType, "output " + Twine(output) + " is of " + elementTypeName(a.element) +
                                               " on one path and of " + elementTypeName(b.element) + " on another");
  Form form = a;
  form.isOptional = a.isOptional || b.isOptional;
  if (areOneTuple(a, b)) {
    for (auto [mine, other] : llvm::zip(form.elements, b.elements))
      mine = joinedRanks(op.b, mine, other);
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
  if (isOfTensors(form) && (value.tensor || value.choice)) {
    SmallVector<Tensor> flags, tensors;
    for (const Form &one : tensorsIn(form)) {
      int64_t rank = one.unread.size();
      Tensor tensor = ofRank(t, value, rank);
      tensors.push_back(tensor ? tensor : unreadValue(t, one).tensor);
      if (tensors.size() < tensorsIn(form).size())
        flags.push_back(rankZero(t.b, t.loc, ElementType::Bool, hasRank(t, value, rank)));
    }
    Converted either = choiceOf(flags, tensors);
    made.tensor = either.tensor;
    made.choice = either.choice;
    return made;
  }
  if (form.kind == Form::Tuple)
    for (auto [element, its] : llvm::zip_equal(made.elements, form.elements))
      element = inForm(t, element, its);
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
    stack = inserted(t, stack, element, nullptr, *form.sequence);
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
    made.tensor = t.filled(form.unread, form.element,
                           narrow(t.b, t.loc, form.element, Scalars{t.b, t.loc, form.element}.constant(0)));
  else if (form.kind == Form::Stack)
    made.stacked = std::make_shared<const Stacked>(emptyStack(t, *form.sequence));
  std::vector<Converted> elements;
  for (const Form &element : form.elements)
    elements.push_back(unreadValue(t, element));
  if (form.kind == Form::OneOf) {
    SmallVector<Tensor> flags(elements.size() - 1, flag(t, true)), tensors;
    for (const Converted &element : elements)
      tensors.push_back(element.tensor);
    made.choice = choiceOf(flags, tensors).choice;
  } else {
    made.elements = std::move(elements);
  }
  return made;
}

void flatten(const Converted &value, SmallVectorImpl<Tensor> &tensors) {
  if (value.present)
    tensors.push_back(value.present);
  if (value.stacked) {
    llvm::append_range(tensors, tensorsOf(*value.stacked));
  } else if (value.choice) {
    tensors.push_back(value.choice->isFirst);
    flatten(value.choice->first, tensors);
    flatten(value.choice->second, tensors);
  } else if (value.tensor) {
    tensors.push_back(value.tensor);
  }
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
  } else if (form.kind == Form::OneOf) {
    SmallVector<Tensor> flags, parts;
    for (size_t i = 0; i < form.elements.size(); ++i) {
      if (i + 1 < form.elements.size())
        flags.push_back(next());
      parts.push_back(next());
    }
    made.choice = choiceOf(flags, parts).choice;
    return made;
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
