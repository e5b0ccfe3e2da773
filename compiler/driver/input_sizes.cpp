// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/input_sizes.h"
#include "driver/error_saying.h"

#include "ir/named_polynomial.h"

#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace sinter {
namespace {
/// A polynomial of dims, or the sum of numbers and names of dims, which may hold anything but a `+`; nothing if it is
/// none, or holds a name that has no value.
std::optional<int64_t> sumOf(StringRef text, const InputSizes &sizes) {
  if (std::optional<NamedPolynomial> polynomial = parseNamedPolynomial(text);
      polynomial && llvm::all_of(polynomial->variables(), [&](const std::string &dim) { return sizes.count(dim); }))
    return polynomial->substituted([&](const std::string &dim) { return NamedPolynomial(sizes.at(dim)); }).constant();
  SmallVector<StringRef> terms;
  text.split(terms, '+');
  int64_t sum = 0;
  for (StringRef term : terms) {
    term = term.trim();
    int64_t number;
    if (auto known = sizes.find(term.str()); known != sizes.end())
      sum += known->second;
    else if (!term.getAsInteger(10, number) && number >= 0)
      sum += number;
    else
      return std::nullopt;
  }
  return sum;
}

/// Of dims, not a number.
bool isPolynomial(StringRef size) {
  std::optional<NamedPolynomial> polynomial = parseNamedPolynomial(size);
  return size.contains('+') || (polynomial && !polynomial->constant());
}

/// Values for dims that are sums of others: by --size, else by their own names.
Error addSums(const ModelInfo &model, ArrayRef<std::string> given, InputSizes &sizes) {
  for (const std::string &size : given) {
    auto [name, text] = StringRef(size).rsplit('=');
    if (!isPolynomial(text))
      continue;
    std::optional<int64_t> sum = sumOf(text, sizes);
    if (!sum)
      return errorSaying("--size " + size + " is not NAME=N, nor a sum of numbers and dims");
    sizes[name.str()] = *sum;
  }
  for (const DimInfo &dim : model.dims)
    if (!sizes.count(dim.name) && StringRef(dim.name).contains('+'))
      if (std::optional<int64_t> sum = sumOf(dim.name, sizes))
        sizes[dim.name] = *sum;
  return Error::success();
}

bool isSum(const ModelInfo &model, ArrayRef<std::string> given, StringRef name) {
  for (const std::string &size : given)
    if (auto [dim, text] = StringRef(size).rsplit('='); dim == name)
      return isPolynomial(text);
  InputSizes names;
  for (const DimInfo &dim : model.dims)
    names[dim.name] = 0;
  names.erase(name.str());
  return name.contains('+') && sumOf(name, names);
}

/// The dims of growing states: those that grow, and the others.
void dimsOfStates(const ModelInfo &model, std::set<std::string> &growing, std::set<std::string> &others) {
  for (const TensorInfo &input : model.inputs)
    if (input.growingDim >= 0)
      for (size_t d = 0; d < input.symbols.size(); ++d)
        if (input.symbols[d] >= 0)
          (static_cast<int64_t>(d) == input.growingDim ? growing : others)
              .insert(model.dims[static_cast<size_t>(input.symbols[d])].name);
}
} // namespace

bool hasGrowingStates(const ModelInfo &model) {
  return any_of(model.inputs, [](const TensorInfo &input) { return input.growingDim >= 0; });
}

Expected<InputSizes> firstSizes(const ModelInfo &model, ArrayRef<std::string> given) {
  InputSizes sizes;
  for (const std::string &size : given) {
    auto [name, text] = StringRef(size).rsplit('=');
    int64_t value;
    if (isPolynomial(text))
      continue;
    if (text.getAsInteger(10, value) || value < 0)
      return errorSaying("--size " + size + " is not NAME=N");
    sizes[name.str()] = value;
  }
  std::set<std::string> growing, others;
  dimsOfStates(model, growing, others);
  for (const DimInfo &dim : model.dims)
    if (!sizes.count(dim.name) && !isSum(model, given, dim.name))
      sizes[dim.name] = growing.count(dim.name) ? dim.min : dim.max;
  if (Error error = addSums(model, given, sizes))
    return std::move(error);
  return sizes;
}

Expected<InputSizes> nextSizes(const ModelInfo &model, ArrayRef<std::string> given, const InputSizes &before,
                               ArrayRef<HostArray> outputs) {
  InputSizes sizes;
  std::set<int64_t> added;
  for (const TensorInfo &input : model.inputs)
    if (input.growingDim >= 0) {
      auto d = static_cast<size_t>(input.growingDim);
      const DimInfo &dim = model.dims[static_cast<size_t>(input.symbols[d])];
      int64_t rows = outputs[static_cast<size_t>(input.state)].dims[d];
      sizes[dim.name] = rows;
      added.insert(rows - before.at(dim.name));
    }
  std::set<std::string> growing, others;
  dimsOfStates(model, growing, others);
  for (const DimInfo &dim : model.dims)
    if (!growing.count(dim.name) && !isSum(model, given, dim.name)) {
      bool isNew = added.count(before.at(dim.name)) && !others.count(dim.name);
      sizes[dim.name] = isNew ? dim.min : before.at(dim.name);
    }
  if (Error error = addSums(model, given, sizes))
    return std::move(error);
  return sizes;
}

} // namespace sinter
