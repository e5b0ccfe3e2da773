// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// The first step of a momentum is the gradient itself.

// CHECK: arith.cmpf ogt
// CHECK: arith.select
// CHECK: linalg.generic
// CHECK: arith.subf
func.func @main(%r: tensor<f32> {sinter.name = "r"}, %t: tensor<si64> {sinter.name = "t"}, %x: tensor<4xf32> {sinter.name = "x"}, %g: tensor<4xf32> {sinter.name = "g"}, %v: tensor<4xf32> {sinter.name = "v"}) -> (tensor<4xf32> {sinter.name = "nx"}, tensor<4xf32> {sinter.name = "nv"}) {
  %0:2 = sinter.node "Momentum"(%r, %t, %x, %g, %v) {attrs = {alpha = 0.9 : f32, beta = 0.1 : f32, mode = "standard", norm_coefficient = 0.0 : f32}, domain = "ai.onnx.preview.training", since = 1 : i64} : (tensor<f32>, tensor<si64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
