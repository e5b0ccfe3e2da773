// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/analysis.h"

#include "frontend/schema.h"

#include "llvm/Support/JSON.h"

using namespace llvm;

namespace sinter {
namespace {
std::string utf8(StringRef foreign) { return json::isUTF8(foreign) ? foreign.str() : json::fixUTF8(foreign); }

json::Array operatorsOf(const Inventory &inventory) {
  json::Array operators;
  for (const Inventory::Operator &use : inventory.operators) {
    const OperatorSchema *schema = findSchema(use.domain, use.name, use.opset);
    json::Object object{{"domain", utf8(domainText(use.domain))},
                        {"name", utf8(use.name)},
                        {"opset", use.opset},
                        {"nodes", use.nodes},
                        {"support", supportText(use)}};
    if (schema && !use.isModelFunction)
      object["since"] = schema->since;
    operators.push_back(std::move(object));
  }
  return operators;
}

json::Object weightsOf(const Inventory &inventory) {
  json::Object weights;
  for (const auto &[type, of] : inventory.weights)
    weights[elementTypeName(type)] =
        json::Object{{"tensors", of.tensors}, {"elements", of.elements}, {"bytes", of.bytes}};
  return weights;
}

json::Array problemsOf(const Diagnostics &diagnostics) {
  json::Array problems;
  for (const Problem &problem : diagnostics.all())
    problems.push_back(json::Object{{"code", codeNumber(problem.code)},
                                    {"message", utf8(problem.message)},
                                    {"node", utf8(problem.place.node)},
                                    {"operator", utf8(problem.place.operatorName)},
                                    {"hint", utf8(problem.hint)}});
  return problems;
}
} // namespace

void printAnalysisJson(const Analysis &analysis, raw_ostream &out) {
  const ModelSummary &summary = analysis.summary;
  json::Object opsets;
  for (const auto &[domain, version] : summary.opsets)
    opsets[utf8(domainText(domain))] = version;
  json::Object root{{"version", 1},
                    {"model", utf8(analysis.model)},
                    {"sha256", summary.sha256},
                    {"ir_version", summary.irVersion},
                    {"producer", utf8(summary.producer)},
                    {"opsets", std::move(opsets)},
                    {"operators", operatorsOf(summary.inventory)},
                    {"weights", weightsOf(summary.inventory)},
                    {"problems", problemsOf(analysis.diagnostics)}};
  if (analysis.report)
    root["report"] = analysis.report->json;
  out << formatv("{0:1}\n", json::Value(std::move(root)));
}

} // namespace sinter
