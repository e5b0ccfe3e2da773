// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TreeEnsembleClassifier, TreeEnsembleRegressor, TreeEnsemble: scores by a kernel, then the transform and the label.
// ZipMap: its labels are known at compile time, so that the probabilities themselves are the result.
#include "ops/scores.h"
#include "ops/trees.h"

using namespace mlir;

namespace sinter {
namespace {

/// Weights for the first class of two alone: its score tells both. onnxruntime takes weights that are all positive for
/// probabilities, others for a sum around 0.
LogicalResult resultOfTwo(Op &op, Tensor score, bool allPositive, const List &labels) {
  StringRef how = op.string("post_transform", "NONE");
  if (how == "PROBIT")
    return op.unsupported("post_transform 'PROBIT' of one score for two classes");
  TwoScores pair = allPositive ? TwoScores::Complement : how == "LOGISTIC" ? TwoScores::Logistic : TwoScores::Opposite;
  return op.results({labelOfTwo(op, score, allPositive ? 0.5 : 0, labels), scoresOfTwo(op, score, pair)});
}

LogicalResult lowerTreeClassifier(Op &op) {
  std::optional<List> labels = listOf(op, "classlabels");
  if (!labels)
    return op.fail(Code::ShapeMismatch, "a classifier without labels");
  SmallVector<int64_t> classIds = op.integers("class_ids");
  bool isOne = !classIds.empty() && labels->size() <= 2 && llvm::all_equal(classIds),
       isFirst = isOne && classIds.front() == 0;
  if (labels->size() == 1) // the other has no name
    labels = joined(labels->element == ElementType::String ? listOfTexts(op, StringRef("0"))
                                                           : listOfIntegers(op, ArrayRef<int64_t>{0}),
                    *labels);
  FailureOr<Trees> trees = treesOf(op, "class", isFirst ? 1 : labels->size());
  if (failed(trees))
    return failure();
  if (isFirst && trees->base.size() > 1)
    trees->base.resize(1);
  FailureOr<Tensor> scores = evaluateTrees(op, op.input(0), *trees, "SUM", ElementType::Float);
  if (failed(scores))
    return failure();
  bool allPositive = llvm::all_of(realsOf(op, "class_weights"), [](double weight) { return weight >= 0; });
  if (isFirst)
    return resultOfTwo(op, *scores, allPositive, *labels);
  Tensor label;
  if (isOne) { // for the second alone: the other's score stays 0
    Size zero = sizeOf(op.b, 0), one = sizeOf(op.b, 1);
    Tensor second = op.slice(*scores, {zero, one}, {op.size(*scores, 0), one}, {one, one});
    label = labelOfTwo(op, second, allPositive ? 0.5 : 0, *labels);
  }
  scores = postTransformed(op, *scores, op.string("post_transform", "NONE"));
  if (failed(scores))
    return failure();
  if (!label) {
    FailureOr<Tensor> best = labelOfLargest(op, *scores, *labels);
    if (failed(best))
      return failure();
    label = *best;
  }
  return op.results({label, *scores});
}

LogicalResult lowerTreeRegressor(Op &op) {
  FailureOr<Trees> trees = treesOf(op, "target", op.integer("n_targets", 1));
  if (failed(trees))
    return failure();
  FailureOr<Tensor> scores =
      evaluateTrees(op, op.input(0), *trees, op.string("aggregate_function", "SUM"), ElementType::Float);
  return failed(scores) ? failure() : op.result(postTransformed(op, *scores, op.string("post_transform", "NONE")));
}

/// Node lists and leaf lists of version 5. A node that tests membership becomes a chain of comparisons.
FailureOr<Trees> treesOfLists(Op &op) {
  auto tensorOf = [&](StringRef name) -> std::optional<HostTensor> {
    auto elements = dyn_cast_or_null<ElementsAttr>(op.attribute(name));
    return elements ? fromAttribute(elements, elements.getElementType()) : std::nullopt;
  };
  SmallVector<int64_t> features = op.integers("nodes_featureids"), yes = op.integers("nodes_truenodeids"),
                       no = op.integers("nodes_falsenodeids");
  SmallVector<int64_t> yesLeaf = op.integers("nodes_trueleafs"), noLeaf = op.integers("nodes_falseleafs"),
                       roots = op.integers("tree_roots");
  SmallVector<int64_t> leafTargets = op.integers("leaf_targetids"),
                       missing = op.integers("nodes_missing_value_tracks_true");
  std::optional<HostTensor> modes = tensorOf("nodes_modes"), splits = tensorOf("nodes_splits"),
                            weights = tensorOf("leaf_weights"), members = tensorOf("membership_values");
  size_t count = features.size(), leafCount = leafTargets.size();
  if (!modes || !splits || !weights || yes.size() != count || no.size() != count || yesLeaf.size() != count ||
      noLeaf.size() != count || modes->size() != static_cast<int64_t>(count) ||
      splits->size() != static_cast<int64_t>(count) || weights->size() != static_cast<int64_t>(leafCount))
    return op.fail(Code::ShapeMismatch, "the lists that describe trees differ in length");
  constexpr int64_t most = int64_t(1) << 24; // nodes keep these as 32-bit numbers
  auto isOutside = [](int64_t number) { return number < 0 || number >= most; };
  Trees trees;
  trees.targets = op.integer("n_targets", 1);
  if (trees.targets < 1 || trees.targets > most || llvm::any_of(leafTargets, isOutside) ||
      llvm::any_of(features, isOutside))
    return op.fail(Code::ShapeMismatch, "a target or a feature of the trees is outside of what there can be");
  constexpr uint8_t equal = 4, member = 6;
  for (size_t i = 0; i < count; ++i) {
    int64_t mode = modes->integerAt(i);
    if (mode == member && !members)
      return op.fail(Code::ShapeMismatch, "a tree node tests membership, and 'membership_values' is left out");
    if (mode < 0 || mode > member)
      return op.fail(Code::UnsupportedForm, "a tree node of mode " + Twine(mode));
    int32_t node = trees.add(mode == member ? equal : static_cast<uint8_t>(mode));
    trees.feature[node] = static_cast<int32_t>(features[i]);
    trees.threshold[node] = splits->numberAt(i);
    trees.missing[node] = i < missing.size() && missing[i];
  }
  for (size_t k = 0; k < leafCount; ++k)
    trees.leaves[trees.add(Trees::leafMode)].push_back({static_cast<int32_t>(leafTargets[k]), weights->numberAt(k)});
  auto place = [&](int64_t id, int64_t isLeaf) -> int32_t {
    bool inside = id >= 0 && id < static_cast<int64_t>(isLeaf ? leafCount : count);
    return inside ? static_cast<int32_t>(isLeaf ? count + id : id) : -1;
  };
  SmallVector<bool> isChild(count, false);
  auto isSecondParent = [&](int32_t child) {
    return static_cast<size_t>(child) < count && std::exchange(isChild[child], true);
  };
  int64_t nextMember = 0;
  for (size_t i = 0; i < count; ++i) {
    int32_t whenTrue = place(yes[i], yesLeaf[i]), whenFalse = place(no[i], noLeaf[i]);
    if (whenTrue < 0 || whenFalse < 0)
      return op.fail(Code::ShapeMismatch, "a tree node names a child that is not there");
    if (isSecondParent(whenTrue) || isSecondParent(whenFalse))
      return op.fail(Code::ShapeMismatch, "a tree node is the child of two");
    int32_t node = static_cast<int32_t>(i);
    if (modes->integerAt(i) == member && members) { // its set ends with NaN
      for (bool first = true; nextMember < members->size(); first = false) {
        double value = members->numberAt(nextMember++);
        if (std::isnan(value))
          break;
        if (!first) {
          int32_t next = trees.add(equal);
          trees.feature[next] = trees.feature[node];
          trees.missing[next] = trees.missing[node];
          trees.onTrue[node] = whenTrue;
          trees.onFalse[node] = next;
          node = next;
        }
        trees.threshold[node] = value;
      }
    }
    trees.onTrue[node] = whenTrue;
    trees.onFalse[node] = whenFalse;
  }
  for (int64_t root : roots) {
    if (root < 0 || root >= static_cast<int64_t>(count))
      return op.fail(Code::ShapeMismatch, "a tree's root is not there");
    trees.roots.push_back(static_cast<int32_t>(root));
  }
  return trees;
}

LogicalResult lowerEnsemble(Op &op) {
  FailureOr<Trees> trees = treesOfLists(op);
  if (failed(trees))
    return failure();
  StringRef aggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"},
            transforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  int64_t aggregate = op.integer("aggregate_function", 1), transform = op.integer("post_transform", 0);
  if (aggregate < 0 || aggregate > 3 || transform < 0 || transform > 4)
    return op.fail(Code::UnsupportedForm, "aggregate_function or post_transform is outside its range");
  FailureOr<Tensor> scores = evaluateTrees(op, op.input(0), *trees, aggregates[aggregate], op.input(0).element);
  return failed(scores) ? failure() : op.result(postTransformed(op, *scores, transforms[transform]));
}
} // namespace

void register_tree_ensemble(Registry &registry) {
  registry.onOp("TreeEnsembleClassifier", {1, 3}, "X[_]|[_,_]", lowerTreeClassifier, "ai.onnx.ml");
  registry.onOp("TreeEnsembleRegressor", {1, 3}, "X[_]|[_,_]", lowerTreeRegressor, "ai.onnx.ml");
  registry.onOp("TreeEnsemble", {5},
                "X[_,_] nodes_truenodeids[#nodes_featureids] nodes_falsenodeids[#nodes_featureids] "
                "nodes_trueleafs[#nodes_featureids] nodes_falseleafs[#nodes_featureids] "
                "nodes_missing_value_tracks_true[#nodes_featureids]",
                lowerEnsemble, "ai.onnx.ml");
  registry.onOp("ZipMap", {1}, "X[_*]", [](Op &op) { return op.result(op.input(0)); }, "ai.onnx.ml");
}

} // namespace sinter
