// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A recurrent layer's loop writes into one buffer, so the size of its result is the size before it: the reshape to [T, 2] between two
// layers needs no check, and the second layer's results are as many as the first one's.

// CHECK: %[[T:.*]] = sinter.dim "T"[1, 32]
// CHECK-NOT: sinter.bound
// CHECK: sinter.output 0 "output_0"[%[[T]]]
module {
func.func @main(%x: tensor<?x1x2xf32> {sinter.dims = ["T", "", ""]}) -> !sinter.any attributes {sinter.dim_bounds = {T = array<i64: 1, 32>}} {
  %w = sinter.weight dense<1.0> : tensor<1x2x2xf32> : tensor<1x2x2xf32>
  %to = sinter.weight dense<[0, 0, -1]> : tensor<3xi64> : tensor<3xi64>
  %r = sinter.node "RNN"(%x, %w, %w) {since = 14 : i64, attrs = {hidden_size = 2 : i64}} : (tensor<?x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> !sinter.any
  %flat = sinter.node "Reshape"(%r, %to) {since = 14 : i64} : (!sinter.any, tensor<3xi64>) -> !sinter.any
  %s = sinter.node "RNN"(%flat, %w, %w) {since = 14 : i64, attrs = {hidden_size = 2 : i64}} : (!sinter.any, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> !sinter.any
  return %s : !sinter.any
}
}
