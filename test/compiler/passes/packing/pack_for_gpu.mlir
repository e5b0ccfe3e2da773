// RUN: sinter-opt %s --pack-weights --split-input-file | FileCheck %s
// Constant operands as the kernels of GPUs read them: products in halves want both operands along k, convolutions of pixels channels behind taps.

// CHECK-LABEL: @halves
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<6x8xf16>) {{.*}}transpose_rhs
// CHECK-NOT: kernel =
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @halves(%a: tensor<4x8xf16>) -> tensor<4x6xf16> {
  %b = arith.constant dense<1.0> : tensor<8x6xf16>
  %e = tensor.empty() : tensor<4x6xf16>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x6xf16>) outs(%e : tensor<4x6xf16>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sinter.yield %y : f16
  } -> tensor<4x6xf16>
  return %c : tensor<4x6xf16>
}
}

// -----

// Float has a kernel for either order where there is no matrix unit for it.
// CHECK-LABEL: @float
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<40x8xf32>, tensor<8x6xf32>)
// CHECK-NOT: transpose_rhs
module attributes {sinter.target = "cuda-x86-64-v2-sm_75"} {
func.func @float(%a: tensor<40x8xf32>) -> tensor<40x6xf32> {
  %b = arith.constant dense<1.0> : tensor<8x6xf32>
  %e = tensor.empty() : tensor<40x6xf32>
  %c = sinter.matmul ins(%a, %b : tensor<40x8xf32>, tensor<8x6xf32>) outs(%e : tensor<40x6xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<40x6xf32>
  return %c : tensor<40x6xf32>
}
}

// -----

// CHECK-LABEL: @float_on_unit
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<40x8xf32>, tensor<6x8xf32>) {{.*}}transpose_rhs
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @float_on_unit(%a: tensor<40x8xf32>) -> tensor<40x6xf32> {
  %b = arith.constant dense<1.0> : tensor<8x6xf32>
  %e = tensor.empty() : tensor<40x6xf32>
  %c = sinter.matmul ins(%a, %b : tensor<40x8xf32>, tensor<8x6xf32>) outs(%e : tensor<40x6xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<40x6xf32>
  return %c : tensor<40x6xf32>
}
}

// -----

// Few rows are multiplied along the columns.
// CHECK-LABEL: @few
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<6x8xf32>) {{.*}}transpose_rhs
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @few(%a: tensor<4x8xf32>) -> tensor<4x6xf32> {
  %b = arith.constant dense<1.0> : tensor<8x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}
}

// -----

// CHECK-LABEL: @pixels
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x9x9x8xf32>, tensor<6x3x2x8xf32>)
// CHECK-SAME: kernel = #sinter.kernel<"tile_conv", {dims = [array<i64: 0>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @pixels(%x: tensor<1x1x9x9x8xf32>) -> tensor<1x1x7x8x6xf32> {
  %w = arith.constant dense<1.0> : tensor<6x8x3x2xf32>
  %e = tensor.empty() : tensor<1x1x7x8x6xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x9x9x8xf32>, tensor<6x8x3x2xf32>) outs(%e : tensor<1x1x7x8x6xf32>)
    attributes {layout = "nchwc", group = 1, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } -> tensor<1x1x7x8x6xf32>
  return %y : tensor<1x1x7x8x6xf32>
}
}

// -----

// A picture of three planes is read as it is.
// CHECK-LABEL: @planes
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x3x9x9xf16>, tensor<6x3x2x3xf16>)
// CHECK-SAME: kernel = #sinter.kernel<"tile_conv", {dims = [array<i64: 0>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @planes(%x: tensor<1x3x9x9xf16>) -> tensor<1x1x7x8x6xf16> {
  %w = arith.constant dense<1.0> : tensor<6x3x3x2xf16>
  %e = tensor.empty() : tensor<1x1x7x8x6xf16>
  %y = sinter.conv ins(%x, %w : tensor<1x3x9x9xf16>, tensor<6x3x3x2xf16>) outs(%e : tensor<1x1x7x8x6xf16>)
    attributes {layout = "nchw->nchwc", group = 1, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %h = arith.truncf %sum : f32 to f16
    sinter.yield %h : f16
  } -> tensor<1x1x7x8x6xf16>
  return %y : tensor<1x1x7x8x6xf16>
}
}

// -----

// CHECK-LABEL: @channels
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x9x9x8xf32>, tensor<3x2x8xf32>)
// CHECK-SAME: kernel = #sinter.kernel<"depthwise_strip", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
func.func @channels(%x: tensor<1x1x9x9x8xf32>) -> tensor<1x1x7x8x8xf32> {
  %w = arith.constant dense<1.0> : tensor<8x1x3x2xf32>
  %e = tensor.empty() : tensor<1x1x7x8x8xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x9x9x8xf32>, tensor<8x1x3x2xf32>) outs(%e : tensor<1x1x7x8x8xf32>)
    attributes {layout = "nchwc", group = 8, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } -> tensor<1x1x7x8x8xf32>
  return %y : tensor<1x1x7x8x8xf32>
}
}

// -----

// Halves on a GPU without a matrix unit stay as they are.
// CHECK-LABEL: @old
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x9x9x8xf16>, tensor<6x8x3x2xf16>)
// CHECK-NOT: kernel =
module attributes {sinter.target = "cuda-x86-64-v2-sm_72+sm_80"} {
func.func @old(%x: tensor<1x1x9x9x8xf16>) -> tensor<1x1x7x8x6xf16> {
  %w = arith.constant dense<1.0> : tensor<6x8x3x2xf16>
  %e = tensor.empty() : tensor<1x1x7x8x6xf16>
  %y = sinter.conv ins(%x, %w : tensor<1x1x9x9x8xf16>, tensor<6x8x3x2xf16>) outs(%e : tensor<1x1x7x8x6xf16>)
    attributes {layout = "nchwc", group = 1, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %h = arith.truncf %sum : f32 to f16
    sinter.yield %h : f16
  } -> tensor<1x1x7x8x6xf16>
  return %y : tensor<1x1x7x8x6xf16>
}
}
