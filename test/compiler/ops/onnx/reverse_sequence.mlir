// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The first entries in reverse, the others as they are.

// CHECK: output 0: tensor<4x2xf32> [-0.5, -1.25, -1, -1.75, -1.5, -0.75, -2, -0.25]
func.func @main(%x: tensor<4x2xf32>) -> !sinter.any {
  %l = sinter.weight dense<[4, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "ReverseSequence"(%x, %l) {since = 10 : i64, attrs = {time_axis = 0 : i64, batch_axis = 1 : i64}} : (tensor<4x2xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
