// RUN: sinter-opt %s --choose-kernels --place-scratch --split-input-file | FileCheck %s
// RUN: sinter-opt %s --choose-kernels --place-scratch --plan-memory --check-plan --split-input-file -o /dev/null

// Windows are gathered in a buffer of their own: 3x3 taps of 6 channels; an im2col row of 24 bytes of inputs that lie in rows
// of 20. What is read where it lies, and the kernels of other targets, get none.
module attributes {sinter.target = "cortex-m3"} {
// CHECK-LABEL: @depthwise
// CHECK: %[[S:.*]] = memref.alloc() : memref<54xi8>
// CHECK: sinter.conv {{.*}} outs(%arg2, %[[S]] :
func.func @depthwise(%x: memref<1x1x6x6x6xi8>, %w: memref<9x6xi8>, %y: memref<1x1x6x6x6xi32>) {
  sinter.conv ins(%x, %w : memref<1x1x6x6x6xi8>, memref<9x6xi8>) outs(%y : memref<1x1x6x6x6xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 6 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise_im2col", {taps = array<i64: 3, 3>, zero = 0 : i64}>, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  }
  return
}
// CHECK-LABEL: @direct
// CHECK-NOT: memref.alloc
// CHECK-NOT: copies_rows
func.func @direct(%x: memref<1x1x6x6x8xi8>, %w: memref<1x8x4xi8>, %y: memref<1x1x6x6x4xi32>) {
  sinter.conv ins(%x, %w : memref<1x1x6x6x8xi8>, memref<1x8x4xi8>) outs(%y : memref<1x1x6x6x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv_im2col", {taps = array<i64: 1, 1>, zero = 0 : i64, runs = 1 : i64}>, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  }
  return
}
// CHECK-LABEL: @gathered
// CHECK: memref.alloc() : memref<36x
// CHECK: sinter.conv {{.*}}{copies_rows
func.func @gathered(%x: memref<1x1x6x6x1xi8>, %w: memref<1x4x4xi8>, %y: memref<1x1x3x3x4xi32>) {
  sinter.conv ins(%x, %w : memref<1x1x6x6x1xi8>, memref<1x4x4xi8>) outs(%y : memref<1x1x3x3x4xi32>) attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv_im2col", {taps = array<i64: 2, 2>, zero = 0 : i64, runs = 1 : i64}>, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  }
  return
}
}

// -----

// Helium reads rows of windows where they lie: four im2col rows for those at borders, none where no window leaves the image
// and rows are whole vectors. One run of all is gathered.
module attributes {sinter.target = "cortex-m55"} {
// CHECK-LABEL: @borders
// CHECK: memref.alloc() : memref<576x
func.func @borders(%x: memref<1x1x6x6x16xi8>, %w: memref<1x9x4x16xi8>, %y: memref<1x1x6x6x4xi32>) {
  sinter.conv ins(%x, %w : memref<1x1x6x6x16xi8>, memref<1x9x4x16xi8>) outs(%y : memref<1x1x6x6x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv_im2col", {taps = array<i64: 3, 3>, zero = 0 : i64, runs = 3 : i64}>, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  }
  return
}
// CHECK-LABEL: @inside
// CHECK-NOT: memref.alloc
func.func @inside(%x: memref<1x1x6x6x16xi8>, %w: memref<1x9x4x16xi8>, %y: memref<1x1x4x4x4xi32>) {
  sinter.conv ins(%x, %w : memref<1x1x6x6x16xi8>, memref<1x9x4x16xi8>) outs(%y : memref<1x1x4x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv_im2col", {taps = array<i64: 3, 3>, zero = 0 : i64, runs = 3 : i64}>, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  }
  return
}
// CHECK-LABEL: @one_run
// CHECK: memref.alloc() : memref<1728x
func.func @one_run(%x: memref<1x1x6x6x16xi8>, %w: memref<1x9x4x16xi8>, %y: memref<1x1x4x4x4xi32>) {
  sinter.conv ins(%x, %w : memref<1x1x6x6x16xi8>, memref<1x9x4x16xi8>) outs(%y : memref<1x1x4x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv_im2col", {taps = array<i64: 3, 3>, zero = 0 : i64, runs = 1 : i64}>, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  }
  return
}
}

// -----

// A residual of the output's shape may share the output's bytes, never those of the scratch, even of the same size.
module attributes {sinter.target = "cortex-m3"} {
func.func @main() attributes {sinter.inputs = [], sinter.outputs = [{dims = [1 : i64, 1 : i64, 3 : i64, 3 : i64, 4 : i64], element = 3 : i64, name = "y"}]} {
  %w = memref.alloc() : memref<1x4x4xi8>
  %x = memref.alloc() : memref<1x1x6x6x1xi8>
  %r = memref.alloc() : memref<1x1x3x3x4xi8>
  %c = arith.constant 1 : i8
  linalg.fill ins(%c : i8) outs(%w : memref<1x4x4xi8>)
  linalg.fill ins(%c : i8) outs(%x : memref<1x1x6x6x1xi8>)
  linalg.fill ins(%c : i8) outs(%r : memref<1x1x3x3x4xi8>)
  %y = sinter.output 0 "y" : memref<1x1x3x3x4xi8>
  sinter.conv ins(%x, %w, %r : memref<1x1x6x6x1xi8>, memref<1x4x4xi8>, memref<1x1x3x3x4xi8>) outs(%y : memref<1x1x3x3x4xi8>) attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv_im2col", {taps = array<i64: 2, 2>, zero = 0 : i64, runs = 1 : i64}>, epilogue_maps = [affine_map<(n, b, h, w, c) -> (n, b, h, w, c)>]} {
  ^bb0(%acc: i32, %old: i8):
    %t = arith.trunci %acc : i32 to i8
    %s = arith.addi %t, %old : i8
    sinter.yield %s : i8
  }
  return
}
}

// -----

// Dual multiply-adds: two widened pixels of four channels; a pair of Winograd's tiles of sixteen.
module attributes {sinter.target = "cortex-m4"} {
// CHECK-LABEL: @pixels
// CHECK: memref.alloc() : memref<8xi16>
func.func @pixels(%x: memref<1x1x3x3x4xi8>, %w: memref<2x14xi32>, %y: memref<1x1x3x3x8xi8>) {
  sinter.conv ins(%x, %w : memref<1x1x3x3x4xi8>, memref<2x14xi32>) outs(%y : memref<1x1x3x3x8xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {proved = 2 : i64, taps = array<i64: 1, 1>}>, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  }
  return
}
// CHECK-LABEL: @tiles
// CHECK: memref.alloc() : memref<960xi16>
func.func @tiles(%x: memref<1x1x8x8x16xi8>, %w: memref<1x1030xi32>, %y: memref<1x1x8x8x4xi8>) {
  sinter.conv ins(%x, %w : memref<1x1x8x8x16xi8>, memref<1x1030xi32>) outs(%y : memref<1x1x8x8x4xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"dual_winograd", {proved = 4 : i64, taps = array<i64: 3, 3>}>, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  }
  return
}
}

// -----

// Winograd's products are made in scratch of each share of threads.
module attributes {sinter.target = "x86-64-v3", sinter.threads = 3 : i64} {
// CHECK-LABEL: @winograd
// CHECK: memref.alloc() : memref<36864xi32>
func.func @winograd(%x: memref<1x2x12x12x8xf32>, %w: memref<1x4x4x16x16xf32>, %y: memref<1x2x12x12x8xf32>) {
  sinter.conv ins(%x, %w : memref<1x2x12x12x8xf32>, memref<1x4x4x16x16xf32>) outs(%y : memref<1x2x12x12x8xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv_winograd", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>], rows_together = 2 : i64, taps = array<i64: 3, 3>, tiles = 24 : i64, transform = "F(2x2, 3x3)"}>, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  }
  return
}
}
