// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of expressions in rules. Arithmetic on numbers saturates: a rule that no sizes can meet is not met by an
// overflow.
#include "rule_values.h"

using namespace mlir;

namespace sinter {

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
  if (failed(numbers))
    return std::nullopt;
  return *numbers;
}

/// A list without entries says as much as none.
static bool isEmptyList(Attribute attribute) {
  if (auto list = dyn_cast<DenseArrayAttr>(attribute))
    return list.empty();
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && list.empty();
}

std::optional<Sizes> RuleValues::ofCall(const RuleExpr &call) {
  StringRef function = call.text, name = call.arguments[0].text;
  if (function == "has")
    return Sizes{
        sizeOf(op.b, inputNamed(name).has_value() || (op.hasAttribute(name) && !isEmptyList(op.attribute(name))))};
  std::optional<unsigned> input = inputNamed(name);
  if (function == "rank" && call.arguments[0].kind == RuleExpr::Name)
    return input ? std::optional(Sizes{sizeOf(op.b, op.input(*input).rank())}) : std::nullopt;
  if (function == "value")
    return input ? ofContents(*input) : std::nullopt;
  if (function == "dim") {
    std::optional<Sizes> place = evaluate(call.arguments[1]);
    std::optional<int64_t> at = place && place->size() == 1 ? constantOf(place->front()) : std::nullopt;
    int64_t rank = input ? op.input(*input).rank() : 0;
    if (!at || !input)
      return std::nullopt;
    if (*at < -rank || *at >= rank)
      return Sizes{sizeOf(op.b, -1)}; // a dim that is not there is as long as none
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
  if (!divisor || *divisor < 1)
    return std::nullopt;
  return Sizes{(function == "floor" ? floorDiv : ceilDiv)(op.b, op.loc, a, *divisor)};
}

bool RuleValues::certainlyPositive(Size size) {
  auto range = rangeOf(size);
  return range && range->first > 0;
}

} // namespace sinter
