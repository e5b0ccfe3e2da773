// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter ops: the operators of each domain, and what becomes of each version. Where that is known from:
// operator_support.h.
#include "custom/add_operators.h"
#include "driver/answer.h"
#include "driver/custom_ops.h"
#include "driver/operator_support.h"
#include "ops/registry.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <map>

using namespace llvm;

namespace sinter {
namespace {
using Versions = std::vector<const OperatorSchema *>; ///< oldest first
/// By domain, then name.
using Operators = std::map<std::string, std::map<std::string, Versions>>;

constexpr Support allKinds[] = {Support::Imported,   Support::Lowered, Support::Differentiated,
                                Support::ByFunction, Support::None,    Support::Withdrawn};

Operators matchingOperators(StringRef domain, bool everyDomain, StringRef name) {
  Operators operators;
  forEachSchema([&](const OperatorSchema &schema) {
    if ((everyDomain || schema.domain == domain) &&
        (name.empty() || schema.name == name || qualifiedName(schema.domain, schema.name) == name))
      operators[schema.domain.str()][schema.name.str()].push_back(&schema);
  });
  return operators;
}

/// "lowered 1, 6, 13; not supported 14"
std::string describeVersions(const Versions &versions) {
  std::vector<std::string> parts;
  for (Support kind : allKinds) {
    std::string list;
    for (const OperatorSchema *schema : versions)
      if (supportOf(*schema) == kind)
        list += (list.empty() ? " " : ", ") + std::to_string(schema->since);
    if (!list.empty())
      parts.push_back(supportText(kind).str() + list);
  }
  return join(parts, "; ");
}

void printOperatorTable(const Operators &operators) {
  for (const auto &[domain, byName] : operators) {
    std::array<unsigned, std::size(allKinds)> counts{};
    unsigned all = 0;
    int64_t newest = newestOpset(domain);
    outs() << domainText(domain) << (newest ? ", up to opset " + std::to_string(newest) : "") << "\n";
    for (const auto &[name, versions] : byName) {
      outs() << "  " << left_justify(name, 28) << " " << describeVersions(versions) << "\n";
      for (const OperatorSchema *schema : versions)
        ++counts[static_cast<size_t>(supportOf(*schema))];
      all += versions.size();
    }
    outs() << "  " << byName.size() << " operators in " << all << " versions";
    StringRef separator = ": ";
    for (Support kind : allKinds)
      if (unsigned count = counts[static_cast<size_t>(kind)]) {
        outs() << separator << count << " " << supportText(kind);
        separator = ", ";
      }
    outs() << "\n\n";
  }
}

/// What operands and attributes must be; empty where there is no lowering.
StringRef ruleOf(const OperatorSchema &schema) {
  const RegisteredOperator *known = operatorRegistry().find(schema.domain, schema.name, schema.since);
  return known ? StringRef(known->rule) : StringRef();
}

/// Of a custom operator, else null.
const CustomOperator *customOf(const OperatorSchema &schema) {
  for (const CustomOperator *custom : customOperators())
    if (custom->domain == schema.domain && custom->name == schema.name && custom->since == schema.since)
      return custom;
  return nullptr;
}

void printParameters(StringRef what, ArrayRef<SchemaParameter> parameters, const OperatorSchema &schema) {
  static constexpr llvm::StringLiteral options[] = {"", "optional ", "any number of "};
  for (const SchemaParameter &parameter : parameters) {
    const SchemaConstraint *constraint = schema.constraint(parameter.type);
    outs() << "  " << left_justify(what, 10) << left_justify(parameter.name, 22) << " " << options[parameter.option]
           << parameter.type << (constraint ? ": " + constraint->types : "") << "\n";
  }
}

/// One operator: each version, then the newest one's parameters.
void printOperator(const Versions &versions) {
  const OperatorSchema &newest = *versions.back();
  outs() << qualifiedName(newest.domain, newest.name) << "\n";
  for (const OperatorSchema *schema : versions)
    outs() << "  since " << left_justify(std::to_string(schema->since), 4) << supportText(supportOf(*schema)) << "\n";
  outs() << "since " << newest.since << ":\n";
  printParameters("input", newest.inputs, newest);
  printParameters("output", newest.outputs, newest);
  for (const SchemaAttribute &attribute : newest.attributes)
    outs() << "  attribute " << left_justify(attribute.name, 22) << " " << attributeKindName(attribute.kind)
           << (attribute.required ? ", required" : "") << "\n";
  if (StringRef rule = ruleOf(newest); !rule.empty())
    outs() << "  fits      " << rule << "\n";
  if (const CustomOperator *custom = customOf(newest)) {
    for (const CustomParameter &output : custom->outputs)
      outs() << "  makes     " << output.name << output.shape << "\n";
    outs() << "  calls     " << custom->signature() << "; // " << custom->header << "\n";
  }
}

json::Array jsonOfParameters(ArrayRef<SchemaParameter> parameters, const OperatorSchema &schema) {
  json::Array list;
  for (const SchemaParameter &parameter : parameters) {
    const SchemaConstraint *constraint = schema.constraint(parameter.type);
    json::Array types;
    for (StringRef type : split(constraint ? StringRef(constraint->types) : StringRef(parameter.type), ' '))
      types.push_back(type);
    json::Object each{{"name", parameter.name}, {"types", std::move(types)}};
    if (parameter.option != SchemaParameter::Single)
      each["option"] = parameter.option == SchemaParameter::Optional ? "optional" : "any number";
    list.push_back(std::move(each));
  }
  return list;
}

json::Object jsonOfOperators(const Operators &operators) {
  json::Array list;
  for (const auto &[domain, byName] : operators)
    for (const auto &[name, versions] : byName) {
      json::Array all;
      for (const OperatorSchema *schema : versions) {
        json::Object version{{"since", schema->since},
                             {"support", supportText(supportOf(*schema))},
                             {"inputs", jsonOfParameters(schema->inputs, *schema)},
                             {"outputs", jsonOfParameters(schema->outputs, *schema)}};
        if (StringRef rule = ruleOf(*schema); !rule.empty())
          version["fits"] = rule;
        if (const CustomOperator *custom = customOf(*schema))
          version["calls"] = custom->signature();
        all.push_back(std::move(version));
      }
      list.push_back(json::Object{{"domain", domainText(domain)}, {"name", name}, {"versions", std::move(all)}});
    }
  return json::Object{{"operators", std::move(list)}};
}
} // namespace

int opsVerb(const Arguments &arguments) {
  Flag<std::string> name(FlagTrait::Positional, Takes("NAME"));
  Flag<std::string> domain("domain", Says("only this domain, such as ai.onnx or com.microsoft"), Takes("D"));
  CustomOpsFlag customOps;
  JsonFlag asJson;
  static constexpr StringRef examples[] = {"sinter ops", "sinter ops Conv", "sinter ops --domain com.microsoft"};
  if (std::optional<ExitStatus> status = parseFlags(arguments, {"Lists the operators with the versions (since_version) "
                                                                "that this compiler takes, or one with its parameters.",
                                                                examples}))
    return *status;
  if (!customOps.addOperators())
    return ExitUsage;
  bool everyDomain = domain.getNumOccurrences() == 0;
  Operators operators = matchingOperators(canonicalDomain(domain), everyDomain, name);
  if (operators.empty()) {
    StringRef close = name.empty() ? "" : closestOperator(canonicalDomain(domain), name);
    printError(name.empty() ? "no operator is of domain '" + domain + "'" : "no operator is called '" + name + "'",
               close.empty() ? "`sinter ops` lists all" : "is it " + close + "?");
    return ExitUsage;
  }
  if (asJson)
    answer(jsonOfOperators(operators));
  else if (name.empty())
    printOperatorTable(operators);
  else
    for (const auto &[domain, byName] : operators)
      for (const auto &[name, versions] : byName)
        printOperator(versions);
  return ExitOk;
}

} // namespace sinter
