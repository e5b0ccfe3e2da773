// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A batch of matrices, and room for one.

// CHECK: sinter.kernel "determinant" ins(%{{.*}} : tensor<10x3x3xf32>) outs(%{{.*}}, %{{.*}} : tensor<10xf32>, tensor<3x3xf32>)
func.func @main(%x: tensor<2x5x3x3xf32> {sinter.name = "x"}) -> (tensor<2x5xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Det"(%x) {since = 22 : i64} : (tensor<2x5x3x3xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
