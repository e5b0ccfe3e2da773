// RUN: sinter-opt %s --choose-kernels --fuse-inverted-residuals | FileCheck %s
// On a GPU a convolution that expands, the depthwise one behind it and the one that projects are one launch, where the
// maps between them are nobody else's and tiles fit.
#product = #sinter.kernel<"simt_conv", {dims = [array<i64: 0>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>
#depthwise = #sinter.kernel<"depthwise_strip", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
// CHECK-LABEL: @block
// CHECK-NOT: memref.alloc()
// CHECK: sinter.launch "inverted_residual" ins(%arg0, %arg1, %arg2, %arg3 {{.*}}) outs(%arg4 :
// CHECK-NEXT: memref.alloca()
// CHECK-NEXT: memref.alloca()
// CHECK-NEXT: sinter.conv ins(%arg0, %arg1
// CHECK: sinter.conv
// CHECK: sinter.conv {{.*}} outs(%arg4 :
func.func @block(%x: memref<1x1x14x14x16xf32>, %e: memref<96x1x1x16xf32>, %d: memref<3x3x96xf32>, %p: memref<16x1x1x96xf32>, %y: memref<1x1x14x14x16xf32>) {
  %h = memref.alloc() : memref<1x1x14x14x96xf32>
  sinter.conv ins(%x, %e : memref<1x1x14x14x16xf32>, memref<96x1x1x16xf32>) outs(%h : memref<1x1x14x14x96xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %k = memref.alloc() : memref<1x1x14x14x96xf32>
  sinter.conv ins(%h, %d : memref<1x1x14x14x96xf32>, memref<3x3x96xf32>) outs(%k : memref<1x1x14x14x96xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 96 : i64, kernel = #depthwise, layout = "nchwc", pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.conv ins(%k, %p : memref<1x1x14x14x96xf32>, memref<16x1x1x96xf32>) outs(%y : memref<1x1x14x14x16xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// Somebody reads the wide map, too: it is made by a launch of its own, and only what follows is fused.
// CHECK-LABEL: @others_read
// CHECK: sinter.conv ins(%arg0, %arg1
// CHECK: sinter.launch "inverted_residual" ins(%{{.*}}, %arg2, %arg3
// CHECK-NEXT: memref.alloca()
// CHECK-NEXT: sinter.conv
func.func @others_read(%x: memref<1x1x14x14x16xf32>, %e: memref<96x1x1x16xf32>, %d: memref<3x3x96xf32>, %p: memref<16x1x1x96xf32>, %y: memref<1x1x14x14x16xf32>, %z: memref<1x1x14x14x96xf32>) {
  %h = memref.alloc() : memref<1x1x14x14x96xf32>
  sinter.conv ins(%x, %e : memref<1x1x14x14x16xf32>, memref<96x1x1x16xf32>) outs(%h : memref<1x1x14x14x96xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %k = memref.alloc() : memref<1x1x14x14x96xf32>
  sinter.conv ins(%h, %d : memref<1x1x14x14x96xf32>, memref<3x3x96xf32>) outs(%k : memref<1x1x14x14x96xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 96 : i64, kernel = #depthwise, layout = "nchwc", pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.conv ins(%k, %p : memref<1x1x14x14x96xf32>, memref<16x1x1x96xf32>) outs(%y : memref<1x1x14x14x16xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  memref.copy %h, %z : memref<1x1x14x14x96xf32> to memref<1x1x14x14x96xf32>
  return
}

// So many filters that a thread has no registers for their sums.
// CHECK-LABEL: @too_wide
// CHECK-NOT: sinter.launch
func.func @too_wide(%x: memref<1x1x2x2x8xf32>, %e: memref<32x1x1x8xf32>, %d: memref<3x3x32xf32>, %p: memref<20480x1x1x32xf32>, %y: memref<1x1x2x2x20480xf32>) {
  %h = memref.alloc() : memref<1x1x2x2x32xf32>
  sinter.conv ins(%x, %e : memref<1x1x2x2x8xf32>, memref<32x1x1x8xf32>) outs(%h : memref<1x1x2x2x32xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %k = memref.alloc() : memref<1x1x2x2x32xf32>
  sinter.conv ins(%h, %d : memref<1x1x2x2x32xf32>, memref<3x3x32xf32>) outs(%k : memref<1x1x2x2x32xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 32 : i64, kernel = #depthwise, layout = "nchwc", pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.conv ins(%k, %p : memref<1x1x2x2x32xf32>, memref<20480x1x1x32xf32>) outs(%y : memref<1x1x2x2x20480xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// The projection writes where the expansion reads: another block may not have read it yet.
// CHECK-LABEL: @in_place
// CHECK: sinter.conv ins(%arg0, %arg1
// CHECK: sinter.launch "inverted_residual" ins(%{{.*}}, %arg2, %arg3
func.func @in_place(%x: memref<1x1x14x14x16xf32>, %e: memref<96x1x1x16xf32>, %d: memref<3x3x96xf32>, %p: memref<16x1x1x96xf32>, %y: memref<1x1x14x14x16xf32>) {
  %h = memref.alloc() : memref<1x1x14x14x96xf32>
  sinter.conv ins(%x, %e : memref<1x1x14x14x16xf32>, memref<96x1x1x16xf32>) outs(%h : memref<1x1x14x14x96xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %k = memref.alloc() : memref<1x1x14x14x96xf32>
  sinter.conv ins(%h, %d : memref<1x1x14x14x96xf32>, memref<3x3x96xf32>) outs(%k : memref<1x1x14x14x96xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 96 : i64, kernel = #depthwise, layout = "nchwc", pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.conv ins(%k, %p : memref<1x1x14x14x96xf32>, memref<16x1x1x96xf32>) outs(%x : memref<1x1x14x14x16xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// Both blocks split their channels, and count with the same words, which are zero before and behind each.
// CHECK-LABEL: @two_blocks
// CHECK: linalg.fill {{.*}} outs(%[[COUNTERS:[a-z_0-9]*]] :
// CHECK: sinter.launch "inverted_residual" {{.*}} outs(%{{.*}}, %{{.*}}, %[[COUNTERS]] :
// CHECK: linalg.fill {{.*}} outs(%[[COUNTERS]]
// CHECK: sinter.launch "inverted_residual" {{.*}} outs(%{{.*}}, %[[SUMS:[a-z_0-9]*]], %[[COUNTERS]] :
// CHECK: sinter.conv {{.*}} outs(%{{.*}}, %[[SUMS]] :
// CHECK: linalg.fill {{.*}} outs(%[[COUNTERS]]
func.func @two_blocks(%x: memref<1x1x7x7x160xf32>, %e: memref<960x1x1x160xf32>, %d: memref<3x3x960xf32>, %p: memref<160x1x1x960xf32>, %y: memref<1x1x7x7x160xf32>) {
  %t = memref.alloc() : memref<1x1x7x7x160xf32>
  %h = memref.alloc() : memref<1x1x7x7x960xf32>
  sinter.conv ins(%x, %e : memref<1x1x7x7x160xf32>, memref<960x1x1x160xf32>) outs(%h : memref<1x1x7x7x960xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %k = memref.alloc() : memref<1x1x7x7x960xf32>
  sinter.conv ins(%h, %d : memref<1x1x7x7x960xf32>, memref<3x3x960xf32>) outs(%k : memref<1x1x7x7x960xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 960 : i64, kernel = #depthwise, layout = "nchwc", pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.conv ins(%k, %p : memref<1x1x7x7x960xf32>, memref<160x1x1x960xf32>) outs(%t : memref<1x1x7x7x160xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %h2 = memref.alloc() : memref<1x1x7x7x960xf32>
  sinter.conv ins(%t, %e : memref<1x1x7x7x160xf32>, memref<960x1x1x160xf32>) outs(%h2 : memref<1x1x7x7x960xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %k2 = memref.alloc() : memref<1x1x7x7x960xf32>
  sinter.conv ins(%h2, %d : memref<1x1x7x7x960xf32>, memref<3x3x960xf32>) outs(%k2 : memref<1x1x7x7x960xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 960 : i64, kernel = #depthwise, layout = "nchwc", pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.conv ins(%k2, %p : memref<1x1x7x7x960xf32>, memref<160x1x1x960xf32>) outs(%y : memref<1x1x7x7x160xf32>) attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, kernel = #product, layout = "nchwc", pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}
}
