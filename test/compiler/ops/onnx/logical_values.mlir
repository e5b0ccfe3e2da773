// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Truth tables.

// CHECK: output 0: tensor<4xi1> [0, 0, 0, 1]
// CHECK: output 1: tensor<4xi1> [0, 1, 1, 1]
// CHECK: output 2: tensor<4xi1> [0, 1, 1, 0]
// CHECK: output 3: tensor<4xi1> [1, 1, 0, 0]
func.func @main() -> (tensor<4xi1> {sinter.name = "y0"}, tensor<4xi1> {sinter.name = "y1"}, tensor<4xi1> {sinter.name = "y2"}, tensor<4xi1> {sinter.name = "y3"}) {
  %0 = sinter.weight dense<[false, false, true, true]> : tensor<4xi1> : tensor<4xi1>
  %1 = sinter.weight dense<[false, true, false, true]> : tensor<4xi1> : tensor<4xi1>
  %2 = sinter.node "And"(%0, %1) {since = 7 : i64} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = sinter.node "Or"(%0, %1) {since = 7 : i64} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %4 = sinter.node "Xor"(%0, %1) {since = 7 : i64} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %5 = sinter.node "Not"(%0) {since = 1 : i64} : (tensor<4xi1>) -> tensor<4xi1>
  return %2, %3, %4, %5 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
