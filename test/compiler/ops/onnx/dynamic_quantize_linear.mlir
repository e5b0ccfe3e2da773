// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Of zeros alone the scale is 1, as in onnxruntime.

// CHECK: output 0: tensor<3xi8> [0, 0, 0]
// CHECK: output 1: tensor<f32> [1]
func.func @main() -> (!sinter.any, !sinter.any, !sinter.any) {
  %x = sinter.weight dense<0.0> : tensor<3xf32> : tensor<3xf32>
  %r:3 = sinter.node "DynamicQuantizeLinear"(%x) {since = 11 : i64} : (tensor<3xf32>) -> (!sinter.any, !sinter.any, !sinter.any)
  return %r#0, %r#1, %r#2 : !sinter.any, !sinter.any, !sinter.any
}
