// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Along the last dim.

// CHECK: output 0: tensor<2x3xf32> [-2, -1.75, -2, -1.5, -1.25, -1.75]
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x1xf32>) -> !sinter.any {
  %r = sinter.node "Concat"(%x, %y) {since = 13 : i64, attrs = {axis = -1 : i64}} : (tensor<2x2xf32>, tensor<2x1xf32>) -> !sinter.any
  return %r : !sinter.any
}
