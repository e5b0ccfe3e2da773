// RUN: sinter-opt %s --fuse-reductions | FileCheck %s
// On a CPU a fill and the reduction that starts from it are one kernel, also where others read the result by places; what
// is done to the result is none of it.
#all = affine_map<(n, c, h) -> (n, c, h)>
#kept = affine_map<(n, c, h) -> (n, c)>
#each = affine_map<(n, c) -> (n, c)>
module attributes {sinter.target = "x86-64-v3"} {
// CHECK-LABEL: @mean
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<2x8xf32>
// CHECK: sinter.launch "reduction" ins(%arg0 : {{.*}}) outs(%[[SUM]]
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.generic {{.*}}"reduction"
// CHECK: sinter.yield
// CHECK-NEXT: }
// CHECK-NEXT: linalg.generic {{.*}} outs(%arg1
// CHECK: memref.load %[[SUM]]
func.func @mean(%x: memref<2x8x5xf32>, %y: memref<2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 5.0 : f32
  %s = memref.alloc() : memref<2x8xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<2x8xf32>)
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<2x8x5xf32>) outs(%s : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#each], iterator_types = ["parallel", "parallel"]} outs(%y : memref<2x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %0 = memref.load %s[%i, %j] : memref<2x8xf32>
    %1 = arith.divf %0, %n : f32
    linalg.yield %1 : f32
  }
  return
}

// What is not filled with a number, or read in between, starts from memory.
// CHECK-LABEL: @read_between
// CHECK-NOT: sinter.launch
func.func @read_between(%x: memref<2x8x5xf32>, %y: memref<2x8xf32>, %z: memref<2x8xf32>, %some: f32) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2x8xf32>)
  memref.copy %y, %z : memref<2x8xf32> to memref<2x8xf32>
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<2x8x5xf32>) outs(%y : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%some : f32) outs(%z : memref<2x8xf32>)
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<2x8x5xf32>) outs(%z : memref<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}
}
