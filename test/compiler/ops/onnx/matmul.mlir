// RUN: sinter-opt %s --convert-nodes --split-input-file | FileCheck %s
// Batches broadcast; 8-bit operands stay so, and zero points known at run time are taken off the sums, whichever operand's they are.

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

// -----

// One for each column, and one for the left operand: sums of columns and of rows, those of rows less the depth times
// the left operand's.
// CHECK: func.func @main
// CHECK-NOT: i16
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3xi8>, tensor<3x4xi8>) outs(%{{.*}} : tensor<2x4xi32>)
// CHECK-SAME: signs = "us"
// CHECK: ins(%{{.*}} : tensor<3x4xi8>) outs(%{{.*}} : tensor<4xi32>)
// CHECK: ins(%{{.*}} : tensor<2x3xi8>) outs(%{{.*}} : tensor<2xi32>)
// CHECK: arith.constant 3 : i32
// CHECK: ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4xi32>, tensor<4xi8>, tensor<2x1xi32>)
func.func @main(%a: tensor<2x3xui8> {sinter.name = "a"}, %b: tensor<3x4xsi8> {sinter.name = "b"}, %y: tensor<ui8> {sinter.name = "y"}, %z: tensor<4xsi8> {sinter.name = "z"}) -> (tensor<2x4xsi32> {sinter.name = "y1"}) {
  %1 = sinter.node "MatMulInteger"(%a, %b, %y, %z) {since = 10 : i64} : (tensor<2x3xui8>, tensor<3x4xsi8>, tensor<ui8>, tensor<4xsi8>) -> tensor<2x4xsi32>
  return %1 : tensor<2x4xsi32>
}
