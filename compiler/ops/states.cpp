// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of --state, looked up and checked.
#include "states.h"

#include "ir/element_type.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

std::vector<std::string> namesOf(unsigned count, llvm::function_ref<Attribute(unsigned)> nameOf) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) {
    auto name = dyn_cast_or_null<StringAttr>(nameOf(i));
    names.push_back(name ? name.str() : "");
  }
  return names;
}

std::optional<unsigned> statePlaceOf(ArrayRef<std::string> names, StringRef name) {
  const std::string *found = llvm::find(names, name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<unsigned>(found - names.begin()));
}

/// Names may hold a '=' themselves: the first split whose halves are both known counts, else the first of all.
std::pair<StringRef, StringRef> splitStatePair(StringRef pair, ArrayRef<std::string> outputs,
                                               ArrayRef<std::string> inputs) {
  for (size_t at = pair.find('='); at != StringRef::npos; at = pair.find('=', at + 1))
    if (statePlaceOf(outputs, pair.take_front(at)) && statePlaceOf(inputs, pair.drop_front(at + 1)))
      return {pair.take_front(at), pair.drop_front(at + 1)};
  return pair.split('=');
}

} // namespace

States resolveStates(func::FuncOp main, ArrayRef<std::string> pairs, Diagnostics &diagnostics) {
  std::vector<std::string> outputs =
      namesOf(main.getNumResults(), [&](unsigned i) { return main.getResultAttr(i, "sinter.name"); });
  std::vector<std::string> inputs =
      namesOf(main.getNumArguments(), [&](unsigned i) { return main.getArgAttr(i, "sinter.name"); });
  States states;
  std::map<unsigned, unsigned> outputOf; // by input
  for (const std::string &pair : pairs) {
    auto [out, in] = splitStatePair(pair, outputs, inputs);
    auto report = [&, &out = out, &in = in](const Twine &what, const Twine &hint) {
      diagnostics.report({Code::InvalidState, ("--state " + out + "=" + in + ": " + what).str(), {}, hint.str()});
    };
    std::optional<unsigned> output = statePlaceOf(outputs, out), input = statePlaceOf(inputs, in);
    if (!output)
      report("the model has no output '" + out + "'", "its outputs: " + llvm::join(outputs, ", "));
    if (!input)
      report("the model has no input '" + in + "'", inputs.empty() ? std::string("it has none that the caller gives")
                                                                   : "its inputs: " + llvm::join(inputs, ", "));
    if (!output || !input)
      continue;
    if (!states.inputs.try_emplace(*output, *input).second)
      report("the output already is the state of another input", "a state is one output and one input");
    else if (!outputOf.try_emplace(*input, *output).second)
      report("the input already takes another output", "a state is one output and one input");
  }
  return states;
}

bool isStateOf(OpResult result, Value old) {
  auto argument = dyn_cast<BlockArgument>(old);
  auto main = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  auto output = main ? main.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), stateAttribute) : nullptr;
  return output && main.getBody().front().getTerminator()->getOperand(static_cast<unsigned>(output.getInt())) == result;
}

static std::string describeState(DictionaryAttr tensor) {
  std::string text =
      elementTypeName(static_cast<ElementType>(tensor.getAs<IntegerAttr>("element").getInt())).str() + "[";
  StringRef between;
  for (Attribute dim : tensor.getAs<ArrayAttr>("dims")) {
    auto symbol = dyn_cast<StringAttr>(dim);
    text += between.str() + (symbol ? symbol.str() : std::to_string(cast<IntegerAttr>(dim).getInt()));
    between = ", ";
  }
  return text + "]";
}

void reportStateMismatch(DictionaryAttr output, DictionaryAttr input, Diagnostics &diagnostics) {
  std::string out = output.getAs<StringAttr>("name").str(), in = input.getAs<StringAttr>("name").str();
  diagnostics.report(
      {Code::InvalidState,
       "--state " + out + "=" + in + ": the output is " + describeState(output) + ", the input " + describeState(input),
       {},
       "a state keeps type and shape from call to call; --dim fixes dims"});
}

} // namespace sinter
