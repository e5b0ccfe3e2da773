// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing of whole models.
#include "quantize/model_file.h"

#include "frontend/external_data.h"
#include "frontend/schema.h"
#include "ir/element_type.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter::quantize {
namespace {

/// Bytes of a tensor in raw_data's form; none on overflow or for a type that this program does not know.
std::optional<uint64_t> rawBytes(const onnx::TensorProto &tensor) {
  if (tensor.data_type() <= 0 || tensor.data_type() > static_cast<int>(lastElementType))
    return std::nullopt;
  auto type = static_cast<ElementType>(tensor.data_type());
  uint64_t bits = type == ElementType::Bool ? 8 : bitWidth(type);
  for (int64_t dim : tensor.dims()) {
    auto product = checkedMulUnsigned(bits, static_cast<uint64_t>(dim));
    if (dim < 0 || !product)
      return std::nullopt;
    bits = *product;
  }
  return (bits + 7) / 8;
}

/// Brings a tensor's external data into it.
bool embed(onnx::TensorProto &tensor, ExternalData &external, Diagnostics &diagnostics) {
  if (tensor.data_location() != onnx::TensorProto::EXTERNAL)
    return true;
  ExternalPlace place;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    if (entry.key() == "location")
      place.location = entry.value();
    else if (entry.key() == "offset")
      place.offset = parseUnsigned(entry.value()).value_or(0);
    else if (entry.key() == "checksum")
      place.checksum = entry.value();
  }
  ExternalData::File file;
  Problem problem{Code::ExternalDataInvalid, "external data of unknown size", {}, ""};
  std::optional<uint64_t> size = rawBytes(tensor);
  std::optional<StringRef> bytes = size ? external.read(place, *size, file, problem) : std::nullopt;
  if (!bytes) {
    problem.message = "tensor '" + tensor.name() + "': " + problem.message;
    diagnostics.report(std::move(problem));
    return false;
  }
  tensor.clear_external_data();
  tensor.clear_data_location();
  tensor.set_raw_data(bytes->data(), bytes->size());
  return true;
}

bool embedAll(onnx::NodeProto &node, ExternalData &external, Diagnostics &diagnostics) {
  bool good = true;
  for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.has_t())
      good &= embed(*attribute.mutable_t(), external, diagnostics);
    for (onnx::TensorProto &tensor : *attribute.mutable_tensors())
      good &= embed(tensor, external, diagnostics);
  }
  return good;
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

std::optional<Model> readModel(StringRef path, const ImportOptions &options, Diagnostics &diagnostics,
                               ArrayRef<Code> tolerated) {
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
  ExternalData external(folder.empty() ? "." : folder, options.externalRoots, options.untrusted);
  bool good = true;
  forEachGraph(*model.mutable_graph(), [&](onnx::GraphProto &graph) {
    for (onnx::TensorProto &tensor : *graph.mutable_initializer())
      good &= embed(tensor, external, diagnostics);
    for (onnx::SparseTensorProto &sparse : *graph.mutable_sparse_initializer()) {
      good &= embed(*sparse.mutable_values(), external, diagnostics);
      good &= embed(*sparse.mutable_indices(), external, diagnostics);
    }
    for (onnx::NodeProto &node : *graph.mutable_node())
      good &= embedAll(node, external, diagnostics);
  });
  for (onnx::FunctionProto &function : *model.mutable_functions())
    for (onnx::NodeProto &node : *function.mutable_node())
      good &= embedAll(node, external, diagnostics);
  if (!good)
    return std::nullopt;
  return result;
}

std::optional<std::string> bytesOf(const onnx::ModelProto &model, Diagnostics &diagnostics) {
  std::string bytes;
  if (model.ByteSizeLong() < (uint64_t(1) << 31) && model.SerializeToString(&bytes))
    return bytes;
  diagnostics.report(
      {Code::ModelTooLarge,
       "the quantized model has " + std::to_string(model.ByteSizeLong()) + " bytes; a .onnx file ends at 2 GiB",
       {},
       "quantize more of it, or to fewer bits: --weights-only int4"});
  return std::nullopt;
}

void makeExternal(onnx::ModelProto &model, StringRef name, std::string &bytes) {
  constexpr size_t least = 1024, alignment = 64;
  for (onnx::TensorProto &tensor : *model.mutable_graph()->mutable_initializer()) {
    if (!tensor.has_raw_data() || tensor.raw_data().size() < least)
      continue;
    bytes.resize(alignTo(bytes.size(), alignment), '\0');
    auto add = [&](const char *key, const std::string &value) {
      onnx::StringStringEntryProto *entry = tensor.add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    };
    add("location", name.str());
    add("offset", std::to_string(bytes.size()));
    add("length", std::to_string(tensor.raw_data().size()));
    bytes += tensor.raw_data();
    tensor.clear_raw_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  }
}

int64_t opsetOf(const onnx::ModelProto &model) {
  for (const onnx::OperatorSetIdProto &import : model.opset_import())
    if (canonicalDomain(import.domain()).empty())
      return import.version();
  return 1;
}

} // namespace sinter::quantize
