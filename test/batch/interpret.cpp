// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between arrays as the ABI has them and tensors as the interpreter has them: the same bytes, but for strings.
#include "interpret.h"

#include "interpreter/interpreter.h"
#include "ir/dialect.h"
#include "ops/packed_edges.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

using namespace llvm;

namespace sinter {
namespace {
Error failure(const Twine &what) { return createStringError(inconvertibleErrorCode(), what); }

/// The values of the symbolic dims that an input shows.
void noteDims(InputOp input, const HostArray &array, StringMap<int64_t> &dims) {
  size_t next = 0;
  for (auto [i, size] : llvm::enumerate(input.getType().getShape()))
    if (mlir::ShapedType::isDynamic(size) && next < input.getSizes().size())
      if (auto dim = input.getSizes()[next++].getDefiningOp<DimOp>(); dim && i < array.dims.size())
        dims[dim.getName()] = array.dims[i];
}

HostTensor tensorOf(const HostArray &array, mlir::Type elementType) {
  if (array.type == ElementType::String)
    return HostTensor::ofStrings(elementType, array.dims, array.strings);
  std::vector<int64_t> held = array.dims;
  if (isPackedAtEdges(array.type))
    held = {static_cast<int64_t>(array.bytes.size())};
  return HostTensor::fromBytes(elementType, held, array.bytes.data());
}

/// `description`: of the graph's output (sinter.outputs), which knows the dims of packed ones.
HostArray arrayOf(const HostTensor &tensor, mlir::DictionaryAttr description) {
  HostArray array;
  array.name = description.getAs<mlir::StringAttr>("name").str();
  array.type = static_cast<ElementType>(description.getAs<mlir::IntegerAttr>("element").getInt());
  array.dims.assign(tensor.shape().begin(), tensor.shape().end());
  if (isPackedAtEdges(array.type)) {
    array.dims.clear();
    for (auto dim : description.getAs<mlir::ArrayAttr>("dims").getAsRange<mlir::IntegerAttr>())
      array.dims.push_back(dim.getInt());
  }
  if (array.type == ElementType::String)
    array.strings.assign(tensor.strings().begin(), tensor.strings().end());
  else
    array.bytes.assign(tensor.bytes(), tensor.sizeInBytes());
  return array;
}
} // namespace

Expected<std::vector<HostArray>> interpret(mlir::ModuleOp module, ArrayRef<HostArray> inputs) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  std::vector<HostTensor> tensors(inputs.size());
  StringMap<int64_t> dims;
  bool complete = true;
  main.walk([&](InputOp input) {
    complete &= input.getIndex() < inputs.size();
    if (!complete)
      return;
    const HostArray &array = inputs[input.getIndex()];
    noteDims(input, array, dims);
    tensors[input.getIndex()] = tensorOf(array, input.getType().getElementType());
  });
  if (!complete)
    return failure("fewer inputs than the model has");
  mlir::Operation *failedAt = main;
  std::optional<std::vector<HostTensor>> results = run(main, tensors, dims, {}, &failedAt);
  if (!results)
    return failure("cannot run " + failedAt->getName().getStringRef());
  auto described = [&](StringRef what) {
    return main->getAttrOfType<mlir::ArrayAttr>(what).getAsRange<mlir::DictionaryAttr>();
  };
  std::vector<HostArray> outputs;
  for (auto [tensor, description] : llvm::zip(*results, described("sinter.outputs")))
    outputs.push_back(arrayOf(tensor, description));
  // State: behind the outputs, the last first (convert-nodes); told in its place among the graph's outputs.
  std::map<int64_t, mlir::DictionaryAttr> states;
  for (mlir::DictionaryAttr description : described("sinter.inputs"))
    if (auto place = description.getAs<mlir::IntegerAttr>("state_index"))
      states[place.getInt()] = description;
  size_t last = results->size();
  for (auto &[place, description] : states)
    outputs.insert(outputs.begin() + place, arrayOf((*results)[--last], description));
  return outputs;
}

} // namespace sinter
