// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Constants per feature, and a lookup that knows missing keys.

// CHECK: output 0: tensor<2x2xf32> [-6, -1.75, -5, -1.25]
func.func @main(%x: tensor<2x2xf32>) -> !sinter.any {
  %r = sinter.node "Scaler"(%x) {since = 1 : i64, attrs = {offset = array<f32: 1.0, 0.0>, scale = array<f32: 2.0, 1.0>}, domain = "ai.onnx.ml"} : (tensor<2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<3xf32> [0.5, -1, 1.5]
func.func @main() -> !sinter.any {
  %x = sinter.weight dense<[3, 5, 4]> : tensor<3xi64> : tensor<3xsi64>
  %r = sinter.node "LabelEncoder"(%x) {since = 2 : i64, attrs = {keys_int64s = array<i64: 3, 4>, values_floats = array<f32: 0.5, 1.5>, default_float = -1.0 : f32}, domain = "ai.onnx.ml"} : (tensor<3xsi64>) -> !sinter.any
  return %r : !sinter.any
}
