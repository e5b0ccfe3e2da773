// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Rounded to even, saturated; parameters for each index of an axis.

// CHECK: arith.divf
// CHECK: math.roundeven
// CHECK: arith.maximumf
// CHECK: arith.minimumf
// CHECK: arith.fptosi
// CHECK: tensor.expand_shape {{.*}} into tensor<2x2x2xi8>
// CHECK: arith.mulf
func.func @main(%x: tensor<2x4xf32> {sinter.name = "x"}, %s: tensor<2xf32> {sinter.name = "s"}, %z: tensor<2xsi8> {sinter.name = "z"}, %q: tensor<2x4xsi8> {sinter.name = "q"}, %t: tensor<2x2xf32> {sinter.name = "t"}) -> (tensor<2x4xsi8> {sinter.name = "y0"}, tensor<2x4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "QuantizeLinear"(%x, %s, %z) {attrs = {axis = 0 : i64, block_size = 0 : i64, output_dtype = 0 : i64, precision = 0 : i64, saturate = 1 : i64}, since = 25 : i64} : (tensor<2x4xf32>, tensor<2xf32>, tensor<2xsi8>) -> tensor<2x4xsi8>
  %1 = sinter.node "DequantizeLinear"(%q, %t) {attrs = {axis = 1 : i64, block_size = 2 : i64, output_dtype = 0 : i64}, since = 25 : i64} : (tensor<2x4xsi8>, tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xsi8>, tensor<2x4xf32>
}
