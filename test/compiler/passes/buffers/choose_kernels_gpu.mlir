// RUN: sinter-opt %s --choose-kernels | FileCheck %s
// On a GPU: tiles where rows are dense, in float along either order of the right-hand side, in halves on the matrix unit; else a thread for each element.

module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
// CHECK-LABEL: @rows
// CHECK: kernel = #sinter.kernel<"simt_gemm", {choice = "32 x 32, {{.*}} us; then 64 x 64, {{.*}} us", tile = array<i64: 32, 32, 128, 2, 1>}>
func.func @rows(%a: memref<40x8xf32>, %b: memref<8x6xf32>, %y: memref<40x6xf32>) {
  sinter.matmul ins(%a, %b : memref<40x8xf32>, memref<8x6xf32>) outs(%y : memref<40x6xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @columns
// CHECK: kernel = #sinter.kernel<"simt_gemm", {by_columns, choice = {{.*}}}>
func.func @columns(%a: memref<40x8xf32>, %b: memref<6x8xf32>, %y: memref<40x6xf32>) {
  sinter.matmul ins(%a, %b : memref<40x8xf32>, memref<6x8xf32>) outs(%y : memref<40x6xf32>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// Four rows leave a tile nearly empty.
// CHECK-LABEL: @few
// CHECK: kernel = #sinter.kernel<"row_products", {}>
func.func @few(%a: memref<4x8xf32>, %b: memref<6x8xf32>, %y: memref<4x6xf32>) {
  sinter.matmul ins(%a, %b : memref<4x8xf32>, memref<6x8xf32>) outs(%y : memref<4x6xf32>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @neither
// CHECK: kernel = #sinter.kernel<"matmul_element", {}>
func.func @neither(%a: memref<8x40xf32>, %b: memref<6x8xf32>, %y: memref<40x6xf32>) {
  sinter.matmul ins(%a, %b : memref<8x40xf32>, memref<6x8xf32>) outs(%y : memref<40x6xf32>) attributes {transpose_lhs, transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @halves
// CHECK: kernel = #sinter.kernel<"tile_gemm", {choice = "{{.*}} in {{[358]}} stages, {{.*}} us; then {{.*}}", tile = array<i64: {{.*}}>}>
func.func @halves(%a: memref<40x8xf16>, %b: memref<6x8xf16>, %y: memref<40x6xf16>) {
  sinter.matmul ins(%a, %b : memref<40x8xf16>, memref<6x8xf16>) outs(%y : memref<40x6xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %h = arith.truncf %sum : f32 to f16
    sinter.yield %h : f16
  }
  return
}

// Pairs of the output would begin at odd places.
// CHECK-LABEL: @odd
// CHECK: kernel = #sinter.kernel<"matmul_element", {}>
func.func @odd(%a: memref<40x8xf16>, %b: memref<6x8xf16>, %y: memref<40x6xf16, strided<[8, 1], offset: 1>>) {
  sinter.matmul ins(%a, %b : memref<40x8xf16>, memref<6x8xf16>) outs(%y : memref<40x6xf16, strided<[8, 1], offset: 1>>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %h = arith.truncf %sum : f32 to f16
    sinter.yield %h : f16
  }
  return
}

// A filter of a depthwise convolution, packed; the map of another kernel's has gaps between its pixels.
// CHECK-LABEL: @depthwise
// CHECK: kernel = #sinter.kernel<"depthwise_strip"
// CHECK-LABEL: @gaps
// CHECK: kernel = #sinter.kernel<"conv_element"
func.func @depthwise(%x: memref<1x1x9x9x8xf32>, %w: memref<3x3x8xf32>, %y: memref<1x1x7x7x8xf32>) {
  sinter.conv ins(%x, %w : memref<1x1x9x9x8xf32>, memref<3x3x8xf32>) outs(%y : memref<1x1x7x7x8xf32>)
    attributes {layout = "nchwc", group = 8, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, epilogue_maps = [],
      kernel = #sinter.kernel<"depthwise_strip", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}
func.func @gaps(%x: memref<1x1x9x9x8xf32, strided<[1620, 1620, 180, 16, 1]>>, %w: memref<6x3x3x8xf32>, %y: memref<1x1x7x7x6xf32>) {
  sinter.conv ins(%x, %w : memref<1x1x9x9x8xf32, strided<[1620, 1620, 180, 16, 1]>>, memref<6x3x3x8xf32>) outs(%y : memref<1x1x7x7x6xf32>)
    attributes {layout = "nchwc", group = 1, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, epilogue_maps = [],
      kernel = #sinter.kernel<"simt_conv", {dims = [array<i64: 0>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}
}
