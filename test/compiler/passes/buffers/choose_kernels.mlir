// RUN: sinter-opt %s --choose-kernels | FileCheck %s
// Strides decide: rows of the right-hand side are dense, or its columns, or neither; what was packed for a kernel that cannot read the other operand is
// read where it lies.

// CHECK-LABEL: @rows
// CHECK: kernel = #sinter.kernel<"gemm_rows", {}>
func.func @rows(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %y: memref<4x6xf32>) {
  sinter.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%y : memref<4x6xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @dots
// CHECK: kernel = #sinter.kernel<"gemm_dots", {}>
func.func @dots(%a: memref<4x8xf32>, %b: memref<6x8xf32>, %y: memref<4x6xf32>) {
  sinter.matmul ins(%a, %b : memref<4x8xf32>, memref<6x8xf32>) outs(%y : memref<4x6xf32>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// For many rows it is turned round.
// CHECK-LABEL: @turned
// CHECK: kernel = #sinter.kernel<"gemm_turned", {}>
func.func @turned(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %y: memref<64x64xf32>) {
  sinter.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%y : memref<64x64xf32>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// Rows that lie whole pages apart meet in the cache: they are copied, but for few rows of the other side, and where a
// row is a little longer.
// CHECK-LABEL: @pages
// CHECK: kernel = #sinter.kernel<"gemm_copied", {}>
// CHECK: kernel = #sinter.kernel<"gemm_rows", {}>
// CHECK: kernel = #sinter.kernel<"gemm_rows", {}>
func.func @pages(%a: memref<64x64xf32>, %b: memref<64x1024xf32>, %y: memref<64x1024xf32>, %few: memref<8x64xf32>, %z: memref<8x1024xf32>, %c: memref<64x1040xf32>, %x: memref<64x1040xf32>) {
  sinter.matmul ins(%a, %b : memref<64x64xf32>, memref<64x1024xf32>) outs(%y : memref<64x1024xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.matmul ins(%few, %b : memref<8x64xf32>, memref<64x1024xf32>) outs(%z : memref<8x1024xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.matmul ins(%a, %c : memref<64x64xf32>, memref<64x1040xf32>) outs(%x : memref<64x1040xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// Of few products for each sum dots stay.
// CHECK-LABEL: @short
// CHECK: kernel = #sinter.kernel<"gemm_dots", {}>
func.func @short(%a: memref<500x3xf32>, %b: memref<256x3xf32>, %y: memref<500x256xf32>) {
  sinter.matmul ins(%a, %b : memref<500x3xf32>, memref<256x3xf32>) outs(%y : memref<500x256xf32>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @neither
// CHECK: kernel = #sinter.kernel<"matmul_direct", {}>
func.func @neither(%a: memref<8x4xf32>, %b: memref<6x8xf32>, %y: memref<4x6xf32>) {
  sinter.matmul ins(%a, %b : memref<8x4xf32>, memref<6x8xf32>) outs(%y : memref<4x6xf32>) attributes {transpose_lhs, transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @gaps
// CHECK: kernel = #sinter.kernel<"matmul_direct", {}>
func.func @gaps(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %y: memref<4x6xf32, strided<[12, 2]>>) {
  sinter.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%y : memref<4x6xf32, strided<[12, 2]>>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @wide
// CHECK: kernel = #sinter.kernel<"matmul_direct", {}>
func.func @wide(%a: memref<4x8xi64>, %b: memref<8x6xi64>, %y: memref<4x6xi64>) {
  sinter.matmul ins(%a, %b : memref<4x8xi64>, memref<8x6xi64>) outs(%y : memref<4x6xi64>) attributes {epilogue_maps = []} {
  ^bb0(%sum: i64):
    sinter.yield %sum : i64
  }
  return
}

// CHECK-LABEL: @packed
// CHECK: kernel = #sinter.kernel<"gemm", {dims = {{.*}}}>
func.func @packed(%a: memref<4x8xf32>, %b: memref<1x8x16xf32>, %y: memref<4x6xf32>) {
  sinter.matmul ins(%a, %b : memref<4x8xf32>, memref<1x8x16xf32>) outs(%y : memref<4x6xf32>) attributes {kernel = #sinter.kernel<"gemm", {dims = [array<i64: 1>, array<i64: 0, 2>]}>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @packed_turned
// CHECK: kernel = #sinter.kernel<"gemm", {dims = {{.*}}}>
func.func @packed_turned(%a: memref<8x4xf32>, %b: memref<1x8x16xf32>, %y: memref<4x6xf32>) {
  sinter.matmul ins(%a, %b : memref<8x4xf32>, memref<1x8x16xf32>) outs(%y : memref<4x6xf32>) attributes {transpose_lhs, kernel = #sinter.kernel<"gemm", {dims = [array<i64: 1>, array<i64: 0, 2>]}>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @packed_for_another
// CHECK: kernel = #sinter.kernel<"matmul_direct", {panels = 16 : i64}>
func.func @packed_for_another(%a: memref<8x4xf32>, %b: memref<1x8x16xf32>, %y: memref<4x6xf32, strided<[12, 2]>>) {
  sinter.matmul ins(%a, %b : memref<8x4xf32>, memref<1x8x16xf32>) outs(%y : memref<4x6xf32, strided<[12, 2]>>) attributes {transpose_lhs, kernel = #sinter.kernel<"gemm", {dims = [array<i64: 1>, array<i64: 0, 2>]}>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @dot4
// CHECK: kernel = #sinter.kernel<"matmul_direct", {dot4, flipped, panels = 16 : i64}>
func.func @dot4(%a: memref<8x4xi8>, %b: memref<1x2x64xi8>, %y: memref<4x6xi32>) {
  sinter.matmul ins(%a, %b : memref<8x4xi8>, memref<1x2x64xi8>) outs(%y : memref<4x6xi32>) attributes {transpose_lhs, kernel = #sinter.kernel<"int_gemm", {flipped}>, epilogue_maps = []} {
  ^bb0(%sum: i32):
    sinter.yield %sum : i32
  }
  return
}

// CHECK-LABEL: @eights
// CHECK: kernel = #sinter.kernel<"matmul_direct", {dot4, eights, panels = 16 : i64}>
func.func @eights(%a: memref<8x4xi8>, %b: memref<1x1x128xi8>, %y: memref<4x6xi32>) {
  sinter.matmul ins(%a, %b : memref<8x4xi8>, memref<1x1x128xi8>) outs(%y : memref<4x6xi32>) attributes {transpose_lhs, kernel = #sinter.kernel<"int_gemm", {eights}>, epilogue_maps = []} {
  ^bb0(%sum: i32):
    sinter.yield %sum : i32
  }
  return
}

// CHECK-LABEL: @tiles
// CHECK: kernel = #sinter.kernel<"matmul_direct", {dot4, panels = 16 : i64}>
func.func @tiles(%a: memref<8x4xi8>, %b: memref<1x2x64xi8>, %y: memref<4x6xi32>) {
  sinter.matmul ins(%a, %b : memref<8x4xi8>, memref<1x2x64xi8>) outs(%y : memref<4x6xi32>) attributes {transpose_lhs, kernel = #sinter.kernel<"int_gemm", {tiles}>, epilogue_maps = []} {
  ^bb0(%sum: i32):
    sinter.yield %sum : i32
  }
  return
}

// CHECK-LABEL: @squares
// CHECK: kernel = #sinter.kernel<"matmul_direct", {bf16, panels = 8 : i64}>
func.func @squares(%a: memref<8x4xbf16>, %b: memref<1x2x8x4xbf16>, %y: memref<4x6xf32>) {
  sinter.matmul ins(%a, %b : memref<8x4xbf16>, memref<1x2x8x4xbf16>) outs(%y : memref<4x6xf32>) attributes {transpose_lhs, kernel = #sinter.kernel<"bf16_gemm", {dims = [array<i64: 1, 3>, array<i64: 0, 2>]}>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @conv_rows
// CHECK: kernel = #sinter.kernel<"conv_rows", {}>
func.func @conv_rows(%x: memref<1x2x8x8xf32>, %w: memref<2x2x3x3xf32>, %y: memref<1x2x6x6xf32>) {
  sinter.conv ins(%x, %w : memref<1x2x8x8xf32>, memref<2x2x3x3xf32>) outs(%y : memref<1x2x6x6xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchw", epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: @conv_last
// CHECK: kernel = #sinter.kernel<"conv_direct", {}>
func.func @conv_last(%x: memref<1x8x8x2xf32>, %w: memref<2x2x3x3xf32>, %y: memref<1x6x6x2xf32>) {
  sinter.conv ins(%x, %w : memref<1x8x8x2xf32>, memref<2x2x3x3xf32>) outs(%y : memref<1x6x6x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nhwc", epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// Rows of taps are adjacent bytes only where pixels are.
// CHECK-LABEL: @merged
// CHECK: kernel = #sinter.kernel<"int_conv", {merged, taps
func.func @merged(%x: memref<1x1x8x8x3xi8>, %w: memref<1x3x3x16x4xi8>, %y: memref<1x1x6x6x16xi32>) {
  sinter.conv ins(%x, %w : memref<1x1x8x8x3xi8>, memref<1x3x3x16x4xi8>) outs(%y : memref<1x1x6x6x16xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"int_conv", {merged, taps = array<i64: 3, 3>}>, epilogue_maps = []} {
  ^bb0(%sum: i32):
    sinter.yield %sum : i32
  }
  return
}

// CHECK-LABEL: @apart
// CHECK: kernel = #sinter.kernel<"int_conv", {taps
func.func @apart(%x: memref<1x1x8x8x3xi8, strided<[512, 512, 64, 8, 1]>>, %w: memref<1x3x3x16x4xi8>, %y: memref<1x1x6x6x16xi32>) {
  sinter.conv ins(%x, %w : memref<1x1x8x8x3xi8, strided<[512, 512, 64, 8, 1]>>, memref<1x3x3x16x4xi8>) outs(%y : memref<1x1x6x6x16xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"int_conv", {merged, taps = array<i64: 3, 3>}>, epilogue_maps = []} {
  ^bb0(%sum: i32):
    sinter.yield %sum : i32
  }
  return
}
