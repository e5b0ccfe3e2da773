// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Sorted and numbered by a kernel, gathered by a loop nest.

// CHECK: sinter.kernel "unique" ins(
// CHECK: sinter.bound
func.func @main(%x: tensor<5xf32>) -> (!sinter.any, !sinter.any, !sinter.any, !sinter.any) {
  %r:4 = sinter.node "Unique"(%x) {since = 11 : i64, attrs = {sorted = 1 : i64}} : (tensor<5xf32>) -> (!sinter.any, !sinter.any, !sinter.any, !sinter.any)
  return %r#0, %r#1, %r#2, %r#3 : !sinter.any, !sinter.any, !sinter.any, !sinter.any
}
