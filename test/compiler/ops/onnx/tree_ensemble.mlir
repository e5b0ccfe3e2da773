// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// Scores by a kernel over constant arrays; labels where they are largest.

// CHECK: sinter.kernel "tree_ensemble" ins(
func.func @main(%x: tensor<3x2xf32>) -> !sinter.any {
  %r = sinter.node "TreeEnsembleRegressor"(%x) {since = 3 : i64, attrs = {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 1, 0, 0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 1.0, 2.0>, n_targets = 1 : i64, aggregate_function = "SUM", post_transform = "NONE"}, domain = "ai.onnx.ml"} : (tensor<3x2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: sinter.kernel "tree_ensemble" ins(
// CHECK: dense<[7, 9]>
func.func @main(%x: tensor<3x2xf32>) -> (!sinter.any, !sinter.any) {
  %r:2 = sinter.node "TreeEnsembleClassifier"(%x) {since = 3 : i64, attrs = {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 1, 0, 0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 1>, class_weights = array<f32: 1.0, 1.0>, classlabels_int64s = array<i64: 7, 9>, post_transform = "NONE"}, domain = "ai.onnx.ml"} : (tensor<3x2xf32>) -> (!sinter.any, !sinter.any)
  return %r#0, %r#1 : !sinter.any, !sinter.any
}

// -----

// The newer form, whose leaves are a list of their own; and what stands for a map of labels to scores.

// CHECK: sinter.kernel "tree_ensemble" ins(
// CHECK: tensor<2x1xf32>
func.func @main(%x: tensor<2x1xf32>, %s: tensor<2x3xf32>) -> (tensor<2x1xf32>, !sinter.any) {
  %r = sinter.node "TreeEnsemble"(%x) {attrs = {aggregate_function = 1 : i64, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[5.0, 7.0]> : tensor<2xf32>, n_targets = 1 : i64, nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_featureids = array<i64: 0>, nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<1.0> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>, post_transform = 0 : i64, tree_roots = array<i64: 0>}, domain = "ai.onnx.ml", since = 5 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %z = sinter.node "ZipMap"(%s) {attrs = {classlabels_int64s = array<i64: 4, 5, 6>}, domain = "ai.onnx.ml", since = 1 : i64} : (tensor<2x3xf32>) -> !sinter.any
  return %r, %z : tensor<2x1xf32>, !sinter.any
}
