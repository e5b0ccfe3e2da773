// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two walks over a rule's items: names take the sizes of what they first stand for, then everything is compared. Values
// of expressions: rule_values.cpp.
#include "rule_check.h"

#include "conversion.h"
#include "rule_values.h"

#include <map>

using namespace mlir;

namespace sinter {
namespace {

/// An operand, or a list of numbers that is an attribute, beside the shape that the rule has for it.
struct Matched {
  const RuleItem *item;
  const RuleShape *shape;
  std::string what; ///< "'scale'"
  Sizes sizes;
  bool isAttribute;
};

class RuleCheck {
public:
  RuleCheck(const Op &op, const OperatorSchema &schema) : op(op), schema(schema), values(op, schema) {}

  LogicalResult check(const Rule &rule) {
    if (failed(hold(rule)))
      return failure();
    requireConditions();
    return success();
  }

  FailureOr<SmallVector<Sizes>> shapesOf(const Rule &rule, ArrayRef<RuleShape> shapes) {
    if (failed(hold(rule)))
      return failure();
    (void)values.takeConditions(); // they are required
    SmallVector<Sizes> made;
    for (const RuleShape &shape : shapes) {
      std::optional<Sizes> sizes = values.ofShape(shape);
      if (!sizes)
        return failToKnow(shape);
      made.push_back(std::move(*sizes));
    }
    requireConditions();
    return made;
  }

private:
  /// Binds all names, compares everything.
  LogicalResult hold(const Rule &rule) {
    for (const RuleItem &item : rule.items)
      if (!item.name.empty() && values.hold(item.guards) && failed(match(item)))
        return failure();
    if (failed(learn(rule)))
      return failure();
    for (const Matched &matched : all)
      if (failed(compare(matched)))
        return failure();
    for (const RuleItem &item : rule.items)
      if (item.name.empty() && values.hold(item.guards) && failed(compare(item)))
        return failure();
    return success();
  }

  void requireConditions() {
    for (Value condition : values.takeConditions())
      require(op, condition, "the operands of " + placeOf(op.node).operatorName + " fit");
  }

  /// Finds what the item is about and binds the names of its shape.
  LogicalResult match(const RuleItem &item) {
    if (const SchemaAttribute *attribute = schema.attribute(item.name)) {
      std::optional<Sizes> list = values.ofAttribute(*attribute);
      if (!list)
        return success();
      return match(item, "'" + item.name + "'", {sizeOf(op.b, list->size())}, true);
    }
    for (unsigned i = 0; i < op.inputCount(); ++i) {
      const SchemaParameter *parameter = schema.input(i);
      if (!parameter || parameter->name != item.name || !op.has(i) || !op.input(i))
        continue;
      bool isVariadic = parameter->option == SchemaParameter::Variadic;
      std::string what = "'" + item.name + "'" + (isVariadic ? " (input " + std::to_string(i) + ")" : "");
      if (failed(match(item, what, op.sizes(op.input(i)), false)))
        return failure();
    }
    return success();
  }

  LogicalResult match(const RuleItem &item, const std::string &what, Sizes sizes, bool isAttribute) {
    Matched matched{&item, nullptr, what, std::move(sizes), isAttribute};
    if (item.broadcastsTo) {
      matched.shape = &item.shapes.front();
      all.push_back(std::move(matched));
      return success();
    }
    for (const RuleShape &shape : item.shapes)
      if (counts(item, shape) && taken(shape, matched.sizes)) {
        matched.shape = &shape;
        bind(matched);
        all.push_back(std::move(matched));
        return success();
      }
    for (const RuleShape &shape : item.shapes)
      if (counts(item, shape) &&
          llvm::any_of(shape.dims, [&](const RuleDim &dim) { return values.hasLengthOfRunTime(dim); }))
        return op.fail(sinter::Code::ShapeNotConstant,
                       what + " takes " + shape.text + ", whose number of dims is not known at compile time",
                       "give the dim that it depends on: --dim NAME=N");
    return fail(matched);
  }

  /// Whether the shape is one of those that the item's guards leave.
  bool counts(const RuleItem &item, const RuleShape &shape) {
    bool isGuarded =
        llvm::any_of(item.shapes, [&](const RuleShape &s) { return !s.guards.empty() && values.hold(s.guards); });
    return shape.guards.empty() != isGuarded && values.hold(shape.guards);
  }

  /// How many dims each place of the shape takes of `rank`; nothing if they do not add up.
  std::optional<SmallVector<int64_t>> taken(const RuleShape &shape, ArrayRef<Size> sizes) {
    auto rank = static_cast<int64_t>(sizes.size());
    SmallVector<int64_t> result;
    int64_t open = -1, sum = 0;
    for (const RuleDim &dim : shape.dims) {
      int64_t count = 1;
      if (dim.kind == RuleDim::Run) {
        std::optional<int64_t> known = values.lengthOf(dim, rank);
        if (!known && open >= 0)
          return std::nullopt;
        if (!known)
          open = static_cast<int64_t>(result.size());
        count = known.value_or(0);
      }
      result.push_back(count);
      if (count < 0 || count > rank)
        return std::nullopt;
      sum += count;
    }
    if (open >= 0)
      result[open] = rank - sum;
    bool fits = open >= 0 ? rank - sum >= shape.dims[open].least : sum == rank;
    return fits ? std::optional(result) : std::nullopt;
  }

  static std::string placeOfDims(const Matched &matched, size_t first, size_t count) {
    if (matched.isAttribute)
      return "the length of " + matched.what;
    std::string text = count == 1 ? "dim " + std::to_string(first)
                                  : "dims " + std::to_string(first) + " to " + std::to_string(first + count - 1);
    return (count == 0 ? "no dims" : text) + " of " + matched.what;
  }

  void bind(const Matched &matched) {
    ArrayRef<Size> sizes = matched.sizes;
    SmallVector<int64_t> each = *taken(*matched.shape, sizes);
    size_t first = 0;
    for (auto [dim, count] : llvm::zip(matched.shape->dims, each)) {
      ArrayRef<Size> own = sizes.slice(first, count);
      std::string place = placeOfDims(matched, first, count);
      if (dim.kind == RuleDim::Run && !dim.isBroadcast)
        values.bind(dim.name, own, place, true);
      else if (dim.kind == RuleDim::Single && dim.alternatives.size() == 1 &&
               dim.alternatives[0].kind == RuleExpr::Name && !schema.attribute(dim.alternatives[0].text))
        values.bind(dim.alternatives[0].text, own, place, false);
      first += count;
    }
  }

  /// Names that stand for symbolic sizes stand for a number where a known size says which.
  LogicalResult learn(const Rule &rule) {
    for (const RuleItem &item : rule.items)
      if (item.name.empty() && values.hold(item.guards) && !values.learn(item.condition, item.text))
        return compare(item);
    for (const Matched &matched : all) {
      std::optional<SmallVector<int64_t>> each =
          matched.item->broadcastsTo ? std::nullopt : taken(*matched.shape, matched.sizes);
      size_t first = 0;
      for (size_t k = 0; each && k < each->size(); first += (*each)[k++]) {
        const RuleDim &dim = matched.shape->dims[k];
        if (dim.kind != RuleDim::Single || dim.alternatives.size() != 1)
          continue;
        std::optional<int64_t> size = constantOf(matched.sizes[first]);
        if (size && !values.learn(dim.alternatives[0], *size, placeOfDims(matched, first, 1)))
          return fail(matched);
      }
    }
    return success();
  }

  LogicalResult compare(const Matched &matched) {
    if (matched.item->broadcastsTo)
      return compareBroadcast(matched);
    size_t first = 0;
    std::optional<SmallVector<int64_t>> each = taken(*matched.shape, matched.sizes);
    if (!each)
      return fail(matched);
    for (auto [dim, count] : llvm::zip(matched.shape->dims, *each)) {
      ArrayRef<Size> own = ArrayRef(matched.sizes).slice(first, count);
      Holds holds{Holds::Yes};
      if (dim.kind == RuleDim::Run)
        holds = dim.isBroadcast ? values.broadcast(dim.name, own, placeOfDims(matched, first, count))
                                : values.sameRun(dim.name, own);
      else if (dim.kind == RuleDim::Single)
        holds = values.isOneOf("=", own[0], dim.alternatives);
      if (!values.note(holds))
        return fail(matched);
      first += count;
    }
    return success();
  }

  /// The dims of `C~[M,N]`: each the rule's, right aligned, or 1.
  LogicalResult compareBroadcast(const Matched &matched) {
    std::optional<Sizes> target = values.ofShape(*matched.shape);
    if (!target)
      return success();
    if (matched.sizes.size() > target->size())
      return fail(matched);
    SmallVector<int64_t> &sizes = broadcastTo[matched.shape->text];
    sizes.resize(target->size(), 1);
    for (size_t k = 0; k < matched.sizes.size(); ++k) { // from behind
      Size size = matched.sizes.rbegin()[k];
      Holds isWanted = relationHolds(op, "=", size, target->rbegin()[k]);
      if (!values.note(either(op, isWanted, relationHolds(op, "=", size, sizeOf(op.b, 1)))))
        return fail(matched);
      int64_t known = constantOf(size).value_or(1);
      if (known != 1 && sizes[k] != 1 && sizes[k] != known)
        return fail(matched);
      sizes[k] = std::max(sizes[k], known);
    }
    return success();
  }

  LogicalResult compare(const RuleItem &item) {
    if (values.note(values.holds(item.condition)))
      return success();
    llvm::StringSet<> named;
    std::string where;
    forEachName(item.condition, [&](StringRef name) { values.explain(name, named, where); });
    StringRef rule = item.text;
    rule = rule.drop_front(rule.rfind('}') + 1);
    return op.fail(sinter::Code::ShapeMismatch,
                   placeOf(op.node).operatorName + " needs " + rule + (where.empty() ? "" : ", where " + where));
  }

  /// Says what the operand is, all shapes that it could have, and what their names stand for.
  LogicalResult fail(const Matched &matched) {
    SmallVector<StringRef> texts;
    llvm::StringSet<> named;
    std::string where;
    for (const RuleShape &shape : matched.item->shapes) {
      if (!counts(*matched.item, shape))
        continue;
      texts.push_back(shape.text);
      explain(shape, named, where);
    }
    std::string is = matched.isAttribute ? " has " + values.text(matched.sizes[0]) + " elements"
                                         : " has shape " + values.text(matched.sizes);
    std::string wants = matched.item->broadcastsTo ? " needs what broadcasts to " : " needs ";
    return op.fail(sinter::Code::ShapeMismatch, matched.what + is + "; " + placeOf(op.node).operatorName + wants +
                                                    llvm::join(texts, " or ") +
                                                    (where.empty() ? "" : ", where " + where));
  }

  LogicalResult failToKnow(const RuleShape &shape) {
    llvm::StringSet<> named;
    std::string where;
    explain(shape, named, where);
    return op.fail(sinter::Code::ShapeMismatch,
                   "an output is " + shape.text + ", of which a size is not known" +
                       (where.empty() ? "" : ", where " + where),
                   "`or(a,b)` is b where a is not known, as an operand that is left out");
  }

  /// Adds what the names in a shape stand for.
  void explain(const RuleShape &shape, llvm::StringSet<> &named, std::string &where) {
    auto add = [&](StringRef name) { values.explain(name, named, where); };
    for (const RuleDim &dim : shape.dims) {
      if (dim.kind == RuleDim::Run)
        add(dim.name);
      for (const RuleExpr &expr : dim.alternatives)
        forEachName(expr, add);
      if (dim.length)
        forEachName(*dim.length, add);
    }
  }

  const Op &op;
  const OperatorSchema &schema;
  RuleValues values;
  std::vector<Matched> all;
  std::map<std::string, SmallVector<int64_t>> broadcastTo; ///< by the shape: known sizes of what does, from behind
};

} // namespace

LogicalResult checkRule(const Op &op, const Rule &rule, const OperatorSchema &schema) {
  return RuleCheck(op, schema).check(rule);
}

FailureOr<SmallVector<Sizes>> shapesByRule(const Op &op, const Rule &rule, const OperatorSchema &schema,
                                           ArrayRef<RuleShape> shapes) {
  return RuleCheck(op, schema).shapesOf(rule, shapes);
}

} // namespace sinter
