// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Nearest and linear by scales, cubic by sizes.

// CHECK: output 0: tensor<1x6xf32> [-2, -2, -1.75, -1.75, -1.5, -1.5]
func.func @main(%x: tensor<1x3xf32>) -> !sinter.any {
  %n = sinter.absent
  %s = sinter.weight dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %r = sinter.node "Resize"(%x, %n, %s) {since = 13 : i64, attrs = {mode = "nearest", nearest_mode = "floor", coordinate_transformation_mode = "asymmetric"}} : (tensor<1x3xf32>, !sinter.absent, tensor<2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1x6xf32> [-2, -1.9375, -1.8125, -1.6875, -1.5625, -1.5]
func.func @main(%x: tensor<1x3xf32>) -> !sinter.any {
  %n = sinter.absent
  %s = sinter.weight dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %r = sinter.node "Resize"(%x, %n, %s) {since = 19 : i64, attrs = {mode = "linear", coordinate_transformation_mode = "half_pixel"}} : (tensor<1x3xf32>, !sinter.absent, tensor<2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1x4xf32> [-2, -1.85648, -1.64352, -1.5]
func.func @main(%x: tensor<1x3xf32>) -> !sinter.any {
  %n = sinter.absent
  %s = sinter.weight dense<[1, 4]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Resize"(%x, %n, %n, %s) {since = 19 : i64, attrs = {mode = "cubic", coordinate_transformation_mode = "align_corners"}} : (tensor<1x3xf32>, !sinter.absent, !sinter.absent, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// 10 times 0.7 is 7, as a product of floats: the double product is a little less.
// CHECK: output 0: tensor<1x7xf32>
func.func @main(%x: tensor<1x10xf32>) -> !sinter.any {
  %n = sinter.absent
  %s = sinter.weight dense<[1.0, 0.7]> : tensor<2xf32> : tensor<2xf32>
  %r = sinter.node "Resize"(%x, %n, %s) {since = 13 : i64, attrs = {mode = "nearest", nearest_mode = "floor", coordinate_transformation_mode = "asymmetric"}} : (tensor<1x10xf32>, !sinter.absent, tensor<2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// One element, of one and a half: the standard's length is the whole one, and the place 0.
// CHECK: output 0: tensor<1x1xf32> [-2]
func.func @main(%x: tensor<1x3xf32>) -> !sinter.any {
  %n = sinter.absent
  %s = sinter.weight dense<[1.0, 0.5]> : tensor<2xf32> : tensor<2xf32>
  %r = sinter.node "Resize"(%x, %n, %s) {since = 19 : i64, attrs = {mode = "linear", coordinate_transformation_mode = "pytorch_half_pixel"}} : (tensor<1x3xf32>, !sinter.absent, tensor<2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// By whole factors no table is read: places are quotients, where all of an element's lie behind each other.
// CHECK: output 0: tensor<1x9xf32> [-2, -2, -2, -1.75, -1.75, -1.75, -1.5, -1.5, -1.5]
func.func @main(%x: tensor<1x3xf32>) -> !sinter.any {
  %n = sinter.absent
  %s = sinter.weight dense<[1.0, 3.0]> : tensor<2xf32> : tensor<2xf32>
  %r = sinter.node "Resize"(%x, %n, %s) {since = 13 : i64, attrs = {mode = "nearest", nearest_mode = "round_prefer_ceil", coordinate_transformation_mode = "half_pixel"}} : (tensor<1x3xf32>, !sinter.absent, tensor<2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// Rounded from their first corner they do not.
// CHECK: output 0: tensor<1x9xf32> [-2, -2, -1.75, -1.75, -1.75, -1.5, -1.5, -1.5, -1.5]
func.func @main(%x: tensor<1x3xf32>) -> !sinter.any {
  %n = sinter.absent
  %s = sinter.weight dense<[1.0, 3.0]> : tensor<2xf32> : tensor<2xf32>
  %r = sinter.node "Resize"(%x, %n, %s) {since = 13 : i64, attrs = {mode = "nearest", nearest_mode = "round_prefer_floor", coordinate_transformation_mode = "asymmetric"}} : (tensor<1x3xf32>, !sinter.absent, tensor<2xf32>) -> !sinter.any
  return %r : !sinter.any
}
