// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A contraction becomes a matrix product; without one, a product with broadcasting.

// CHECK: sinter.matmul
// CHECK: linalg.transpose
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[I:.*]], %[[I]]]
// CHECK: arith.mulf
func.func @main(%x: tensor<2x3x4xf32> {sinter.name = "x"}, %y: tensor<2x4x5xf32> {sinter.name = "y"}, %z: tensor<2x3x3xf32> {sinter.name = "z"}, %u: tensor<3xf32> {sinter.name = "u"}, %v: tensor<4xf32> {sinter.name = "v"}) -> (tensor<2x5x3xf32> {sinter.name = "y0"}, tensor<2x3xf32> {sinter.name = "y1"}, tensor<3x4xf32> {sinter.name = "y2"}) {
  %0 = sinter.node "Einsum"(%x, %y) {attrs = {equation = "bij, bjk -> bki"}, since = 12 : i64} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  %1 = sinter.node "Einsum"(%z) {attrs = {equation = "...ii->...i"}, since = 12 : i64} : (tensor<2x3x3xf32>) -> tensor<2x3xf32>
  %2 = sinter.node "Einsum"(%u, %v) {attrs = {equation = "i,j"}, since = 12 : i64} : (tensor<3xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %0, %1, %2 : tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<3x4xf32>
}
