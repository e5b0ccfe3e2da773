// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/analysis.h"
#include "driver/answer.h"

#include "frontend/schema.h"

using namespace llvm;

namespace sinter {
namespace {
/// Sizes, symbols, and null for what has neither.
json::Array valuesOf(const std::vector<Inventory::Value> &values) {
  json::Array list;
  for (const Inventory::Value &value : values) {
    json::Object object{{"name", utf8(value.name)},
                        {"type", value.structure.empty() ? elementTypeName(value.type).str() : value.structure}};
    json::Array dims;
    for (const Inventory::Value::Dim &dim : value.dims)
      dims.push_back(dim.size >= 0        ? json::Value(dim.size)
                     : dim.symbol.empty() ? json::Value(nullptr)
                                          : json::Value(utf8(dim.symbol)));
    object["dims"] = value.hasRank ? json::Value(std::move(dims)) : json::Value(nullptr);
    list.push_back(std::move(object));
  }
  return list;
}

json::Array operatorsJson(const Inventory &inventory) {
  json::Array operators;
  for (const Inventory::Operator &use : inventory.operators) {
    json::Object object{{"domain", utf8(domainText(use.domain))},
                        {"name", utf8(use.name)},
                        {"opset", use.opset},
                        {"nodes", use.nodes},
                        {"support", supportText(use)}};
    if (use.schema)
      object["since"] = use.schema->since;
    operators.push_back(std::move(object));
  }
  return operators;
}

/// What the file says of itself, in its own words.
json::Object descriptionOf(const ModelSummary &summary) {
  const ModelSummary::Description &said = summary.description;
  json::Object metadata;
  for (const auto &[key, value] : said.metadata)
    metadata[utf8(key)] = utf8(value);
  return json::Object{{"producer", utf8(said.producer)}, {"domain", utf8(said.domain)},
                      {"version", said.version},         {"text", utf8(said.text)},
                      {"graph", utf8(summary.name)},     {"graph_text", utf8(said.graphText)},
                      {"metadata", std::move(metadata)}};
}

json::Object weightsOf(const Inventory &inventory) {
  json::Object weights;
  for (const auto &[type, of] : inventory.weights)
    weights[elementTypeName(type)] =
        json::Object{{"tensors", of.tensors}, {"elements", of.elements}, {"bytes", of.bytes}};
  return weights;
}
} // namespace

json::Object jsonOf(const Analysis &analysis) {
  const ModelSummary &summary = analysis.summary;
  json::Object opsets;
  for (const auto &[domain, version] : summary.opsets)
    opsets[utf8(domainText(domain))] = version;
  json::Object root{{"model", utf8(analysis.model)},
                    {"sha256", summary.sha256},
                    {"ir_version", summary.irVersion},
                    {"producer", utf8(summary.producer)},
                    {"description", descriptionOf(summary)},
                    {"opsets", std::move(opsets)},
                    {"inputs", valuesOf(summary.inventory.inputs)},
                    {"outputs", valuesOf(summary.inventory.outputs)},
                    {"operators", operatorsJson(summary.inventory)},
                    {"weights", weightsOf(summary.inventory)}};
  if (analysis.report)
    root["report"] = analysis.report->json;
  return root;
}

} // namespace sinter
