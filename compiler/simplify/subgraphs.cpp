// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a body reads of the graphs around it becomes inputs of its model, with the types that are stated there; short
// constants, which shapes and axes are made of, go along. Dims around a body are other dims in it: a value that a Loop
// carries may have one size in the first turn and another in the next, whatever its dims are called.
#include "simplify/subgraphs.h"

#include "simplify/work.h"

#include "quantize/own_names.h"

#include <set>

using namespace llvm;

namespace sinter::simplify {
namespace {
constexpr int64_t mostElements = 64; // of a constant that goes along

bool isShort(const onnx::TensorProto &tensor) {
  int64_t count = 1;
  for (int64_t dim : tensor.dims())
    count = dim > mostElements || count > mostElements ? mostElements + 1 : count * dim;
  return count <= mostElements && tensor.data_location() != onnx::TensorProto::EXTERNAL;
}

/// What is stated of the values of a graph.
class Scope {
public:
  explicit Scope(const onnx::GraphProto &graph) {
    for (const auto *list : {&graph.value_info(), &graph.input(), &graph.output()})
      for (const onnx::ValueInfoProto &value : *list)
        if (value.has_type())
          types[value.name()] = &value;
    for (const onnx::TensorProto &tensor : graph.initializer())
      constants[tensor.name()] = &tensor;
  }
  const onnx::ValueInfoProto *typeOf(StringRef name) const {
    auto found = types.find(name);
    return found != types.end() ? found->second : nullptr;
  }
  const onnx::TensorProto *constant(StringRef name) const {
    auto found = constants.find(name);
    return found != constants.end() ? found->second : nullptr;
  }

private:
  StringMap<const onnx::ValueInfoProto *> types;
  StringMap<const onnx::TensorProto *> constants;
};

onnx::ValueInfoProto typeOfConstant(const onnx::TensorProto &tensor) {
  onnx::ValueInfoProto value;
  value.set_name(tensor.name());
  onnx::TypeProto::Tensor &type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(tensor.data_type());
  onnx::TensorShapeProto &shape = *type.mutable_shape();
  for (int64_t dim : tensor.dims())
    shape.add_dim()->set_dim_value(dim);
  return value;
}

/// Outputs of bodies go without types where nodes make them. One that is a constant now has its constant's: of an
/// initializer that is an output, onnx holds both types against each other.
void stateConstantOutputs(onnx::GraphProto &body) {
  for (onnx::ValueInfoProto &output : *body.mutable_output())
    for (const onnx::TensorProto &tensor : body.initializer())
      if (tensor.name() == output.name() && !output.has_type())
        output = typeOfConstant(tensor);
}

class BodySimplifier {
public:
  BodySimplifier(const onnx::ModelProto &model, const LearnOptions &learning, const SimplifyOptions &options,
                 SimplifyResult &result)
      : model(model), learning(learning), options(options), result(result) {
    this->learning.prepare = [](mlir::ModuleOp) {};
  }

  int64_t visit(onnx::GraphProto &graph, const Scope &scope) {
    int64_t gone = 0;
    for (onnx::NodeProto &node : *graph.mutable_node())
      for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
        if (attribute.has_g())
          gone += simplifyBody(*attribute.mutable_g(), scope);
        for (onnx::GraphProto &body : *attribute.mutable_graphs())
          gone += simplifyBody(body, scope);
      }
    return gone;
  }

private:
  int64_t simplifyBody(onnx::GraphProto &body, const Scope &scope) {
    onnx::ModelProto own = model;
    own.clear_graph();
    onnx::GraphProto &graph = *own.mutable_graph();
    graph = body;
    std::set<std::string> lent;
    for (const std::string &name : capturedBy(body)) {
      const onnx::TensorProto *constant = scope.constant(name);
      if (constant && isShort(*constant)) {
        *graph.add_initializer() = *constant;
        lent.insert(name);
        continue;
      }
      const onnx::ValueInfoProto *stated = scope.typeOf(name);
      if (!constant && !stated)
        return 0;
      onnx::ValueInfoProto &input = *graph.add_input();
      input = constant ? typeOfConstant(*constant) : *stated;
      onnx::TypeProto &type = *input.mutable_type();
      if (type.has_tensor_type() && type.tensor_type().has_shape())
        for (onnx::TensorShapeProto::Dimension &dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim())
          if (dim.has_dim_param())
            dim.set_dim_param("around " + dim.dim_param());
    }
    LearnOptions inside = learning;
    inside.import.dims.clear(); // of dims around it
    boundOpenDims(own, inside.import);
    SimplifyResult made = simplify(own, inside, options);
    if (made.nodesAfter >= made.nodesBefore)
      return 0;
    for (const StepCount &step : made.steps)
      result.count(step.name, step.changes);
    // What was lent stays where it was; types of values that a step has made are not those of this body's dims.
    google::protobuf::RepeatedPtrField<onnx::TensorProto> kept;
    for (onnx::TensorProto &tensor : *graph.mutable_initializer())
      if (lent.count(tensor.name()) == 0)
        *kept.Add() = std::move(tensor);
    body.mutable_initializer()->Swap(&kept);
    body.mutable_node()->Swap(graph.mutable_node());
    body.mutable_sparse_initializer()->Swap(graph.mutable_sparse_initializer());
    body.clear_value_info();
    stateConstantOutputs(body);
    return made.nodesBefore - made.nodesAfter;
  }

  const onnx::ModelProto &model;
  LearnOptions learning;
  const SimplifyOptions &options;
  SimplifyResult &result;
};
} // namespace

int64_t simplifySubgraphs(onnx::ModelProto &model, const LearnOptions &learning, const SimplifyOptions &options,
                          SimplifyResult &result) {
  const Scope scope(model.graph());
  onnx::ModelProto rest; // without the graph, which is large
  *rest.mutable_opset_import() = model.opset_import();
  *rest.mutable_functions() = model.functions();
  rest.set_ir_version(model.ir_version());
  BodySimplifier simplifier(rest, learning, options, result);
  int64_t gone = simplifier.visit(*model.mutable_graph(), scope);
  if (gone > 0)
    quantize::giveOwnNames(model);
  return gone;
}

} // namespace sinter::simplify
