// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RegexFullMatch: the pattern, in RE2's syntax, is known at compile time and becomes an automaton; generated code needs
// no library.
#include "ops/lists.h"
#include "ops/regex.h"

using namespace mlir;

namespace sinter {
namespace {

template <class T>
Tensor table(const Op &op, ArrayRef<T> values, ArrayRef<int64_t> shape, ElementType element) {
  Type type = storageType(element, op.b.getContext());
  HostTensor host = HostTensor::fromBytes(type, shape, values.data());
  auto tensorType = RankedTensorType::get(shape, type);
  auto elements = cast<ElementsAttr>(toAttribute(host, tensorType));
  return {op.b.create<WeightOp>(op.loc, tensorType, elements, StringAttr()), element};
}

LogicalResult lower(Op &op) {
  constexpr size_t mostStates = 16384;
  std::string problem;
  std::optional<Regex> regex = parseRegex(op.string("pattern"), problem);
  if (!regex)
    return op.unsupported("the regular expression '" + op.string("pattern") + "': " + problem,
                          "RE2's syntax, without \\p{..} and (?m)");
  std::optional<Automaton> automaton = automatonOf(*regex, mostStates);
  if (!automaton)
    return op.unsupported("a regular expression that needs more than " + Twine(mostStates) + " states",
                          "repeat less often what may begin at many places");
  Tensor x = op.input(0);
  Size all = product(op.b, op.loc, op.sizes(x));
  SmallVector<int16_t> narrow = llvm::to_vector_of<int16_t>(automaton->next);
  Tensor next = table<int16_t>(op, narrow, {automaton->states(), automaton->kinds}, ElementType::Int16);
  Tensor y = op.kernel("match_text",
                       {op.reshape(x, {all}), table<uint8_t>(op, automaton->kindOf, {256}, ElementType::UInt8), next,
                        table<uint8_t>(op, automaton->accepts, {automaton->states()}, ElementType::Bool)},
                       {{{all}, ElementType::Bool}})[0];
  return op.result(op.reshape(y, op.sizes(x)));
}
} // namespace

void register_regex_full_match(Registry &registry) { registry.onOp("RegexFullMatch", {20}, "X[_*]", lower); }

} // namespace sinter
