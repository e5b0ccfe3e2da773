// RUN: sinter-opt %s --convert-nodes --simplify --fold-constants --simplify | FileCheck %s
// The else branch's shapes contradict the input's size: taking it ends the call, and nothing before that knows it never runs.

// CHECK: scf.if
// CHECK: else
// CHECK: sinter.bound %{{.*}}[0, 0]
func.func @main(%x: tensor<2x3xf32>, %c: tensor<i1>) -> !sinter.any {
  %r = sinter.node "If"(%c) {since = 16 : i64, graphs = ["else_branch", "then_branch"]} : (tensor<i1>) -> !sinter.any {
    %w = sinter.weight dense<1.0> : tensor<5x2xf32> : tensor<5x2xf32>
    %e = sinter.node "MatMul"(%x, %w) {since = 13 : i64} : (tensor<2x3xf32>, tensor<5x2xf32>) -> !sinter.any
    sinter.yield %e : !sinter.any
  }, {
    %t = sinter.node "Relu"(%x) {since = 14 : i64} : (tensor<2x3xf32>) -> !sinter.any
    sinter.yield %t : !sinter.any
  }
  return %r : !sinter.any
}
