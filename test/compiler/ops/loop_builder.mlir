// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// What a loop collects may have sizes that only the run knows: they are those of the buffer, and need no bound.

// CHECK: sinter.dim "n"[1, 8]
// CHECK-NOT: sinter.bound
// CHECK: sinter.output 1
func.func @main(%h: tensor<?xf32> {sinter.dims = ["n"]}, %x: tensor<4x?xf32> {sinter.dims = ["", "n"]}) -> (!sinter.any, !sinter.any) attributes {sinter.dim_bounds = {n = array<i64: 1, 8>}} {
  %r:2 = sinter.node "Scan"(%h, %x) {since = 16 : i64, attrs = {num_scan_inputs = 1 : i64}, graphs = ["body"]} : (tensor<?xf32>, tensor<4x?xf32>) -> (!sinter.any, !sinter.any) {
  ^bb0(%s: tensor<?xf32>, %e: tensor<?xf32>):
    %n = sinter.node "Add"(%s, %e) {since = 14 : i64} : (tensor<?xf32>, tensor<?xf32>) -> !sinter.any
    %i = sinter.node "Identity"(%e) {since = 14 : i64} : (tensor<?xf32>) -> !sinter.any
    sinter.yield %n, %i : !sinter.any, !sinter.any
  }
  return %r#0, %r#1 : !sinter.any, !sinter.any
}
