// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interface.h"

#include "codegen/text/element_text.h"
#include "llvm/Support/MathExtras.h"

#include "dialect.h"
#include "ir/dim_bounds.h"
#include "ir/libraries.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

#include "llvm/Support/ConvertUTF.h"

using namespace mlir;

namespace sinter {

std::string InterfaceTensor::variable() const { return ((within ? within->text() + "_" : "") + member.text()).str(); }

SmallVector<ArrayRef<InterfaceTensor>> valuesOf(ArrayRef<InterfaceTensor> tensors) {
  SmallVector<ArrayRef<InterfaceTensor>> values;
  while (!tensors.empty()) {
    size_t count = 1;
    while (tensors.front().within && count < tensors.size() && tensors[count].within &&
           tensors[count].within->text() == tensors.front().within->text())
      ++count;
    values.push_back(tensors.take_front(count));
    tensors = tensors.drop_front(count);
  }
  return values;
}

/// Parts of one value follow each other, each once.
static void nameMembers(std::vector<InterfaceTensor> &tensors, Names &names) {
  const InterfaceTensor *before = nullptr;
  llvm::StringSet<> met;
  for (InterfaceTensor &tensor : tensors) {
    if (tensor.part.empty()) {
      tensor.member = names.make(tensor.name);
      before = nullptr;
      continue;
    }
    bool follows = before && before->name == tensor.name && met.insert(tensor.part).second;
    if (!follows) {
      met.clear();
      met.insert(tensor.part);
    }
    tensor.within = follows ? before->within : std::optional(names.make(tensor.name));
    tensor.member = Names().make(tensor.part);
    before = &tensor;
  }
}

bool InterfaceTensor::isStatic() const {
  return llvm::all_of(dims, [](const InterfaceDim &dim) { return dim.size >= 0; });
}

bool InterfaceTensor::isEmpty() const {
  return llvm::any_of(dims, [](const InterfaceDim &dim) { return dim.size == 0; });
}

int64_t InterfaceTensor::maxElements() const {
  int64_t count = 1;
  for (const InterfaceDim &dim : dims)
    count *= dim.size >= 0 ? dim.size : dim.max;
  return count;
}

int64_t InterfaceTensor::maxBytes() const { return abiObjects(type, maxElements()) * abiBytes(type); }

const SymbolicDim *Interface::findDim(StringRef name) const {
  for (const SymbolicDim &dim : dims)
    if (dim.name == name)
      return &dim;
  return nullptr;
}

/// Bytes of a tensor, rounded so that each begins where kernels may load vectors.
static int64_t interfaceBytesOf(const InterfaceTensor &tensor) {
  if (tensor.type == ElementType::String) // which stays on the host
    return 0;
  constexpr uint64_t alignment = 256;
  return static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(tensor.maxBytes()), alignment));
}

int64_t Interface::placeOnDevice(const InterfaceTensor &tensor) const {
  int64_t place = 0;
  for (const std::vector<InterfaceTensor> *tensors : {&inputs, &outputs})
    for (const InterfaceTensor &other : *tensors) {
      if (&other == &tensor)
        return place;
      place += interfaceBytesOf(other);
    }
  return place;
}

int64_t Interface::bytesOnDevice() const {
  constexpr int64_t words = 32; // runtime-lite/cuda/instance.h: DeviceWords
  int64_t bytes = words;
  for (const std::vector<InterfaceTensor> *tensors : {&inputs, &outputs})
    for (const InterfaceTensor &tensor : *tensors)
      bytes += interfaceBytesOf(tensor);
  return bytes;
}

const InterfaceRegion *Interface::regionOf(SpaceAttr space) const {
  if (space && space.getRegion())
    for (const InterfaceRegion &region : regions)
      if (region.name == space.getRegion().getValue())
        return &region;
  return regions.empty() ? nullptr : &regions.front();
}

/// The regions, and which of them hold inputs and outputs.
static void readRegions(Operation *function, Interface &interface) {
  Names members, macros, variables;
  for (const Arena &arena : arenasOf(function))
    if (arena.space == MemoryKind::Shared)
      interface.pinnedBytes = arena.bytes;
    else if (arena.space == MemoryKind::Host && !arena.name.empty())
      interface.regions.push_back({arena, members.make(arena.name), macros.make(StringRef(arena.name).upper()),
                                   variables.make("arena_" + arena.name)});
  for (auto *tensors : {&interface.inputs, &interface.outputs})
    for (InterfaceTensor &tensor : *tensors)
      if (const InterfaceRegion *region = tensor.arenaOffset ? interface.regionOf(tensor.space) : nullptr) {
        tensor.region = region->member;
        tensor.regionNumber = region - interface.regions.data();
        tensor.regionBegin = region->begin;
        *tensor.arenaOffset += region->begin;
      }
}

std::vector<const InterfaceTensor *> Interface::withDims() const {
  std::vector<const InterfaceTensor *> tensors;
  for (const auto *list : {&outputs, &inputs})
    for (const InterfaceTensor &tensor : *list)
      if (tensor.dimsMember)
        tensors.push_back(&tensor);
  return tensors;
}

static std::vector<InterfaceTensor> readTensors(Operation *function, StringRef attribute) {
  std::vector<InterfaceTensor> tensors;
  auto list = function->getAttrOfType<ArrayAttr>(attribute);
  if (!list)
    return tensors;
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    InterfaceTensor tensor;
    tensor.name = cast<StringAttr>(entry.get("name")).str();
    if (auto part = entry.getAs<StringAttr>("part"))
      tensor.part = part.str();
    tensor.type = static_cast<ElementType>(cast<IntegerAttr>(entry.get("element")).getInt());
    if (auto dims = dyn_cast_or_null<ArrayAttr>(entry.get("dims")))
      for (Attribute dim : dims) {
        if (auto size = dyn_cast<IntegerAttr>(dim))
          tensor.dims.push_back({size.getInt(), size.getInt(), ""});
        else if (StringRef symbol = cast<StringAttr>(dim).getValue(); symbol == "?")
          tensor.dims.push_back({-1, -1, ""});
        else
          tensor.dims.push_back({-1, -1, symbol.str()});
      }
    if (auto state = entry.getAs<StringAttr>("state")) {
      tensor.state = state.str();
      tensor.stateIndex = static_cast<int>(entry.getAs<IntegerAttr>("state_index").getInt());
      if (auto axis = entry.getAs<IntegerAttr>("grows"))
        tensor.growingDim = static_cast<size_t>(axis.getInt());
    }
    if (auto scale = dyn_cast_or_null<FloatAttr>(entry.get("scale")))
      tensor.scale = static_cast<float>(scale.getValueAsDouble());
    if (auto zero = dyn_cast_or_null<IntegerAttr>(entry.get("zero_point")))
      tensor.zeroPoint = static_cast<int32_t>(zero.getInt());
    if (auto range = entry.getAs<FloatAttr>("range"))
      tensor.range = static_cast<float>(range.getValueAsDouble());
    if (auto spacing = entry.getAs<FloatAttr>("spacing"))
      tensor.spacing = static_cast<float>(spacing.getValueAsDouble());
    if (auto step = entry.getAs<FloatAttr>("step"))
      tensor.step = static_cast<float>(step.getValueAsDouble());
    if (auto labels = entry.getAs<ArrayAttr>("labels"))
      for (Attribute label : labels) {
        tensor.hasIntegerLabels = isa<IntegerAttr>(label);
        tensor.labels.push_back(tensor.hasIntegerLabels ? std::to_string(cast<IntegerAttr>(label).getInt())
                                                        : cast<StringAttr>(label).str());
      }
    if (auto reason = entry.getAs<StringAttr>("stays_float"))
      tensor.staysFloat = reason.str();
    if (auto form = entry.getAs<StringAttr>("form"))
      tensor.form = form.str();
    if (auto offset = entry.getAs<IntegerAttr>("arena_offset"))
      tensor.arenaOffset = offset.getInt();
    tensor.space = entry.getAs<SpaceAttr>("arena_space");
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::optional<unsigned> outputOf(Operation *buffer) {
  if (auto output = dyn_cast<OutputOp>(buffer))
    return static_cast<unsigned>(output.getIndex());
  auto inArena = isa<ArenaOp>(buffer) ? buffer->getAttrOfType<IntegerAttr>("sinter.output") : IntegerAttr();
  return inArena ? std::optional(static_cast<unsigned>(inArena.getInt())) : std::nullopt;
}

/// Room that a caller must have for sizes that vary.
static LogicalResult findLargest(func::FuncOp main, Interface &interface) {
  for (auto *tensors : {&interface.inputs, &interface.outputs})
    for (InterfaceTensor &tensor : *tensors)
      for (InterfaceDim &dim : tensor.dims)
        if (const SymbolicDim *symbol = interface.findDim(dim.symbol))
          dim.max = symbol->max;
  DimBounds bounds;
  main.walk([&](Operation *op) {
    std::optional<unsigned> index = outputOf(op);
    if (!index)
      return;
    for (auto [i, dim] : llvm::enumerate(interface.outputs[*index].dims))
      if (dim.size < 0 && dim.symbol.empty())
        dim.max = std::max(dim.max, bounds.ofDim(op->getResult(0), static_cast<int64_t>(i)).high);
  });
  for (const InterfaceTensor &tensor : interface.outputs)
    for (const InterfaceDim &dim : tensor.dims)
      if (dim.max < 0 || dim.max == INT64_MAX)
        return main.emitError("output \"") << tensor.name << "\" has a dim without a bound";
  return success();
}

FailureOr<Interface> readInterface(ModuleOp module, StringRef macroPrefix) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return module.emitError("planned IR needs a function @main"), failure();
  Interface result;
  result.inputs = readTensors(main, "sinter.inputs");
  result.outputs = readTensors(main, "sinter.outputs");
  readRegions(main, result);
  if (auto bytes = main->getAttrOfType<IntegerAttr>("sinter.arena_bytes"))
    result.arenaBytes = bytes.getInt();
  if (auto bytes = main->getAttrOfType<IntegerAttr>("sinter.weights_in_ram"))
    result.weightsInRam = bytes.getInt();
  if (auto hash = module->getAttrOfType<StringAttr>("sinter.model_sha256"))
    result.sha256 = hash.str();
  result.libraries = librariesIn(module);

  Names inputNames({macroPrefix, "SINTER_"}), outputNames({macroPrefix, "SINTER_"});
  nameMembers(result.inputs, inputNames);
  auto bounds = main->getAttrOfType<DictionaryAttr>("sinter.dim_bounds");
  auto polynomials = main->getAttrOfType<DictionaryAttr>("sinter.dim_polynomials");
  auto addDim = [&](StringRef symbol) -> LogicalResult {
    if (symbol.empty() || result.findDim(symbol))
      return success();
    auto bound = bounds ? dyn_cast_or_null<DenseI64ArrayAttr>(bounds.get(symbol)) : nullptr;
    if (!bound || bound.size() != 2)
      return main.emitError("sinter.dim_bounds lacks bounds of \"") << symbol << "\"";
    result.dims.push_back({symbol.str(), inputNames.make(symbol), bound[0], bound[1]});
    if (auto text = polynomials ? polynomials.getAs<StringAttr>(symbol) : StringAttr())
      result.dims.back().polynomial = parseNamedPolynomial(text.getValue());
    return success();
  };
  for (const InterfaceTensor &tensor : result.inputs)
    for (const InterfaceDim &dim : tensor.dims)
      if (failed(addDim(dim.symbol)))
        return failure();
  nameMembers(result.outputs, outputNames);
  for (auto *tensors : {&result.inputs, &result.outputs}) {
    Names macroNames;
    for (InterfaceTensor &tensor : *tensors)
      tensor.macro = macroNames.make(StringRef(tensor.variable()).upper());
  }
  for (InterfaceTensor &tensor : result.outputs)
    if (!tensor.isStatic())
      tensor.dimsMember = outputNames.make(tensor.name + "_dims");
  for (InterfaceTensor &tensor : result.inputs)
    if (tensor.growingDim)
      tensor.dimsMember = outputNames.make(tensor.state + "_dims");
  if (failed(findLargest(main, result)))
    return failure();
  return result;
}

Comment describeTensor(const InterfaceTensor &tensor) {
  std::string text = (elementTypeName(tensor.type) + "[").str();
  bool first = true;
  for (const InterfaceDim &dim : tensor.dims) {
    text += (first ? "" : ", ") + (dim.size >= 0 ? std::to_string(dim.size) : dim.symbol.empty() ? "?" : dim.symbol);
    first = false;
  }
  return Comment(text + "]");
}

Comment describePart(const InterfaceTensor &tensor) {
  if (tensor.part == "elements")
    return Comment(", a sequence: the values of each element, gapless from the begin of its row");
  if (tensor.part == "dims")
    return Comment(", sizes of each element; -1 behind its last");
  if (tensor.part == "count")
    return Comment(", how many elements there are");
  if (tensor.part == "keys")
    return Comment(", a map: its keys, each once");
  if (tensor.part == "values")
    return Comment(", the value of each key");
  if (tensor.part == "present")
    return Comment(", whether there is a value");
  return Comment("");
}

Comment describeMore(const InterfaceTensor &tensor) {
  std::string text;
  if (tensor.isState())
    text += ", updated in place: the call leaves " + tensor.state + " here";
  if (tensor.growingDim)
    text += "; a buffer of " + std::to_string(tensor.heldSize(*tensor.growingDim)) + " along dim " +
            std::to_string(*tensor.growingDim) + ", of which the first " + tensor.dims[*tensor.growingDim].symbol +
            " are in use";
  if (tensor.scale != 0) {
    llvm::raw_string_ostream(text) << ", real = " << llvm::format("%.9g", static_cast<double>(tensor.scale))
                                   << " * (value - " << tensor.zeroPoint << ")";
  }
  if (!tensor.form.empty())
    text += ", " + tensor.form;
  if (!tensor.staysFloat.empty())
    text += ", not quantized: " + tensor.staysFloat;
  if (tensor.arenaOffset)
    text += ", in the arena: null, or " + (tensor.region ? tensor.region->text().str() : "arena") + " + " +
            std::to_string(*tensor.arenaOffset - tensor.regionBegin);
  return Comment(text);
}

std::vector<std::string> publicNames(ArrayRef<InterfaceTensor> tensors) {
  std::vector<std::string> names;
  for (const InterfaceTensor &tensor : tensors) {
    const auto *begin = reinterpret_cast<const llvm::UTF8 *>(tensor.name.data());
    bool isText =
        llvm::isLegalUTF8String(&begin, begin + tensor.name.size()) && tensor.name.find('\0') == std::string::npos;
    bool isTaken = llvm::count_if(tensors, [&](const auto &other) { return other.name == tensor.name; }) > 1;
    names.push_back(isText && !isTaken ? tensor.name : tensor.member.text().str());
  }
  return names;
}

} // namespace sinter
