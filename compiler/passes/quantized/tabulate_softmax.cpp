// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantized_softmax becomes softmax_by_table where there is no FPU: a difference of two bytes has 256 values, so that
// the exponentials are numbers known now, in units that leave sums and products 32 bits.
//
// Precondition: the result is within 1/8 step of the exact one before it is rounded. Numbers of the table are off by
// half a unit, a sum of n by n/2, and the largest is `one` units, so the error is at most steps * (1 + n) / (2 * one).
#include "passes/passes.h"

#include "ir/dialect.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

constexpr double mostError = 1.0 / 8;

void tabulate(KernelOp softmax) {
  auto x = dyn_cast<RankedTensorType>(softmax.getInputs()[0].getType());
  if (!x || x.isDynamicDim(1))
    return;
  auto real = [&](StringRef name) { return softmax.getParams().getAs<FloatAttr>(name).getValueAsDouble(); };
  double scale = real("x_scale"), steps = real("steps"), n = double(x.getDimSize(1));
  double one = std::floor(std::ldexp(1.0, 32) / (2 * steps + n)) - 1;
  if (!(steps >= 1) || !(steps * (1 + n) / (2 * one) <= mostError))
    return;
  SmallVector<int32_t> numbers;
  for (int difference = 0; difference < 256; ++difference)
    numbers.push_back(static_cast<int32_t>(std::nearbyint(one * std::exp(-scale * difference))));
  OpBuilder b(softmax);
  auto type = RankedTensorType::get({256}, b.getI32Type());
  Value table = b.create<WeightOp>(softmax.getLoc(), type, DenseIntElementsAttr::get(type, numbers), StringAttr());
  StringRef sign = softmax.getSignedness().empty() ? "s" : softmax.getSignedness().take_front();
  NamedAttribute params[] = {b.getNamedAttr("steps", b.getI64IntegerAttr(static_cast<int64_t>(steps))),
                             b.getNamedAttr("y_zero", softmax.getParams().get("y_zero"))};
  softmax.setKernel("softmax_by_table");
  softmax.setParamsAttr(b.getDictionaryAttr(params));
  softmax.setSignedness((sign + "u" + sign).str());
  softmax.getInputsMutable().append(table);
}

} // namespace

LogicalResult tabulateSoftmax(ModuleOp module, Requant requant) {
  if (requant == Requant::Fixed)
    module.walk([](KernelOp kernel) {
      if (kernel.getKernel() == "quantized_softmax")
        tabulate(kernel);
    });
  return success();
}

} // namespace sinter
