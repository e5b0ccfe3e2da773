// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk of reverse-mode differentiation (R. E. Wengert, A simple automatic derivative evaluation program, 1964; B.
// Speelpenning, 1980): the nodes between xs and y in reverse order, each of which adds to the adjoints of its operands.
// What each operator adds: gradient_rules.h. The nodes that this writes are ordinary ones, so that a Gradient of a
// Gradient is nothing special.
#include "differentiate.h"

#include "gradient_rules.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sinter {
namespace {

std::string nameOf(NodeOp node) {
  auto name = dyn_cast<NameLoc>(node.getLoc());
  return name ? name.getName().str() : "";
}

/// What a node reads: its operands, and what its subgraphs take from around it.
SmallVector<Value> readsOf(NodeOp node) {
  SmallVector<Value> reads(node.getInputs());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(node->getRegions(), captured);
  llvm::append_range(reads, captured);
  return reads;
}

class Differentiation {
public:
  Differentiation(NodeOp gradient, Diagnostics &diagnostics)
      : gradient(gradient), diagnostics(diagnostics), builder(gradient) {
    auto xs = gradient.getAttrs().getAs<ArrayAttr>("xs");
    differentiable = xs ? xs.size() : 0;
  }

  LogicalResult run(llvm::function_ref<LogicalResult(NodeOp, OpBuilder &)> expand);

private:
  // Operands, since expanding a node replaces its results.
  unsigned count() { return static_cast<unsigned>(gradient.getInputs().size() - 1) / 2; }
  ValueRange given() { return ValueRange(gradient.getInputs()).take_front(count()); }
  ValueRange named() { return ValueRange(gradient.getInputs()).slice(count(), count()); }
  Value y() { return gradient.getInputs().back(); }
  void findPath();
  bool expandOne(llvm::function_ref<LogicalResult(NodeOp, OpBuilder &)> expand);
  void substitute();
  LogicalResult propagate();
  void addTo(Value value, Value adjoint);
  void replace();
  LogicalResult refuse(NodeOp node, const Twine &why);
  Location placeOf(NodeOp node);

  NodeOp gradient;
  Diagnostics &diagnostics;
  OpBuilder builder;
  size_t differentiable; ///< of the named values, how many are xs

  SmallVector<NodeOp> path; ///< between xs and y, in the order of computation
  DenseSet<Value> active;   ///< what depends on xs
  DenseMap<Value, Value> adjoints;
};

/// Depth first from y, without recursion: models have chains of thousands of nodes. Named values are independent, so
/// nothing is asked of what is behind them.
void Differentiation::findPath() {
  path.clear();
  active.clear();
  DenseSet<Value> independent;
  independent.insert(named().begin(), named().end());
  ValueRange xs = named().take_front(differentiable);
  active.insert(xs.begin(), xs.end());
  DenseSet<Operation *> met;
  SmallVector<std::pair<NodeOp, SmallVector<Value>>> open;
  auto enter = [&](Value value) {
    auto node = independent.contains(value) ? NodeOp() : value.getDefiningOp<NodeOp>();
    if (node && met.insert(node).second)
      open.emplace_back(node, readsOf(node));
  };
  enter(y());
  while (!open.empty()) {
    auto &[node, reads] = open.back();
    if (!reads.empty()) {
      Value next = reads.pop_back_val();
      enter(next);
      continue;
    }
    NodeOp done = node;
    open.pop_back();
    if (isFlat(done) || llvm::none_of(readsOf(done), [&](Value value) { return active.contains(value); }))
      continue;
    path.push_back(done);
    active.insert(done->result_begin(), done->result_end());
  }
}

/// Whether a node without a rule could be replaced by nodes, whose body it is.
bool Differentiation::expandOne(llvm::function_ref<LogicalResult(NodeOp, OpBuilder &)> expand) {
  for (NodeOp node : path)
    if (!findGradientRule(node)) {
      OpBuilder at(node);
      if (succeeded(expand(node, at)))
        return true;
    }
  return false;
}

/// Where other values are given than those that are named, what depends on these is computed of them. An Identity of
/// what is given is the variable, since the value itself may take part in y by other ways.
void Differentiation::substitute() {
  IRMapping mapping;
  Adjoint nodes(gradient, builder, gradient.getLoc(), {}, {});
  for (auto [name, value] : llvm::zip(named(), given()))
    if (name != value && !mapping.contains(name))
      mapping.map(name, nodes.op("Identity", {value}));
  if (mapping.getValueMap().empty())
    return;
  size_t xs = std::exchange(differentiable, count()); // zs are substituted too
  findPath();
  for (NodeOp node : path)
    if (llvm::any_of(readsOf(node), [&](Value value) { return mapping.contains(value); }))
      builder.clone(*node, mapping);
  for (unsigned i = count(); i <= 2 * count(); ++i)
    gradient->setOperand(i, mapping.lookupOrDefault(gradient->getOperand(i)));
  differentiable = xs;
  findPath();
}

LogicalResult Differentiation::refuse(NodeOp node, const Twine &why) {
  std::string type = (node.getDomain().empty() ? node.getOpType() : node.getDomain() + "." + node.getOpType()).str();
  diagnostics.report({Code::NotDifferentiable,
                      ("Gradient " + nameOf(gradient) + ": " + type + why).str(),
                      {nameOf(node), type, static_cast<int64_t>(node.getSince())},
                      "name a value behind this node among xs, or one in front of it as y"});
  return failure();
}

Location Differentiation::placeOf(NodeOp node) {
  return NameLoc::get(builder.getStringAttr(nameOf(gradient) + "/" + nameOf(node)));
}

void Differentiation::addTo(Value value, Value adjoint) {
  Value &sum = adjoints[value];
  if (!sum) {
    sum = adjoint;
    return;
  }
  Adjoint nodes(gradient, builder, gradient.getLoc(), {}, {});
  sum = nodes.add(sum, adjoint);
}

LogicalResult Differentiation::propagate() {
  Adjoint seed(gradient, builder, gradient.getLoc(), {}, {});
  if (active.contains(y()))
    adjoints[y()] = seed.filled(1, y());
  bool good = true;
  for (NodeOp node : llvm::reverse(path)) {
    SmallVector<Value> results;
    for (Value result : node->getResults())
      results.push_back(adjoints.lookup(result));
    if (llvm::none_of(results, [](Value adjoint) { return adjoint != nullptr; }))
      continue;
    SmallVector<bool> wanted;
    for (Value input : node.getInputs())
      wanted.push_back(active.contains(input));
    const GradientRule *rule = findGradientRule(node);
    if (!rule) {
      good &= succeeded(refuse(node, " has no derivative here"));
      continue;
    }
    bool byOthers = llvm::any_of(ArrayRef(results).drop_front(), [](Value adjoint) { return adjoint != nullptr; });
    if (byOthers && node.getOpType() != "Split") {
      good &= succeeded(refuse(node, " is differentiated by its first result alone"));
      continue;
    }
    Adjoint adjoint(node, builder, placeOf(node), wanted, results);
    rule->apply(adjoint);
    if (!adjoint.problem.empty()) {
      good &= succeeded(refuse(node, " is differentiated " + adjoint.problem));
      continue;
    }
    for (auto [i, value] : llvm::enumerate(adjoint.given))
      if (value && wanted[i])
        addTo(node.getInputs()[i], value);
  }
  return success(good);
}

/// Results keep their names and stated types.
void Differentiation::replace() {
  for (auto [i, result] : llvm::enumerate(gradient->getResults())) {
    if (isa<AbsentType>(result.getType()))
      continue;
    Adjoint nodes(gradient, builder, gradient.getLoc(), {}, {});
    Value adjoint = adjoints.lookup(named()[i]);
    Value made = nodes.op("Identity", {adjoint ? adjoint : nodes.filled(0, named()[i])});
    made.setType(result.getType());
    if (ArrayAttr names = gradient.getOutputNamesAttr())
      made.getDefiningOp<NodeOp>().setOutputNamesAttr(builder.getArrayAttr(names[i]));
    result.replaceAllUsesWith(made);
  }
  gradient->erase();
}

LogicalResult Differentiation::run(llvm::function_ref<LogicalResult(NodeOp, OpBuilder &)> expand) {
  do
    findPath();
  while (expandOne(expand));
  substitute();
  if (failed(propagate()))
    return failure();
  replace();
  return success();
}
} // namespace

LogicalResult differentiate(ModuleOp module, Diagnostics &diagnostics,
                            llvm::function_ref<LogicalResult(NodeOp, OpBuilder &)> expand) {
  SmallVector<NodeOp> gradients; // in their order, so that y of one may be a result of another
  module.walk<WalkOrder::PreOrder>([&](NodeOp node) {
    if (node.getOpType() == "Gradient" && node.getDomain() == "ai.onnx.preview.training")
      gradients.push_back(node);
  });
  bool good = true;
  for (NodeOp gradient : gradients)
    good &= succeeded(Differentiation(gradient, diagnostics).run(expand));
  return success(good);
}

} // namespace sinter
