// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.kernel "::acme::swirl" with a header -> a call of that function, with pointers, dims and the node's attributes
// as docs/custom-operators.md has them. Names come from a description that the user gave and that was checked when it
// was read; nothing of the model becomes a token but numbers and literals.
#include "codegen/text/element_text.h"
#include "dialect.h"
#include "kernel_list.h"

using namespace mlir;

namespace sinter {
namespace {

/// The C++ type of elements: the C ABI's for halves, bool for i1.
PrintedCode elementText(Type type, bool isUnsigned) {
  if (type.isInteger(1))
    return "bool";
  if (isHeldAsFloat(type))
    return "uint16_t";
  return isUnsigned ? unsignedText(type) : memoryText(type);
}

class UserCall {
public:
  UserCall(KernelOp kernel, KernelFunction &function) : kernel(kernel), function(function) {}

  FailureOr<PrintedCode> print() {
    for (auto entry : kernel.getArguments().value_or(ArrayAttr()).getAsRange<DictionaryAttr>()) {
      StringRef name = entry.getAs<StringAttr>("name").getValue();
      if (Attribute value = entry.get("value")) {
        if (failed(addValue(name, value)))
          return kernel.emitOpError("argument ") << name << " has no form in C++", failure();
      } else if (auto absent = entry.getAs<TypeAttr>("absent")) {
        addAbsent(absent.getValue());
      } else {
        addOperand(name, entry.contains("scratch"));
      }
    }
    return PrintedCode(PrintedCode::trusted(kernel.getKernel()), "(", joinCode(arguments), ")");
  }

private:
  void addOperand(StringRef name, bool isScratch) {
    Value operand = kernel->getOperand(next);
    bool isWritten = next >= kernel.getInputs().size();
    StringRef signedness = kernel.getSignedness();
    bool isUnsigned = next < signedness.size() && signedness[next] == 'u';
    ++next;
    const View &view = function.values().view(operand);
    Identifier pointer = function.pointer(view, name, isWritten);
    if (isScratch) {
      arguments.push_back(pointer);
      return;
    }
    PrintedCode held = memoryText(view.element), element = elementText(view.element, isUnsigned);
    PrintedCode type = isWritten ? element : PrintedCode("const ", element);
    arguments.push_back(held == element ? PrintedCode(pointer) : PrintedCode("at<", type, ">(", pointer, ", 0)"));
    std::vector<PrintedCode> sizes;
    for (const SizeExpr &size : view.sizes)
      sizes.push_back(function.local(size).print());
    addList((name + "_dims").str(), "int64_t", "const ", sizes);
  }

  void addAbsent(Type nodeType) {
    ElementType element = elementTypeOf(nodeType);
    PrintedCode type = elementText(storageType(element, kernel.getContext()), isUnsignedInteger(element));
    arguments.push_back(PrintedCode("static_cast<const ", type, " *>(nullptr)"));
    arguments.push_back("static_cast<const int64_t *>(nullptr)");
  }

  LogicalResult addValue(StringRef name, Attribute value) {
    if (auto integer = dyn_cast<IntegerAttr>(value)) {
      arguments.push_back(PrintedCode::integer(integer.getInt(), 64));
    } else if (auto number = dyn_cast<FloatAttr>(value)) {
      arguments.push_back(PrintedCode::number(number.getValueAsDouble(), /*isFloat=*/true));
    } else if (auto text = dyn_cast<StringAttr>(value)) {
      arguments.push_back(StringLiteral(text.getValue()));
    } else if (auto integers = dyn_cast<DenseI64ArrayAttr>(value)) {
      std::vector<PrintedCode> items;
      for (int64_t item : integers.asArrayRef())
        items.push_back(PrintedCode::integer(item, 64));
      addList(name, "int64_t", "static const ", items);
      arguments.push_back(PrintedCode(items.size()));
    } else if (auto floats = dyn_cast<DenseF32ArrayAttr>(value)) {
      std::vector<PrintedCode> items;
      for (float item : floats.asArrayRef())
        items.push_back(PrintedCode::number(item, /*isFloat=*/true));
      addList(name, "float", "static const ", items);
      arguments.push_back(PrintedCode(items.size()));
    } else {
      return failure();
    }
    return success();
  }

  /// An array in front of the call; null for one without elements.
  void addList(StringRef name, const PrintedCode &type, const PrintedCode &storage, ArrayRef<PrintedCode> items) {
    if (items.empty()) {
      arguments.push_back(PrintedCode("static_cast<const ", type, " *>(nullptr)"));
      return;
    }
    Identifier array = function.names.make(name);
    function.body.line(storage, type, " ", array, "[] = {", joinCode(items), "};");
    arguments.push_back(array);
  }

  KernelOp kernel;
  KernelFunction &function;
  std::vector<PrintedCode> arguments;
  unsigned next = 0; ///< operand
};

} // namespace

FailureOr<Printed> printUserKernel(Operation *op, const CodegenOptions &, KernelFunction &function) {
  auto kernel = cast<KernelOp>(op);
  FailureOr<PrintedCode> call = UserCall(kernel, function).print();
  if (failed(call))
    return failure();
  function.body.line(kernel.getReturnsStatus() ? PrintedCode("return ") : PrintedCode(), *call, ";");
  StringRef name = kernel.getKernel();
  name.consume_front("::");
  return Printed{name.str(), ("a function of " + *kernel.getHeader()).str(), kernel.getReturnsStatus()};
}

} // namespace sinter
