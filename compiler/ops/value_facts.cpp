// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contents come from the interpreter, sizes from the algebra: the same questions that lowerings ask.
#include "value_facts.h"

#include "conversion.h"
#include "ir/dim_bounds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sinter {
namespace {

class FactRecorder {
public:
  FactRecorder(Conversion &conversion, OpBuilder &builder, ValueFacts &facts)
      : conversion(conversion), builder(builder), facts(facts) {}

  void record(StringRef name, Value value) {
    const Converted *converted = conversion.find(value);
    if (name.empty() || ambiguous.contains(name) || !converted || converted->isSequence || converted->isAbsent ||
        converted->choice || converted->map || converted->present || !converted->tensor.value)
      return;
    // Names of values inside functions are made up: one that another value has says nothing.
    if (!recorded.insert(name).second) {
      ambiguous.insert(name);
      facts.values.erase(name);
      return;
    }
    ValueFact &fact = facts.values[name];
    const Tensor &tensor = converted->tensor;
    Location loc = value.getLoc();
    fact.element = tensor.element;
    for (Size size : dimsOf(builder, loc, tensor.value))
      fact.dims.push_back(factOf(algebra.of(size)));
    if (value.getDefiningOp<WeightOp>())
      return;
    if (isConstant(tensor.value, conversion.evaluations))
      fact.contents = contentsOf(tensor, conversion.evaluations);
    else
      fact.elements = elementsOf(tensor, loc);
  }

private:
  std::optional<std::vector<SizeFact>> elementsOf(const Tensor &tensor, Location loc) {
    constexpr int64_t most = 64; // more are no list of sizes
    bool isList = tensor.element == ElementType::Int64 || tensor.element == ElementType::Int32;
    if (!isList || tensor.rank() > 1 || !tensor.type().hasStaticShape() || tensor.type().getNumElements() > most)
      return std::nullopt;
    std::vector<SizeFact> elements;
    for (int64_t i = 0; i < tensor.type().getNumElements(); ++i) {
      Value element = elementOf(builder, loc, tensor.value, tensor.rank() ? ArrayRef<int64_t>(i) : ArrayRef<int64_t>(),
                                conversion.evaluations);
      elements.push_back(factOf(algebra.of(sizeOfInteger(builder, loc, element))));
    }
    return elements;
  }

  SizeFact factOf(const DimPolynomial &size) {
    SizeFact fact;
    fact.number = size.constant();
    fact.isNamed = true;
    fact.text = textOf(size, fact.isNamed);
    return fact;
  }

  std::string textOf(const DimPolynomial &size, bool &isNamed) {
    if (std::optional<int64_t> number = size.constant())
      return std::to_string(*number);
    std::string text, last;
    for (const auto &[product, factor] : size.getTerms()) {
      if (product.empty()) { // behind the others, as people write it
        last = (factor < 0 ? " - " : " + ") + std::to_string(factor < 0 ? -factor : factor);
        continue;
      }
      std::vector<std::string> parts;
      if (factor != 1 && factor != -1)
        parts.push_back(std::to_string(factor < 0 ? -factor : factor));
      for (unsigned atom : product)
        parts.push_back(textOf(algebra.atom(atom), atom, isNamed));
      text += text.empty() ? (factor < 0 ? "-" : "") : factor < 0 ? " - " : " + ";
      text += llvm::join(parts, "*");
    }
    return text + last;
  }

  std::string textOf(const DimAtom &atom, unsigned number, bool &isNamed) {
    if (atom.kind == DimAtom::Given) {
      if (auto dim = atom.key.second < 0 ? atom.key.first.getDefiningOp<DimOp>() : DimOp())
        return dim.getName().str();
      isNamed = false;
      return "?" + std::to_string(number);
    }
    std::vector<std::string> parts;
    for (const DimPolynomial &part : atom.parts)
      parts.push_back(textOf(part, isNamed));
    if (atom.kind == DimAtom::Max)
      return "max(" + llvm::join(parts, ", ") + ")";
    for (std::string &part : parts)
      if (StringRef(part).contains(' ') || (&part != &parts[0] && StringRef(part).contains('*')))
        part = "(" + part + ")";
    return "floor(" + parts[0] + "/" + parts[1] + ")";
  }

  Conversion &conversion;
  OpBuilder &builder;
  ValueFacts &facts;
  DimBounds bounds;
  DimAlgebra &algebra = bounds.getAlgebra();
  llvm::StringSet<> recorded, ambiguous;
};
} // namespace

void recordFacts(Operation *source, Conversion &conversion, OpBuilder &builder, ValueFacts &facts) {
  auto function = cast<func::FuncOp>(source);
  FactRecorder recorder(conversion, builder, facts);
  for (BlockArgument argument : function.getArguments())
    if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "sinter.name"))
      recorder.record(name, argument);
  for (Operation &op : function.getBody().front()) {
    auto node = dyn_cast<NodeOp>(op);
    ArrayAttr names = node ? node.getOutputNamesAttr() : ArrayAttr();
    if (!names)
      continue;
    for (auto [name, result] : llvm::zip(names.getAsRange<StringAttr>(), node->getResults()))
      recorder.record(name, result);
  }
}

} // namespace sinter
