// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Before version 13 all dims from the axis on are one; since then one dim, with others inside of it.

// CHECK: sinter.kernel "softmax" ins(%{{.*}} : tensor<2x12x1xf32>) {{.*}}logarithm = false
// CHECK: sinter.kernel "softmax" ins(%{{.*}} : tensor<2x3x4xf32>) {{.*}}logarithm = true
func.func @main(%x: tensor<2x3x4xf32> {sinter.name = "x"}) -> (tensor<2x3x4xf32> {sinter.name = "y0"}, tensor<2x3x4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Softmax"(%x) {attrs = {axis = 1 : i64}, since = 11 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = sinter.node "LogSoftmax"(%x) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}
