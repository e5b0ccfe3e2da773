// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Two dims, split at axis.

// CHECK: output 0: tensor<6x4xf32> [-2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1,
func.func @main(%x: tensor<2x3x4xf32>) -> !sinter.any {
  %r = sinter.node "Flatten"(%x) {since = 13 : i64, attrs = {axis = 2 : i64}} : (tensor<2x3x4xf32>) -> !sinter.any
  return %r : !sinter.any
}
