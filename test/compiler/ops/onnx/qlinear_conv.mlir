// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// One exact loop nest in int32.

// CHECK: affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3 * 2 + d5)>
// CHECK: tensor.insert_slice
// CHECK: arith.muli {{.*}} : i32
func.func @main(%x: tensor<1x4x8xui8> {sinter.name = "x"}, %w: tensor<6x2x3xui8> {sinter.name = "w"}, %z: tensor<ui8> {sinter.name = "z"}) -> (tensor<1x6x4xsi32> {sinter.name = "y0"}) {
  %0 = sinter.node "ConvInteger"(%x, %w, %z) {attrs = {auto_pad = "NOTSET", group = 2 : i64, pads = array<i64: 1, 1>, strides = array<i64: 2>}, since = 10 : i64} : (tensor<1x4x8xui8>, tensor<6x2x3xui8>, tensor<ui8>) -> tensor<1x6x4xsi32>
  return %0 : tensor<1x6x4xsi32>
}
