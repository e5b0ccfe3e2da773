// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<1x3xf32> [0, 1, 1]
// CHECK: output 1: tensor<1x3xf32> [-0.181818, 0.0909091, 0.727273]
// CHECK: output 2: tensor<1x3xf32> [-1, 9, 4]
// CHECK: output 3: tensor<1x3xf32> [-1, 0.5, 4]
// CHECK: output 4: tensor<1x3xf32> [-4, -1, 6]
// CHECK: output 5: tensor<1x2xf32> [4, -1]
func.func @main() -> (tensor<1x3xf32> {sinter.name = "y0"}, tensor<1x3xf32> {sinter.name = "y1"}, tensor<1x3xf32> {sinter.name = "y2"}, tensor<1x3xf32> {sinter.name = "y3"}, tensor<1x3xf32> {sinter.name = "y4"}, tensor<1x2xf32> {sinter.name = "y5"}) {
  %0 = sinter.weight dense<[[-1.000000e+00, 5.000000e-01, 4.000000e+00]]> : tensor<1x3xf32> : tensor<1x3xf32>
  %1 = sinter.weight dense<[2, 0]> : tensor<2xsi64> : tensor<2xsi64>
  %2 = sinter.node "Binarizer"(%0) {attrs = {threshold = 2.500000e-01 : f32}, domain = "ai.onnx.ml", since = 1 : i64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %3 = sinter.node "Normalizer"(%0) {attrs = {norm = "L1"}, domain = "ai.onnx.ml", since = 1 : i64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %4 = sinter.node "Imputer"(%0) {attrs = {imputed_value_floats = array<f32: 9.000000e+00>, replaced_value_float = 5.000000e-01 : f32, replaced_value_int64 = 0 : i64}, domain = "ai.onnx.ml", since = 1 : i64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %5 = sinter.node "FeatureVectorizer"(%0) {attrs = {inputdimensions = array<i64: 3>}, domain = "ai.onnx.ml", since = 1 : i64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %6 = sinter.node "Scaler"(%0) {attrs = {offset = array<f32: 1.000000e+00>, scale = array<f32: 2.000000e+00>}, domain = "ai.onnx.ml", since = 1 : i64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %7 = sinter.node "ArrayFeatureExtractor"(%0, %1) {domain = "ai.onnx.ml", since = 1 : i64} : (tensor<1x3xf32>, tensor<2xsi64>) -> tensor<1x2xf32>
  return %2, %3, %4, %5, %6, %7 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x2xf32>
}
