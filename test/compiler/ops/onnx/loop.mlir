// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// A trip count alone: scf.for with the value carried and each collected.

// CHECK: output 0: tensor<2xf32> [-16, -14]
// CHECK: output 1: tensor<3x2xf32> [-4, -3.5, -8, -7, -16, -14]
func.func @main(%x: tensor<2xf32>) -> (!sinter.any, !sinter.any) {
  %m = sinter.weight dense<3> : tensor<i64> : tensor<si64>
  %n = sinter.absent
  %r:2 = sinter.node "Loop"(%m, %n, %x) {since = 16 : i64, graphs = ["body"]} : (tensor<si64>, !sinter.absent, tensor<2xf32>) -> (!sinter.any, !sinter.any) {
  ^bb0(%i: tensor<si64>, %go: tensor<i1>, %v: tensor<2xf32>):
    %s = sinter.node "Add"(%v, %v) {since = 14 : i64} : (tensor<2xf32>, tensor<2xf32>) -> !sinter.any
    sinter.yield %go, %s, %s : tensor<i1>, !sinter.any, !sinter.any
  }
  return %r#0, %r#1 : !sinter.any, !sinter.any
}
