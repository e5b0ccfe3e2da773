// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and nodes -> node IR. After a problem the import goes on with stand-ins, so that one run tells all problems.
#include "frontend/graph.h"
#include "frontend/check.h"
#include "frontend/node_order.h"
#include "frontend/tensor_data.h"
#include "frontend/value_type.h"
#include "frontend/wire.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace mlir;

namespace sinter {

std::string Frame::fullName(StringRef name) const {
  auto outer = renamed.find(name);
  if (outer != renamed.end())
    return outer->second;
  return endOfName(prefix + endOfName(name));
}

std::string endOfName(StringRef name) {
  constexpr size_t limit = 4096; // nested calls repeat the names around them; and nobody reads longer ones
  return name.take_back(limit).str();
}

StringRef nameOfNode(const onnx::NodeProto &node) {
  StringRef name = node.name();
  for (const std::string &output : node.output())
    if (name.empty())
      name = output;
  return name;
}

Location GraphImporter::locationOf(StringRef name) { return NameLoc::get(builder.getStringAttr(name)); }

Value GraphImporter::absent() { return builder.create<AbsentOp>(builder.getUnknownLoc()); }

ModelPlace GraphImporter::placeOf(const onnx::NodeProto &node, const Frame &frame) {
  StringRef domain = canonicalDomain(node.domain());
  auto opset = frame.opsets.find(domain);
  return {frame.fullName(nameOfNode(node)), qualifiedName(domain, node.op_type()),
          opset == frame.opsets.end() ? 0 : opset->second};
}

void GraphImporter::define(Scope &scope, StringRef name, NamedValue value, const ModelPlace &place) {
  if (!scope.define(name, value))
    state.report(Code::DefinedTwice, "value " + quoted(name) + " is defined twice", place,
                 "values of a graph have one definition each");
}

void GraphImporter::defineResult(Scope &scope, StringRef name, NamedValue value, const ModelPlace &place) {
  if (scope.isOuter(name))
    state.report(Code::DefinedTwice, "value " + quoted(name) + " is defined in a subgraph and around it", place,
                 "what a subgraph computes has names of its own");
  define(scope, name, value, place);
}

NamedValue GraphImporter::operand(const Scope &scope, StringRef name, const ModelPlace &place) {
  if (name.empty())
    return {absent(), ""};
  if (const NamedValue *value = scope.find(name))
    return *value;
  if (scope.produced.contains(name))
    state.report(Code::UndefinedValue, "value " + quoted(name) + " is used before it is defined", place,
                 state.options.strict ? "nodes must be in topological order; without --strict they are sorted"
                                      : "the nodes form a cycle, which no order can compute");
  else
    state.report(Code::UndefinedValue, "value " + quoted(name) + " is defined nowhere", place);
  return {absent(), ""};
}

NamedValue GraphImporter::output(const Scope &scope, StringRef name, StringRef what, const ModelPlace &place) {
  if (const NamedValue *value = scope.find(name))
    return *value;
  state.report(Code::UndefinedValue, what + " " + quoted(name) + " is defined nowhere", place);
  return {absent(), ""};
}

void GraphImporter::declare(const onnx::GraphProto &graph, Scope &scope) {
  for (const auto *values : {&graph.output(), &graph.value_info()})
    for (const onnx::ValueInfoProto &value : *values)
      if (value.has_type())
        scope.declared[value.name()] = &value.type();
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &name : node.output())
      scope.produced.insert(name);
}

void GraphImporter::addWeight(Scope &scope, const Frame &frame, StringRef name, ElementsAttr value,
                              const ModelPlace &place) {
  std::string full = frame.fullName(name);
  auto weight = builder.create<WeightOp>(locationOf(full), value.getType(), value, builder.getStringAttr(full));
  define(scope, name, {weight.getResult(), kept(typeString(value.getType()))}, place);
}

void GraphImporter::importInitializers(const onnx::GraphProto &graph, Scope &scope, const Frame &frame) {
  llvm::StringSet<> met;
  auto add = [&](StringRef name, llvm::function_ref<ElementsAttr(const Twine &)> read) {
    std::string what = "initializer " + quoted(name);
    if (name.empty())
      state.report(Code::InvalidGraph, "an initializer has no name");
    else if (!met.insert(name).second)
      state.report(Code::DefinedTwice, what + " is defined twice");
    else if (scope.isOwn(name))
      return; // an input of a subgraph, or one that --overridable keeps: the value given for it counts
    else if (ElementsAttr value = read(what))
      addWeight(scope, frame, name, value, {});
    else
      scope.define(name, {absent(), ""});
  };
  for (const onnx::TensorProto &tensor : graph.initializer())
    add(tensor.name(), [&](const Twine &what) { return readTensor(state, tensor, what, {}); });
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    add(tensor.values().name(), [&](const Twine &what) { return readSparseTensor(state, tensor, what, {}); });
}

bool GraphImporter::spend(const onnx::NodeProto &node, const ModelPlace &place) {
  // A node with many operands counts for several, so that the budget bounds memory too.
  uint64_t cost = 1 + static_cast<uint64_t>(node.input_size() + node.output_size() + node.attribute_size()) / 64;
  uint64_t limit = state.options.limits.expanded(state.fileNodes);
  if (state.expandedNodes <= limit && (state.expandedNodes += cost) > limit)
    state.reportExhausted(Code::TooManyNodes,
                          "the model of " + Twine(state.fileNodes) + " nodes has more than " + Twine(limit) +
                              " once its functions are expanded (--expand-limit)",
                          place);
  return state.expandedNodes <= limit;
}

void GraphImporter::importNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes, StringRef graph,
                                Scope &scope, const Frame &frame) {
  SmallVector<const onnx::NodeProto *> order;
  if (state.options.strict)
    llvm::append_range(order, llvm::make_pointer_range(nodes));
  else
    order = inTopologicalOrder(nodes);
  if (llvm::any_of(llvm::enumerate(nodes), [&](auto node) { return order[node.index()] != &node.value(); }))
    state.note("the nodes of " + quoted(graph) +
               " are not in topological order, as ONNX has it; they have been sorted");
  for (const onnx::NodeProto *node : order) {
    llvm::SaveAndRestore<bool> muted(state.muted, state.muted || (frame.function && state.reported.contains(node)));
    size_t before = state.diagnostics.all().size();
    importNode(*node, scope, frame);
    if (frame.function && state.diagnostics.all().size() != before)
      state.reported.insert(node);
  }
}

void GraphImporter::importNode(const onnx::NodeProto &node, Scope &scope, const Frame &frame) {
  ModelPlace place = placeOf(node, frame);
  if (!spend(node, place))
    return;
  auto function = state.functions.find(functionKey(node.domain(), node.op_type(), node.overload()));
  if (function != state.functions.end())
    return importCall(node, *function->second, scope, frame, place);

  const OperatorSchema *schema = schemaOf(state, node, frame.opsets, place);
  NodeAttributes attributes = readAttributes(state, node, schema, scope, frame, place);
  int inputs = node.input_size(), outputs = node.output_size();
  // Absent ones at the end say nothing, but where a subgraph has an argument or a result for each.
  while (inputs > 0 && node.input(inputs - 1).empty() && attributes.graphs.empty())
    --inputs;
  while (outputs > 0 && node.output(outputs - 1).empty() && attributes.graphs.empty())
    --outputs;

  SmallVector<Value> operands;
  SmallVector<StringRef> types;
  for (int i = 0; i < inputs; ++i) {
    NamedValue value = operand(scope, node.input(i), place);
    operands.push_back(value.value);
    types.push_back(value.type);
  }
  SmallVector<Type> results;
  SmallVector<StringRef> declared;
  for (int i = 0; i < outputs; ++i) {
    StringRef name = node.output(i);
    ValueType type;
    auto known = scope.declared.find(name);
    if (known != scope.declared.end() && !name.empty())
      type = readType(state, *known->second, "value " + quoted(name), place);
    if (name.empty())
      type.type = AbsentType::get(state.context);
    results.push_back(type.type ? type.type : Type(AnyType::get(state.context)));
    declared.push_back(kept(type.string));
  }
  if (schema)
    declared = checkOperands(state, node, *schema, types, declared, place);
  if (schema && schema->isGradient())
    addNamedValues(node, attributes, scope, place, operands);
  if (schema && schema->isConstant() && importConstant(node, attributes, scope, frame, place))
    return;

  SmallVector<StringRef> graphNames;
  SmallVector<std::string> outputNames;
  for (auto &graph : attributes.graphs)
    graphNames.push_back(graph.first.getValue());
  for (int i = 0; i < outputs; ++i)
    outputNames.push_back(node.output(i).empty() ? "" : frame.fullName(node.output(i)));
  auto op = builder.create<NodeOp>(
      locationOf(place.node), results, builder.getStringAttr(node.op_type()), operands,
      builder.getStringAttr(canonicalDomain(node.domain())), builder.getI64IntegerAttr(schema ? schema->since : 0),
      attributes.values, graphNames.empty() ? ArrayAttr() : builder.getStrArrayAttr(graphNames),
      builder.getStrArrayAttr(SmallVector<StringRef>(outputNames.begin(), outputNames.end())),
      static_cast<unsigned>(graphNames.size()));
  for (const onnx::StringStringEntryProto &entry : node.metadata_props())
    if (entry.key() == wire::moduleScopes)
      op->setAttr("sinter.scopes", builder.getStringAttr(entry.value()));
  for (auto [graph, region] : llvm::zip(attributes.graphs, op.getBodies()))
    importBody(graph.second, region, place);
  for (int i = 0; i < outputs; ++i)
    if (!node.output(i).empty())
      defineResult(scope, node.output(i),
                   {op.getResult(i), static_cast<size_t>(i) < declared.size() ? kept(declared[i]) : StringRef()},
                   place);
}

void GraphImporter::importBody(const GraphArgument &argument, Region &region, const ModelPlace &place) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&region);
  if (state.depth >= state.options.limits.subgraphDepth) { // function calls nest subgraphs deeper than the file does
    state.reportExhausted(Code::TooDeep,
                          "subgraphs nest more than " + Twine(state.options.limits.subgraphDepth) + " deep", place);
    builder.create<YieldOp>(locationOf(place.node), ValueRange());
    return;
  }
  ++state.depth;
  const onnx::GraphProto &graph = *argument.graph;
  Scope scope(argument.scope);
  declare(graph, scope);
  for (const onnx::ValueInfoProto &input : graph.input()) {
    ValueType type = readType(state, input.type(), "input " + quoted(input.name()), place);
    Value value = block->addArgument(type.type ? type.type : Type(AnyType::get(state.context)),
                                     locationOf(argument.frame->fullName(input.name())));
    if (input.name().empty())
      state.report(Code::InvalidGraph, "an input of a subgraph has no name", place);
    define(scope, input.name(), {value, kept(type.string)}, place);
  }
  importInitializers(graph, scope, *argument.frame);
  importNodes(graph.node(), graph.name(), scope, *argument.frame);
  SmallVector<Value> results;
  for (const onnx::ValueInfoProto &result : graph.output())
    results.push_back(output(scope, result.name(), "output of a subgraph", place).value);
  builder.create<YieldOp>(locationOf(place.node), results);
  --state.depth;
}

void GraphImporter::addNamedValues(const onnx::NodeProto &node, const NodeAttributes &attributes, const Scope &scope,
                                   const ModelPlace &place, SmallVectorImpl<Value> &operands) {
  SmallVector<StringRef> names;
  auto list = [&](StringRef attribute) {
    if (auto values = dyn_cast_or_null<ArrayAttr>(attributes.values.get(attribute)))
      for (auto name : values.getAsRange<StringAttr>())
        names.push_back(name.getValue());
    return names.size();
  };
  size_t xs = list("xs"), all = list("zs");
  if (operands.size() != all)
    state.report(Code::WrongOperandCount,
                 "the node has " + Twine(operands.size()) + " inputs; 'xs' and 'zs' name " + Twine(all), place);
  if (static_cast<size_t>(node.output_size()) > xs)
    state.report(Code::WrongOperandCount,
                 "the node has " + Twine(node.output_size()) + " outputs; 'xs' names " + Twine(xs), place);
  if (auto y = dyn_cast_or_null<StringAttr>(attributes.values.get("y")))
    names.push_back(y.getValue());
  for (StringRef name : names)
    operands.push_back(operand(scope, name, place).value);
}

/// Constant nodes are weights. False: it has none of the value attributes, or several (reported).
bool GraphImporter::importConstant(const onnx::NodeProto &node, const NodeAttributes &attributes, Scope &scope,
                                   const Frame &frame, const ModelPlace &place) {
  SmallVector<NamedAttribute> given(attributes.values.begin(), attributes.values.end());
  if (given.size() != 1 || node.output_size() != 1 || node.output(0).empty()) {
    if (given.size() != 1)
      state.report(Code::MissingAttribute,
                   "a Constant has exactly one value attribute; this one has " + Twine(given.size()), place);
    return false;
  }
  auto vector = [&](ElementType element, int64_t count) {
    return RankedTensorType::get({count}, nodeType(element, state.context));
  };
  auto scalar = [&](ElementType element) { return RankedTensorType::get({}, nodeType(element, state.context)); };
  auto list = [&](RankedTensorType type, ElementType element, StringRef bytes) {
    auto copy = std::make_shared<std::string>(bytes);
    return makeElements(type, element, {StringRef(*copy), copy, {}}, node.output(0));
  };
  auto bytesOfArray = [](auto array) {
    return StringRef(reinterpret_cast<const char *>(array.data()), array.size() * sizeof(*array.data()));
  };
  Attribute value = given[0].getValue();
  ElementsAttr elements;
  if (auto tensor = dyn_cast<ElementsAttr>(value)) {
    elements = tensor;
  } else if (auto number = dyn_cast<IntegerAttr>(value)) {
    elements = DenseElementsAttr::get(scalar(ElementType::Int64), number.getValue());
  } else if (auto real = dyn_cast<FloatAttr>(value)) {
    elements = DenseElementsAttr::get(scalar(ElementType::Float), real.getValue());
  } else if (auto string = dyn_cast<StringAttr>(value)) {
    elements = DenseStringElementsAttr::get(scalar(ElementType::String), string.getValue());
  } else if (auto ints = dyn_cast<DenseI64ArrayAttr>(value)) {
    elements = list(vector(ElementType::Int64, ints.size()), ElementType::Int64, bytesOfArray(ints.asArrayRef()));
  } else if (auto floats = dyn_cast<DenseF32ArrayAttr>(value)) {
    elements = list(vector(ElementType::Float, floats.size()), ElementType::Float, bytesOfArray(floats.asArrayRef()));
  } else if (auto strings = dyn_cast<ArrayAttr>(value)) {
    SmallVector<StringRef> values;
    for (auto string : strings.getAsRange<StringAttr>())
      values.push_back(string.getValue());
    elements = DenseStringElementsAttr::get(vector(ElementType::String, static_cast<int64_t>(values.size())), values);
  }
  if (!elements)
    return false;
  addWeight(scope, frame, node.output(0), elements, place);
  return true;
}

} // namespace sinter
