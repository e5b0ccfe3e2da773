// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each product has rows that know how they are normalised; the first of them stores what others read later.
#include "launch_forms.h"

using namespace mlir;

namespace sinter {

FailureOr<Printed> printNormedProducts(LaunchOp launch, const CodegenOptions &options, KernelFunction &function) {
  SmallVector<Operation *> ops = payloadsOf(launch);
  auto norm = cast<KernelOp>(ops.front());
  ops.erase(ops.begin());
  auto print = [&](Operation *op) {
    OperandRange inputs = norm.getInputs();
    const View &x = function.values().view(inputs[0]), &normed = function.values().view(norm.getInits()[0]);
    function.need("templates/cuda/simt_norm_gemm.h");
    Identifier from = function.pointer(x, "x", false);
    Code finish("cuda::NormScale{", function.pointer(function.values().view(inputs[1]), "scale", false), "}");
    Code type("cuda::NormScale");
    if (inputs.size() > 2) {
      Identifier bias = function.pointer(function.values().view(inputs[2]), "bias", false);
      StringRef scale = finish.text();
      finish = Code("cuda::NormScaleShift",
                    Code::trusted(scale.drop_front(StringRef("cuda::NormScale").size()).drop_back()), ", ", bias, "}");
      type = Code("cuda::NormScaleShift");
    }
    bool keeps = !normed.isHeld && op == ops.front();
    Code to = keeps ? Code(function.pointer(normed, "normed", true)) : Code("nullptr");
    auto centered = norm.getParams().getAs<BoolAttr>("centered");
    Identifier rows = function.names.make("rows");
    function.body.line("const cuda::NormedRows<", type, "> ", rows, "{", from, ", ", x.strides[0].print(), ", ",
                       centered && centered.getValue() ? Code("true") : Code("false"), ", ",
                       Code::number(norm.getParams().getAs<FloatAttr>("epsilon").getValueAsDouble(), true), ", ",
                       finish, ", ", keeps ? Code("true") : Code("false"), ", ", to, ", ", normed.strides[0].print(),
                       "};");
    return printNormedMatmul(op, rows, options, function);
  };
  FailureOr<Printed> printed = ops.size() == 1 ? print(ops.front()) : printBeside(launch, ops, function, print);
  if (failed(printed))
    return failure();
  return Printed{"norm_matmul", printed->why};
}

} // namespace sinter
