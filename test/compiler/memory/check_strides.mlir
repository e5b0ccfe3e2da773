// RUN: sinter-opt %s --check-strides --verify-diagnostics
// Pixels of planes may lie apart, channels side by side may not.
func.func @pixels(%x: memref<1x5x3xf32>, %w: memref<3x5x1xf32>, %y: memref<1x3x3xf32, strided<[18, 6, 2]>>) {
  sinter.conv ins(%x, %w : memref<1x5x3xf32>, memref<3x5x1xf32>) outs(%y : memref<1x3x3xf32, strided<[18, 6, 2]>>)
      attributes {layout = "nchw", strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

func.func @channels(%x: memref<1x5x3xf32>, %w: memref<1x1x5x1x16xf32>, %y: memref<1x1x3x3xf32, strided<[18, 18, 1, 3]>>) {
  // expected-error @below {{channels that lie apart}}
  sinter.conv ins(%x, %w : memref<1x5x3xf32>, memref<1x1x5x1x16xf32>) outs(%y : memref<1x1x3x3xf32, strided<[18, 18, 1, 3]>>)
      attributes {layout = "nchw->nchwc", packed = "planes", strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}
