// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// A constant exponent of integers is products of the base; -1 of integers is none.

// CHECK-LABEL: @main
// CHECK: arith.muli {{.*}} : i32
// CHECK-NOT: ipowi
func.func @main(%x: tensor<4xsi32> {sinter.name = "x"}) -> (tensor<4xsi32> {sinter.name = "y0"}) {
  %two = sinter.weight dense<2> : tensor<i64> : tensor<si64>
  %0 = sinter.node "Pow"(%x, %two) {since = 15 : i64} : (tensor<4xsi32>, tensor<si64>) -> tensor<4xsi32>
  return %0 : tensor<4xsi32>
}

// -----
// CHECK-LABEL: @main
// CHECK: math.ipowi
func.func @main(%x: tensor<4xsi32> {sinter.name = "x"}) -> (tensor<4xsi32> {sinter.name = "y0"}) {
  %minus = sinter.weight dense<-1> : tensor<i64> : tensor<si64>
  %0 = sinter.node "Pow"(%x, %minus) {since = 15 : i64} : (tensor<4xsi32>, tensor<si64>) -> tensor<4xsi32>
  return %0 : tensor<4xsi32>
}
