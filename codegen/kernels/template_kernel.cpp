// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.kernel "topk" -> `topk(params, views...)` of templates/selection/topk.h, with its TopkParams; sinter.pool
// alike.
#include "codegen/amalgamate.h"
#include "codegen/cuda/split_index.h"
#include "codegen/cuda/template_threads.h"
#include "codegen/text/element_text.h"
#include "contraction_call.h"
#include "ir/template_call.h"
#include "ir/template_places.h"
#include "kernel_list.h"
#include "kernels/kernel.h"
#include "template_shares.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// `uint8_t` where the operand is unsigned, `bool` for i1.
PrintedCode viewElement(Type type, bool isUnsigned) {
  if (type.isInteger(1))
    return "bool";
  return isUnsigned ? unsignedText(type) : memoryText(type);
}

PrintedCode braces(ArrayRef<SizeExpr> list, KernelFunction &function) {
  std::vector<PrintedCode> all;
  for (const SizeExpr &item : list)
    all.push_back(function.local(item).print());
  return PrintedCode("{", joinCode(all), "}");
}

/// `isRow`: the view is of one of its rows, which one `parts` says.
PrintedCode viewText(Value value, bool isWritten, bool isUnsigned, KernelFunction &function,
                     const ViewParts &parts = {}, bool isRow = false) {
  View view = function.values().view(value);
  PrintedCode element = viewElement(view.element, isUnsigned);
  Identifier pointer = function.pointer(view, isWritten ? "y" : "x", isWritten);
  PrintedCode type = isWritten ? element : PrintedCode("const ", element);
  PrintedCode data =
      element == memoryText(view.element) ? PrintedCode(pointer) : PrintedCode("at<", type, ">(", pointer, ", 0)");
  if (view.sizes.empty())
    return PrintedCode("View<", type, ", 0>{", data, "}");
  SizeExpr offset;
  std::vector<PrintedCode> sizes;
  for (const SizeExpr &size : view.sizes)
    sizes.push_back(function.local(size).print());
  for (const ViewPart &part : parts) {
    offset = offset + function.local(view.strides[part.dim]) * part.first;
    sizes[part.dim] = part.count;
  }
  if (!offset.isConstant(0))
    data = PrintedCode(data, " + ", offset.print());
  ArrayRef<SizeExpr> strides = view.strides;
  if (isRow) {
    sizes.erase(sizes.begin());
    strides = strides.drop_front();
  }
  return PrintedCode("View<", type, ", ", sizes.size(), ">{", data, ", {", joinCode(sizes), "}, ",
                     braces(strides, function), "}");
}

SizeExpr countOf(const View &view, ArrayRef<unsigned> dims, KernelFunction &function) {
  SizeExpr count(1);
  for (unsigned dim : dims)
    count = count * function.local(view.sizes[dim]);
  return count;
}

/// On a GPU: a thread for each place; of each operand the part that it has.
std::vector<ViewParts> printViewPlaces(const TemplateCall &kernel, const TemplateThreads &threads,
                                       KernelFunction &function) {
  const View &view = function.values().view(kernel.inits[0]);
  SizeExpr count = countOf(view, threads.dims, function);
  function.launchOver(count, threads.threads);
  Identifier item = function.names.make("item");
  function.body.line("const int64_t ", item, " = cuda::threadOfGrid<", threads.threads, ">();");
  function.body.line("if (", item, " >= ", count.print(), ")");
  function.body.line("  return;");
  std::vector<Identifier> numbers;
  SmallVector<std::pair<Identifier, SizeExpr>> split;
  for (unsigned dim : threads.dims) {
    numbers.push_back(function.names.make("i" + std::to_string(dim)));
    split.push_back({numbers.back(), function.local(view.sizes[dim])});
  }
  printSplitIndex(function.body, item, split);
  const TemplatePlaces &places = *templatePlacesOf(kernel.name);
  std::vector<ViewParts> parts(kernel.inputs.size() + kernel.inits.size());
  auto place = [&](ArrayRef<PlaceOfOperand> all, size_t begin) {
    for (auto [i, dims] : llvm::enumerate(all))
      for (auto [dim, number] : dims)
        parts[begin + i].push_back({dim, SizeExpr(numbers[number]), PrintedCode(1)});
  };
  place(places.inputs, 0);
  place(places.outputs, kernel.inputs.size());
  return parts;
}

/// On a GPU, before the call: which part of it the thread has. `parts`: of each operand, in order.
struct DeviceCallForm {
  std::vector<PrintedCode> first; ///< arguments before all others: the number of the element, or of the row
  const char *ending = nullptr;   ///< what the function's name ends in
  PrintedCode function;           ///< the whole name, where the kernel that was chosen has another
  std::vector<ViewParts> parts;
  std::string why;
};

/// Of a function of templates/cuda: the launch, and the arguments that say which part the thread has.
DeviceCallForm printDeviceFunction(const TemplateCall &kernel, const TemplateThreads &threads,
                                   KernelFunction &function) {
  constexpr int64_t warp = 32;
  const View &first = function.values().view(kernel.inits[0]);
  function.need(threads.header);
  // What the launch gives is what the function counts on.
  if (!threads.threadsName.empty())
    function.body.line("static_assert(", PrintedCode::trusted(threads.threadsName), " == ", threads.threads, " && ",
                       PrintedCode::trusted(threads.sharedName), " == ", threads.sharedBytes, ");");
  function.launch.sharedBytes = threads.sharedBytes;
  PrintedCode thread("cuda::threadOfGrid<", threads.threads, ">()");
  auto elementsOf = [&](const View &view) {
    return countOf(view, llvm::to_vector(llvm::seq<unsigned>(view.sizes.size())), function);
  };
  switch (threads.form) {
  case ThreadForm::Row:
    function.launchOver(countOf(first, threads.dims, function) * SizeExpr(warp), threads.threads);
    return {{PrintedCode(thread, " / ", warp)}, "Row", {}, {}, "a warp for each row"};
  case ThreadForm::Lines:
    function.launchOver(elementsOf(first), threads.threads);
    return {{PrintedCode(thread, " / ", warp), PrintedCode("int64_t(cuda::blocksX()) * ", threads.threads / warp)},
            "Lines",
            {},
            {},
            "warps that take rows in turns"};
  case ThreadForm::Block:
    function.launch.threads = threads.threads;
    return {{}, "Block", {}, {}, "one block: what is found depends on all before it"};
  default:
    function.launchOver(
        elementsOf(threads.operand < 0 ? first : function.values().view(kernel.inputs[unsigned(threads.operand)])),
        threads.threads);
    return {{thread}, "Element", {}, {}, "a thread for each element"};
  }
}

/// Of the function that choose-kernels has taken: the launch.
DeviceCallForm printChosen(const TemplateCall &kernel, const ContractionCall &call, KernelFunction &function) {
  for (StringRef header : call.headers)
    function.need(header);
  const View &first = function.values().view(kernel.inits[0]);
  size_t rank = first.sizes.size();
  launchRows(call, function.local(first.sizes[rank - 2]),
             countOf(first, llvm::to_vector(llvm::seq<unsigned>(unsigned(rank - 2))), function), function);
  return {{}, nullptr, calleeOf(call), {}, call.why};
}

DeviceCallForm printThreads(Operation *op, const TemplateCall &kernel, const Target &target, KernelFunction &function) {
  function.need("templates/cuda/device.h");
  if (auto own = dyn_cast<KernelOp>(op))
    if (const TemplateKernel *chosen = kernelOf(own); chosen && chosen->call)
      return printChosen(kernel, chosen->call(own, target), function);
  const TemplateThreads *threads = threadsOf(kernel.name);
  if (threads && threads->form != ThreadForm::Place)
    return printDeviceFunction(kernel, *threads, function);
  DeviceCallForm form;
  if (threads) {
    form.parts = printViewPlaces(kernel, *threads, function);
    form.why = "a thread for each row";
    return form;
  }
  function.launch.threads = 32;
  function.body.line("if (cuda::threadIndex() != 0)");
  function.body.line("  return;");
  form.why = "one thread: no kernel of many computes it";
  return form;
}

/// A list as an array of its own, so that the params hold a pointer.
template <class Range, class Print>
PrintedCode arrayParam(KernelFunction &function, StringRef name, const PrintedCode &type, Range &&range, Print print) {
  std::vector<PrintedCode> items;
  for (const auto &item : range)
    items.push_back(print(item));
  if (items.empty())
    return "nullptr";
  Identifier array = function.names.make(name);
  function.body.line("static const ", type, " ", array, "[] = {", joinCode(items), "};");
  return array;
}

/// The C++ form of a param; nothing for attributes that have none.
std::optional<PrintedCode> paramText(KernelFunction &function, StringRef name, Attribute value) {
  if (auto flag = dyn_cast<BoolAttr>(value))
    return flag.getValue() ? PrintedCode("true") : PrintedCode("false");
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return PrintedCode::integer(integer.getInt(), 64);
  if (auto number = dyn_cast<FloatAttr>(value))
    return PrintedCode::number(number.getValueAsDouble(), number.getType().isF32());
  if (auto text = dyn_cast<StringAttr>(value))
    return PrintedCode(StringLiteral(text.getValue()));
  if (isa<UnitAttr>(value))
    return PrintedCode("true");
  auto integers = [](int64_t item) { return PrintedCode::integer(item, 64); };
  if (auto list = dyn_cast<DenseI64ArrayAttr>(value))
    return arrayParam(function, name, "int64_t", list.asArrayRef(), integers);
  if (auto list = dyn_cast<DenseI32ArrayAttr>(value))
    return arrayParam(function, name, "int32_t", list.asArrayRef(), integers);
  if (auto list = dyn_cast<DenseBoolArrayAttr>(value))
    return arrayParam(function, name, "bool", list.asArrayRef(),
                      [](bool item) { return item ? PrintedCode("true") : PrintedCode("false"); });
  if (auto list = dyn_cast<DenseF32ArrayAttr>(value))
    return arrayParam(function, name, "float", list.asArrayRef(),
                      [](float item) { return PrintedCode::number(item, true); });
  if (auto list = dyn_cast<DenseF64ArrayAttr>(value))
    return arrayParam(function, name, "double", list.asArrayRef(),
                      [](double item) { return PrintedCode::number(item, false); });
  if (auto list = dyn_cast<ArrayAttr>(value);
      list && llvm::all_of(list, [](Attribute item) { return isa<StringAttr>(item); }))
    return arrayParam(function, name, "char *const", list.getAsRange<StringAttr>(),
                      [](StringAttr item) { return PrintedCode(StringLiteral(item.getValue())); });
  return std::nullopt;
}

} // namespace

FailureOr<Printed> printTemplateKernel(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  TemplateCall kernel = *templateCallOf(op);
  std::optional<std::string> header = findTemplate(kernel.name, options.templatesFolder);
  std::optional<std::string> text = header ? readTemplate(*header, options.templatesFolder) : std::nullopt;
  if (!text)
    return op->emitOpError("no template ") << kernel.name;
  std::string typeName = llvm::convertToCamelFromSnakeCase(kernel.name, /*capitalizeFirst=*/true);
  std::string functionName = llvm::convertToCamelFromSnakeCase(kernel.name);
  function.need(*header);
  function.need("runtime-lite/view.h");

  DeviceCallForm form;
  if (function.isOnDevice())
    form = printThreads(op, kernel, options.target, function);
  bool returnsStatus = StringRef(*text).contains("int " + functionName + "(");
  TemplateShare share;
  if (!function.isOnDevice() && !returnsStatus)
    share = shareTemplate(op, kernel, options, function);
  if (form.ending)
    functionName += form.ending;
  bool hasParams = StringRef(*text).contains(typeName + "Params");
  std::vector<PrintedCode> arguments = form.first;
  if (hasParams) {
    Identifier params = function.names.make("params");
    function.body.line(PrintedCode::trusted(typeName), "Params ", params, " = {};");
    for (NamedAttribute param : kernel.params) {
      std::optional<PrintedCode> value = paramText(function, param.getName(), param.getValue());
      if (!value)
        return op->emitOpError("param ") << param.getName() << " has no form in C++";
      function.body.line(params, ".", PrintedCode::trusted(Names::legal(param.getName())), " = ", *value, ";");
    }
    if (!share.size.first.empty())
      function.body.line(params, ".", PrintedCode::trusted(share.size.first), " = ", share.size.second.print(), ";");
    arguments.push_back(params);
  }
  size_t index = 0;
  auto isUnsigned = [&] { return kernel.isUnsigned(index); };
  const std::vector<ViewParts> &allParts = function.isOnDevice() ? form.parts : share.parts;
  auto parts = [&] { return index < allParts.size() ? allParts[index] : ViewParts(); };
  for (Value input : kernel.inputs) {
    if (isa<MemRefType>(input.getType()))
      arguments.push_back(viewText(input, false, isUnsigned(), function, parts()));
    else
      arguments.push_back(function.scalar(input));
    ++index;
  }
  const TemplatePlaces *places = templatePlacesOf(kernel.name);
  for (Value init : kernel.inits) {
    const bool isScratchOfShares = places && places->hasScratch && init == kernel.inits.back() &&
                                   cast<MemRefType>(init.getType()).getRank() == 2; // place-scratch made it so
    arguments.push_back(viewText(init, true, isUnsigned(), function, parts(), isScratchOfShares));
    ++index;
  }
  PrintedCode call(form.function.empty() ? PrintedCode::trusted(functionName) : form.function, "(", joinCode(arguments),
                   ")");
  if (function.isOnDevice()) {
    if (returnsStatus)
      function.body.line("if (const int result = ", call, ")");
    function.body.line(returnsStatus ? PrintedCode("  ", function.status(), " = result;") : PrintedCode(call, ";"));
    return Printed{kernel.name, form.why};
  }
  function.body.line(returnsStatus ? PrintedCode("return ") : PrintedCode(), call, ";");
  return Printed{kernel.name, "a template of its own", returnsStatus};
}

} // namespace sinter
