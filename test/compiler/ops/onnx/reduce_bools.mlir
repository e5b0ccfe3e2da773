// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Bools are folded as bytes, in whose lanes they lie.

// CHECK: linalg.fill {{.*}} outs(%{{.*}} : tensor<2xi8>)
// CHECK: arith.minui {{.*}} : i8
// CHECK: arith.cmpi ne
func.func @main(%x: tensor<2x3xi1> {sinter.name = "x"}) -> (tensor<2xi1> {sinter.name = "y"}) {
  %0 = sinter.node "ReduceMin"(%x) {attrs = {axes = array<i64: 1>, keepdims = 0 : i64}, since = 20 : i64} : (tensor<2x3xi1>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
