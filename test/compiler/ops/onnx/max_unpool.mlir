// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Values scattered into zeros.

// CHECK: sinter.kernel "scatter_elements" ins(
// CHECK: tensor<4xf32>
func.func @main(%x: tensor<1x1x2xf32>, %i: tensor<1x1x2xsi64>) -> !sinter.any {
  %r = sinter.node "MaxUnpool"(%x, %i) {since = 11 : i64, attrs = {kernel_shape = array<i64: 2>, strides = array<i64: 2>}} : (tensor<1x1x2xf32>, tensor<1x1x2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
