// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Broadcasting; unsigned division.

// CHECK: affine_map<(d0, d1) -> (0, d1)>
// CHECK: arith.divui
// CHECK: arith.subi
func.func @main(%x: tensor<2x4xui8> {sinter.name = "x"}, %y: tensor<1x4xui8> {sinter.name = "y"}) -> (tensor<2x4xui8> {sinter.name = "y0"}, tensor<2x4xui8> {sinter.name = "y1"}) {
  %0 = sinter.node "Div"(%x, %y) {since = 14 : i64} : (tensor<2x4xui8>, tensor<1x4xui8>) -> tensor<2x4xui8>
  %1 = sinter.node "Sub"(%x, %x) {since = 14 : i64} : (tensor<2x4xui8>, tensor<2x4xui8>) -> tensor<2x4xui8>
  return %0, %1 : tensor<2x4xui8>, tensor<2x4xui8>
}
