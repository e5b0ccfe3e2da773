// RUN: sinter-opt %s --pack-weights --split-input-file | FileCheck %s
// Constant operands of contractions in the order of their kernels: panels of as many columns as a tile has, zeros behind the last.

// CHECK-LABEL: @panels
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [8, 250] [1, 1] : tensor<8x250xf32> into tensor<8x256xf32>
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<16x8x16xf32>) {{.*}}kernel = #sinter.kernel<"gemm"
module attributes {sinter.target = "{base: x86-64-v3, byte_kernels: none}"} {
func.func @panels(%a: tensor<4x8xf32>) -> tensor<4x250xf32> {
  %b = arith.constant dense<1.0> : tensor<8x250xf32>
  %e = tensor.empty() : tensor<4x250xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x250xf32>) outs(%e : tensor<4x250xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<4x250xf32>
  return %c : tensor<4x250xf32>
}
}

// -----

// Where a whole tile would compute many columns for nothing panels are narrower.
// CHECK-LABEL: @narrow
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<5x8x8xf32>) {{.*}}kernel = #sinter.kernel<"gemm"
module attributes {sinter.target = "{base: x86-64-v3, byte_kernels: none}"} {
func.func @narrow(%a: tensor<4x8xf32>) -> tensor<4x40xf32> {
  %b = arith.constant dense<1.0> : tensor<8x40xf32>
  %e = tensor.empty() : tensor<4x40xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x40xf32>) outs(%e : tensor<4x40xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<4x40xf32>
  return %c : tensor<4x40xf32>
}
}

// -----

// Four bf16 of each column lie together where an instruction multiplies small matrices of them, zeros behind n and k.
// CHECK-LABEL: @squares
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [6, 20] [1, 1] : tensor<6x20xbf16> into tensor<6x24xbf16>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [6, 24] [1, 1] : tensor<6x24xbf16> into tensor<8x24xbf16>
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<4x6xbf16>, tensor<3x2x8x4xbf16>) {{.*}}kernel = #sinter.kernel<"bf16_gemm", {dims = [array<i64: 1, 3>, array<i64: 0, 2>]}>
module attributes {sinter.target = "aarch64+bf16"} {
func.func @squares(%a: tensor<4x6xbf16>) -> tensor<4x20xbf16> {
  %b = arith.constant dense<1.0> : tensor<20x6xbf16>
  %e = tensor.empty() : tensor<4x20xbf16>
  %c = sinter.matmul ins(%a, %b : tensor<4x6xbf16>, tensor<20x6xbf16>) outs(%e : tensor<4x20xbf16>) attributes {epilogue_maps = [], transpose_rhs} {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to bf16
    sinter.yield %y : bf16
  } -> tensor<4x20xbf16>
  return %c : tensor<4x20xbf16>
}
}

// -----

// An operand that is known at run time only stays as it is.
// CHECK-LABEL: @data
// CHECK-NOT: packed
// CHECK: return
module attributes {sinter.target = "{base: x86-64-v3, byte_kernels: none}"} {
func.func @data(%a: tensor<4x8xf32>, %b: tensor<8x20xf32>) -> tensor<4x20xf32> {
  %e = tensor.empty() : tensor<4x20xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x20xf32>) outs(%e : tensor<4x20xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<4x20xf32>
  return %c : tensor<4x20xf32>
}
}

// -----

// A convolution along a line: seven products for five taps.
// CHECK-LABEL: @line
// CHECK: sinter.kernel "pack_winograd" ins(%{{.*}} : tensor<64x64x5xf32>) outs(%{{.*}} : tensor<64x64x7xf32>)
// CHECK: sinter.conv {{.*}}tensor<4x7x64x16xf32>{{.*}}kernel = #sinter.kernel<"conv_winograd", {columns_together = 2 : i64, dims = [array<i64: 0, 3>, array<i64: 2>, array<i64: 1>], rows_together = 4 : i64, taps = array<i64: 5>, tiles = {{[0-9]+}} : i64, transform = "F(2, 5)"}>
module attributes {sinter.target = "x86-64-v3"} {
func.func @line(%x: tensor<1x8x100x8xf32>) -> tensor<1x8x100x8xf32> {
  %w = arith.constant dense<1.0> : tensor<64x64x5xf32>
  %e = tensor.empty() : tensor<1x8x100x8xf32>
  %0 = sinter.conv ins(%x, %w : tensor<1x8x100x8xf32>, tensor<64x64x5xf32>) outs(%e : tensor<1x8x100x8xf32>) attributes {strides = array<i64: 1>, dilations = array<i64: 2>, pads = array<i64: 4>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x100x8xf32>
  return %0 : tensor<1x8x100x8xf32>
}
}

// -----

// A 3x3 convolution with stride 1 is one of 4x4 products, of 4x6 where the map is larger. In a kernel that nothing is gained with, and with another
// stride, it stays direct.
// CHECK-LABEL: @winograd
// CHECK: sinter.kernel "pack_winograd" ins(%{{.*}} : tensor<16x16x3x3xf32>) outs(%{{.*}} : tensor<16x16x4x4xf32>)
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x2x12x12x8xf32>, tensor<1x4x4x16x16xf32>) {{.*}}kernel = #sinter.kernel<"conv_winograd", {columns_together = 2 : i64, dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>], rows_together = 2 : i64, taps = array<i64: 3, 3>, tiles = {{[0-9]+}} : i64, transform = "F(2x2, 3x3)"}>
// CHECK: sinter.conv {{.*}}tensor<1x3x3x16x16xf32>{{.*}}kernel = #sinter.kernel<"conv",
// CHECK: sinter.conv {{.*}}tensor<1x3x3x16x16xf32>{{.*}}kernel = #sinter.kernel<"conv",
module attributes {sinter.target = "x86-64-v3"} {
func.func @winograd(%x: tensor<1x2x12x12x8xf32>, %small: tensor<1x2x1x1x8xf32>) -> (tensor<1x2x12x12x8xf32>, tensor<1x2x6x6x8xf32>, tensor<1x2x1x1x8xf32>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %e = tensor.empty() : tensor<1x2x12x12x8xf32>
  %0 = sinter.conv ins(%x, %w : tensor<1x2x12x12x8xf32>, tensor<16x16x3x3xf32>) outs(%e : tensor<1x2x12x12x8xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x2x12x12x8xf32>
  %h = tensor.empty() : tensor<1x2x6x6x8xf32>
  %1 = sinter.conv ins(%x, %w : tensor<1x2x12x12x8xf32>, tensor<16x16x3x3xf32>) outs(%h : tensor<1x2x6x6x8xf32>) attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x2x6x6x8xf32>
  %s = tensor.empty() : tensor<1x2x1x1x8xf32>
  %2 = sinter.conv ins(%small, %w : tensor<1x2x1x1x8xf32>, tensor<16x16x3x3xf32>) outs(%s : tensor<1x2x1x1x8xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x2x1x1x8xf32>
  return %0, %1, %2 : tensor<1x2x12x12x8xf32>, tensor<1x2x6x6x8xf32>, tensor<1x2x1x1x8xf32>
}
}

// -----

// Single taps of sixteen registers: tiles of three vectors where these fill up with fewer zeros than those of two, and
// zeros behind the last filter where tiles of one would have none.
// CHECK-LABEL: @points
// CHECK: sinter.conv {{.*}}tensor<1x1x1x96x24xf32>{{.*}}kernel = #sinter.kernel<"conv",
// CHECK: sinter.conv {{.*}}tensor<3x1x1x24x16xf32>{{.*}}kernel = #sinter.kernel<"conv",
module attributes {sinter.target = "x86-64-v3"} {
func.func @points(%x: tensor<1x12x9x9x8xf32>) -> tensor<1x5x9x9x8xf32> {
  %f = arith.constant dense<1.0> : tensor<24x96x1x1xf32>
  %g = arith.constant dense<1.0> : tensor<40x24x1x1xf32>
  %e = tensor.empty() : tensor<1x3x9x9x8xf32>
  %z = tensor.empty() : tensor<1x5x9x9x8xf32>
  %m = sinter.conv ins(%x, %f : tensor<1x12x9x9x8xf32>, tensor<24x96x1x1xf32>) outs(%e : tensor<1x3x9x9x8xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc8", pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%v: f32):
    sinter.yield %v : f32
  } -> tensor<1x3x9x9x8xf32>
  %y = sinter.conv ins(%m, %g : tensor<1x3x9x9x8xf32>, tensor<40x24x1x1xf32>) outs(%z : tensor<1x5x9x9x8xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc8", pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%v: f32):
    sinter.yield %v : f32
  } -> tensor<1x5x9x9x8xf32>
  return %y : tensor<1x5x9x9x8xf32>
}
}
