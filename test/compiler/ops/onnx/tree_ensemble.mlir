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
