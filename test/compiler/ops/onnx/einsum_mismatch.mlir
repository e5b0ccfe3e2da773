// RUN: not sinter-opt %s --convert-nodes 2>&1 | FileCheck %s
// A term that does not fit its operand.

// CHECK: term 'ij' does not fit an operand of rank 3
func.func @main(%x: tensor<2x3x4xf32> {sinter.name = "x"}) -> (tensor<2xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Einsum"(%x) {attrs = {equation = "ij->i"}, since = 12 : i64} : (tensor<2x3x4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
