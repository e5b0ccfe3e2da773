// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/dim_polynomials.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace sinter {
namespace {

/// By name, or by `*`.
std::optional<DimValue> valueOf(const llvm::StringMap<DimValue> &dims, StringRef name) {
  auto value = dims.find(name);
  if (value == dims.end())
    value = dims.find("*");
  return value == dims.end() ? std::nullopt : std::optional(value->second);
}

/// In the order of their names, so that it is always the same problem that is told.
std::vector<std::string> namesOf(const llvm::StringMap<NamedPolynomial> &polynomials) {
  std::vector<std::string> names;
  for (const auto &each : polynomials)
    names.push_back(each.getKey().str());
  llvm::sort(names);
  return names;
}

std::string flagOf(const CompileJob &job, StringRef name) {
  return "--dim " + name.str() + "=" + textOf(job.polynomials.find(name)->second);
}

} // namespace

llvm::StringMap<NamedPolynomial> knownPolynomials(const CompileJob &job) {
  llvm::StringMap<NamedPolynomial> known;
  for (const auto &each : job.polynomials)
    known[each.getKey()] = each.getValue().substituted([&](const std::string &name) {
      std::optional<DimValue> value = valueOf(job.import.dims, name);
      return value && value->min == value->max ? NamedPolynomial(value->min) : NamedPolynomial::of(name);
    });
  return known;
}

std::optional<Problem> resolvePolynomials(const CompileJob &job, llvm::StringMap<DimValue> &dims) {
  llvm::StringMap<DimValue> resolved = dims;
  for (const std::string &name : namesOf(job.polynomials)) {
    const NamedPolynomial &polynomial = job.polynomials.find(name)->second;
    for (const std::string &variable : polynomial.variables()) {
      if (job.polynomials.contains(variable))
        return Problem{Code::DimConflict,
                       flagOf(job, name) + ": '" + variable + "' is a polynomial too",
                       {},
                       "write it in dims that have sizes or bounds"};
      if (!valueOf(dims, variable))
        return Problem{Code::DimConflict,
                       flagOf(job, name) + ": '" + variable + "' has no size",
                       {},
                       "give it one, or bounds: --dim " + variable + "=1..8"};
    }
    auto range = rangeOf(polynomial, [&](const std::string &variable) {
      DimValue value = *valueOf(dims, variable);
      return std::pair(value.min, value.max);
    });
    if (!range || range->second < 0)
      return Problem{Code::DimConflict, flagOf(job, name) + " is no size, whatever its dims are", {}, ""};
    resolved[name] = {std::max<int64_t>(range->first, 0), range->second};
  }
  dims = std::move(resolved);
  return std::nullopt;
}

std::optional<Problem> notePolynomials(const CompileJob &job, ModuleOp module) {
  NamedAttrList polynomials;
  Builder builder(module.getContext());
  llvm::StringMap<NamedPolynomial> known = knownPolynomials(job);
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto bounds = function->getAttrOfType<DictionaryAttr>("sinter.dim_bounds");
    if (!bounds)
      continue;
    for (const std::string &name : namesOf(known)) {
      const NamedPolynomial &polynomial = known.find(name)->second;
      if (polynomial.constant())
        continue;
      for (const std::string &variable : polynomial.variables())
        if (!bounds.get(variable))
          return Problem{Code::UnknownDim,
                         flagOf(job, name) + ": no input has a dim '" + variable + "'",
                         {},
                         "a polynomial names symbolic dims of the model's inputs"};
      if (bounds.get(name))
        polynomials.set(name, builder.getStringAttr(textOf(polynomial)));
    }
    if (!polynomials.empty())
      function->setAttr("sinter.dim_polynomials", polynomials.getDictionary(module.getContext()));
  }
  return std::nullopt;
}

} // namespace sinter
