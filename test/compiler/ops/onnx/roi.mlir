// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// Kernels.

// CHECK: sinter.kernel "roi_align" ins(
func.func @main(%x: tensor<1x1x4x4xf32>, %o: tensor<2x4xf32>, %b: tensor<2xsi64>) -> !sinter.any {
  %r = sinter.node "RoiAlign"(%x, %o, %b) {since = 16 : i64, attrs = {output_height = 2 : i64, output_width = 2 : i64, mode = "avg"}} : (tensor<1x1x4x4xf32>, tensor<2x4xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: sinter.kernel "max_roi_pool" ins(
func.func @main(%x: tensor<1x1x4x4xf32>, %o: tensor<2x5xf32>) -> !sinter.any {
  %r = sinter.node "MaxRoiPool"(%x, %o) {since = 1 : i64, attrs = {pooled_shape = array<i64: 2, 2>}} : (tensor<1x1x4x4xf32>, tensor<2x5xf32>) -> !sinter.any
  return %r : !sinter.any
}
