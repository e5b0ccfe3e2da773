// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A constant condition leaves one branch; branches of a run-time condition meet in one buffer.

// CHECK: scf.if
// CHECK: bufferization.materialize_in_destination
func.func @main(%x: tensor<2x3xf32>, %c: tensor<i1>) -> !sinter.any {
  %r = sinter.node "If"(%c) {since = 16 : i64, graphs = ["else_branch", "then_branch"]} : (tensor<i1>) -> !sinter.any {
    %e = sinter.node "Relu"(%x) {since = 14 : i64} : (tensor<2x3xf32>) -> !sinter.any
    sinter.yield %e : !sinter.any
  }, {
    %t = sinter.node "Transpose"(%x) {since = 13 : i64, attrs = {perm = array<i64: 0, 1>}} : (tensor<2x3xf32>) -> !sinter.any
    sinter.yield %t : !sinter.any
  }
  return %r : !sinter.any
}
