// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each product has rows that know how they are normalised; the first of them stores what others read later.
#include "launch_forms.h"

#include "codegen/text/element_text.h"

using namespace mlir;

namespace sinter {

FailureOr<Printed> printNormedProducts(LaunchOp launch, const CodegenOptions &options, KernelFunction &function) {
  SmallVector<Operation *> ops = payloadsOf(launch);
  auto norm = cast<KernelOp>(ops.front());
  ops.erase(ops.begin());
  auto print = [&](Operation *op) {
    OperandRange inputs = norm.getInputs();
    const View &x = function.values().view(inputs[0]), &normed = function.values().view(norm.getInits()[0]);
    function.need("templates/cuda/normed_rows.h");
    PrintedCode element = memoryText(x.element), scaleElement = memoryText(function.values().view(inputs[1]).element);
    Identifier from = function.pointer(x, "x", false);
    Identifier scale = function.pointer(function.values().view(inputs[1]), "scale", false);
    PrintedCode type("cuda::NormScale<", scaleElement, ">"), finish(type, "{", scale, "}");
    if (inputs.size() > 2) {
      Identifier bias = function.pointer(function.values().view(inputs[2]), "bias", false);
      type = PrintedCode("cuda::NormScaleShift<", scaleElement, ">");
      finish = PrintedCode(type, "{", scale, ", ", bias, "}");
    }
    bool keeps = !normed.isHeld && op == ops.front();
    PrintedCode to = keeps ? PrintedCode(function.pointer(normed, "normed", true)) : PrintedCode("nullptr");
    auto centered = norm.getParams().getAs<BoolAttr>("centered");
    Identifier rows = function.names.make("rows");
    function.body.line(
        "const cuda::NormedRows<", element, ", ", type, "> ", rows, "{", from, ", ", x.strides[0].print(), ", ",
        centered && centered.getValue() ? PrintedCode("true") : PrintedCode("false"), ", ",
        PrintedCode::number(norm.getParams().getAs<FloatAttr>("epsilon").getValueAsDouble(), true), ", ", finish, ", ",
        keeps ? PrintedCode("true") : PrintedCode("false"), ", ", to, ", ", normed.strides[0].print(), "};");
    return printNormedMatmul(op, rows, options, function);
  };
  FailureOr<Printed> printed = ops.size() == 1 ? print(ops.front()) : printBeside(launch, ops, function, print);
  if (failed(printed))
    return failure();
  return Printed{"norm_matmul", printed->why};
}

} // namespace sinter
