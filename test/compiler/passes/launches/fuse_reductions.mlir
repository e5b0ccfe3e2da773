// RUN: sinter-opt %s --fuse-reductions | FileCheck %s
// On a GPU a fill, a reduction and what alone reads its result are one launch; the sums are in no memory.
#all = affine_map<(n, c, h) -> (n, c, h)>
#kept = affine_map<(n, c, h) -> (n, c)>
#each = affine_map<(n, c) -> (n, c)>
#bias = affine_map<(n, c) -> (c)>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
// CHECK-LABEL: @mean
// CHECK-NOT: memref.alloc()
// CHECK: sinter.launch "reduction" ins(%arg0, %arg1 : {{.*}}) outs(%arg2 : memref<2x8xf32>)
// CHECK-NEXT: %[[SUM:.*]] = memref.alloca() : memref<2x8xf32>
// CHECK-NEXT: linalg.fill ins({{.*}}) outs(%[[SUM]]
// CHECK-NEXT: linalg.generic {{.*}} ins(%arg0 {{.*}}) outs(%[[SUM]]
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %arg1 {{.*}}) outs(%arg2
func.func @mean(%x: memref<2x8x5xf32>, %b: memref<8xf32>, %y: memref<2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 5.0 : f32
  %s = memref.alloc() : memref<2x8xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<2x8xf32>)
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<2x8x5xf32>) outs(%s : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#each, #bias, #each], iterator_types = ["parallel", "parallel"]} ins(%s, %b : memref<2x8xf32>, memref<8xf32>) outs(%y : memref<2x8xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    %1 = arith.addf %0, %bias : f32
    linalg.yield %1 : f32
  }
  return
}

// Two read the sums: they stay in memory, but for where they start.
// CHECK-LABEL: @two_readers
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<2x8xf32>
// CHECK: sinter.launch "reduction" ins(%arg0 : {{.*}}) outs(%[[SUM]]
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.generic
// CHECK: sinter.yield
// CHECK: linalg.generic {{.*}} ins(%[[SUM]]
// CHECK: linalg.generic {{.*}} ins(%[[SUM]]
func.func @two_readers(%x: memref<2x8x5xf32>, %y: memref<2x8xf32>, %z: memref<2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x8xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<2x8xf32>)
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<2x8x5xf32>) outs(%s : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel", "parallel"]} ins(%s : memref<2x8xf32>) outs(%y : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel", "parallel"]} ins(%s : memref<2x8xf32>) outs(%z : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.log %in : f32
    linalg.yield %0 : f32
  }
  return
}

// Over one element for a result nothing is summed up, and no loop is left that could start from a number.
// CHECK-LABEL: @single
// CHECK-NOT: sinter.launch
func.func @single(%x: memref<2x8x1xf32>, %y: memref<2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x8xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<2x8xf32>)
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<2x8x1xf32>) outs(%s : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  memref.copy %s, %y : memref<2x8xf32> to memref<2x8xf32>
  return
}

// Which dims of a result of unknown sizes are those of what is made of it, nobody knows: two launches.
// CHECK-LABEL: @unknown
// CHECK: sinter.launch "reduction"
// CHECK: sinter.yield
// CHECK: arith.divf
func.func @unknown(%x: memref<?x?x5xf32>, %n: index, %c: index, %y: memref<1x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5.0 : f32
  %s = memref.alloc(%n, %c) : memref<?x?xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<?x?xf32>)
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<?x?x5xf32>) outs(%s : memref<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel", "parallel"]} ins(%s : memref<?x?xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %five : f32
    linalg.yield %0 : f32
  }
  return
}

// A result that the caller sees is stored, and never read.
// CHECK-LABEL: @into_output
// CHECK: sinter.launch "reduction" ins(%arg0 : {{.*}}) outs(%arg1 :
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.generic
// CHECK: return
func.func @into_output(%x: memref<2x8x5xf32>, %y: memref<2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2x8xf32>)
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<2x8x5xf32>) outs(%y : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// Channels in one block are in their order, whatever sizes 1 stand between.
// CHECK-LABEL: @blocked_channels
// CHECK-NOT: memref.alloc()
// CHECK: sinter.launch "reduction" ins(%arg0 : {{.*}}) outs(%arg1 : memref<1x1x1x1x32xf16>)
// CHECK-NEXT: %[[SUM:.*]] = memref.alloca()
// CHECK: sinter.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @blocked_channels(%x: memref<1x1x7x7x32xf16>, %y: memref<1x1x1x1x32xf16>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 49.0 : f32
  %s = memref.alloc() : memref<1x1x32xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<1x1x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(n, b, h, w, c) -> (n, b, h, w, c)>, affine_map<(n, b, h, w, c) -> (n, b, c)>], iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]} ins(%x : memref<1x1x7x7x32xf16>) outs(%s : memref<1x1x32xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  %flat = memref.collapse_shape %s [[0], [1, 2]] : memref<1x1x32xf32> into memref<1x32xf32>
  %wide = memref.expand_shape %flat [[0], [1, 2, 3]] output_shape [1, 32, 1, 1] : memref<1x32xf32> into memref<1x32x1x1xf32>
  linalg.generic {indexing_maps = [affine_map<(n, b, h, w, c) -> (n, b * 32 + c, h, w)>, affine_map<(n, b, h, w, c) -> (n, b, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%wide : memref<1x32x1x1xf32>) outs(%y : memref<1x1x1x1x32xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.divf %in, %n : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  }
  return
}
}
