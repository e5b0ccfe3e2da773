// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Batches broadcast; zero points are taken off in int32.

// CHECK: sinter.matmul
// CHECK: sinter.yield
// CHECK: tensor.collapse_shape
// CHECK: arith.extui
// CHECK: arith.subi
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
func.func @main(%x: tensor<5x2x3xf32> {sinter.name = "x"}, %y: tensor<3xf32> {sinter.name = "y"}, %a: tensor<2x3xui8> {sinter.name = "a"}, %b: tensor<3x4xsi8> {sinter.name = "b"}, %z: tensor<ui8> {sinter.name = "z"}) -> (tensor<5x2xf32> {sinter.name = "y0"}, tensor<2x4xsi32> {sinter.name = "y1"}) {
  %0 = sinter.node "MatMul"(%x, %y) {since = 13 : i64} : (tensor<5x2x3xf32>, tensor<3xf32>) -> tensor<5x2xf32>
  %1 = sinter.node "MatMulInteger"(%a, %b, %z) {since = 10 : i64} : (tensor<2x3xui8>, tensor<3x4xsi8>, tensor<ui8>) -> tensor<2x4xsi32>
  return %0, %1 : tensor<5x2xf32>, tensor<2x4xsi32>
}
