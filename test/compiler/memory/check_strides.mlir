// RUN: sinter-opt %s --check-strides --verify-diagnostics
// Pixels of planes may lie apart; channels side by side, rows of attention and parts of a filter may not.
func.func @pixels(%x: memref<1x5x3xf32>, %w: memref<3x5x1xf32>, %y: memref<1x3x3xf32, strided<[18, 6, 2]>>) {
  sinter.conv ins(%x, %w : memref<1x5x3xf32>, memref<3x5x1xf32>) outs(%y : memref<1x3x3xf32, strided<[18, 6, 2]>>)
      attributes {layout = "nchw", strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

func.func @channels(%x: memref<1x5x3xf32>, %w: memref<1x1x5x1x16xf32>, %y: memref<1x1x3x3xf32, strided<[18, 18, 1, 3]>>) {
  // expected-error @below {{operand 2 has gaps}}
  sinter.conv ins(%x, %w : memref<1x5x3xf32>, memref<1x1x5x1x16xf32>) outs(%y : memref<1x1x3x3xf32, strided<[18, 18, 1, 3]>>)
      attributes {layout = "nchw->nchwc", kernel = #sinter.kernel<"conv_planar", {dims = [array<i64: 0, 1, 4>, array<i64: 2>, array<i64: 3>]}>, strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

func.func @filter(%x: memref<1x2x5xf32>, %w: memref<3x2x2xf32, strided<[8, 2, 1]>>, %y: memref<1x3x4xf32>) {
  // expected-error @below {{operand 1 has gaps}}
  sinter.conv ins(%x, %w : memref<1x2x5xf32>, memref<3x2x2xf32, strided<[8, 2, 1]>>) outs(%y : memref<1x3x4xf32>)
      attributes {layout = "nchw", strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

func.func @attention(%q: memref<1x1x3x4xf32>, %y: memref<1x1x3x4xf32, strided<[24, 24, 8, 2]>>, %s: memref<32xf32>) {
  // expected-error @below {{operand 3 has gaps}}
  sinter.kernel "attention_heads" ins(%q, %q, %q : memref<1x1x3x4xf32>, memref<1x1x3x4xf32>, memref<1x1x3x4xf32>) outs(%y, %s : memref<1x1x3x4xf32, strided<[24, 24, 8, 2]>>, memref<32xf32>)
  return
}

// Rows may lie apart, where the dims between have one element, and where a kernel takes all strides.
func.func @may(%q: memref<1x1x3x4xf32, strided<[24, 24, 8, 1]>>, %p: memref<3x1x4xf32, strided<[24, 8, 2]>>, %i: memref<3x1x4xi64>, %y: memref<1x1x3x4xf32>, %s: memref<32xf32>) {
  sinter.kernel "attention_heads" ins(%q, %q, %q : memref<1x1x3x4xf32, strided<[24, 24, 8, 1]>>, memref<1x1x3x4xf32, strided<[24, 24, 8, 1]>>, memref<1x1x3x4xf32, strided<[24, 24, 8, 1]>>) outs(%y, %s : memref<1x1x3x4xf32>, memref<32xf32>)
  sinter.kernel "softmax" ins(%p : memref<3x1x4xf32, strided<[24, 8, 2]>>) outs(%p : memref<3x1x4xf32, strided<[24, 8, 2]>>)
  return
}
