// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// The largest of halves is found among floats, whose lanes meet in any order, and is one of the halves.

// CHECK: linalg.generic
// CHECK: arith.maximumf {{.*}} : f32
// CHECK-NEXT: linalg.yield {{.*}} : f32
// CHECK: arith.truncf
func.func @main(%x: tensor<2x3x4x4xf16> {sinter.name = "x"}) -> (tensor<2x3x1x1xf16> {sinter.name = "y0"}) {
  %0 = sinter.node "GlobalMaxPool"(%x) {since = 22 : i64} : (tensor<2x3x4x4xf16>) -> tensor<2x3x1x1xf16>
  return %0 : tensor<2x3x1x1xf16>
}
