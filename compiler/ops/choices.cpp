// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "choices.h"

#include "forms.h"
#include "meeting.h"
#include "runtime_sizes.h"
#include "size_relation.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {

/// A list that a call has one of, whose lengths differ, as one of a length that only a call knows.
static Tensor listOfEither(const Tensors &t, Value isFirst, Tensor a, Tensor b) {
  if (a.rank() == 0)
    return rankZero(
        t.b, t.loc, a.element,
        t.b.create<arith::SelectOp>(t.loc, isFirst, onlyElement(t.b, t.loc, a), onlyElement(t.b, t.loc, b)));
  EvaluationCache unused;
  int64_t lengths[2] = {a.shape()[0], b.shape()[0]};
  Tensor longer = lengths[0] < lengths[1] ? b : a;
  SmallVector<Value> elements;
  for (int64_t i = 0; i < longer.shape()[0]; ++i) {
    auto at = [&](size_t k, Tensor list) {
      return elementOf(t.b, t.loc, i < lengths[k] ? list.value : longer.value, {i}, unused);
    };
    elements.push_back(t.b.createOrFold<arith::SelectOp>(t.loc, isFirst, at(0, a), at(1, b)));
  }
  Tensor list = t.fromElements(a.element, elements);
  return takeFirst(t, list, chosen(t, isFirst, sizeOf(t.b, lengths[0]), sizeOf(t.b, lengths[1])), 0);
}

Converted choiceOf(ArrayRef<Tensor> flags, ArrayRef<Tensor> tensors) {
  Converted made;
  if (flags.empty()) {
    made.tensor = tensors.front();
    return made;
  }
  made.tensor.element = tensors.front().element;
  made.choice = std::make_shared<const Choice>(
      Choice{flags.front(), choiceOf({}, tensors.front()), choiceOf(flags.drop_front(), tensors.drop_front())});
  return made;
}

Value hasRank(const Tensors &t, const Converted &value, int64_t rank) {
  if (!value.choice)
    return t.b.create<arith::ConstantOp>(t.loc, t.b.getBoolAttr(value.tensor.rank() == rank));
  Value first = hasRank(t, value.choice->first, rank), second = hasRank(t, value.choice->second, rank);
  return t.b.createOrFold<arith::SelectOp>(t.loc, onlyElement(t.b, t.loc, value.choice->isFirst), first, second);
}

Tensor ofRank(const Tensors &t, const Converted &value, int64_t rank) {
  if (!value.choice)
    return value.tensor.rank() == rank ? value.tensor : Tensor();
  Tensor a = ofRank(t, value.choice->first, rank), b = ofRank(t, value.choice->second, rank);
  if (!a || !b)
    return a ? a : b;
  return listOfEither(t, onlyElement(t.b, t.loc, value.choice->isFirst), a, b);
}

std::optional<Problem> takeDeclaredRank(const Tensors &t, const std::string &what, RankedTensorType declared,
                                        Converted &given) {
  Form form = formOf(t, given);
  int64_t rank = form.kind == Form::OneTensor ? form.unread.size() : declared ? declared.getRank() : -1;
  Tensor tensor = ofRank(t, given, rank);
  if (!tensor) {
    auto ranks = llvm::map_range(form.elements, [](const Form &one) { return std::to_string(one.unread.size()); });
    return Problem{Code::UnsupportedInput,
                   what + " has rank " + llvm::join(ranks, " or ") + ", and only a call knows which",
                   {},
                   "reshape it to one rank, or declare the one that calls have as the output's shape"};
  }
  if (form.kind == Form::OneOf)
    require(t, hasRank(t, given, rank), what + " has the rank that the model declares");
  given.tensor = tensor;
  given.choice = nullptr;
  return std::nullopt;
}

} // namespace sinter
