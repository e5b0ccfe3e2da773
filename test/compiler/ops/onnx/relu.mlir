// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Half types are computed in float.

// CHECK: arith.extf
// CHECK: arith.maximumf
// CHECK: arith.truncf
// CHECK: arith.cmpf olt
// CHECK: arith.select
func.func @main(%x: tensor<4xf16> {sinter.name = "x"}) -> (tensor<4xf16> {sinter.name = "y0"}, tensor<4xf16> {sinter.name = "y1"}) {
  %0 = sinter.node "Relu"(%x) {since = 14 : i64} : (tensor<4xf16>) -> tensor<4xf16>
  %1 = sinter.node "LeakyRelu"(%x) {attrs = {alpha = 0.01 : f32}, since = 16 : i64} : (tensor<4xf16>) -> tensor<4xf16>
  return %0, %1 : tensor<4xf16>, tensor<4xf16>
}
