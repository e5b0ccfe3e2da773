// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "choices.h"

#include "forms.h"
#include "meeting.h"
#include "runtime_sizes.h"
#include "size_relation.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {

namespace {
/// A short list of integers that a call has one of: as many elements as the longest has.
struct OpenList {
  SmallVector<Value> elements;
  Size length;
};
} // namespace

static void addOfRank(const Converted &value, int64_t rank, SmallVectorImpl<Tensor> &tensors) {
  if (value.choice) {
    addOfRank(value.choice->first, rank, tensors);
    addOfRank(value.choice->second, rank, tensors);
  } else if (value.tensor.rank() == rank) {
    tensors.push_back(value.tensor);
  }
}

/// Of the lists of that rank, the one that the call has; without elements where there is none.
static OpenList listOfRank(const Tensors &t, const Converted &value, int64_t rank) {
  OpenList list{{}, sizeOf(t.b, 0)};
  if (!value.choice && value.tensor.rank() == rank) {
    EvaluationCache unused;
    list.length = sizeOf(t.b, value.tensor.type().getNumElements());
    for (int64_t i = 0; i < value.tensor.type().getNumElements(); ++i) {
      SmallVector<int64_t> at(rank, i);
      list.elements.push_back(elementOf(t.b, t.loc, value.tensor.value, at, unused));
    }
  }
  if (!value.choice)
    return list;
  OpenList first = listOfRank(t, value.choice->first, rank), second = listOfRank(t, value.choice->second, rank);
  Value isFirst = onlyElement(t.b, t.loc, value.choice->isFirst);
  list.length = chosen(t, isFirst, first.length, second.length);
  size_t both = std::min(first.elements.size(), second.elements.size());
  list.elements = first.elements.size() > both ? first.elements : second.elements;
  for (size_t i = 0; i < both; ++i)
    list.elements[i] = t.b.createOrFold<arith::SelectOp>(t.loc, isFirst, first.elements[i], second.elements[i]);
  return list;
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
  SmallVector<Tensor> tensors;
  addOfRank(value, rank, tensors);
  if (tensors.size() < 2)
    return tensors.empty() ? Tensor() : tensors.front();
  OpenList list = listOfRank(t, value, rank);
  if (rank == 0)
    return rankZero(t.b, t.loc, tensors.front().element, list.elements.front());
  return takeFirst(t, t.fromElements(tensors.front().element, list.elements), list.length, 0);
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
