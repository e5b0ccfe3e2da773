// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model as bytes goes through the importer and conversion, which record facts on the way.
#include "simplify/learn.h"

#include "frontend/function_body.h"
#include "frontend/schema.h"
#include "ops/conversion.h"
#include "pipeline/dialects.h"
#include "quantize/model_file.h"

#include "llvm/ADT/StringSet.h"
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

Learnt learn(const onnx::ModelProto &model, const LearnOptions &options) {
  Learnt learnt;
  auto giveUp = [&](const Twine &why) {
    learnt.facts.values.clear();
    learnt.problems.push_back(why.str());
  };
  onnx::ModelProto known = model;
  std::string bytes;
  if (!dropUnknown(known)) {
    giveUp("no operator of the model is known");
    return learnt;
  }
  if (known.ByteSizeLong() >= (uint64_t(1) << 31) || !known.SerializeToString(&bytes)) {
    giveUp("the model has 2 GiB or more");
    return learnt;
  }
  known.Clear();
  mlir::DialectRegistry registry;
  registerDialects(registry);
  learnt.context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  learnt.context->loadAllAvailableDialects();
  mlir::ScopedDiagnosticHandler silent(learnt.context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  Diagnostics diagnostics;
  ModelSummary summary;
  std::shared_ptr<MemoryBuffer> buffer = MemoryBuffer::getMemBufferCopy(bytes);
  std::string().swap(bytes);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      importModelBytes(buffer, options.folder, options.import, *learnt.context, diagnostics, &summary);
  if (module) {
    if (options.prepare)
      options.prepare(*module);
    ConversionOptions conversion;
    conversion.expandBody = expandFunctionBody;
    conversion.mostUnrolled = options.import.limits.expanded(summary.nodes);
    conversion.facts = &learnt.facts;
    (void)convertToTensorIR(*module, diagnostics, conversion);
  }
  for (const Problem &problem : diagnostics.all())
    learnt.problems.push_back(problem.message +
                              (problem.place.node.empty() ? "" : ", node '" + problem.place.node + "'"));
  return learnt;
}

} // namespace sinter::simplify
