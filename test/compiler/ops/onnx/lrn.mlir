// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A window over channels.

// CHECK: affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
// CHECK: tensor.insert_slice
// CHECK: math.powf
func.func @main(%x: tensor<1x4x5xf32> {sinter.name = "x"}) -> (tensor<1x4x5xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "LRN"(%x) {attrs = {alpha = 1.0e-4 : f32, beta = 0.75 : f32, bias = 1.0 : f32, size = 3 : i64}, since = 13 : i64} : (tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  return %0 : tensor<1x4x5xf32>
}
