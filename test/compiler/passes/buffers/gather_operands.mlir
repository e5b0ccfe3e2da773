// RUN: sinter-opt %s --gather-operands | FileCheck %s
// Channels of a reshaped part lie apart: they are copied, as is a part of a filter; attention's rows are copied where they are to lie behind it.
// Channels side by side, and pixels of planes, are read where they are.

// CHECK-LABEL: func.func @apart
// CHECK: %[[OWN:.*]] = memref.alloc() {{.*}}: memref<2x1x1x9xf32>
// CHECK: memref.copy %arg0, %[[OWN]] {sinter.reason = "the kernel needs it without gaps"}
// CHECK: sinter.conv ins(%[[OWN]],
func.func @apart(%x: memref<2x1x1x9xf32, strided<[18, 18, 18, 2]>>, %w: memref<1x1x1x9x16xf32>, %y: memref<2x1x1x4xf32>) {
  sinter.conv ins(%x, %w : memref<2x1x1x9xf32, strided<[18, 18, 18, 2]>>, memref<1x1x1x9x16xf32>) outs(%y : memref<2x1x1x4xf32>)
      attributes {layout = "nhwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func.func @where_they_are
// CHECK-NOT: memref.copy
func.func @where_they_are(%x: memref<2x1x1x9xf32, strided<[18, 18, 18, 1]>>, %p: memref<1x5x3xf32, strided<[30, 6, 2]>>, %w: memref<1x1x1x9x16xf32>,
                          %v: memref<3x5x1xf32>, %y: memref<2x1x1x4xf32>, %z: memref<1x3x3xf32>) {
  sinter.conv ins(%x, %w : memref<2x1x1x9xf32, strided<[18, 18, 18, 1]>>, memref<1x1x1x9x16xf32>) outs(%y : memref<2x1x1x4xf32>)
      attributes {layout = "nhwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.conv ins(%p, %v : memref<1x5x3xf32, strided<[30, 6, 2]>>, memref<3x5x1xf32>) outs(%z : memref<1x3x3xf32>)
      attributes {layout = "nchw", strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func.func @filter
// CHECK: %[[OWN:.*]] = memref.alloc() {{.*}}: memref<3x2x2xf32>
// CHECK: memref.copy %arg1, %[[OWN]]
// CHECK: sinter.conv ins(%arg0, %[[OWN]]
func.func @filter(%x: memref<1x2x5xf32>, %w: memref<3x2x2xf32, strided<[8, 2, 1]>>, %y: memref<1x3x4xf32>) {
  sinter.conv ins(%x, %w : memref<1x2x5xf32>, memref<3x2x2xf32, strided<[8, 2, 1]>>) outs(%y : memref<1x3x4xf32>)
      attributes {layout = "nchw", strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func.func @result
// CHECK-SAME: %[[Q:[a-z0-9]+]]: memref<?x1x3x4xf32>, %[[Y:[a-z0-9]+]]: memref<?x1x3x4xf32, strided<[24, 24, 8, 2]>>
// CHECK: %[[N:.*]] = memref.dim %[[Y]]
// CHECK: %[[OWN:.*]] = memref.alloc(%[[N]])
// CHECK: sinter.kernel "attention_heads" {{.*}} outs(%[[OWN]],
// CHECK-NEXT: memref.copy %[[OWN]], %[[Y]]
func.func @result(%q: memref<?x1x3x4xf32>, %y: memref<?x1x3x4xf32, strided<[24, 24, 8, 2]>>, %s: memref<32xf32>) {
  sinter.kernel "attention_heads" ins(%q, %q, %q : memref<?x1x3x4xf32>, memref<?x1x3x4xf32>, memref<?x1x3x4xf32>) outs(%y, %s : memref<?x1x3x4xf32, strided<[24, 24, 8, 2]>>, memref<32xf32>)
  return
}
