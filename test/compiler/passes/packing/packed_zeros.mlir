// A product of two operands of bytes that a call brings, one of them for all batches, is the same with sums in place of zero points.
// RUN: sinter-opt %s --interpret -o /dev/null > %t.whole
// RUN: sinter-opt %s --pack-integers --interpret -o %t.mlir > %t.packed
// RUN: diff %t.whole %t.packed
// RUN: FileCheck %s < %t.mlir
// CHECK-NOT: {{lhs|rhs|input|filter}}_zero
module attributes {sinter.target = "x86-64-v3"} {
func.func @main(%a: tensor<1x5x9xi8>, %b: tensor<3x7x9xi8>) -> tensor<3x5x7xi32> {
  %e0 = tensor.empty() : tensor<3x5x7xi32>
  %y0 = sinter.matmul ins(%a, %b : tensor<1x5x9xi8>, tensor<3x7x9xi8>) outs(%e0 : tensor<3x5x7xi32>)
      attributes {epilogue_maps = [], transpose_rhs, signs = "us", lhs_zero = 7 : i64, rhs_zero = -3 : i64} {
  ^bb0(%s: i32):
    sinter.yield %s : i32
  } -> tensor<3x5x7xi32>
  return %y0 : tensor<3x5x7xi32>
}
}
