// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing of whole models.
#include "quantize/model_file.h"

#include "frontend/schema.h"
#include "ir/element_type.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter::quantize {
namespace {

bool embedAll(onnx::NodeProto &node, OutsideWeights &outside, Diagnostics &diagnostics) {
  bool good = true;
  for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.has_t())
      good &= outside.embed(*attribute.mutable_t(), diagnostics);
    for (onnx::TensorProto &tensor : *attribute.mutable_tensors())
      good &= outside.embed(tensor, diagnostics);
  }
  return good;
}

/// The importer has seen its bytes: it need not be read to know that it can be.
bool staysOutside(const onnx::TensorProto &tensor, uint64_t least) {
  std::optional<uint64_t> size = OutsideWeights::has(tensor) ? OutsideWeights::sizeOf(tensor) : std::nullopt;
  return size && *size >= least;
}
} // namespace

void forEachGraph(onnx::GraphProto &graph, llvm::function_ref<void(onnx::GraphProto &)> visit) {
  visit(graph);
  for (onnx::NodeProto &node : *graph.mutable_node())
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      if (attribute.has_g())
        forEachGraph(*attribute.mutable_g(), visit);
      for (onnx::GraphProto &inner : *attribute.mutable_graphs())
        forEachGraph(inner, visit);
    }
}

namespace {
/// The inputs of the importer's module. One of another kind than tensors has no dims and an undefined type.
std::vector<ModelInput> inputsOf(mlir::ModuleOp module) {
  std::vector<ModelInput> inputs;
  auto function = *module.getOps<mlir::func::FuncOp>().begin();
  auto bounds = function->getAttrOfType<mlir::DictionaryAttr>("sinter.dim_bounds");
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    ModelInput input;
    input.name = function.getArgAttrOfType<mlir::StringAttr>(i, "sinter.name").str();
    auto names = function.getArgAttrOfType<mlir::ArrayAttr>(i, "sinter.dims");
    if (auto type = dyn_cast<mlir::RankedTensorType>(function.getArgument(i).getType())) {
      input.type = elementTypeOf(type.getElementType());
      for (int64_t d = 0; d < type.getRank(); ++d) {
        ModelInput::Dim dim{"", type.getDimSize(d), type.getDimSize(d)};
        if (type.isDynamicDim(d)) {
          dim.symbol = cast<mlir::StringAttr>(names[static_cast<unsigned>(d)]).str();
          if (auto range = bounds.getAs<mlir::DenseI64ArrayAttr>(dim.symbol)) {
            dim.least = range[0];
            dim.most = range[1];
          }
        }
        input.dims.push_back(std::move(dim));
      }
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}
} // namespace

std::optional<Model> readModel(StringRef path, ImportOptions options, Diagnostics &diagnostics,
                               ArrayRef<Code> tolerated, uint64_t leastOutside) {
  options.hashesFiles = false;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  ModelSummary summary;
  Diagnostics found;
  mlir::OwningOpRef<mlir::ModuleOp> module = importModel(path, options, context, found, &summary);
  for (const std::string &note : found.allNotes())
    diagnostics.note(note);
  bool isTolerable =
      llvm::all_of(found.all(), [&](const Problem &problem) { return llvm::is_contained(tolerated, problem.code); });
  if (summary.files.empty() || !isTolerable) {
    for (const Problem &problem : found.all())
      diagnostics.report(problem);
    return std::nullopt;
  }
  Model result;
  if (module)
    result.inputs = inputsOf(*module);
  onnx::ModelProto &model = result.proto;
  StringRef bytes = summary.files.front()->getBuffer();
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    diagnostics.report({Code::UnreadableModel, "the file is damaged or not an ONNX model", {}, ""});
    return std::nullopt;
  }
  result.hadExternalData = !summary.externalFiles.empty();
  StringRef folder = sys::path::parent_path(path);
  result.outside =
      std::make_shared<OutsideWeights>(folder.empty() ? "." : folder, options.externalRoots, options.untrusted);
  OutsideWeights &outside = *result.outside;
  for (const ModelSummary::ExternalFile &file : summary.externalFiles)
    result.externalFiles.push_back(file.path);
  bool good = true;
  forEachGraph(*model.mutable_graph(), [&](onnx::GraphProto &graph) {
    for (onnx::TensorProto &tensor : *graph.mutable_initializer())
      good &= staysOutside(tensor, leastOutside) || outside.embed(tensor, diagnostics);
    for (onnx::SparseTensorProto &sparse : *graph.mutable_sparse_initializer()) {
      good &= outside.embed(*sparse.mutable_values(), diagnostics);
      good &= outside.embed(*sparse.mutable_indices(), diagnostics);
    }
    for (onnx::NodeProto &node : *graph.mutable_node())
      good &= embedAll(node, outside, diagnostics);
  });
  for (onnx::FunctionProto &function : *model.mutable_functions())
    for (onnx::NodeProto &node : *function.mutable_node())
      good &= embedAll(node, outside, diagnostics);
  outside.release();
  if (!good)
    return std::nullopt;
  return result;
}

std::optional<std::string> bytesOf(const onnx::ModelProto &model, Diagnostics &diagnostics) {
  std::string bytes;
  if (model.ByteSizeLong() < (uint64_t(1) << 31) && model.SerializeToString(&bytes))
    return bytes;
  diagnostics.report({Code::ModelTooLarge,
                      "the model has " + std::to_string(model.ByteSizeLong()) + " bytes; a .onnx file ends at 2 GiB",
                      {},
                      "save it with external data"});
  return std::nullopt;
}

int64_t opsetOf(const onnx::ModelProto &model) {
  for (const onnx::OperatorSetIdProto &import : model.opset_import())
    if (canonicalDomain(import.domain()).empty())
      return import.version();
  return 1;
}

} // namespace sinter::quantize
