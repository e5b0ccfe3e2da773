// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Half types accumulate in float; the mean of integers is an integer division.

// CHECK: linalg.fill {{.*}} outs(%{{.*}} : tensor<2xf32>)
// CHECK: arith.extf
// CHECK: arith.addf
// CHECK: arith.extsi
// CHECK: arith.constant 2 : i64
// CHECK: arith.divsi
func.func @main(%x: tensor<2x3xf16> {sinter.name = "x"}, %z: tensor<2x3xsi32> {sinter.name = "z"}) -> (tensor<2xf16> {sinter.name = "y0"}, tensor<1x3xsi32> {sinter.name = "y1"}) {
  %0 = sinter.node "ReduceSum"(%x) {attrs = {axes = array<i64: -1>, keepdims = 0 : i64}, since = 11 : i64} : (tensor<2x3xf16>) -> tensor<2xf16>
  %1 = sinter.node "ReduceMean"(%z) {attrs = {axes = array<i64: 0>, keepdims = 1 : i64}, since = 13 : i64} : (tensor<2x3xsi32>) -> tensor<1x3xsi32>
  return %0, %1 : tensor<2xf16>, tensor<1x3xsi32>
}
