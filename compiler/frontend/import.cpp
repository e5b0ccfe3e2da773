// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// importModel: the file, the parts of ModelProto, the module around the graph. Nodes and what is in them: graph.cpp.
#include "frontend/import.h"
#include "frontend/graph.h"
#include "frontend/mapped_file.h"
#include "frontend/tensor_data.h"
#include "frontend/value_type.h"
#include "frontend/wire.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace mlir;

namespace sinter {
namespace {
/// The newest IR version whose fields this importer knows; and the first one that has opset_import.
constexpr int64_t newestIrVersion = 14, firstIrVersionWithOpsets = 3;

class ModelImporter {
public:
  ModelImporter(ImportState &state, const onnx::ModelProto &model)
      : state(state), model(model), builder(state.context), graphs(state, builder) {}

  OwningOpRef<ModuleOp> import();

private:
  void readOpsets();
  void readFunctions();
  void importGraph(ModuleOp module);
  void checkConstantInputs(const Scope &scope);
  void addInputs(func::FuncOp function, Scope &scope);
  SmallVector<const onnx::ValueInfoProto *> runtimeInputs();
  void importGiven(Scope &scope);
  DictionaryAttr opsetsAttr();

  ImportState &state;
  const onnx::ModelProto &model;
  OpBuilder builder;
  GraphImporter graphs;
  Frame frame;
};

void ModelImporter::readOpsets() {
  frame.opsets = opsetsOf(model.opset_import());
  if (frame.opsets.empty() && model.ir_version() < firstIrVersionWithOpsets)
    frame.opsets[""] = 1;
  if (model.ir_version() > newestIrVersion)
    state.report(Code::TooNewModel,
                 "the model is of IR version " + Twine(model.ir_version()) + "; this Sinter knows up to " +
                     Twine(newestIrVersion),
                 {}, "export for an older ONNX release, or use a newer Sinter");
  for (const onnx::OperatorSetIdProto &import : model.opset_import())
    if (int64_t last = frame.opsets[canonicalDomain(import.domain())]; last != import.version()) {
      std::string problem = "the model imports two opsets of domain " + quoted(domainText(import.domain()));
      if (state.options.strict)
        state.report(Code::MissingOpset, problem, {}, "without --strict the last one counts");
      else
        state.note(problem + "; the last one counts, " + Twine(last));
    }
  for (const auto &entry : frame.opsets) {
    int64_t newest = newestOpset(entry.getKey());
    StringRef domain = domainText(entry.getKey());
    if (entry.getValue() < 1 && newest)
      state.report(Code::MissingOpset,
                   "opset " + Twine(entry.getValue()) + " of domain " + quoted(domain) + " does not exist");
    else if (newest && entry.getValue() > newest && entry.getKey().empty())
      state.report(Code::TooNewModel,
                   "the model asks for opset " + Twine(entry.getValue()) + " of " + domain +
                       "; this Sinter knows up to " + Twine(newest),
                   {}, "export with opset " + Twine(newest) + " or lower, or use a newer Sinter");
  }
}

void ModelImporter::readFunctions() {
  for (const onnx::FunctionProto &function : model.functions()) {
    if (function.name().empty())
      state.report(Code::InvalidFunction, "a function of the model has no name");
    if (!state.functions.try_emplace(functionKey(function.domain(), function.name(), function.overload()), &function)
             .second)
      state.report(Code::InvalidFunction, "function " + quoted(function.name()) + " is defined twice");
    llvm::StringSet<> known;
    for (const std::string &name : function.input())
      known.insert(name);
    for (const onnx::NodeProto &node : function.node())
      for (const std::string &name : node.output())
        known.insert(name);
    for (const std::string &name : function.output())
      if (!known.contains(name))
        state.report(Code::InvalidFunction,
                     "function " + quoted(function.name()) + " does not make its output " + quoted(name));
  }
}

/// Graph inputs that the caller gives: those without an initializer or a given value, and those that --overridable
/// names.
SmallVector<const onnx::ValueInfoProto *> ModelImporter::runtimeInputs() {
  llvm::StringSet<> initialized, names;
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    initialized.insert(tensor.name());
  for (const onnx::SparseTensorProto &tensor : model.graph().sparse_initializer())
    initialized.insert(tensor.values().name());
  SmallVector<const onnx::ValueInfoProto *> inputs;
  for (const onnx::ValueInfoProto &input : model.graph().input()) {
    names.insert(input.name());
    if (state.options.given.contains(input.name()))
      continue;
    if (!initialized.contains(input.name()) || state.options.overridable.contains(input.name()))
      inputs.push_back(&input);
  }
  SmallVector<StringRef> unknown;
  for (const auto &entry : state.options.overridable)
    if (!names.contains(entry.getKey()))
      unknown.push_back(entry.getKey());
  llvm::sort(unknown);
  for (StringRef name : unknown)
    state.report(Code::UnknownInput, "--overridable " + name + ": the model has no such input");
  return inputs;
}

/// Values of graph inputs that are known now, in place of those that an initializer has.
void ModelImporter::importGiven(Scope &scope) {
  llvm::StringMap<const onnx::ValueInfoProto *> inputs;
  for (const onnx::ValueInfoProto &input : model.graph().input())
    inputs[input.name()] = &input;
  SmallVector<StringRef> names;
  for (const auto &entry : state.options.given)
    names.push_back(entry.getKey());
  llvm::sort(names);
  for (StringRef name : names) {
    const GivenTensor &given = state.options.given.find(name)->second;
    const onnx::ValueInfoProto *input = inputs.lookup(name);
    std::string what = "the value for " + quoted(name);
    if (!input) {
      if (state.options.shared.isMissed(name))
        state.report(Code::UnfitAdapter, what + ": the model has no such input", {},
                     "an adapter goes with the model that it was made for");
      continue;
    }
    state.options.shared.note(name);
    const onnx::TypeProto::Tensor &declared = input->type().tensor_type();
    bool fits = elementTypeOfCode(declared.elem_type()) == given.type &&
                (!declared.has_shape() || declared.shape().dim_size() == static_cast<int>(given.dims.size()));
    for (int i = 0; fits && declared.has_shape() && i < declared.shape().dim_size(); ++i)
      fits = !declared.shape().dim(i).has_dim_value() ||
             declared.shape().dim(i).dim_value() == given.dims[static_cast<size_t>(i)];
    if (!fits) {
      state.report(Code::UnfitAdapter, what + " has another type or shape than the input", {},
                   "an adapter goes with the model that it was made for");
      continue;
    }
    auto type = RankedTensorType::get(given.dims, nodeType(given.type, state.context));
    ElementsAttr value = makeElements(type, given.type, {given.bytes, given.owner, {}}, name);
    graphs.addWeight(scope, frame, name, value, {});
  }
}

void ModelImporter::addInputs(func::FuncOp function, Scope &scope) {
  auto inputs = runtimeInputs();
  resolveSymbols(state, inputs);
  NamedAttrList bounds;
  SmallVector<DictionaryAttr> all; // set at once: each further list of attributes would stay in the context
  for (const onnx::ValueInfoProto *input : inputs) {
    InputType type = readInputType(state, *input);
    if (input->name().empty())
      state.report(Code::InvalidGraph, "a graph input has no name");
    NamedAttrList attributes;
    attributes.set("sinter.name", builder.getStringAttr(input->name()));
    SmallVector<StringRef> names(type.names.begin(), type.names.end());
    if (type.extents)
      attributes.set("sinter.extents", type.extents);
    if (heldType(input->type()).has_tensor_type())
      attributes.set("sinter.dims", builder.getStrArrayAttr(names));
    for (StringRef name : names)
      if (auto range = state.symbols.find(name); !name.empty() && range != state.symbols.end())
        bounds.set(name, builder.getDenseI64ArrayAttr({range->second.min, range->second.max}));
    all.push_back(attributes.getDictionary(state.context));
    BlockArgument argument = function.getBody().addArgument(
        type.value.type ? type.value.type : Type(AnyType::get(state.context)), graphs.locationOf(input->name()));
    graphs.define(scope, input->name(), {argument, graphs.kept(type.value.string)}, {});
  }
  function.setFunctionType(builder.getFunctionType(function.getBody().getArgumentTypes(), {}));
  function.setAllArgAttrs(all);
  function->setAttr("sinter.dim_bounds", bounds.getDictionary(state.context));
}

/// A constant that is also declared as an input must be of the declared type.
void ModelImporter::checkConstantInputs(const Scope &scope) {
  for (const onnx::ValueInfoProto &input : model.graph().input()) {
    const NamedValue *value = scope.find(input.name());
    if (!value || !value->value.getDefiningOp<WeightOp>())
      continue;
    ValueType declared = readType(state, input.type(), "input " + quoted(input.name()), {});
    if (!declared.string.empty() && declared.string != value->type)
      state.report(Code::InvalidTensor, "initializer " + quoted(input.name()) + " is a " + value->type +
                                            "; the input of that name is a " + declared.string);
  }
}

void ModelImporter::importGraph(ModuleOp module) {
  builder.setInsertionPointToStart(module.getBody());
  auto function =
      builder.create<func::FuncOp>(graphs.locationOf(model.graph().name()), "main", builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  Scope scope;
  graphs.declare(model.graph(), scope);
  addInputs(function, scope);
  importGiven(scope);
  graphs.importInitializers(model.graph(), scope, frame);
  checkConstantInputs(scope);
  graphs.importNodes(model.graph().node(), model.graph().name(), scope, frame);

  SmallVector<Value> results;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (const onnx::ValueInfoProto &output : model.graph().output()) {
    results.push_back(graphs.output(scope, output.name(), "graph output", {}).value);
    types.push_back(results.back().getType());
    NamedAttrList list;
    list.set("sinter.name", builder.getStringAttr(output.name()));
    ValueType declared = readType(state, output.type(), "output " + quoted(output.name()), {});
    if (!declared.type && output.type().has_tensor_type() && !declared.string.empty()) // of unknown rank
      declared.type =
          UnrankedTensorType::get(nodeType(elementTypeOfCode(output.type().tensor_type().elem_type()), state.context));
    if (declared.type)
      list.set("sinter.type", TypeAttr::get(declared.type));
    if (output.type().has_tensor_type() && output.type().tensor_type().has_shape())
      list.set("sinter.dims", dimNames(state, output.type()));
    attributes.push_back(list.getDictionary(state.context));
  }
  if (results.empty())
    state.report(Code::InvalidGraph, "the graph has no outputs");
  builder.create<func::ReturnOp>(builder.getUnknownLoc(), results);
  function.setFunctionType(builder.getFunctionType(function.getFunctionType().getInputs(), types));
  function.setAllResultAttrs(attributes);
}

DictionaryAttr ModelImporter::opsetsAttr() {
  NamedAttrList opsets;
  for (const auto &entry : frame.opsets)
    opsets.set(domainText(entry.getKey()), builder.getI64IntegerAttr(entry.getValue()));
  return opsets.getDictionary(state.context);
}

OwningOpRef<ModuleOp> ModelImporter::import() {
  if (!model.has_graph()) {
    state.report(Code::UnreadableModel, "the file holds no graph, so it is not an ONNX model", {},
                 "download or export it again");
    return {};
  }
  readOpsets();
  readFunctions();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  importGraph(*module);
  (*module)->setAttr("sinter.opsets", opsetsAttr());
  (*module)->setAttr("sinter.model_name", builder.getStringAttr(model.graph().name()));
  (*module)->setAttr("sinter.ir_version", builder.getI64IntegerAttr(model.ir_version()));
  (*module)->setAttr("sinter.producer",
                     builder.getStringAttr(model.producer_name() + (model.producer_version().empty() ? "" : " ") +
                                           model.producer_version()));
  if (state.diagnostics.hasErrors())
    return {};
  return module;
}

void summarize(const ImportState &state, const onnx::ModelProto &model, ModelSummary &summary) {
  bool hashes = state.options.hashesFiles;
  summary.sha256 = hashes ? sha256(*state.file) : "";
  summary.files.push_back(state.file);
  summary.bytes = state.bytes.size();
  summary.nodes = state.fileNodes;
  summary.irVersion = model.ir_version();
  summary.producer = model.producer_name() + (model.producer_version().empty() ? "" : " ") + model.producer_version();
  summary.name = model.graph().name();
  summary.description = {model.producer_name(),      model.domain(),        model.doc_string(),
                         model.graph().doc_string(), model.model_version(), {}};
  for (const onnx::StringStringEntryProto &entry : model.metadata_props())
    summary.description.metadata.push_back({entry.key(), entry.value()});
  for (const onnx::OperatorSetIdProto &import : model.opset_import())
    summary.opsets.push_back({canonicalDomain(import.domain()).str(), import.version()});
  summary.inventory = takeInventory(model);
  for (const ExternalData::Opened &file : state.external.opened()) {
    summary.externalFiles.push_back({file.path, hashes ? sha256(*file.file) : ""});
    summary.files.push_back(file.file);
  }
}
} // namespace

OwningOpRef<ModuleOp> importModelBytes(std::shared_ptr<MemoryBuffer> file, StringRef folder,
                                       const ImportOptions &options, MLIRContext &context, Diagnostics &diagnostics,
                                       ModelSummary *summary) {
  context.loadDialect<SinterDialect, func::FuncDialect>();
  ImportState state(options, &context, diagnostics, std::move(file), folder);
  StringRef bytes = state.bytes;
  if (bytes.size() > options.limits.modelBytes) {
    state.report(Code::ModelTooLarge,
                 "the model has " + Twine(bytes.size()) + " bytes; the limit is " + Twine(options.limits.modelBytes),
                 {}, "keep weights as external data");
    return {};
  }
  wire::Stripped stripped = wire::stripTensorData(bytes, wire::Root::Model, options.limits, options.namesModules);
  if (stripped.problem) {
    diagnostics.report(std::move(*stripped.problem));
    return {};
  }
  state.fileNodes = stripped.nodes;
  onnx::ModelProto model;
  if (!model.ParseFromString(stripped.bytes)) {
    state.report(Code::UnreadableModel, "the file is damaged or not an ONNX model", {}, "download or export it again");
    return {};
  }
  std::string().swap(stripped.bytes);
  if (model.has_graph())
    for (auto *values : {model.mutable_graph()->mutable_input(), model.mutable_graph()->mutable_output()})
      for (onnx::ValueInfoProto &value : *values)
        if (value.has_type())
          forgetPlaceholders(*value.mutable_type());
  bool clean = !diagnostics.hasErrors();
  OwningOpRef<ModuleOp> module = ModelImporter(state, model).import();
  if (summary && clean)
    summarize(state, model, *summary);
  return module;
}

OwningOpRef<ModuleOp> importModel(StringRef path, const ImportOptions &options, MLIRContext &context,
                                  Diagnostics &diagnostics, ModelSummary *summary) {
  auto fail = [&](const Twine &message) -> OwningOpRef<ModuleOp> {
    diagnostics.report({Code::CannotReadModel, message.str(), {}, ""});
    return {};
  };
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(path, status))
    return fail("cannot read the model: " + error.message());
  if (status.type() != sys::fs::file_type::regular_file)
    return fail("cannot read the model: it is not a regular file");
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fail("cannot read the model: " + file.getError().message());
  StringRef folder = sys::path::parent_path(path);
  return importModelBytes(std::move(*file), folder.empty() ? StringRef(".") : folder, options, context, diagnostics,
                          summary);
}

} // namespace sinter
