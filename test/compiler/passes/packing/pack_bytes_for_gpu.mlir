// RUN: sinter-opt %s --pack-integers --split-input-file | FileCheck %s
// Contractions of bytes for the matrix unit of GPUs: weights as signed bytes along k, the zero point of the activations in a term per column, and
// read where the input ends.

// CHECK-LABEL: @matmul
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x9xi8>, tensor<40x9xi8>, tensor<40xi32>)
// CHECK-NOT: lhs_zero
// CHECK-SAME: signs = "us", transpose_rhs
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[TERM:.*]]: i32):
// CHECK-NEXT: arith.addi %[[ACC]], %[[TERM]]
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @matmul(%a: tensor<4x9xi8>) -> tensor<4x40xi32> {
  %b = arith.constant dense<3> : tensor<9x40xi8>
  %e = tensor.empty() : tensor<4x40xi32>
  %c = sinter.matmul ins(%a, %b : tensor<4x9xi8>, tensor<9x40xi8>) outs(%e : tensor<4x40xi32>)
      attributes {epilogue_maps = [], signs = "uu", lhs_zero = 5 : i64, rhs_zero = 1 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<4x40xi32>
  return %c : tensor<4x40xi32>
}
}

// -----

// CHECK-LABEL: @padded
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x1x7x8x8xi8>, tensor<6x3x3x8xi8>, tensor<1x6xi32>)
// CHECK-NOT: input_zero
// CHECK-SAME: kernel = #sinter.kernel<"tile_conv", {dims = [array<i64: 0>, array<i64: 3>, array<i64: 1>, array<i64: 2>], outside = -7 : i64}>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @padded(%x: tensor<1x1x7x8x8xi8>) -> tensor<1x1x7x8x6xi32> {
  %w = arith.constant dense<1> : tensor<6x8x3x3xi8>
  %e = tensor.empty() : tensor<1x1x7x8x6xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x7x8x8xi8>, tensor<6x8x3x3xi8>) outs(%e : tensor<1x1x7x8x6xi32>)
    attributes {layout = "nchwc", group = 1, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, epilogue_maps = [], input_zero = -7 : i64} {
  ^bb0(%sum: i32):
    sinter.yield %sum : i32
  } -> tensor<1x1x7x8x6xi32>
  return %y : tensor<1x1x7x8x6xi32>
}
}

// -----

// Without padding nothing lies outside.
// CHECK-LABEL: @depthwise
// CHECK: kernel = #sinter.kernel<"depthwise_strip", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @depthwise(%x: tensor<1x1x7x8x8xi8>) -> tensor<1x1x5x6x8xi32> {
  %w = arith.constant dense<1> : tensor<8x1x3x3xi8>
  %e = tensor.empty() : tensor<1x1x5x6x8xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x7x8x8xi8>, tensor<8x1x3x3xi8>) outs(%e : tensor<1x1x5x6x8xi32>)
    attributes {layout = "nchwc", group = 8, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, epilogue_maps = [], input_zero = -7 : i64} {
  ^bb0(%sum: i32):
    sinter.yield %sum : i32
  } -> tensor<1x1x5x6x8xi32>
  return %y : tensor<1x1x5x6x8xi32>
}
}

// -----

// A GPU without a matrix unit keeps the kernels of all integers.
// CHECK-LABEL: @old
// CHECK: lhs_zero = 5
module attributes {sinter.target = "cuda-x86-64-v2-sm_72"} {
func.func @old(%a: tensor<4x9xi8>) -> tensor<4x40xi32> {
  %b = arith.constant dense<3> : tensor<9x40xi8>
  %e = tensor.empty() : tensor<4x40xi32>
  %c = sinter.matmul ins(%a, %b : tensor<4x9xi8>, tensor<9x40xi8>) outs(%e : tensor<4x40xi32>)
      attributes {epilogue_maps = [], signs = "ss", lhs_zero = 5 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<4x40xi32>
  return %c : tensor<4x40xi32>
}
}
