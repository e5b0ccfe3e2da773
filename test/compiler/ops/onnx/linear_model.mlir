// RUN: not sinter-opt %s --split-input-file --convert-nodes 2>&1 | FileCheck %s
// Scores are a product with the coefficients; one row of them stands for two classes, and its sign chooses the label.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: dims = [3, 1], element = 1
// CHECK: sinter.matmul
func.func @main(%x: tensor<3x2xf32>) -> !sinter.any {
  %r = sinter.node "LinearRegressor"(%x) {since = 1 : i64, attrs = {coefficients = array<f32: 1.0, -2.0>, intercepts = array<f32: 0.5>, targets = 1 : i64, post_transform = "NONE"}, domain = "ai.onnx.ml"} : (tensor<3x2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK-SAME: dims = [3], element = 7{{.*}}dims = [3, 2], element = 1
// CHECK-DAG: arith.cmpf ogt
// CHECK-DAG: dense<[7, 9007199254740993]>
// CHECK: sigmoid
func.func @main(%x: tensor<3x2xf32>) -> (!sinter.any, !sinter.any) {
  %r:2 = sinter.node "LinearClassifier"(%x) {since = 1 : i64, attrs = {coefficients = array<f32: 1.0, -2.0>, intercepts = array<f32: 0.5>, classlabels_ints = array<i64: 7, 9007199254740993>, post_transform = "LOGISTIC"}, domain = "ai.onnx.ml"} : (tensor<3x2xf32>) -> (!sinter.any, !sinter.any)
  return %r#0, %r#1 : !sinter.any, !sinter.any
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK-SAME: dims = [3], element = 7{{.*}}dims = [3, 3], element = 1
func.func @main(%x: tensor<3x2xf32>) -> (!sinter.any, !sinter.any) {
  %r:2 = sinter.node "LinearClassifier"(%x) {since = 1 : i64, attrs = {coefficients = array<f32: 1.0, -2.0, 3.0, 4.0, 5.0, 6.0>, intercepts = array<f32: 0.5, 0.0, 0.0>, classlabels_ints = array<i64: 7, 8, 9>, post_transform = "SOFTMAX"}, domain = "ai.onnx.ml"} : (tensor<3x2xf32>) -> (!sinter.any, !sinter.any)
  return %r#0, %r#1 : !sinter.any, !sinter.any
}

// -----
// CHECK: error: ai.onnx.ml.LinearRegressor needs #coefficients=targets*F, where coefficients has 2 elements, targets = 1, F = 4 is dim 1 of 'X' {{\[}}E0302]

func.func @main(%x: tensor<3x4xf32>) -> !sinter.any {
  %r = sinter.node "LinearRegressor"(%x) {since = 1 : i64, attrs = {coefficients = array<f32: 1.0, -2.0>, targets = 1 : i64, post_transform = "NONE"}, domain = "ai.onnx.ml"} : (tensor<3x4xf32>) -> !sinter.any
  return %r : !sinter.any
}
