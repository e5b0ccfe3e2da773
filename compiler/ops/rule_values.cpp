// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What names stand for: in shapes, runs of dims and messages. Expressions: rule_arithmetic.cpp, conditions:
// rule_conditions.cpp.
#include "rule_values.h"

using namespace mlir;

namespace sinter {

void RuleValues::bind(StringRef name, ArrayRef<Size> sizes, const std::string &place, bool isRun) {
  if (!name.empty())
    meanings.try_emplace(name, Meaning{Sizes(sizes), place, isRun});
}

bool RuleValues::note(const Holds &holds) {
  if (holds.kind == Holds::AtRunTime)
    conditions.push_back(holds.condition);
  return holds.kind != Holds::No;
}

std::optional<unsigned> RuleValues::inputNamed(StringRef name) const {
  for (auto [i, parameter] : llvm::enumerate(schema.inputs))
    if (parameter.name == name)
      return i < op.inputCount() && op.has(i) && op.input(i) ? std::optional<unsigned>(i) : std::nullopt;
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
