// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Limits from data need a bound: here the size that the model declares.

// CHECK: math.ceil
// CHECK: sinter.bound %{{.*}}[0, 5]
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @main(%s: tensor<f32> {sinter.name = "s"}, %l: tensor<f32> {sinter.name = "l"}, %d: tensor<f32> {sinter.name = "d"}) -> (tensor<5xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Range"(%s, %l, %d) {since = 11 : i64} : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
