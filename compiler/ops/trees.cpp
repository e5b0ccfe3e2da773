// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trees.h"

#include "tree_layout.h"

#include "llvm/ADT/DenseSet.h"
#include <map>
#include <set>

using namespace mlir;

namespace sinter {

int32_t Trees::add(uint8_t nodeMode) {
  feature.push_back(0);
  onTrue.push_back(0);
  onFalse.push_back(0);
  mode.push_back(nodeMode);
  missing.push_back(0);
  threshold.push_back(0);
  leaves.emplace_back();
  return static_cast<int32_t>(mode.size()) - 1;
}

SmallVector<double> realsOf(const Op &op, StringRef name) {
  SmallVector<double> values = op.reals(name);
  if (Attribute tensor = op.attribute((name + "_as_tensor").str()))
    if (auto elements = dyn_cast<ElementsAttr>(tensor))
      if (std::optional<HostTensor> host = fromAttribute(tensor, elements.getElementType()))
        for (int64_t i = 0; i < host->size(); ++i)
          values.push_back(host->numberAt(i));
  return values;
}

FailureOr<Trees> treesOf(Op &op, StringRef kind, int64_t targets) {
  SmallVector<int64_t> treeIds = op.integers("nodes_treeids"), nodeIds = op.integers("nodes_nodeids"),
                       features = op.integers("nodes_featureids");
  SmallVector<int64_t> onTrue = op.integers("nodes_truenodeids"), onFalse = op.integers("nodes_falsenodeids");
  SmallVector<int64_t> missing = op.integers("nodes_missing_value_tracks_true");
  SmallVector<StringRef> modes = op.strings("nodes_modes");
  SmallVector<double> values = realsOf(op, "nodes_values"), weights = realsOf(op, (kind + "_weights").str());
  SmallVector<int64_t> leafTrees = op.integers((kind + "_treeids").str()),
                       leafNodes = op.integers((kind + "_nodeids").str());
  SmallVector<int64_t> leafTargets = op.integers((kind + "_ids").str());
  size_t count = treeIds.size(), leafCount = leafTargets.size();
  if (nodeIds.size() != count || features.size() != count || onTrue.size() != count || onFalse.size() != count ||
      modes.size() != count || values.size() != count || leafTrees.size() != leafCount ||
      leafNodes.size() != leafCount || weights.size() != leafCount)
    return op.fail(Code::ShapeMismatch, "the lists that describe trees differ in length");
  // A node keeps these as 32-bit numbers.
  constexpr int64_t most = int64_t(1) << 24;
  auto isOutside = [](int64_t number) { return number < 0 || number >= most; };
  if (targets < 1 || targets > most || llvm::any_of(leafTargets, isOutside))
    return op.fail(Code::ShapeMismatch, "trees have 1 to " + Twine(most) + " targets, and weights for these");
  Trees trees;
  trees.targets = targets;
  std::map<std::pair<int64_t, int64_t>, int32_t> places;
  StringRef names[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "LEAF"};
  for (size_t i = 0; i < count; ++i) {
    StringRef *found = llvm::find(names, modes[i]);
    if (found == std::end(names))
      return op.fail(Code::UnsupportedForm, "a tree node of mode '" + modes[i] + "'");
    int32_t node = trees.add(static_cast<uint8_t>(found - std::begin(names)));
    if (!places.try_emplace({treeIds[i], nodeIds[i]}, node).second)
      return op.fail(Code::ShapeMismatch,
                     "node " + Twine(nodeIds[i]) + " of tree " + Twine(treeIds[i]) + " is there twice");
    if (trees.mode[node] != Trees::leafMode && isOutside(features[i]))
      return op.fail(Code::ShapeMismatch, "a tree compares feature " + Twine(features[i]));
    trees.feature[node] = static_cast<int32_t>(features[i]);
    trees.threshold[node] = values[i];
    trees.missing[node] = i < missing.size() && missing[i];
  }
  SmallVector<bool> isChild(count, false);
  for (size_t i = 0; i < count; ++i) {
    if (trees.mode[i] == Trees::leafMode)
      continue;
    auto yes = places.find({treeIds[i], onTrue[i]}), no = places.find({treeIds[i], onFalse[i]});
    if (yes == places.end() || no == places.end())
      return op.fail(Code::ShapeMismatch, "a tree node names a child that is not there");
    trees.onTrue[i] = yes->second;
    trees.onFalse[i] = no->second;
    isChild[yes->second] = isChild[no->second] = true;
  }
  for (size_t i = 0; i < count; ++i)
    if (!isChild[i])
      trees.roots.push_back(static_cast<int32_t>(i));
  SmallVector<bool> isReached(count, false);
  SmallVector<int32_t> open(trees.roots);
  while (!open.empty()) {
    int32_t node = open.pop_back_val();
    if (isReached[node])
      continue;
    isReached[node] = true;
    if (trees.mode[node] != Trees::leafMode)
      open.append({trees.onTrue[node], trees.onFalse[node]});
  }
  for (size_t i = 0; i < count; ++i)
    if (!isReached[i])
      return op.fail(Code::ShapeMismatch, "a tree has a path that leads back to itself");
  // Each tree that has nodes begins somewhere.
  std::set<int64_t> begun;
  for (int32_t root : trees.roots)
    begun.insert(treeIds[root]);
  if (llvm::any_of(treeIds, [&](int64_t tree) { return !begun.count(tree); }))
    return op.fail(Code::ShapeMismatch, "a tree has a path that leads back to itself");
  for (size_t k = 0; k < leafCount; ++k) {
    auto place = places.find({leafTrees[k], leafNodes[k]});
    if (place == places.end())
      return op.fail(Code::ShapeMismatch, "a weight names a leaf that is not there");
    trees.leaves[place->second].push_back({static_cast<int32_t>(leafTargets[k]), weights[k]});
  }
  trees.base = realsOf(op, "base_values");
  return trees;
}

namespace {
LogicalResult check(Op &op, const Trees &trees, std::optional<int64_t> features) {
  enum : uint8_t { Unseen, Open, Done };
  size_t count = trees.mode.size();
  SmallVector<uint8_t> state(count, Unseen);
  for (int32_t root : trees.roots) {
    SmallVector<int32_t> stack{root};
    while (!stack.empty()) {
      int32_t node = stack.back();
      if (state[node] != Unseen || trees.mode[node] == Trees::leafMode) {
        state[node] = Done;
        stack.pop_back();
        continue;
      }
      state[node] = Open;
      for (int32_t child : {trees.onTrue[node], trees.onFalse[node]}) {
        if (state[child] == Open)
          return op.fail(Code::ShapeMismatch, "a tree has a path that leads back to itself");
        if (state[child] == Unseen)
          stack.push_back(child);
      }
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (trees.mode[i] != Trees::leafMode && (trees.feature[i] < 0 || !features || trees.feature[i] >= *features))
      return op.fail(features ? Code::ShapeMismatch : Code::ShapeNotConstant,
                     "a tree compares feature " + Twine(trees.feature[i]) + ", which the input is not known to have");
    for (auto [target, weight] : trees.leaves[i])
      if (target < 0 || target >= trees.targets)
        return op.fail(Code::ShapeMismatch,
                       "a leaf has a weight for target " + Twine(target) + " of " + Twine(trees.targets));
  }
  if (!trees.base.empty() && static_cast<int64_t>(trees.base.size()) != trees.targets)
    return op.fail(Code::ShapeMismatch, "'base_values' does not have one value per target");
  return success();
}

template <class T>
Tensor constantList(const Op &op, ElementType element, ArrayRef<T> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, storageType(element, op.b.getContext()));
  return {op.b.create<WeightOp>(op.loc, type, DenseElementsAttr::get(type, values), StringAttr()), element};
}

Tensor realList(const Op &op, ElementType element, ArrayRef<double> values) {
  if (element == ElementType::Double)
    return constantList<double>(op, element, values);
  return constantList<float>(op, element, llvm::to_vector_of<float>(values));
}
} // namespace

FailureOr<Tensor> evaluateTrees(Op &op, Tensor x, const Trees &trees, StringRef aggregate, ElementType result) {
  StringRef names[] = {"SUM", "AVERAGE", "MIN", "MAX"};
  StringRef *found = llvm::find(names, aggregate);
  if (found == std::end(names))
    return op.fail(Code::UnsupportedForm, "aggregate function '" + aggregate + "'");
  if (x.rank() == 1)
    x = op.unsqueeze(x, {0});
  if (x.rank() != 2 || failed(check(op, trees, constantOf(op.size(x, 1)))))
    return x.rank() == 2 ? failure() : op.fail(Code::ShapeMismatch, "the input of trees has rank " + Twine(x.rank()));
  ElementType real = x.element == ElementType::Double ? ElementType::Double : ElementType::Float,
              index = ElementType::Int32;
  bool isDouble = real == ElementType::Double;
  TreeLayout layout = layoutOf(trees, *constantOf(op.size(x, 1)), isDouble);
  bool oneWeight = trees.targets == 1;
  for (int32_t leaf : layout.leaves)
    oneWeight &= leaf < 0 || trees.leaves[leaf].size() == 1;
  SmallVector<int32_t> starts{0}, targets;
  SmallVector<double> weights, base = trees.base;
  base.resize(trees.targets, 0);
  for (int32_t leaf : layout.leaves) {
    if (oneWeight)
      weights.push_back(leaf < 0 ? 0 : trees.leaves[leaf].front().second);
    else if (leaf >= 0)
      for (auto [target, weight] : trees.leaves[leaf]) {
        targets.push_back(target);
        weights.push_back(weight);
      }
    if (!oneWeight)
      starts.push_back(static_cast<int32_t>(targets.size()));
  }
  auto table = [&](ArrayRef<int32_t> values, int64_t columns) {
    auto rows = static_cast<int64_t>(values.size()) / columns;
    return op.reshape(constantList<int32_t>(op, index, values), {sizeOf(op.b, rows), sizeOf(op.b, columns)});
  };
  ElementType key = isDouble ? ElementType::Int64 : index;
  Tensor threshold = isDouble ? constantList<int64_t>(op, key, layout.threshold)
                              : constantList<int32_t>(op, key, llvm::to_vector_of<int32_t>(layout.threshold));
  SmallVector<Tensor> operands{x,
                               table(layout.links, 2),
                               threshold,
                               constantList<int32_t>(op, index, starts),
                               constantList<int32_t>(op, index, targets),
                               realList(op, real, weights),
                               table(layout.roots, 3),
                               realList(op, real, base)};
  Size rows = op.size(x, 0);
  return op.kernel(
      "tree_ensemble", operands,
      {{{rows, sizeOf(op.b, trees.targets)}, result}, {{rows, sizeOf(op.b, layout.columns)}, key}},
      {op.param("aggregate", static_cast<int64_t>(found - std::begin(names))), op.param("one_weight", oneWeight)})[0];
}

} // namespace sinter
