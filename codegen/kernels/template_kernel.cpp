// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.kernel "topk" -> `topk(params, views...)` of templates/selection/topk.h, with its TopkParams.
#include "codegen/amalgamate.h"
#include "codegen/text/element_text.h"
#include "dialect.h"
#include "kernel_list.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// `uint8_t` where the operand is unsigned, `bool` for i1.
Code viewElement(Type type, bool isUnsigned) {
  if (type.isInteger(1))
    return "bool";
  return isUnsigned ? unsignedText(type) : memoryText(type);
}

Code braces(ArrayRef<SizeExpr> list, KernelFunction &function) {
  std::vector<Code> all;
  for (const SizeExpr &item : list)
    all.push_back(function.local(item).print());
  return Code("{", joinCode(all), "}");
}

Code viewText(Value value, bool isWritten, bool isUnsigned, KernelFunction &function) {
  const View &view = function.values().view(value);
  Code element = viewElement(view.element, isUnsigned);
  Identifier pointer = function.pointer(view, isWritten ? "y" : "x", isWritten);
  Code type = isWritten ? element : Code("const ", element);
  Code data = element == memoryText(view.element) ? Code(pointer) : Code("at<", type, ">(", pointer, ", 0)");
  if (view.sizes.empty())
    return Code("View<", type, ", 0>{", data, "}");
  return Code("View<", type, ", ", view.sizes.size(), ">{", data, ", ", braces(view.sizes, function), ", ",
              braces(view.strides, function), "}");
}

/// A list as an array of its own, so that the params hold a pointer.
template <class Range, class Print>
Code arrayParam(KernelFunction &function, StringRef name, const Code &type, Range &&range, Print print) {
  std::vector<Code> items;
  for (const auto &item : range)
    items.push_back(print(item));
  if (items.empty())
    return "nullptr";
  Identifier array = function.names.make(name);
  function.body.line("static const ", type, " ", array, "[] = {", joinCode(items), "};");
  return array;
}

/// The C++ form of a param; nothing for attributes that have none.
std::optional<Code> paramText(KernelFunction &function, StringRef name, Attribute value) {
  if (auto flag = dyn_cast<BoolAttr>(value))
    return flag.getValue() ? Code("true") : Code("false");
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return Code::integer(integer.getInt(), 64);
  if (auto number = dyn_cast<FloatAttr>(value))
    return Code::number(number.getValueAsDouble(), number.getType().isF32());
  if (auto text = dyn_cast<StringAttr>(value))
    return Code(StringLiteral(text.getValue()));
  if (isa<UnitAttr>(value))
    return Code("true");
  auto integers = [](int64_t item) { return Code::integer(item, 64); };
  if (auto list = dyn_cast<DenseI64ArrayAttr>(value))
    return arrayParam(function, name, "int64_t", list.asArrayRef(), integers);
  if (auto list = dyn_cast<DenseI32ArrayAttr>(value))
    return arrayParam(function, name, "int32_t", list.asArrayRef(), integers);
  if (auto list = dyn_cast<DenseBoolArrayAttr>(value))
    return arrayParam(function, name, "bool", list.asArrayRef(),
                      [](bool item) { return item ? Code("true") : Code("false"); });
  if (auto list = dyn_cast<DenseF32ArrayAttr>(value))
    return arrayParam(function, name, "float", list.asArrayRef(), [](float item) { return Code::number(item, true); });
  if (auto list = dyn_cast<DenseF64ArrayAttr>(value))
    return arrayParam(function, name, "double", list.asArrayRef(),
                      [](double item) { return Code::number(item, false); });
  if (auto list = dyn_cast<ArrayAttr>(value);
      list && llvm::all_of(list, [](Attribute item) { return isa<StringAttr>(item); }))
    return arrayParam(function, name, "char *const", list.getAsRange<StringAttr>(),
                      [](StringAttr item) { return Code(StringLiteral(item.getValue())); });
  return std::nullopt;
}

} // namespace

FailureOr<Printed> printTemplateKernel(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  auto kernel = cast<KernelOp>(op);
  std::optional<std::string> header = findTemplate(kernel.getKernel(), options.templatesFolder);
  std::optional<std::string> text = header ? readTemplate(*header, options.templatesFolder) : std::nullopt;
  if (!text)
    return op->emitOpError("no template ") << kernel.getKernel();
  std::string typeName = llvm::convertToCamelFromSnakeCase(kernel.getKernel(), /*capitalizeFirst=*/true);
  std::string functionName = llvm::convertToCamelFromSnakeCase(kernel.getKernel());
  function.need(*header);
  function.need("runtime-lite/view.h");

  bool hasParams = StringRef(*text).contains(typeName + "Params");
  std::vector<Code> arguments;
  if (hasParams) {
    Identifier params = function.names.make("params");
    function.body.line(Code::trusted(typeName), "Params ", params, " = {};");
    for (NamedAttribute param : kernel.getParams()) {
      std::optional<Code> value = paramText(function, param.getName(), param.getValue());
      if (!value)
        return op->emitOpError("param ") << param.getName() << " has no form in C++";
      function.body.line(params, ".", Code::trusted(Names::legal(param.getName())), " = ", *value, ";");
    }
    arguments.push_back(params);
  }
  StringRef signedness = kernel.getSignedness();
  size_t index = 0;
  auto isUnsigned = [&] { return index < signedness.size() && signedness[index] == 'u'; };
  for (Value input : kernel.getInputs()) {
    if (isa<MemRefType>(input.getType()))
      arguments.push_back(viewText(input, false, isUnsigned(), function));
    else
      arguments.push_back(function.scalar(input));
    ++index;
  }
  for (Value init : kernel.getInits()) {
    arguments.push_back(viewText(init, true, isUnsigned(), function));
    ++index;
  }
  bool returnsStatus = StringRef(*text).contains("int " + functionName + "(");
  function.body.line(returnsStatus ? Code("return ") : Code(), Code::trusted(functionName), "(", joinCode(arguments),
                     ");");
  return Printed{kernel.getKernel().str(), "a template of its own", returnsStatus};
}

} // namespace sinter
