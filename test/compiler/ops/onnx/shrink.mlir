// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Integers are compared and moved as floats.

// CHECK: arith.sitofp
// CHECK: arith.cmpf olt
// CHECK: arith.cmpf ogt
// CHECK: arith.fptosi
func.func @main(%x: tensor<4xsi32> {sinter.name = "x"}) -> (tensor<4xsi32> {sinter.name = "y0"}) {
  %0 = sinter.node "Shrink"(%x) {attrs = {bias = 0.5 : f32, lambd = 1.5 : f32}, since = 9 : i64} : (tensor<4xsi32>) -> tensor<4xsi32>
  return %0 : tensor<4xsi32>
}
