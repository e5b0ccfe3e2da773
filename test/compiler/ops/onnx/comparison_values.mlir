// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each for less, equal and more; nothing compares with NaN.

// CHECK: output 0: tensor<4xi1> [0, 1, 0, 0]
// CHECK: output 1: tensor<4xi1> [0, 0, 1, 0]
// CHECK: output 2: tensor<4xi1> [0, 1, 1, 0]
// CHECK: output 3: tensor<4xi1> [1, 0, 0, 0]
// CHECK: output 4: tensor<4xi1> [1, 1, 0, 0]
func.func @main() -> (tensor<4xi1> {sinter.name = "y0"}, tensor<4xi1> {sinter.name = "y1"}, tensor<4xi1> {sinter.name = "y2"}, tensor<4xi1> {sinter.name = "y3"}, tensor<4xi1> {sinter.name = "y4"}) {
  %0 = sinter.weight dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 0x7FC00000]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<2.000000e+00> : tensor<4xf32> : tensor<4xf32>
  %2 = sinter.node "Equal"(%0, %1) {since = 19 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = sinter.node "Greater"(%0, %1) {since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = sinter.node "GreaterOrEqual"(%0, %1) {since = 16 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = sinter.node "Less"(%0, %1) {since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %6 = sinter.node "LessOrEqual"(%0, %1) {since = 16 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %2, %3, %4, %5, %6 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
