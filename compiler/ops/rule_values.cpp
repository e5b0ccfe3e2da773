// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on numbers saturates: a rule that no sizes can meet is not met by an overflow.
#include "rule_values.h"

using namespace mlir;

namespace sinter {

void RuleValues::bind(StringRef name, ArrayRef<Size> sizes, const std::string &place, bool isRun) {
  if (!name.empty())
    meanings.try_emplace(name, Meaning{Sizes(sizes), place, isRun});
}

bool RuleValues::learn(const RuleExpr &expr, int64_t value, const std::string &place) {
  if (expr.kind == RuleExpr::Name) {
    auto found = meanings.find(expr.text);
    if (found == meanings.end() || found->second.isRun || constantOf(found->second.sizes.front()))
      return true;
    if (relationHolds(op, "=", found->second.sizes.front(), sizeOf(op.b, value)).kind == Holds::AtRunTime)
      found->second = {Sizes{sizeOf(op.b, value)}, place, false}; // what cannot be is said where it is compared
    return true;
  }
  if (expr.kind != RuleExpr::Binary)
    return true;
  for (unsigned known : {1, 0}) {
    std::optional<Sizes> number = evaluate(expr.arguments[known]);
    std::optional<int64_t> by = number && number->size() == 1 ? constantOf(number->front()) : std::nullopt;
    if (!by || *by < 1)
      continue;
    if (expr.text == "*")
      return value % *by == 0 && learn(expr.arguments[1 - known], value / *by, place);
    int64_t whole;
    if (expr.text == "/" && known == 1)
      return !__builtin_mul_overflow(value, *by, &whole) && learn(expr.arguments[0], whole, place);
  }
  return true;
}

bool RuleValues::learn(const RuleCondition &condition, const std::string &place) {
  if (condition.links.size() != 1 || condition.links[0].relation != "=" || condition.links[0].alternatives.size() != 1)
    return true;
  const RuleExpr &left = condition.first, &right = condition.links[0].alternatives[0];
  auto numberIn = [&](const RuleExpr &expr) {
    std::optional<Sizes> sizes = evaluate(expr);
    return sizes && sizes->size() == 1 ? constantOf(sizes->front()) : std::nullopt;
  };
  if (std::optional<int64_t> value = numberIn(left))
    return learn(right, *value, place);
  std::optional<int64_t> value = numberIn(right);
  return !value || learn(left, *value, place);
}

bool RuleValues::note(const Holds &holds) {
  if (holds.kind == Holds::AtRunTime)
    conditions.push_back(holds.condition);
  return holds.kind != Holds::No;
}

std::optional<unsigned> RuleValues::inputNamed(StringRef name) const {
  for (unsigned i = 0; i < op.inputCount(); ++i)
    if (const SchemaParameter *parameter = schema.input(i); parameter && parameter->name == name)
      return op.has(i) && op.input(i) ? std::optional(i) : std::nullopt;
  return std::nullopt;
}

std::optional<Sizes> RuleValues::ofAttribute(const SchemaAttribute &attribute) const {
  Attribute value = op.attribute(attribute.name);
  if (auto integers = dyn_cast_or_null<DenseI64ArrayAttr>(value))
    return sizesOf(op.b, integers.asArrayRef());
  size_t count = 0;
  if (auto reals = dyn_cast_or_null<DenseF32ArrayAttr>(value))
    count = reals.size();
  else if (auto array = dyn_cast_or_null<ArrayAttr>(value))
    count = array.size();
  else
    return std::nullopt;
  return sizesOf(op.b, SmallVector<int64_t>(count, 0));
}

std::optional<Sizes> RuleValues::ofName(StringRef name) const {
  if (auto found = meanings.find(name); found != meanings.end())
    return found->second.sizes;
  const SchemaAttribute *attribute = schema.attribute(name);
  if (!attribute)
    return std::nullopt;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(op.attribute(name)))
    return Sizes{sizeOf(op.b, integer.getInt())};
  return attribute->kind == AttributeKind::Ints ? ofAttribute(*attribute) : std::nullopt;
}

std::optional<Size> RuleValues::ofBinary(StringRef operation, Size a, Size b) {
  std::optional<int64_t> x = constantOf(a), y = constantOf(b);
  int64_t result = 0;
  if (x && y) {
    bool overflows = operation == "+"   ? __builtin_add_overflow(*x, *y, &result)
                     : operation == "-" ? __builtin_sub_overflow(*x, *y, &result)
                     : operation == "*" ? __builtin_mul_overflow(*x, *y, &result)
                                        : false;
    if (overflows)
      result = operation == "*" ? ((*x < 0) == (*y < 0) ? INT64_MAX : INT64_MIN) : *x < 0 ? INT64_MIN : INT64_MAX;
    bool divides = operation == "/" || operation == "%";
    if (divides && *y < 1)
      return std::nullopt; // another condition says that it is positive
    if (divides)
      result = operation == "%" ? *x % *y : *x % *y ? -1 : *x / *y; // no dim is that large where the quotient is none
    return sizeOf(op.b, result);
  }
  if (operation == "+")
    return add(op.b, op.loc, a, b);
  if (operation == "-")
    return sub(op.b, op.loc, a, b);
  if (operation == "*")
    return mul(op.b, op.loc, a, b);
  if (!certainlyPositive(b))
    return std::nullopt;
  Size quotient = divide(op.b, op.loc, a, b);
  if (operation == "%")
    return sub(op.b, op.loc, a, mul(op.b, op.loc, quotient, b));
  note(relationHolds(op, "=", mul(op.b, op.loc, quotient, b), a));
  return quotient;
}

/// Element by element; one number goes with each of a list.
static std::optional<Sizes> eachOf(const Sizes &a, const Sizes &b,
                                   llvm::function_ref<std::optional<Size>(Size, Size)> operation) {
  if (a.size() != 1 && b.size() != 1 && a.size() != b.size())
    return std::nullopt;
  Sizes result;
  for (size_t i = 0; i < (a.size() == 1 ? b.size() : a.size()); ++i) {
    std::optional<Size> one = operation(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
    if (!one)
      return std::nullopt;
    result.push_back(*one);
  }
  return result;
}

std::optional<Sizes> RuleValues::evaluate(const RuleExpr &expr) {
  switch (expr.kind) {
  case RuleExpr::Number:
    return Sizes{sizeOf(op.b, expr.number)};
  case RuleExpr::Name:
    return ofName(expr.text);
  case RuleExpr::Length: {
    std::optional<Sizes> list = ofName(expr.text);
    const SchemaAttribute *attribute = schema.attribute(expr.text);
    if (!list && attribute)
      list = ofAttribute(*attribute);
    return list ? std::optional(Sizes{sizeOf(op.b, list->size())}) : std::nullopt;
  }
  case RuleExpr::Call:
    return ofCall(expr);
  case RuleExpr::Binary:
    break;
  }
  std::optional<Sizes> a = evaluate(expr.arguments[0]), b = evaluate(expr.arguments[1]);
  if (!a || !b)
    return std::nullopt;
  return eachOf(*a, *b, [&](Size x, Size y) { return ofBinary(expr.text, x, y); });
}

/// The numbers of a small operand: those that are known, else what each call reads.
std::optional<Sizes> RuleValues::ofContents(unsigned input) {
  Tensor x = op.input(input);
  if (!isInteger(x.element) || !x.type().hasStaticShape() || x.type().getNumElements() > 64)
    return std::nullopt;
  if (std::optional<SmallVector<int64_t>> numbers = op.constantIntegers(input))
    return sizesOf(op.b, *numbers);
  if (x.rank() > 1)
    return std::nullopt;
  FailureOr<Sizes> numbers = op.elements(input, schema.input(input)->name);
  return failed(numbers) ? std::nullopt : std::optional(*numbers);
}

std::optional<Sizes> RuleValues::ofCall(const RuleExpr &call) {
  StringRef function = call.text, name = call.arguments[0].text;
  if (function == "has")
    return Sizes{sizeOf(op.b, inputNamed(name).has_value() || op.hasAttribute(name))};
  std::optional<unsigned> input = inputNamed(name);
  if (function == "rank" && call.arguments[0].kind == RuleExpr::Name)
    return input ? std::optional(Sizes{sizeOf(op.b, op.input(*input).rank())}) : std::nullopt;
  if (function == "value")
    return input ? ofContents(*input) : std::nullopt;
  if (function == "dim") {
    std::optional<Sizes> place = evaluate(call.arguments[1]);
    std::optional<int64_t> at = place && place->size() == 1 ? constantOf(place->front()) : std::nullopt;
    int64_t rank = input ? op.input(*input).rank() : 0;
    if (!at || *at < -rank || *at >= rank)
      return std::nullopt;
    return Sizes{op.size(op.input(*input), *at < 0 ? *at + rank : *at)};
  }
  if (function == "or") { // the second where the first is not known
    std::optional<Sizes> first = evaluate(call.arguments[0]);
    return first ? first : evaluate(call.arguments[1]);
  }
  SmallVector<Sizes> arguments;
  for (const RuleExpr &argument : call.arguments) {
    std::optional<Sizes> list = evaluate(argument);
    if (!list)
      return std::nullopt;
    arguments.push_back(*list);
  }
  if (function == "sum" || function == "product") {
    Size result = sizeOf(op.b, function == "product");
    for (Size size : arguments[0])
      result = *ofBinary(function == "sum" ? "+" : "*", result, size);
    return Sizes{result};
  }
  if (function == "at") {
    std::optional<int64_t> place = constantOf(arguments[1][0]);
    return place && *place >= 0 && *place < static_cast<int64_t>(arguments[0].size())
               ? std::optional(Sizes{arguments[0][*place]})
               : std::nullopt;
  }
  if (arguments.size() != 2)
    return std::nullopt;
  if (function == "min" || function == "max")
    return eachOf(arguments[0], arguments[1], [&](Size a, Size b) {
      return std::optional((function == "min" ? minimum : maximum)(op.b, op.loc, a, b));
    });
  if (arguments[0].size() != 1 || arguments[1].size() != 1)
    return std::nullopt;
  Size a = arguments[0][0], b = arguments[1][0];
  std::optional<int64_t> divisor = constantOf(b);
  if (function != "ceil" || !divisor || *divisor < 1)
    return std::nullopt;
  return Sizes{ceilDiv(op.b, op.loc, a, *divisor)};
}

bool RuleValues::certainlyPositive(Size size) {
  auto range = rangeOf(size);
  return range && range->first > 0;
}

std::optional<int64_t> RuleValues::lengthOf(const RuleDim &run, int64_t rank) {
  if (run.length) {
    std::optional<Sizes> length = evaluate(*run.length);
    std::optional<int64_t> count = length && length->size() == 1 ? constantOf(length->front()) : std::nullopt;
    return count ? std::optional(*count < 0 ? *count + rank : *count) : std::nullopt;
  }
  auto found = meanings.find(run.name);
  return found == meanings.end() || run.isBroadcast ? std::nullopt : std::optional(found->second.sizes.size());
}

bool RuleValues::hasLengthOfRunTime(const RuleDim &run) {
  std::optional<Sizes> length = run.length ? evaluate(*run.length) : std::nullopt;
  return length && length->size() == 1 && !constantOf(length->front());
}

std::optional<Sizes> RuleValues::ofShape(const RuleShape &shape) {
  Sizes result;
  for (const RuleDim &dim : shape.dims) {
    std::optional<Sizes> sizes = dim.kind == RuleDim::Run      ? ofName(dim.name)
                                 : dim.kind == RuleDim::Single ? evaluate(dim.alternatives[0])
                                                               : std::nullopt;
    if (!sizes)
      return std::nullopt;
    result.append(*sizes);
  }
  return result;
}

Holds RuleValues::isOneOf(StringRef relation, Size size, ArrayRef<RuleExpr> alternatives) {
  Holds any{Holds::No};
  for (const RuleExpr &alternative : alternatives) {
    std::optional<Sizes> value = evaluate(alternative);
    if (!value)
      return {Holds::Yes}; // nothing is known against it
    for (Size one : *value)
      any = either(op, any, relationHolds(op, relation, size, one));
  }
  return any;
}

Holds RuleValues::sameRun(StringRef name, ArrayRef<Size> sizes) {
  auto found = meanings.find(name);
  if (name.empty() || found == meanings.end())
    return {Holds::Yes};
  if (found->second.sizes.size() != sizes.size())
    return {Holds::No};
  Holds all{Holds::Yes};
  for (auto [a, b] : llvm::zip(found->second.sizes, sizes))
    all = both(op, all, relationHolds(op, "=", b, a));
  return all;
}

Holds RuleValues::broadcast(StringRef name, ArrayRef<Size> sizes, const std::string &place) {
  auto [found, isNew] = meanings.try_emplace(name, Meaning{Sizes(sizes), place, true});
  if (isNew)
    return {Holds::Yes};
  Sizes &sum = found->second.sizes;
  if (sizes.size() > sum.size())
    sum.insert(sum.begin(), sizes.size() - sum.size(), sizeOf(op.b, 1));
  Holds all{Holds::Yes};
  for (size_t i = 0; i < sizes.size(); ++i) {
    Size &out = sum[sum.size() - 1 - i], in = sizes[sizes.size() - 1 - i];
    auto isOne = [&](Size size) { return constantOf(size) == 1; };
    if (sameSize(out, in) || isOne(in))
      continue;
    if (isOne(out)) {
      out = in;
      continue;
    }
    all = both(op, all, broadcasts(op, in, out));
    if (all.kind == Holds::No)
      return all;
    if (constantOf(in))
      out = in;
    else if (!constantOf(out))
      out = maximum(op.b, op.loc, in, out);
  }
  return all;
}

std::optional<Holds> RuleValues::ofWords(const RuleCondition &condition) const {
  const SchemaAttribute *attribute =
      condition.first.kind == RuleExpr::Name ? schema.attribute(condition.first.text) : nullptr;
  bool isText = attribute && (attribute->kind == AttributeKind::String || attribute->kind == AttributeKind::Strings);
  if (!isText || condition.links.size() != 1)
    return std::nullopt;
  auto isWord = [&](StringRef word) {
    return llvm::any_of(condition.links[0].alternatives, [&](const RuleExpr &e) { return e.text == word; });
  };
  bool wanted = condition.links[0].relation == "=";
  SmallVector<StringRef> given = op.strings(attribute->name);
  if (op.hasAttribute(attribute->name) && attribute->kind == AttributeKind::String)
    given.push_back(op.string(attribute->name));
  bool holds = llvm::all_of(given, [&](StringRef word) { return isWord(word) == wanted; });
  return Holds{holds ? Holds::Yes : Holds::No};
}

/// Each number is an axis of an operand, or below a number, counted from the end if negative; none is there twice.
Holds RuleValues::areAxes(const RuleExpr &axes, const RuleExpr &of) {
  std::optional<unsigned> input = of.kind == RuleExpr::Name ? inputNamed(of.text) : std::nullopt;
  std::optional<Sizes> numbers = evaluate(axes), limit = evaluate(of);
  std::optional<int64_t> rank = input                         ? op.input(*input).rank()
                                : limit && limit->size() == 1 ? constantOf(limit->front())
                                                              : std::nullopt;
  if (!numbers || !rank)
    return {Holds::Yes};
  if (*rank == 0 && !numbers->empty())
    return {Holds::No};
  Holds all{Holds::Yes};
  Sizes seen;
  for (Size number : *numbers) {
    all = both(op, all, relationHolds(op, ">=", number, sizeOf(op.b, -*rank)));
    all = both(op, all, relationHolds(op, "<", number, sizeOf(op.b, *rank)));
    for (Size other : seen)
      for (int64_t turn : {int64_t(0), *rank, -*rank})
        all = both(op, all, relationHolds(op, "!=", number, add(op.b, op.loc, other, sizeOf(op.b, turn))));
    if (all.kind == Holds::No)
      return all;
    seen.push_back(number);
  }
  return all;
}

Holds RuleValues::holds(const RuleCondition &condition) {
  if (std::optional<Holds> words = ofWords(condition))
    return *words;
  std::optional<Sizes> left = evaluate(condition.first);
  if (condition.links.empty())
    return left && left->size() == 1 ? relationHolds(op, "!=", left->front(), sizeOf(op.b, 0)) : Holds{Holds::Yes};
  Holds all{Holds::Yes};
  const RuleExpr *leftExpr = &condition.first;
  for (const RuleCondition::Link &link : condition.links) {
    if (link.relation == "@")
      all = both(op, all, areAxes(*leftExpr, link.alternatives[0]));
    else if (std::optional<Sizes> right = evaluate(link.alternatives[0]);
             left && right && link.alternatives.size() == 1 && right->size() != 1) {
      if (left->size() != 1 && left->size() != right->size())
        return {Holds::No};
      for (auto [i, size] : llvm::enumerate(*right))
        all = both(op, all, relationHolds(op, link.relation, (*left)[left->size() == 1 ? 0 : i], size));
    } else if (left) {
      for (Size size : *left)
        all = both(op, all, isOneOf(link.relation, size, link.alternatives));
    }
    if (all.kind == Holds::No)
      return all;
    leftExpr = &link.alternatives[0];
    left = evaluate(*leftExpr);
  }
  return all;
}

/// The guard of an attribute that is not there does not hold.
bool RuleValues::hold(ArrayRef<RuleCondition> guards) {
  return llvm::all_of(guards, [&](const RuleCondition &guard) {
    const SchemaAttribute *attribute = schema.attribute(guard.first.text);
    if (guard.first.kind == RuleExpr::Name && (!attribute || !op.hasAttribute(attribute->name)))
      return !guard.links.empty() && guard.links[0].relation == "!=";
    return holds(guard).kind == Holds::Yes;
  });
}

std::string RuleValues::text(Size size) const {
  if (std::optional<int64_t> number = constantOf(size))
    return std::to_string(*number);
  auto dim = cast<Value>(size).getDefiningOp<DimOp>();
  return dim ? dim.getName().str() : "?";
}

std::string RuleValues::text(ArrayRef<Size> sizes) const {
  return "[" + llvm::join(llvm::map_range(sizes, [&](Size size) { return text(size); }), ",") + "]";
}

void RuleValues::explain(StringRef name, llvm::StringSet<> &explained, std::string &out) const {
  if (name.empty() || !explained.insert(name).second)
    return;
  std::string one;
  auto found = meanings.find(name);
  if (found != meanings.end()) {
    const Meaning &meaning = found->second;
    one = name.str() + " = " + (meaning.isRun ? text(meaning.sizes) : text(meaning.sizes[0])) + " is " + meaning.place;
  } else if (std::optional<Sizes> numbers = ofName(name)) {
    one = name.str() + " = " + (isa<IntegerAttr>(op.attribute(name)) ? text(numbers->front()) : text(*numbers));
  } else if (const SchemaAttribute *attribute = schema.attribute(name); attribute && ofAttribute(*attribute)) {
    one = name.str() + " has " + std::to_string(ofAttribute(*attribute)->size()) + " elements";
  } else if (auto word = dyn_cast_or_null<StringAttr>(op.attribute(name))) {
    one = name.str() + " = '" + word.str() + "'";
  } else if (std::optional<unsigned> input = inputNamed(name)) {
    one = "'" + name.str() + "' has shape " + text(op.sizes(op.input(*input)));
  }
  if (!one.empty())
    out += (out.empty() ? "" : ", ") + one;
}

} // namespace sinter
