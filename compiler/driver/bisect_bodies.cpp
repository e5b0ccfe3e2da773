// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns of equal sizes are given to one compiled body. The first that differs is recorded and bisected as a model is.
#include "driver/bisect_bodies.h"

#include "driver/function_graph.h"
#include "driver/model_files.h"
#include "driver/oracle.h"
#include "driver/tensor_file.h"
#include "quantize/graph_edit.h"
#include "simplify/work.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr int64_t mostTurns = 256;
constexpr size_t mostSizes = 8; // for which a body is compiled

/// Inputs and outputs as the oracle asks for them.
TensorInfo tensorInfoOf(const HostArray &array) {
  TensorInfo info;
  info.name = info.value = array.name;
  info.type = array.type;
  info.dims = array.dims;
  info.symbols.assign(array.dims.size(), -1);
  return info;
}

std::optional<HostArray> recordedArray(const std::string &name, const RecordedGraph &around,
                                       const quantize::Model &source) {
  if (auto found = around.values.find(name); found != around.values.end())
    return found->second;
  for (const onnx::TensorProto &tensor : around.model.graph().initializer()) {
    if (tensor.name() != name)
      continue;
    onnx::TensorProto whole = tensor;
    Diagnostics unheard;
    std::string problem;
    if (!source.outside->embed(whole, unheard))
      return std::nullopt;
    std::optional<HostArray> array = parseTensorProto(whole.SerializeAsString(), problem);
    if (array)
      array->name = name;
    return array;
  }
  return std::nullopt;
}

const onnx::TensorProto *initializerOf(const std::string &name, const onnx::GraphProto &graph) {
  auto found =
      llvm::find_if(graph.initializer(), [&](const onnx::TensorProto &tensor) { return tensor.name() == name; });
  return found == graph.initializer().end() ? nullptr : &*found;
}

constexpr const char *bodyFile = "body.onnx";

/// A folder with the body, for onnxruntime; null: there is none.
std::unique_ptr<Staging> fileOf(const onnx::ModelProto &body, const quantize::Model &source) {
  Diagnostics unheard;
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    consumeError(staging.takeError());
    return nullptr;
  }
  std::optional<ModelFiles> files = ModelFiles::of(body, source, (*staging)->file(bodyFile), unheard);
  if (!files)
    return nullptr;
  if (Error error = writeOutputs(files->files())) {
    consumeError(std::move(error));
    return nullptr;
  }
  return std::move(*staging);
}
} // namespace

/// A body as a model, whose inputs are its own and then what it reads around it.
struct BodyBisection::Body {
  onnx::ModelProto model;
  LoopJob job;       ///< of a function's call: without a kind
  std::string where; ///< "the body of Loop 'decode'"
};

/// What are weights around the call are weights within it.
std::optional<BodyBisection::Body> BodyBisection::functionOf(const onnx::NodeProto &node,
                                                             const RecordedGraph &around) const {
  std::optional<onnx::ModelProto> called = graphOfCall(around.model, node);
  if (!called)
    return std::nullopt;
  Body body;
  body.where = "the function " + node.op_type() + " that '" + quantize::nameOf(node) + "' calls";
  body.model = std::move(*called);
  onnx::GraphProto &graph = *body.model.mutable_graph();
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> inputs;
  auto next = graph.input().begin();
  for (const std::string &name : node.input()) {
    if (name.empty())
      continue;
    const std::string &within = (next++)->name();
    if (const onnx::TensorProto *weights = initializerOf(name, around.model.graph())) {
      *graph.add_initializer() = *weights;
      graph.mutable_initializer()->rbegin()->set_name(within);
      continue;
    }
    auto value = around.values.find(name);
    if (value == around.values.end()) // a sequence
      return std::nullopt;
    body.job.captured.push_back(value->second);
    onnx::ValueInfoProto &input = *inputs.Add();
    input.set_name(within);
    *input.mutable_type() = recordedType(value->second);
  }
  graph.mutable_input()->Swap(&inputs);
  return body;
}

std::optional<BodyBisection::Body> BodyBisection::bodyOf(const onnx::NodeProto &node,
                                                         const RecordedGraph &around) const {
  bool isIf = quantize::isStandard(node, "If"), isLoop = quantize::isStandard(node, "Loop"),
       isScan = quantize::isStandard(node, "Scan");
  if (!isIf && !isLoop && !isScan)
    return std::nullopt;
  Body body;
  body.job.kind = node.op_type();
  for (const std::string &name : node.input()) {
    body.job.start.push_back(name.empty() ? std::nullopt : recordedArray(name, around, source));
    if (!name.empty() && !body.job.start.back()) // a sequence
      return std::nullopt;
  }
  if (isLoop)
    body.job.start.resize(std::max<size_t>(body.job.start.size(), 2));
  bool takesThen = isIf && body.job.start[0]->bytes != std::string(1, '\0');
  const char *name = !isIf ? "body" : takesThen ? "then_branch" : "else_branch";
  const onnx::AttributeProto *attribute = quantize::attributeOf(node, name);
  if (!attribute || (isScan && quantize::opsetOf(around.model) < 9)) // it had a batch then
    return std::nullopt;
  body.where = "the " + std::string(name) + " of " + node.op_type() + " '" + quantize::nameOf(node) + "'";
  if (isScan) {
    body.job.scans = quantize::integerOf(node, "num_scan_inputs", 0);
    for (auto [key, list] :
         {std::pair("scan_input_axes", &body.job.axes), {"scan_input_directions", &body.job.backwards}})
      if (const onnx::AttributeProto *numbers = quantize::attributeOf(node, key))
        list->assign(numbers->ints().begin(), numbers->ints().end());
  }

  body.model.set_ir_version(std::max<int64_t>(around.model.ir_version(), 4));
  *body.model.mutable_opset_import() = around.model.opset_import();
  *body.model.mutable_functions() = around.model.functions();
  onnx::GraphProto &graph = *body.model.mutable_graph();
  graph = attribute->g();
  for (auto [i, input] : enumerate(*graph.mutable_input())) {
    body.job.inputs.push_back(input.name());
    size_t scanned = body.job.start.size() - static_cast<size_t>(body.job.scans);
    if (isLoop && i < 2) { // they may be absent outside
      onnx::TypeProto::Tensor &type = *input.mutable_type()->mutable_tensor_type();
      type.set_elem_type(i == 0 ? onnx::TensorProto::INT64 : onnx::TensorProto::BOOL);
      type.mutable_shape();
    } else if (i < body.job.start.size() && (!isScan || i < scanned)) {
      *input.mutable_type() = recordedType(*body.job.start[i], false); // sizes may change from turn to turn
    } else if (i < body.job.start.size()) {
      HostArray slice{input.name(), body.job.start[i]->type, {}, "", {}};
      *input.mutable_type() = recordedType(slice, false);
    } else {
      return std::nullopt;
    }
  }
  llvm::StringSet<> made, constants;
  for (const onnx::NodeProto &inner : graph.node())
    for (const std::string &output : inner.output())
      made.insert(output);
  for (const onnx::TensorProto &tensor : around.model.graph().initializer())
    constants.insert(tensor.name());
  std::set<std::string> captured = simplify::capturedBy(attribute->g());
  for (const onnx::TensorProto &tensor : around.model.graph().initializer())
    if (captured.count(tensor.name()))
      *graph.add_initializer() = tensor;
  for (const std::string &read : captured) {
    if (constants.contains(read))
      continue;
    auto value = around.values.find(read);
    if (value == around.values.end())
      return std::nullopt;
    body.job.captured.push_back(value->second);
    onnx::ValueInfoProto &input = *graph.add_input();
    input.set_name(read);
    *input.mutable_type() = recordedType(value->second);
  }
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> outputs;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    body.job.outputs.push_back(output.name());
    if (made.contains(output.name())) // nothing can be wrong with others
      outputs.Add()->set_name(output.name());
  }
  graph.mutable_output()->Swap(&outputs);
  graph.clear_value_info(); // of dims around it
  body.job.mostTurns = mostTurns;
  return graph.output().empty() ? std::nullopt : std::optional(std::move(body));
}

bool BodyBisection::lookInside(Body &body, ArrayRef<HostArray> own, DifferingPart &part, RecordedGraph &around) {
  std::unique_ptr<Staging> staging = fileOf(body.model, source);
  if (!staging)
    return false;
  ModelInfo info;
  info.customOps = how.whole.program->info().customOps;
  std::vector<HostArray> inputs = own.vec();
  append_range(inputs, body.job.captured);
  for (auto [input, array] : zip(body.model.graph().input(), inputs)) {
    array.name = input.name();
    info.inputs.push_back(tensorInfoOf(array));
  }
  for (const onnx::ValueInfoProto &output : body.model.graph().output())
    info.outputs.push_back(tensorInfoOf(HostArray{output.name(), ElementType::Float, {}, "", {}}));
  Expected<RecordedGraph> recorded = recordValues(body.model, staging->file(bodyFile), info, inputs, how.whole.job, {});
  if (!recorded) {
    consumeError(recorded.takeError());
    return false;
  }
  Bisection bisection(recorded->model, recorded->values, how);
  bisection.onTrial = onTrial;
  std::optional<DifferingPart> smaller = bisection.run();
  if (!smaller)
    return false;
  part = std::move(*smaller);
  around = std::move(*recorded);
  return true;
}

bool BodyBisection::lookInside(DifferingPart &part, RecordedGraph &around, std::string &where) {
  const auto &nodes = part.model.graph().node();
  const onnx::NodeProto &last = nodes[nodes.size() - 1];
  std::optional<Body> body = functionOf(last, around);
  if (!body)
    body = bodyOf(last, around);
  if (!body)
    return false;
  where = body->where;
  if (body->job.kind.empty() || body->job.kind == "If")
    return lookInside(*body, {}, part, around);

  std::unique_ptr<Staging> staging = fileOf(body->model, source);
  if (!staging)
    return false;
  auto turns =
      referenceTurns(staging->file(bodyFile), body->job, how.whole.program->info().customOps, staging->folder());
  if (!turns) {
    consumeError(turns.takeError());
    return false;
  }
  std::map<std::string, std::optional<PartTrial>> trials; // by sizes
  for (auto [number, turn] : enumerate(*turns)) {
    std::vector<HostArray> inputs = turn.inputs;
    append_range(inputs, body->job.captured);
    std::string sizes;
    for (const HostArray &array : inputs)
      sizes += describe(array.type, array.dims) + ";";
    auto [trial, isNew] = trials.try_emplace(sizes);
    if (isNew && trials.size() <= mostSizes) {
      onnx::ModelProto fixed = body->model;
      for (auto [input, array] : zip(*fixed.mutable_graph()->mutable_input(), inputs))
        *input.mutable_type() = recordedType(array);
      for (auto [output, array] : zip(*fixed.mutable_graph()->mutable_output(), turn.outputs))
        *output.mutable_type() = recordedType(array);
      trial->second = PartTrial::build(fixed, how);
    }
    std::vector<Verdict> verdicts;
    std::string problem;
    if (!trial->second || !trial->second->differs(inputs, turn.outputs, verdicts, problem))
      continue;
    where = "turn " + std::to_string(number) + " of " + where;
    return lookInside(*body, turn.inputs, part, around);
  }
  return false;
}

} // namespace sinter
