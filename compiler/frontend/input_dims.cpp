// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dims of graph inputs: numbers of the model, or values of --dim, by symbol or by place. Memory is planned at compile
// time, so each needs one.
#include "frontend/value_type.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlir;

namespace sinter {
std::string placeName(StringRef input, size_t axis) { return (input + ":" + Twine(axis)).str(); }

bool isUsable(ImportState &state, StringRef name, DimValue value) {
  if (value.min >= 0 && value.min <= value.max)
    return true;
  state.report(Code::DimConflict,
               "--dim " + name + "=" + Twine(value.min) + ".." + Twine(value.max) + " is no range of sizes");
  return false;
}

namespace {
using Dim = onnx::TensorShapeProto::Dimension;

/// A number of the model; old exporters write -1 for "unknown".
bool isNumber(const Dim &dim) { return dim.has_dim_value() && dim.dim_value() >= 0; }

void setSymbol(ImportState &state, StringRef symbol, DimValue value, StringRef flag) {
  auto [known, fresh] = state.symbols.try_emplace(symbol, value);
  if (!fresh && (known->second.min != value.min || known->second.max != value.max))
    state.report(Code::DimConflict, "--dim " + flag + " contradicts another value of the dim " + quoted(symbol), {},
                 "dims of one name have one size: give it once, --dim " + symbol + "=N");
}
/// Quoted where a shell would take it apart.
std::string shellWord(StringRef text) {
  bool isPlain = llvm::all_of(text, [](char c) { return isAlnum(c) || StringRef("_.:=-/").contains(c); });
  return isPlain ? text.str() : "'" + text.str() + "'";
}

/// In quotes, by Python's rules.
std::string pythonString(StringRef text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + "'";
}

/// What gives these dims the size 1, as the user writes it.
std::string sizesFor(DimSpelling spelling, ArrayRef<std::string> names) {
  constexpr size_t mostListed = 16;
  std::string text, more = names.size() > mostListed ? " ..." : "";
  for (const std::string &name : names.take_front(mostListed))
    switch (spelling) {
    case DimSpelling::Flags:
      text += (text.empty() ? "--dim " : " --dim ") + shellWord(name + "=1");
      break;
    case DimSpelling::CMake:
      text += (text.empty() ? "DIMS " : " ") + (name == "*" ? "*=1" : shellWord(name + "=1"));
      break;
    case DimSpelling::Python:
      text += (text.empty() ? "dims={" : ", ") + pythonString(name) + ": 1";
    }
  return text + (spelling == DimSpelling::Python ? (more.empty() ? "}" : ", ...}") : more);
}

/// A number where exporters write a name: torch.export calls a dim that it has settled "16".
std::optional<int64_t> numberAsName(StringRef name) {
  constexpr size_t mostDigits = 12;
  int64_t number;
  if (name.size() > mostDigits || !llvm::all_of(name, isDigit) || name.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// The shape of a tensor, or of one that an optional holds.
const onnx::TensorShapeProto &shapeOf(const onnx::ValueInfoProto &input) {
  return heldType(input.type()).tensor_type().shape();
}
} // namespace

/// The last dim that has no value says how to give all of them one.
std::string hintForMissing(const ImportState &state, StringRef symbol) {
  if (state.valuelessDims.empty() || symbol != state.valuelessDims.back())
    return "";
  DimSpelling spelling = state.options.dimSpelling;
  std::string range = spelling == DimSpelling::Python ? "(1, 8)" : "1..8";
  std::string text = "give " + std::string(state.valuelessDims.size() == 1 ? "it" : "each") +
                     " a size, or a range such as " + range + ": " + sizesFor(spelling, state.valuelessDims);
  return state.valuelessDims.size() == 1 ? text : text + "; or " + sizesFor(spelling, {"*"}) + " for all";
}

namespace {
/// Whether the first dim of each input is that number already: exporters that fix the batch drop its name.
bool isFixedBatch(ArrayRef<const onnx::ValueInfoProto *> inputs, DimValue value) {
  return !inputs.empty() && value.min == value.max && llvm::all_of(inputs, [&](const onnx::ValueInfoProto *input) {
    const auto &shape = shapeOf(*input);
    return shape.dim_size() > 0 && isNumber(shape.dim(0)) && shape.dim(0).dim_value() == value.min;
  });
}
} // namespace

void resolveSymbols(ImportState &state, ArrayRef<const onnx::ValueInfoProto *> inputs) {
  const auto &given = state.options.dims;
  llvm::StringSet<> used, set; // elements of sequences may have a dim of the same name, which sets no tensor's
  std::string symbols;
  llvm::StringSet<> listed;
  auto offer = [&](StringRef flag) {
    if (listed.insert(flag).second && listed.size() <= 16)
      symbols += ((symbols.empty() ? "" : ", ") + flag).str();
  };
  for (const onnx::ValueInfoProto *input : inputs) {
    const auto &shape = shapeOf(*input);
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      const Dim &dim = shape.dim(axis);
      std::string flag = placeName(input->name(), axis);
      if (!isNumber(dim))
        offer(dim.dim_param().empty() ? StringRef(flag) : StringRef(dim.dim_param()));
      auto bySymbol = dim.dim_param().empty() ? given.end() : given.find(dim.dim_param());
      if (bySymbol != given.end()) {
        used.insert(dim.dim_param());
        if (set.insert(dim.dim_param()).second && isUsable(state, dim.dim_param(), bySymbol->second))
          setSymbol(state, dim.dim_param(), bySymbol->second, dim.dim_param());
      }
      auto byPlace = given.find(flag);
      if (byPlace == given.end())
        continue;
      used.insert(flag);
      if (!isUsable(state, flag, byPlace->second))
        continue;
      if (isNumber(dim) && (byPlace->second.min != dim.dim_value() || byPlace->second.max != dim.dim_value()))
        state.report(Code::DimConflict,
                     "--dim " + flag + " contradicts the model, where that dim is " + Twine(dim.dim_value()));
      else if (!isNumber(dim))
        setSymbol(state, dim.dim_param().empty() ? StringRef(flag) : StringRef(dim.dim_param()), byPlace->second, flag);
    }
    for (const std::string &place : placesOf(state, *input)) {
      auto value = given.find(place);
      if (value == given.end())
        continue;
      used.insert(place);
      (void)isUsable(state, place, value->second);
    }
    if (input->type().has_sequence_type() || input->type().has_map_type())
      offer(input->name() + ":count");
    if (!input->type().has_tensor_type() || input->type().tensor_type().has_shape())
      continue;
    offer(placeName(input->name(), 0));
    for (size_t axis = 0; axis < state.options.limits.rank; ++axis) { // an input without a shape: places give it one
      std::string flag = placeName(input->name(), axis);
      auto byPlace = given.find(flag);
      if (byPlace == given.end())
        break;
      used.insert(flag);
      if (isUsable(state, flag, byPlace->second))
        setSymbol(state, flag, byPlace->second, flag);
    }
  }
  // What no flag names takes the value of `*`, or is told to the user.
  auto rest = given.find("*");
  if (rest != given.end() && !isUsable(state, "*", rest->second))
    rest = given.end();
  llvm::StringSet<> valueless;
  for (const onnx::ValueInfoProto *input : inputs) {
    const auto &shape = shapeOf(*input);
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      const Dim &dim = shape.dim(axis);
      std::string name = dim.dim_param().empty() ? placeName(input->name(), axis) : dim.dim_param();
      if (isNumber(dim) || state.symbols.contains(name))
        continue;
      if (std::optional<int64_t> number = numberAsName(dim.dim_param()))
        state.symbols[name] = {*number, *number};
      else if (rest != given.end())
        state.symbols[name] = rest->second;
      else if (valueless.insert(name).second)
        state.valuelessDims.push_back(name);
    }
  }
  SmallVector<StringRef> unused;
  for (const auto &entry : given)
    if (entry.getKey() != "*" && !used.contains(entry.getKey()) && !isFixedBatch(inputs, entry.getValue()))
      unused.push_back(entry.getKey());
  llvm::sort(unused);
  if (state.options.mayLackDims)
    return;
  for (StringRef name : unused)
    state.report(Code::UnknownDim, "--dim " + name + ": no input has such a dim", {},
                 symbols.empty() ? "all dims of this model's inputs are fixed" : "dims of this model: " + symbols);
}

const onnx::TypeProto &heldType(const onnx::TypeProto &type) {
  return type.has_optional_type() ? type.optional_type().elem_type() : type;
}

InputType readInputType(ImportState &state, const onnx::ValueInfoProto &input) {
  if (input.type().has_optional_type() || input.type().has_sequence_type() || input.type().has_map_type())
    return readStructure(state, input);
  return readTensorInput(state, input, input.type());
}

InputType readTensorInput(ImportState &state, const onnx::ValueInfoProto &input, const onnx::TypeProto &type) {
  std::string what = "input " + quoted(input.name());
  InputType result;
  result.value = readType(state, type, what, {});
  if (result.value.string.empty()) {
    if (!type.has_tensor_type() && type.value_case() == onnx::TypeProto::VALUE_NOT_SET)
      state.report(Code::InvalidType, what + " has no type");
    return result;
  }
  if (!type.has_tensor_type())
    return result;

  const auto &proto = type.tensor_type();
  SmallVector<std::string> symbols; // of each dim: its name, and "" for a number
  for (int axis = 0; axis < proto.shape().dim_size(); ++axis) {
    const Dim &dim = proto.shape().dim(axis);
    symbols.push_back(isNumber(dim) ? "" : !dim.dim_param().empty() ? dim.dim_param() : placeName(input.name(), axis));
  }
  if (!proto.has_shape())
    for (size_t axis = 0; state.symbols.contains(placeName(input.name(), axis)); ++axis)
      symbols.push_back(placeName(input.name(), axis));
  if (!proto.has_shape() && symbols.empty()) {
    std::string flag = placeName(input.name(), 0);
    state.report(Code::DimWithoutValue, what + " has no shape", {},
                 "give its dims in order: --dim " + flag + "=N --dim " + placeName(input.name(), 1) + "=N");
    return result;
  }

  SmallVector<int64_t> dims, upper;
  for (auto [axis, symbol] : llvm::enumerate(symbols)) {
    auto value = symbol.empty() ? state.symbols.end() : state.symbols.find(symbol);
    if (symbol.empty()) {
      dims.push_back(proto.shape().dim(static_cast<int>(axis)).dim_value());
      upper.push_back(dims.back());
    } else if (value == state.symbols.end()) {
      if (state.missingDims.insert(symbol).second)
        state.report(Code::DimWithoutValue,
                     "dim " + Twine(axis) + " of " + what +
                         (symbol == placeName(input.name(), axis) ? Twine(" has no size")
                                                                  : " is " + quoted(symbol) + ", which has no value"),
                     {}, hintForMissing(state, symbol));
      dims.push_back(ShapedType::kDynamic);
    } else {
      DimValue range = value->second;
      dims.push_back(range.min == range.max ? range.min : ShapedType::kDynamic);
      upper.push_back(range.max);
    }
    result.names.push_back(ShapedType::isDynamic(dims.back()) ? symbol : "");
  }
  if (!checkedElements(state, upper, what, {}))
    return result;
  result.value.type = RankedTensorType::get(dims, nodeType(elementTypeOfCode(proto.elem_type()), state.context));
  return result;
}

} // namespace sinter
