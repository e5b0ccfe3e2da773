// RUN: sinter-opt %s --convert-nodes --simplify | FileCheck %s
// One branch dequantizes its result, the other computes it: what moves elements behind the If reads where they meet, not the one branch's integers.

// CHECK: %[[MET:.*]] = scf.if
// CHECK: tensor.extract_slice %[[MET]]
// CHECK-SAME: xf32>
func.func @main(%x: tensor<2x4xf32> {sinter.name = "x"}, %q: tensor<2x4xsi8> {sinter.name = "q"}, %c: tensor<i1> {sinter.name = "c"}) -> (tensor<2x2xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<7> : tensor<si8> : tensor<si8>
  %r = sinter.node "If"(%c) {since = 16 : i64, graphs = ["else_branch", "then_branch"]} : (tensor<i1>) -> tensor<2x4xf32> {
    %e = sinter.node "Relu"(%x) {since = 14 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    sinter.yield %e : tensor<2x4xf32>
  }, {
    %t = sinter.node "DequantizeLinear"(%q, %s, %z) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x4xsi8>, tensor<f32>, tensor<si8>) -> tensor<2x4xf32>
    sinter.yield %t : tensor<2x4xf32>
  }
  %starts = sinter.weight dense<1> : tensor<1xsi64> : tensor<1xsi64>
  %ends = sinter.weight dense<3> : tensor<1xsi64> : tensor<1xsi64>
  %axes = sinter.weight dense<1> : tensor<1xsi64> : tensor<1xsi64>
  %y = sinter.node "Slice"(%r, %starts, %ends, %axes) {since = 13 : i64} : (tensor<2x4xf32>, tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
