// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/interface_specs.h"
#include "driver/error_saying.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace sinter {
namespace {
ElementType typeOfWord(StringRef word) {
  return llvm::StringSwitch<ElementType>(word)
      .Case("u8", ElementType::UInt8)
      .Case("i8", ElementType::Int8)
      .Case("u16", ElementType::UInt16)
      .Case("i16", ElementType::Int16)
      .Case("f16", ElementType::Float16)
      .Case("f32", ElementType::Float)
      .Default(ElementType::Undefined);
}
Layout layoutOf(StringRef word) {
  return word == "nhwc" ? Layout::ChannelsLast : word == "nchw" ? Layout::ChannelsFirst : Layout::AsModel;
}

/// "0.5", "1/255".
std::optional<double> parsedNumber(StringRef text) {
  auto [over, under] = text.split('/');
  double value = 0, divisor = 1;
  if (over.getAsDouble(value) || (text.contains('/') && under.getAsDouble(divisor)) || !std::isfinite(value / divisor))
    return std::nullopt;
  return value / divisor;
}

/// "123.7:116.3:103.5".
std::optional<std::vector<double>> numbersOf(StringRef text) {
  std::vector<double> numbers;
  for (StringRef part : llvm::split(text, ':')) {
    std::optional<double> number = parsedNumber(part);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

json::Array jsonArrayOf(const std::vector<double> &numbers) { return json::Array(numbers); }
StringRef textOfLayout(Layout layout) {
  return layout == Layout::AsModel ? "" : layout == Layout::ChannelsLast ? "last" : "first";
}
} // namespace

bool isInputForm(StringRef text) {
  StringRef word = text.take_until([](char c) { return c == ',' || c == '='; });
  return typeOfWord(word) != ElementType::Undefined || layoutOf(word) != Layout::AsModel ||
         is_contained({"bgr", "rgb", "mean", "scale", "std"}, word);
}

Expected<InputForm> parseInputForm(StringRef text) {
  InputForm form;
  auto [name, words] = text.split('=');
  form.name = name.str();
  for (StringRef word : llvm::split(words, ',')) {
    auto [key, value] = word.split('=');
    if (key == "mean" || key == "scale" || key == "std") {
      std::optional<std::vector<double>> numbers = numbersOf(value);
      if (!numbers)
        return errorSaying("--input " + text + ": " + word + " is not " + key + "=NUMBER[:NUMBER...], such as " + key +
                           (key == "scale" ? "=1/255" : "=123.7:116.3:103.5"));
      if (key == "std")
        for (double &number : *numbers) {
          if (number == 0)
            return errorSaying("--input " + text + ": a standard deviation of 0");
          number = 1 / number;
        }
      (key == "mean" ? form.mean : form.scale) = *numbers;
    } else if (word == "bgr" || word == "rgb") {
      form.isReversed = word == "bgr";
    } else if (layoutOf(word) != Layout::AsModel) {
      form.layout = layoutOf(word);
    } else if (typeOfWord(word) != ElementType::Undefined) {
      form.type = typeOfWord(word);
    } else {
      return errorSaying("--input " + text + ": " + word +
                         " is none of u8, i8, u16, i16, f16, f32, nhwc, nchw, rgb, bgr, mean=, scale=, std=");
    }
  }
  return form;
}

Expected<OutputForm> parseOutputForm(StringRef text) {
  OutputForm form;
  auto [name, words] = text.split('=');
  form.name = name.str();
  for (StringRef word : llvm::split(words, ',')) {
    if (word == "argmax") {
      form.kind = OutputForm::Kind::ArgMax;
    } else if (StringRef count = word; count.consume_front("topk:")) {
      form.kind = OutputForm::Kind::TopK;
      if (count.getAsInteger(10, form.count) || form.count < 1)
        return errorSaying("--output " + text + ": " + word + " is not topk:N, such as topk:5");
    } else if (layoutOf(word) != Layout::AsModel) {
      form.layout = layoutOf(word);
    } else if (word == "u8") {
      form.isBytes = true;
    } else if (StringRef number = word; number.consume_front("scale=") && parsedNumber(number)) {
      form.scale = *parsedNumber(number);
    } else {
      return errorSaying("--output " + text + ": '" + word +
                         "' is none of argmax, topk:N, nhwc, nchw, u8, scale=NUMBER");
    }
  }
  bool isChoice = form.kind != OutputForm::Kind::Values;
  if (name == text || (isChoice && (form.isBytes || form.layout != Layout::AsModel)))
    return errorSaying("--output " + text + " is not NAME=argmax, NAME=topk:N, or NAME=nhwc,u8");
  if (form.scale != 1 && !form.isBytes)
    return errorSaying("--output " + text + ": scale= goes with u8");
  return form;
}

std::string InterfaceForms::json() const {
  json::Object in, out;
  for (const InputForm &form : inputs)
    in[form.name] = json::Object{{"layout", textOfLayout(form.layout)},
                                 {"reversed", form.isReversed},
                                 {"mean", jsonArrayOf(form.mean)},
                                 {"scale", jsonArrayOf(form.scale)}};
  for (const OutputForm &form : outputs) {
    bool isTopK = form.kind == OutputForm::Kind::TopK;
    out[form.name] = json::Object{
        {"of", form.name},       {"take", form.kind == OutputForm::Kind::ArgMax ? "argmax" : isTopK ? "values" : ""},
        {"count", form.count},   {"layout", textOfLayout(form.layout)},
        {"bytes", form.isBytes}, {"scale", form.scale}};
    if (isTopK)
      out[form.name + "_indices"] =
          json::Object{{"of", form.name}, {"take", "indices"}, {"count", form.count}, {"layout", ""}, {"bytes", false}};
  }
  std::string text;
  raw_string_ostream(text) << json::Value(json::Object{{"inputs", std::move(in)}, {"outputs", std::move(out)}});
  return text;
}

namespace {
/// Applies those of one kind; `names`: of all inputs, or all outputs.
template <class Form>
void apply(mlir::func::FuncOp main, const std::vector<Form> &forms, StringRef kind, ArrayRef<std::string> names,
           Diagnostics &diagnostics) {
  for (const Form &form : forms) {
    if (!llvm::is_contained(names, form.name)) {
      diagnostics.report({Code::UnsuitableForm,
                          ("--" + kind + " " + form.name + ": the model has no " + kind + " of that name").str(),
                          {},
                          ("it has " + join(names, ", "))});
      continue;
    }
    if (std::optional<std::string> problem = applyForm(main, form))
      diagnostics.report({Code::UnsuitableForm,
                          (kind + " '" + form.name + "': " + *problem).str(),
                          {},
                          "docs/output-format.md says which forms there are"});
  }
}
} // namespace

mlir::LogicalResult applyForms(mlir::ModuleOp module, const InterfaceForms &forms, Diagnostics &diagnostics) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  std::vector<std::string> inputs, outputs;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    inputs.push_back(main.getArgAttrOfType<mlir::StringAttr>(i, "sinter.name").str());
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    outputs.push_back(main.getResultAttrOfType<mlir::StringAttr>(i, "sinter.name").str());
  apply(main, forms.inputs, "input", inputs, diagnostics);
  apply(main, forms.outputs, "output", outputs, diagnostics);
  return mlir::failure(diagnostics.hasErrors());
}

} // namespace sinter
