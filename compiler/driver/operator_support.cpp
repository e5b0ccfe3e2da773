// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/operator_support.h"

#include "frontend/function_body.h"
#include "ops/registry.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace sinter {

Support supportOf(const OperatorSchema &schema) {
  // An operator is "not supported" until it is shown that it is, so one that reaches itself ends there.
  static llvm::DenseMap<const OperatorSchema *, Support> known;
  auto [place, isNew] = known.try_emplace(&schema, Support::None);
  if (!isNew)
    return place->second;
  auto canBeExpanded = [](const SchemaBody &body) {
    return all_of(operatorsOf(body), [](const OperatorSchema *part) { return part && isSupported(supportOf(*part)); });
  };
  Support support = Support::None;
  if (schema.deprecated)
    support = Support::Withdrawn;
  else if (schema.isConstant())
    support = Support::Imported;
  else if (schema.isGradient())
    support = Support::Differentiated;
  else if (operatorRegistry().find(schema.domain, schema.name, schema.since))
    support = Support::Lowered;
  else if (!schema.bodies.empty() && all_of(schema.bodies, canBeExpanded))
    support = Support::ByFunction;
  return known[&schema] = support;
}

StringRef supportText(Support support) {
  static constexpr llvm::StringLiteral texts[] = {
      "read as a tensor",     "lowered",       "by rules of differentiation",
      "by its function body", "not supported", "withdrawn"};
  return texts[static_cast<size_t>(support)];
}

void reportUnsupported(const Inventory &inventory, Diagnostics &diagnostics) {
  llvm::StringSet<> told;
  for (const Problem &problem : diagnostics.all())
    if (problem.code == Code::UnsupportedOperator)
      told.insert(problem.place.operatorName);
  for (const Inventory::Operator &use : inventory.operators) {
    std::string name = qualifiedName(use.domain, use.name);
    if (use.schema && supportOf(*use.schema) == Support::None && told.insert(name).second)
      diagnostics.report({Code::UnsupportedOperator,
                          "operator " + name + " is not supported",
                          {use.firstNode, name, use.opset},
                          "`sinter ops` lists the supported operators and versions"});
  }
}

} // namespace sinter
