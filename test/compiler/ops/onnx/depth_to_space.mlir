// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// The two operators undo each other.

// CHECK: output 0: tensor<1x1x2x4xf32> [-2, -1.5, -1.75, -1.25, -1, -0.5, -0.75, -0.25]
func.func @main(%x: tensor<1x4x1x2xf32>) -> !sinter.any {
  %r = sinter.node "DepthToSpace"(%x) {since = 13 : i64, attrs = {blocksize = 2 : i64, mode = "CRD"}} : (tensor<1x4x1x2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1x4x1x2xf32> [-2, -1.5, -1.75, -1.25, -1, -0.5, -0.75, -0.25]
func.func @main(%x: tensor<1x1x2x4xf32>) -> !sinter.any {
  %r = sinter.node "SpaceToDepth"(%x) {since = 13 : i64, attrs = {blocksize = 2 : i64}} : (tensor<1x1x2x4xf32>) -> !sinter.any
  return %r : !sinter.any
}
