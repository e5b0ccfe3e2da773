// RUN: sinter-opt %s --convert-nodes --fold-constants --simplify | FileCheck %s
// A mean of dequantized integers is a sum of integers and one rescaling, beside the quantization that follows; what has a scale for each channel, or a
// product, is one of floats.

// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x4x7x7xi8>) outs(%{{.*}} : tensor<1x4xi32>)
// CHECK: arith.addi
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x4xi32>, {{.*}} outs(%{{.*}} : tensor<1x4xf32>)
// CHECK: %[[MOVED:.*]] = arith.subi
// CHECK: %[[REAL:.*]] = arith.sitofp %[[MOVED]] : i32 to f32
// CHECK: arith.mulf %[[REAL]]
// CHECK: arith.divf
// CHECK: arith.addf
// CHECK: arith.mulf {{.*}} : f32
func.func @main(%x: tensor<1x4x7x7xui8> {sinter.name = "x"}) -> (tensor<1x4xf32> {sinter.name = "y"}, tensor<1x1x7x7xf32> {sinter.name = "each"}, tensor<1x4x1x1xf32> {sinter.name = "product"}) {
  %s = sinter.weight dense<0.25> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %v = sinter.weight dense<[0.25, 0.5, 1.0, 2.0]> : tensor<4xf32> : tensor<4xf32>
  %0 = sinter.node "DequantizeLinear"(%x, %s, %z) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<1x4x7x7xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4x7x7xf32>
  %1 = sinter.node "ReduceMean"(%0) {attrs = {axes = array<i64: 2, 3>, keepdims = 0 : i64}, since = 13 : i64} : (tensor<1x4x7x7xf32>) -> tensor<1x4xf32>
  %2 = sinter.node "DequantizeLinear"(%x, %v) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<1x4x7x7xui8>, tensor<4xf32>) -> tensor<1x4x7x7xf32>
  %3 = sinter.node "ReduceMean"(%2) {attrs = {axes = array<i64: 1>, keepdims = 1 : i64}, since = 13 : i64} : (tensor<1x4x7x7xf32>) -> tensor<1x1x7x7xf32>
  %4 = sinter.node "ReduceProd"(%0) {attrs = {axes = array<i64: 2, 3>, keepdims = 1 : i64}, since = 13 : i64} : (tensor<1x4x7x7xf32>) -> tensor<1x4x1x1xf32>
  return %1, %3, %4 : tensor<1x4xf32>, tensor<1x1x7x7xf32>, tensor<1x4x1x1xf32>
}
