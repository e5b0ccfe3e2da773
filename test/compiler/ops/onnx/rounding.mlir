// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Round takes halves to even.

// CHECK: math.roundeven
// CHECK: math.ceil
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Round"(%x) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sinter.node "Ceil"(%x) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
