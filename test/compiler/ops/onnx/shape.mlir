// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The dims from start to end.

// CHECK: output 0: tensor<2xi64> [3, 4]
func.func @main(%x: tensor<2x3x4xf32>) -> !sinter.any {
  %r = sinter.node "Shape"(%x) {since = 15 : i64, attrs = {start = 1 : i64}} : (tensor<2x3x4xf32>) -> !sinter.any
  return %r : !sinter.any
}
