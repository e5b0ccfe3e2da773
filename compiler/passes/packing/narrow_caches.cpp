// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --cache: caches of a decoder lie in fewer bits, halves or bytes behind which their scale lies
// (templates/attention/cache_rows.h). New rows are converted where they are put in; attention reads such rows as they
// are, what else reads a cache reads it widened (support/cache_values.h). Precondition of a cache: its state behind the
// call is it with whole rows put in. The names of others are noted (`sinter.wide_caches`), and nothing of them is
// changed; so are those that are widened whole (`sinter.widened_caches`).
#include "builders/attention_scratch.h"
#include "passes/packing/support/cache_values.h"
#include "passes/passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t scaleBytes = 4; // kScaleBytes of templates/attention/cache_rows.h

/// What main says of its inputs or outputs, where those of these names are narrowed.
ArrayAttr describedNarrow(ArrayAttr tensors, const llvm::DenseSet<StringAttr> &names, const CacheForm &form) {
  Builder b(tensors.getContext());
  SmallVector<Attribute> result;
  for (auto tensor : tensors.getAsRange<DictionaryAttr>()) {
    NamedAttrList attributes(tensor);
    if (names.contains(tensor.getAs<StringAttr>("name"))) {
      SmallVector<Attribute> dims(tensor.getAs<ArrayAttr>("dims").getValue());
      dims.back() = b.getI64IntegerAttr(cast<IntegerAttr>(dims.back()).getInt() + form.more);
      attributes.set("dims", b.getArrayAttr(dims));
      attributes.set("element", b.getI64IntegerAttr(static_cast<int64_t>(form.onnx)));
    }
    result.push_back(attributes.getDictionary(b.getContext()));
  }
  return b.getArrayAttr(result);
}

} // namespace

LogicalResult narrowCaches(ModuleOp module) {
  auto wish = module->getAttrOfType<StringAttr>("sinter.cache");
  auto caches = module->getAttrOfType<ArrayAttr>("sinter.caches");
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!wish || !caches || !main)
    return success();
  Builder b(module.getContext());
  const CacheForm form = wish.getValue() == "int8" ? CacheForm{b.getI8Type(), ElementType::Int8, scaleBytes}
                                                   : CacheForm{b.getF16Type(), ElementType::Float16, 0};
  SmallVector<Attribute> wide, widened;
  llvm::DenseSet<StringAttr> inputs, outputs;
  SmallVector<InputOp> all;
  main.walk([&](InputOp input) { all.push_back(input); });
  for (InputOp input : all) {
    if (!llvm::is_contained(caches, input.getNameAttr()) || input.getType().getElementType() == form.element)
      continue;
    CacheValues values(input, form);
    if (!values.find()) {
      wide.push_back(input.getNameAttr());
      continue;
    }
    if (values.isWidened())
      widened.push_back(input.getNameAttr());
    values.narrow();
    inputs.insert(input.getNameAttr());
    for (OutputOp output : values.outputs)
      outputs.insert(output.getNameAttr());
  }
  for (auto [name, names] : {std::pair("sinter.inputs", &inputs), std::pair("sinter.outputs", &outputs)})
    if (auto tensors = main->getAttrOfType<ArrayAttr>(name))
      main->setAttr(name, describedNarrow(tensors, *names, form));
  module.walk([](KernelOp kernel) {
    auto holdsBytes = [](Value rows) { return cast<ShapedType>(rows.getType()).getElementType().isInteger(8); };
    if (kernel.getKernel() == "attention_heads" &&
        (holdsBytes(kernel.getInputs()[1]) || holdsBytes(kernel.getInputs()[2])))
      renewScratch(kernel); // rows of bytes take more
  });
  if (!wide.empty())
    module->setAttr("sinter.wide_caches", b.getArrayAttr(wide));
  if (!widened.empty())
    module->setAttr("sinter.widened_caches", b.getArrayAttr(widened));
  return success();
}

} // namespace sinter
