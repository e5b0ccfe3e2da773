// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "branches.h"

#include "meeting.h"
#include "runtime_sizes.h"
#include "subgraphs.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sinter {
namespace {

/// For as long as a path is made.
class Assumption {
public:
  Assumption(Conversion &conversion, Value condition, bool truth) : conversion(conversion), condition(condition) {
    conversion.assumed[condition] = truth;
  }
  ~Assumption() { conversion.assumed.erase(condition); }
  Assumption(const Assumption &) = delete;
  Assumption &operator=(const Assumption &) = delete;

private:
  Conversion &conversion;
  Value condition;
};

/// Problems from `first` on say that shapes contradict each other (what follows from that names no reason of its own).
bool areContradictions(const Diagnostics &diagnostics, size_t first) {
  ArrayRef<Problem> added = ArrayRef(diagnostics.all()).drop_front(first);
  return !added.empty() && added.front().code == Code::ShapeMismatch &&
         llvm::all_of(added, [](const Problem &p) { return p.code == Code::ShapeMismatch || p.hint.empty(); });
}

class Branches {
public:
  Branches(const Op &op, Tensor condition)
      : op(op), condition(condition), before(op.b.getContext()),
        probe(op.b.create<scf::IfOp>(op.loc, TypeRange(), onlyElement(op.b, op.loc, condition),
                                     /*withElseRegion=*/true)),
        inThen(probe.getThenBodyBuilder()), inElse(probe.getElseBodyBuilder()), onThen{inThen, op.loc},
        onElse{inElse, op.loc} {
    before.setInsertionPoint(probe);
  }

  LogicalResult make(Path onTrue, Path onFalse);
  FailureOr<SmallVector<Converted>> meet(ArrayRef<unsigned> outputs);

private:
  FailureOr<SmallVector<Converted>> follow(Path path, OpBuilder &inside, bool truth) {
    Assumption assumption(op.conversion, condition.value, truth);
    return path(inside);
  }
  FailureOr<SmallVector<Converted>> impossible(bool isThen, ArrayRef<Converted> others);
  std::optional<Sizes> elementsBefore(const Tensors &inside, Tensor list) const;
  std::optional<Converted> listBefore(const Tensors &inside, const Converted &list) const;
  Tensor listOf(ArrayRef<Size> elements, Tensor like) const;
  Tensor eitherList(Tensor x, Tensor y) const;
  std::optional<Converted> meetLists(const Converted &x, const Converted &y) const;

  const Op &op;
  Tensor condition;
  OpBuilder before;
  mutable scf::IfOp probe; ///< without results; what replaces it has them
  OpBuilder inThen, inElse;
  Tensors onThen, onElse;
  SmallVector<Converted> thenValues, elseValues;

  SmallVector<Tensor> fromThen, fromElse; ///< that meet
  SmallVector<unsigned> outputOf;         ///< of each of these
};

/// A branch that cannot run, because its shapes contradict the sizes that the user gave: running it ends the call with
/// status 4. The values have the other branch's sizes and are never looked at.
FailureOr<SmallVector<Converted>> Branches::impossible(bool isThen, ArrayRef<Converted> others) {
  OpBuilder &inside = isThen ? inThen : inElse;
  Block *block = inside.getInsertionBlock();
  while (block->getOperations().size() > 1)
    std::prev(block->end(), 2)->erase();
  op.conversion.forgetErased();
  // 1 where this branch runs, known only then: made outside, where nothing says which branch it is.
  OpBuilder outside = before;
  Value chosen = probe.getCondition();
  if (!isThen)
    chosen = outside.create<arith::XOrIOp>(op.loc, chosen,
                                           outside.create<arith::ConstantOp>(op.loc, outside.getBoolAttr(true)));
  Value one = outside.create<arith::IndexCastUIOp>(op.loc, outside.getIndexType(), chosen);
  Value never = inside.create<BoundOp>(op.loc, inside.getIndexType(), one, 0, 0);
  Value number = inside.create<arith::IndexCastOp>(op.loc, inside.getI64Type(), never);
  Tensors t{inside, op.loc};
  SmallVector<Converted> values;
  bool isTold = false; // by a value, which keeps what it is made of
  for (const Converted &other : others) {
    Form form = formOf(isThen ? onElse : onThen, other, probe);
    ElementType element = form.element;
    if (form.kind == Form::OneTensor && !isComplex(element) && element != ElementType::String) {
      Value scalar = Scalars{inside, op.loc, ElementType::Int64}.castTo(element, number);
      values.push_back({t.filled(form.unread, element, narrow(inside, op.loc, element, scalar)), {}, false, false});
      isTold = true;
    } else if (form.kind != Form::Nothing && form.kind != Form::Tuple) {
      values.push_back(unreadValue(t, form));
    } else {
      return failure();
    }
  }
  if (!isTold)
    return failure();
  return values;
}

LogicalResult Branches::make(Path onTrue, Path onFalse) {
  Diagnostics &diagnostics = op.conversion.diagnostics;
  Diagnostics atFirst = diagnostics; // what a branch reports is forgotten where the branch cannot run
  FailureOr<SmallVector<Converted>> fromTrue = follow(onTrue, inThen, true);
  Diagnostics betweenBranches = diagnostics;
  FailureOr<SmallVector<Converted>> fromFalse = follow(onFalse, inElse, false);
  if (succeeded(fromTrue) && failed(fromFalse) && areContradictions(diagnostics, betweenBranches.all().size())) {
    fromFalse = impossible(/*isThen=*/false, *fromTrue);
    if (succeeded(fromFalse))
      diagnostics = betweenBranches;
  } else if (failed(fromTrue) && succeeded(fromFalse) && areContradictions(diagnostics, atFirst.all().size())) {
    fromTrue = impossible(/*isThen=*/true, *fromFalse);
    if (succeeded(fromTrue))
      diagnostics = atFirst;
  }
  if (failed(fromTrue) || failed(fromFalse))
    return failure();
  thenValues = *fromTrue;
  elseValues = *fromFalse;
  return success();
}

/// The elements of a short list of integers (or of one) where they follow from what is known before the branches:
/// sizes, which what reads them must see through.
std::optional<Sizes> Branches::elementsBefore(const Tensors &inside, Tensor list) const {
  constexpr int64_t most = 16; // as many dims as a tensor may have
  bool isList = list && (list.element == ElementType::Int64 || list.element == ElementType::Int32) &&
                list.rank() <= 1 && list.type().hasStaticShape() && list.type().getNumElements() <= most;
  if (!isList)
    return std::nullopt;
  Sizes elements;
  for (int64_t i = 0; i < list.type().getNumElements(); ++i) {
    SmallVector<int64_t> at(list.rank(), i);
    Value element = elementOf(inside.b, op.loc, list.value, at, op.conversion.evaluations);
    std::optional<Size> known = hoisted(sizeOfInteger(inside.b, op.loc, element), probe);
    if (!known)
      return std::nullopt;
    elements.push_back(*known);
  }
  return elements;
}

Tensor Branches::listOf(ArrayRef<Size> elements, Tensor like) const {
  OpBuilder b = before;
  SmallVector<Value> scalars;
  for (Size element : elements)
    scalars.push_back(
        b.createOrFold<arith::IndexCastOp>(op.loc, like.type().getElementType(), toValue(b, op.loc, element)));
  return like.rank() == 0 ? rankZero(b, op.loc, like.element, scalars.front())
                          : Tensors{b, op.loc}.fromElements(like.element, scalars);
}

/// The list, or choice between lists, where all of it is known before the branches.
std::optional<Converted> Branches::listBefore(const Tensors &inside, const Converted &list) const {
  if (list.present || list.isSequence || list.isAbsent)
    return std::nullopt;
  if (!list.choice) {
    std::optional<Sizes> elements = elementsBefore(inside, list.tensor);
    return elements ? std::optional(Converted{listOf(*elements, list.tensor), {}, false, false}) : std::nullopt;
  }
  Value flag = list.choice->isFirst.value;
  if (probe->isAncestor(flag.getParentRegion()->getParentOp()))
    return std::nullopt;
  std::optional<Converted> first = listBefore(inside, list.choice->first),
                           second = listBefore(inside, list.choice->second);
  if (!first || !second)
    return std::nullopt;
  Converted made;
  made.tensor.element = list.tensor.element;
  made.choice = std::make_shared<const Choice>(Choice{list.choice->isFirst, *first, *second});
  return made;
}

/// Of two lists of one length, known before the branches, that of the branch which runs.
Tensor Branches::eitherList(Tensor x, Tensor y) const {
  OpBuilder b = before;
  Tensors t{b, op.loc};
  std::optional<Sizes> first = elementsBefore(t, x), second = elementsBefore(t, y);
  for (auto [mine, other] : llvm::zip(*first, *second))
    mine = sameSize(mine, other) ? mine : chosen(t, probe.getCondition(), mine, other);
  return listOf(*first, x);
}

namespace {
/// Whether the list that is chosen has that type, an i1; and the list that has it, null where there is none.
Value hasType(const Tensors &t, const Converted &list, Type type) {
  if (!list.choice)
    return t.b.create<arith::ConstantOp>(t.loc, t.b.getBoolAttr(list.tensor.type() == type));
  Value first = hasType(t, list.choice->first, type), second = hasType(t, list.choice->second, type);
  return t.b.createOrFold<arith::SelectOp>(t.loc, onlyElement(t.b, t.loc, list.choice->isFirst), first, second);
}
Tensor ofType(const Converted &list, Type type) {
  if (!list.choice)
    return list.tensor.type() == type ? list.tensor : Tensor();
  Tensor first = ofType(list.choice->first, type);
  return first ? first : ofType(list.choice->second, type);
}
void addTypes(const Converted &list, llvm::SetVector<Type> &types) {
  if (!list.choice) {
    types.insert(list.tensor.type());
    return;
  }
  addTypes(list.choice->first, types);
  addTypes(list.choice->second, types);
}
} // namespace

/// Lists that are known before the branches stay so. Those of one length are one list; others are a choice between
/// lists of different lengths, so that what reads a shape knows how long it is.
std::optional<Converted> Branches::meetLists(const Converted &x, const Converted &y) const {
  if (x.tensor.element != y.tensor.element)
    return std::nullopt;
  std::optional<Converted> first = listBefore(onThen, x), second = listBefore(onElse, y);
  if (!first || !second)
    return std::nullopt;
  llvm::SetVector<Type> ofFirst, ofSecond, both;
  addTypes(*first, ofFirst);
  addTypes(*second, ofSecond);
  both.insert(ofFirst.begin(), ofFirst.end());
  both.insert(ofSecond.begin(), ofSecond.end());
  Converted made;
  made.tensor.element = x.tensor.element;
  if (both.size() == ofFirst.size() + ofSecond.size()) { // the condition itself says which it is
    made.choice = std::make_shared<const Choice>(Choice{condition, *first, *second});
    return made;
  }
  OpBuilder b = before;
  Tensors t{b, op.loc};
  SmallVector<Tensor> flags, lists;
  for (Type type : both) {
    Tensor mine = ofType(*first, type), other = ofType(*second, type);
    lists.push_back(mine && other ? eitherList(mine, other) : mine ? mine : other);
    if (lists.size() < both.size())
      flags.push_back(rankZero(b, op.loc, ElementType::Bool,
                               b.createOrFold<arith::SelectOp>(op.loc, probe.getCondition(), hasType(t, *first, type),
                                                               hasType(t, *second, type))));
  }
  return choiceOf(flags, lists);
}

FailureOr<SmallVector<Converted>> Branches::meet(ArrayRef<unsigned> outputs) {
  SmallVector<Converted> values;
  std::vector<std::optional<Form>> forms;
  for (auto [x, y, output] : llvm::zip_equal(thenValues, elseValues, outputs)) {
    values.emplace_back();
    forms.emplace_back();
    if (std::optional<Converted> list = meetLists(x, y)) {
      values.back() = *list;
      continue;
    }
    Form first = formOf(onThen, x, probe), second = formOf(onElse, y, probe);
    bool areTensors = (x.tensor.value || x.choice) && (y.tensor.value || y.choice);
    if (areTensors && failed(checkSameElement(op, "output " + Twine(output), x.tensor, y.tensor)))
      return failure();
    FailureOr<Form> form = joined(op, first, second, output);
    if (failed(form))
      return failure();
    flatten(inForm(onThen, x, *form), fromThen);
    flatten(inForm(onElse, y, *form), fromElse);
    outputOf.resize(fromThen.size(), output);
    forms.back() = *form;
  }
  SmallVector<Meeting> meetings;
  SmallVector<Value> thenYield, elseYield;
  SmallVector<Type> types;
  for (auto [x, y, output] : llvm::zip(fromThen, fromElse, outputOf)) {
    if (failed(checkSameElement(op, "output " + Twine(output), x, y)))
      return failure();
    Meeting::PathSizes sizes[2];
    for (Size size : onThen.sizes(x))
      sizes[0].push_back(hoisted(size, probe));
    for (Size size : onElse.sizes(y))
      sizes[1].push_back(hoisted(size, probe));
    FailureOr<Meeting> meeting = Meeting::of(op, output, sizes, {x, y});
    if (failed(meeting))
      return failure();
    Value buffer = meeting->buffer(before, op.loc).value;
    llvm::append_range(thenYield, meeting->store(inThen, op.loc, x, buffer));
    llvm::append_range(elseYield, meeting->store(inElse, op.loc, y, buffer));
    llvm::append_range(types, meeting->types());
    meetings.push_back(*meeting);
  }
  probe.thenYield()->setOperands(thenYield);
  probe.elseYield()->setOperands(elseYield);
  OpBuilder &b = op.b;
  auto made = b.create<scf::IfOp>(op.loc, types, probe.getCondition(), /*addThenBlock=*/false, /*addElseBlock=*/false);
  made.getThenRegion().takeBody(probe.getThenRegion());
  made.getElseRegion().takeBody(probe.getElseRegion());
  probe.erase();
  SmallVector<Tensor> tensors;
  ValueRange results = made.getResults();
  for (const Meeting &meeting : meetings) {
    tensors.push_back(meeting.load(b, op.loc, results.take_front(meeting.count())));
    results = results.drop_front(meeting.count());
  }
  // What one branch's tensors were dequantized from says nothing about the tensors where branches meet.
  ArrayRef<Tensor> rest = tensors;
  for (auto [i, form] : llvm::enumerate(forms)) {
    if (!form)
      continue;
    values[i] = rebuilt(*form, rest);
    // Of two tensors, one from each branch, the condition itself says which it is.
    if (values[i].choice && thenValues[i].tensor.value && elseValues[i].tensor.value)
      values[i].choice =
          std::make_shared<const Choice>(Choice{condition, values[i].choice->first, values[i].choice->second});
  }
  return values;
}
} // namespace

FailureOr<SmallVector<Converted>> choose(const Op &op, Tensor condition, Path onTrue, Path onFalse,
                                         ArrayRef<unsigned> outputs) {
  Branches branches(op, condition);
  if (failed(branches.make(onTrue, onFalse)))
    return failure();
  return branches.meet(outputs);
}

} // namespace sinter
