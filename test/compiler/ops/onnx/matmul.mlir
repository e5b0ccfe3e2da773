// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Batches broadcast; 8-bit operands stay so, and a zero point known at run time is taken off the sums.

// CHECK: sinter.matmul
// CHECK: sinter.yield
// CHECK: tensor.collapse_shape
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3xi8>, tensor<3x4xi8>) outs(%{{.*}} : tensor<2x4xi32>)
// CHECK-SAME: signs = "us"
// CHECK: arith.muli
// CHECK: arith.subi
func.func @main(%x: tensor<5x2x3xf32> {sinter.name = "x"}, %y: tensor<3xf32> {sinter.name = "y"}, %a: tensor<2x3xui8> {sinter.name = "a"}, %b: tensor<3x4xsi8> {sinter.name = "b"}, %z: tensor<ui8> {sinter.name = "z"}) -> (tensor<5x2xf32> {sinter.name = "y0"}, tensor<2x4xsi32> {sinter.name = "y1"}) {
  %0 = sinter.node "MatMul"(%x, %y) {since = 13 : i64} : (tensor<5x2x3xf32>, tensor<3xf32>) -> tensor<5x2xf32>
  %1 = sinter.node "MatMulInteger"(%a, %b, %z) {since = 10 : i64} : (tensor<2x3xui8>, tensor<3x4xsi8>, tensor<ui8>) -> tensor<2x4xsi32>
  return %0, %1 : tensor<5x2xf32>, tensor<2x4xsi32>
}
