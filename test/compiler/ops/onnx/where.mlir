// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Storage is moved as it is.

// CHECK: arith.select %{{.*}} : f16
func.func @main(%c: tensor<4xi1> {sinter.name = "c"}, %x: tensor<4xf16> {sinter.name = "x"}, %y: tensor<4xf16> {sinter.name = "y"}) -> (tensor<4xf16> {sinter.name = "y0"}) {
  %0 = sinter.node "Where"(%c, %x, %y) {since = 16 : i64} : (tensor<4xi1>, tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
