// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/inventory.h"

#include "frontend/graph.h"
#include "frontend/schema_reading.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace sinter {
namespace {
class Counter {
public:
  explicit Counter(const onnx::ModelProto &model) {
    for (const onnx::FunctionProto &function : model.functions())
      functions.insert({canonicalDomain(function.domain()).str(), function.name()});
  }

  void countGraph(const onnx::GraphProto &graph, const Opsets &opsets) {
    for (const onnx::TensorProto &tensor : graph.initializer())
      countTensor(tensor);
    for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
      countTensor(tensor.values());
    countNodes(graph.node(), opsets);
  }
  void countNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes, const Opsets &opsets) {
    for (const onnx::NodeProto &node : nodes) {
      StringRef domain = canonicalDomain(node.domain());
      Use &use = uses[{domain.str(), node.op_type(), opsets.lookup(domain)}];
      std::string name = !node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0);
      inventory.operatorOf.emplace(name, qualifiedName(domain, node.op_type()));
      if (use.nodes++ == 0)
        use.first = std::move(name);
      for (const onnx::AttributeProto &attribute : node.attribute()) {
        if (attribute.has_t())
          countTensor(attribute.t());
        if (attribute.has_g())
          countGraph(attribute.g(), opsets);
        for (const onnx::GraphProto &graph : attribute.graphs())
          countGraph(graph, opsets);
      }
    }
  }
  void listInterface(const onnx::GraphProto &graph) {
    std::set<std::string> known;
    for (const onnx::TensorProto &tensor : graph.initializer())
      known.insert(tensor.name());
    for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
      known.insert(tensor.values().name());
    for (const onnx::ValueInfoProto &input : graph.input())
      if (known.count(input.name()) == 0)
        inventory.inputs.push_back(valueOf(input));
    for (const onnx::ValueInfoProto &output : graph.output())
      inventory.outputs.push_back(valueOf(output));
  }
  Inventory take() {
    for (const auto &[key, use] : uses) {
      const auto &[domain, name, opset] = key;
      bool isModelFunction = functions.count({domain, name}) != 0;
      std::optional<int64_t> stated;
      if (opset)
        stated = opset;
      inventory.operators.push_back({domain, name, opset,
                                     isModelFunction ? nullptr : readSchema(domain, name, stated).schema,
                                     isModelFunction, use.nodes, use.first});
    }
    return std::move(inventory);
  }

private:
  static ElementType elementOf(int32_t code) {
    return code > 0 && code <= static_cast<int>(lastElementType) ? static_cast<ElementType>(code)
                                                                 : ElementType::Undefined;
  }
  /// As ONNX writes types.
  static std::string typeText(const onnx::TypeProto &type) {
    auto name = [](int32_t code) { return elementTypeName(elementOf(code)).str(); };
    if (type.has_sequence_type())
      return "seq(" + typeText(type.sequence_type().elem_type()) + ")";
    if (type.has_optional_type())
      return "optional(" + typeText(type.optional_type().elem_type()) + ")";
    if (type.has_map_type())
      return "map(" + name(type.map_type().key_type()) + "," + typeText(type.map_type().value_type()) + ")";
    return "tensor(" + name(type.tensor_type().elem_type()) + ")";
  }
  static Inventory::Value valueOf(const onnx::ValueInfoProto &info) {
    Inventory::Value value;
    value.name = info.name();
    const onnx::TypeProto &type = info.type();
    if (type.has_sequence_type() || type.has_optional_type() || type.has_map_type())
      value.structure = typeText(type);
    const onnx::TypeProto_Tensor &tensor = type.tensor_type();
    value.type = elementOf(tensor.elem_type());
    value.hasRank = tensor.has_shape();
    for (const onnx::TensorShapeProto_Dimension &dim : tensor.shape().dim())
      value.dims.push_back({dim.has_dim_value() ? dim.dim_value() : -1, dim.dim_param()});
    return value;
  }
  void countTensor(const onnx::TensorProto &tensor) {
    int type = tensor.data_type();
    if (type < 0 || type > static_cast<int>(lastElementType))
      return;
    uint64_t elements = 1;
    for (int64_t dim : tensor.dims())
      elements = SaturatingMultiply(elements, static_cast<uint64_t>(std::max<int64_t>(dim, 0)));
    auto element = static_cast<ElementType>(type);
    Inventory::Weights &weights = inventory.weights[element];
    auto add = [](int64_t &sum, uint64_t value) {
      sum = static_cast<int64_t>(std::min<uint64_t>(SaturatingAdd(static_cast<uint64_t>(sum), value), INT64_MAX));
    };
    ++weights.tensors;
    add(weights.elements, elements);
    add(weights.bytes, divideCeil(SaturatingMultiply<uint64_t>(elements, bitWidth(element)), 8));
  }

  Inventory inventory;
  struct Use {
    int64_t nodes = 0;
    std::string first;
  };
  std::map<std::tuple<std::string, std::string, int64_t>, Use> uses;
  std::set<std::pair<std::string, std::string>> functions;
};
} // namespace

std::string Inventory::Value::describe() const {
  if (!structure.empty())
    return structure;
  if (type == ElementType::Undefined)
    return "of no stated type";
  std::string text = (elementTypeName(type) + "[" + (hasRank ? "" : "...")).str();
  for (const Dim &dim : dims)
    text += (&dim == dims.data() ? "" : ", ") + (dim.size >= 0        ? std::to_string(dim.size)
                                                 : dim.symbol.empty() ? "?"
                                                                      : dim.symbol);
  return text + "]";
}

Inventory takeInventory(const onnx::ModelProto &model) {
  Counter counter(model);
  counter.listInterface(model.graph());
  counter.countGraph(model.graph(), opsetsOf(model.opset_import()));
  for (const onnx::FunctionProto &function : model.functions())
    counter.countNodes(function.node(), opsetsOf(function.opset_import()));
  return counter.take();
}

} // namespace sinter
