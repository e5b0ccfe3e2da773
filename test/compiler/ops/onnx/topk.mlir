// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A kernel; its scratch is no output.

// CHECK: sinter.kernel "topk" ins(
// CHECK: axis = 1 : i64
func.func @main(%x: tensor<2x3xf32>) -> (!sinter.any, !sinter.any) {
  %k = sinter.weight dense<[2]> : tensor<1xi64> : tensor<1xsi64>
  %r:2 = sinter.node "TopK"(%x, %k) {since = 11 : i64, attrs = {axis = -1 : i64, largest = 1 : i64, sorted = 1 : i64}} : (tensor<2x3xf32>, tensor<1xsi64>) -> (!sinter.any, !sinter.any)
  return %r#0, %r#1 : !sinter.any, !sinter.any
}
