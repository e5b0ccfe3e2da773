// RUN: not sinter-opt %s --split-input-file --convert-nodes 2>&1 | FileCheck %s
// What a subgraph declares of its arguments is what it is given, and a Scan's shapes stay.

// CHECK: input 2 of the subgraph is a tensor(double) and gets a tensor(float)
func.func @main(%x: tensor<2xf32>) -> !sinter.any {
  %absent = sinter.absent
  %n = sinter.weight dense<3> : tensor<si64> : tensor<si64>
  %r = sinter.node "Loop"(%n, %absent, %x) {since = 16 : i64, graphs = ["body"]} : (tensor<si64>, !sinter.absent, tensor<2xf32>) -> !sinter.any {
  ^bb0(%i: tensor<si64>, %c: tensor<i1>, %v: tensor<2xf64>):
    sinter.yield %c, %v : tensor<i1>, tensor<2xf64>
  }
  return %r : !sinter.any
}
// -----
// CHECK: input 1 of the body is declared with another shape than what it is given
func.func @main(%h: tensor<2xf32>, %x: tensor<3x2xf32>) -> !sinter.any {
  %r = sinter.node "Scan"(%h, %x) {since = 16 : i64, attrs = {num_scan_inputs = 1 : i64}, graphs = ["body"]} : (tensor<2xf32>, tensor<3x2xf32>) -> !sinter.any {
  ^bb0(%s: tensor<2xf32>, %e: tensor<3xf32>):
    sinter.yield %s : tensor<2xf32>
  }
  return %r : !sinter.any
}
// -----
// CHECK: a direction is neither 0 (forward) nor 1 (backward)
func.func @main(%h: tensor<2xf32>, %x: tensor<3x2xf32>) -> !sinter.any {
  %r = sinter.node "Scan"(%h, %x) {since = 16 : i64, attrs = {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 2>}, graphs = ["body"]} : (tensor<2xf32>, tensor<3x2xf32>) -> !sinter.any {
  ^bb0(%s: tensor<2xf32>, %e: tensor<2xf32>):
    sinter.yield %s : tensor<2xf32>
  }
  return %r : !sinter.any
}
