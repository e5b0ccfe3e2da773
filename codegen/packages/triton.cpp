// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "triton.h"

#include "codegen/text/printer.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {
namespace {
/// As config.pbtxt calls a type; empty: the server has none.
StringRef servedType(ElementType type) {
  static constexpr std::pair<StringRef, StringRef> types[] = {
      {"float", "TYPE_FP32"},  {"double", "TYPE_FP64"},   {"float16", "TYPE_FP16"},  {"bfloat16", "TYPE_BF16"},
      {"int8", "TYPE_INT8"},   {"int16", "TYPE_INT16"},   {"int32", "TYPE_INT32"},   {"int64", "TYPE_INT64"},
      {"uint8", "TYPE_UINT8"}, {"uint16", "TYPE_UINT16"}, {"uint32", "TYPE_UINT32"}, {"uint64", "TYPE_UINT64"},
      {"bool", "TYPE_BOOL"}};
  for (auto [name, served] : types)
    if (name == elementTypeName(type))
      return served;
  return "";
}

/// The dim that counts rows; null: there is none.
const SymbolicDim *rowsOf(const Interface &interface) {
  const SymbolicDim *rows = nullptr;
  for (const auto *tensors : {&interface.inputs, &interface.outputs})
    for (const InterfaceTensor &tensor : *tensors) {
      if (tensor.isState() || tensor.dims.empty() || tensor.dims[0].size >= 0 || tensor.dims[0].symbol.empty())
        return nullptr;
      if (!rows)
        rows = interface.findDim(tensor.dims[0].symbol);
      if (!rows || rows->name != tensor.dims[0].symbol)
        return nullptr;
      for (const InterfaceDim &dim : ArrayRef(tensor.dims).drop_front())
        if (dim.symbol == rows->name)
          return nullptr;
    }
  return rows && rows->min <= 1 && !rows->polynomial ? rows : nullptr;
}

std::string namesOf(ArrayRef<InterfaceTensor> tensors) {
  std::vector<PrintedCode> quoted;
  for (const std::string &name : publicNames(tensors))
    quoted.push_back(PrintedCode(StringLiteral(name)));
  if (quoted.empty())
    quoted.push_back("nullptr");
  return joinCode(quoted).text().str();
}

std::string tensorsText(ArrayRef<InterfaceTensor> tensors, StringRef list, bool hasRows) {
  std::vector<std::string> entries;
  for (auto [tensor, name] : llvm::zip(tensors, publicNames(tensors))) {
    if (tensor.isState())
      continue;
    std::vector<std::string> dims;
    for (const InterfaceDim &dim : ArrayRef(tensor.dims).drop_front(hasRows))
      dims.push_back(std::to_string(dim.size > 0 ? dim.size : -1)); // the format has no 0
    std::string entry = ("  { name: " + StringLiteral(name).text() + " data_type: " + servedType(tensor.type)).str();
    entry += dims.empty() ? (hasRows ? " dims: [ 1 ] reshape { shape: [ ] } }" : " dims: [ 1 ] }")
                          : " dims: [ " + join(dims, ", ") + " ] }";
    entries.push_back(entry);
  }
  return entries.empty() ? "" : (list + " [\n" + join(entries, ",\n") + "\n]").str();
}
} // namespace

std::string unservedTensor(const Interface &interface) {
  for (const auto *tensors : {&interface.inputs, &interface.outputs})
    for (const InterfaceTensor &tensor : *tensors)
      if (!tensor.part.empty() || servedType(tensor.type).empty())
        return (tensors == &interface.inputs ? "the input '" : "the output '") + tensor.name + "' " +
               (tensor.part.empty() ? "is of " + elementTypeName(tensor.type).str() : "is no tensor");
  return "";
}

std::vector<std::pair<StringRef, std::string>> servedValues(const Interface &interface) {
  const SymbolicDim *rows = rowsOf(interface);
  bool hasStates = llvm::any_of(interface.inputs, [](const InterfaceTensor &tensor) { return tensor.isState(); });
  size_t tensors = std::max({size_t(1), interface.inputs.size(), interface.outputs.size()});
  return {{"rows", std::to_string(rows ? rows->max : 0)},
          {"tensor-count", std::to_string(tensors)},
          {"dim-count", std::to_string(std::max<size_t>(1, interface.dims.size()))},
          {"input-names", namesOf(interface.inputs)},
          {"output-names", namesOf(interface.outputs)},
          {"inputs", tensorsText(interface.inputs, "input", rows != nullptr)},
          {"outputs", tensorsText(interface.outputs, "output", rows != nullptr)},
          {"scheduling", hasStates ? "sequence_batching { direct { } }"
                         : rows    ? "dynamic_batching { }"
                                   : ""}};
}

} // namespace sinter
