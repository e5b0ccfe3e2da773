// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model as bytes goes through the importer and conversion, which record facts on the way.
#include "simplify/learn.h"

#include "frontend/function_body.h"
#include "frontend/schema.h"
#include "ops/conversion.h"
#include "pipeline/dialects.h"
#include "quantize/model_file.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

/// Removes nodes whose operator has no schema, and all that reads what they make. False: nothing is left.
bool dropUnknown(onnx::ModelProto &model) {
  llvm::StringSet<> functions, lost;
  for (const onnx::FunctionProto &function : model.functions())
    functions.insert(function.domain() + ":" + function.name());
  StringMap<int64_t> opsets;
  for (const onnx::OperatorSetIdProto &import : model.opset_import())
    opsets[canonicalDomain(import.domain())] = import.version();
  std::function<bool(const onnx::NodeProto &)> isKnown = [&](const onnx::NodeProto &node) {
    StringRef domain = canonicalDomain(node.domain());
    if (!functions.contains((domain + ":" + node.op_type()).str()) && schemaVersions(domain, node.op_type()).empty())
      return false;
    for (const std::string &input : node.input())
      if (lost.contains(input))
        return false;
    for (const onnx::AttributeProto &attribute : node.attribute())
      for (const onnx::NodeProto &inner : attribute.g().node())
        if (!isKnown(inner))
          return false;
    return true;
  };
  google::protobuf::RepeatedPtrField<onnx::NodeProto> kept;
  for (onnx::NodeProto &node : *model.mutable_graph()->mutable_node()) {
    if (isKnown(node))
      *kept.Add() = std::move(node);
    else
      for (const std::string &output : node.output())
        lost.insert(output);
  }
  model.mutable_graph()->mutable_node()->Swap(&kept);
  if (lost.empty())
    return true;
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> outputs;
  for (onnx::ValueInfoProto &output : *model.mutable_graph()->mutable_output())
    if (!lost.contains(output.name()))
      *outputs.Add() = std::move(output);
  if (outputs.empty() && model.graph().node_size() > 0)
    outputs.Add()->set_name(model.graph().node(model.graph().node_size() - 1).output(0));
  model.mutable_graph()->mutable_output()->Swap(&outputs);
  return !model.graph().output().empty();
}
} // namespace

void boundOpenDims(const onnx::ModelProto &model, ImportOptions &import) {
  int open = 0; // of the input that has most
  for (const onnx::ValueInfoProto &input : model.graph().input()) {
    int own = 0;
    for (const onnx::TensorShapeProto::Dimension &dim : input.type().tensor_type().shape().dim())
      own += !dim.has_dim_value() || dim.dim_value() < 0;
    open = std::max(open, own);
  }
  // Products of sizes are to stay within 64 bits, or nothing would be known of them.
  int64_t most = int64_t(1) << (open <= 2 ? 20 : open == 3 ? 16 : 12);
  import.dims.try_emplace("*", DimValue{1, most});
  import.limits.elements = uint64_t(1) << 62;
}

std::optional<KnownNodes> importKnown(const onnx::ModelProto &model, const LearnOptions &options,
                                      std::string &problem) {
  KnownNodes result;
  onnx::ModelProto known = model;
  std::string bytes;
  if (!dropUnknown(known)) {
    problem = "no operator of the model is known";
    return std::nullopt;
  }
  if (known.ByteSizeLong() >= (uint64_t(1) << 31) || !known.SerializeToString(&bytes)) {
    problem = "the model has 2 GiB or more";
    return std::nullopt;
  }
  known.Clear();
  mlir::DialectRegistry registry;
  registerDialects(registry);
  result.context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  result.context->loadAllAvailableDialects();
  result.context->getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  ModelSummary summary;
  ImportOptions import = options.import;
  import.hashesFiles = false;
  result.module = importModelBytes(MemoryBuffer::getMemBufferCopy(bytes), options.folder, import, *result.context,
                                   result.diagnostics, &summary);
  result.nodes = summary.nodes;
  if (result.module && options.prepare)
    options.prepare(*result.module);
  return result;
}

static Learnt learnOnThread(const onnx::ModelProto &model, const LearnOptions &options) {
  Learnt learnt;
  std::string problem;
  std::optional<KnownNodes> known = importKnown(model, options, problem);
  if (!known) {
    learnt.problems.push_back(problem);
    return learnt;
  }
  if (known->module) {
    ConversionOptions conversion;
    conversion.expandBody = expandFunctionBody;
    conversion.mostUnrolled = options.import.limits.expanded(known->nodes);
    conversion.facts = &learnt.facts;
    (void)convertToTensorIR(*known->module, known->diagnostics, conversion);
  }
  for (const Problem &each : known->diagnostics.all())
    learnt.problems.push_back(each.message + (each.place.node.empty() ? "" : ", node '" + each.place.node + "'"));
  learnt.context = std::move(known->context);
  return learnt;
}

Learnt learn(const onnx::ModelProto &model, const LearnOptions &options) {
  constexpr unsigned stackBytes = 256u << 20; // deep models recurse deeply
  Learnt learnt;
  CrashRecoveryContext().RunSafelyOnThread([&] { learnt = learnOnThread(model, options); }, stackBytes);
  return learnt;
}

} // namespace sinter::simplify
