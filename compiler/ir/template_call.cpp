// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "template_call.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sinter {
namespace {

/// max_pool, average_pool, quantized_average_pool, each with "_blocked" behind it on channel blocks.
std::string templateOf(PoolOp pool) {
  std::string name = pool.getKind() == PoolKind::Max ? "max_pool" : "average_pool";
  if (pool.getScales())
    name = "quantized_" + name;
  return pool.isBlocked() ? name + "_blocked" : name;
}

/// What these templates have in their Params: a maximum needs no high pads; sums are a form of means, which channel
/// blocks lack.
DictionaryAttr paramsOf(PoolOp pool) {
  Builder b(pool.getContext());
  NamedAttrList params;
  params.set("dilations", pool.getDilationsAttr());
  params.set("kernel", pool.getWindowAttr());
  params.set("strides", pool.getStridesAttr());
  if (pool.getKind() == PoolKind::Max) {
    params.set("pads", b.getDenseI64ArrayAttr(pool.lowPads()));
    return params.getDictionary(pool.getContext());
  }
  params.set("pads", pool.getPadsAttr());
  params.set("count_include_pad", b.getBoolAttr(pool.getCountIncludePad()));
  if (PoolScalesAttr scales = pool.getScalesAttr()) {
    params.set("integer_sums", scales.getIntegerSums());
    params.set("x_scale", scales.getXScale());
    params.set("x_zero", b.getI64IntegerAttr(scales.getXZero()));
    params.set("y_scale", scales.getYScale());
    params.set("y_zero", b.getI64IntegerAttr(scales.getYZero()));
  } else if (!pool.isBlocked()) {
    params.set("sum", b.getBoolAttr(pool.getKind() == PoolKind::Sum));
  }
  return params.getDictionary(pool.getContext());
}

TemplateCall callOf(PoolOp pool) {
  TemplateCall call{templateOf(pool), {pool.getInput()}, {pool.getInits()[0]}, paramsOf(pool), ""};
  if (pool.getRowPad())
    call.inputs.push_back(pool.getRowPad());
  if (pool.getIsUnsigned())
    call.signedness = pool.getRowPad() ? "usu" : "uu";
  return call;
}

} // namespace

std::optional<TemplateCall> templateCallOf(Operation *op) {
  if (auto pool = dyn_cast<PoolOp>(op))
    return callOf(pool);
  if (auto kernel = dyn_cast<KernelOp>(op))
    return TemplateCall{kernel.getKernel().str(), llvm::to_vector(kernel.getInputs()),
                        llvm::to_vector(kernel.getInits()), kernel.getParams(), kernel.getSignedness().str()};
  return std::nullopt;
}

} // namespace sinter
