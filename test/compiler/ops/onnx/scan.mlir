// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// States carried, entries of an axis taken one by one.

// CHECK: output 0: tensor<2xf32> [-7.25, -4.75]
// CHECK: output 1: tensor<3x2xf32> [-4, -3, -5.75, -4, -7.25, -4.75]
func.func @main(%h: tensor<2xf32>, %x: tensor<2x3xf32>) -> (!sinter.any, !sinter.any) {
  %r:2 = sinter.node "Scan"(%h, %x) {since = 16 : i64, attrs = {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>}, graphs = ["body"]} : (tensor<2xf32>, tensor<2x3xf32>) -> (!sinter.any, !sinter.any) {
  ^bb0(%s: tensor<2xf32>, %e: tensor<2xf32>):
    %n = sinter.node "Add"(%s, %e) {since = 14 : i64} : (tensor<2xf32>, tensor<2xf32>) -> !sinter.any
    sinter.yield %n, %n : !sinter.any, !sinter.any
  }
  return %r#0, %r#1 : !sinter.any, !sinter.any
}
