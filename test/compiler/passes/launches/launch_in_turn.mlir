// RUN: sinter-opt %s --choose-kernels --launch-in-turn | FileCheck %s
// On a GPU a contraction runs in the launch of the one that adds its result at the same places, which takes its buffer.
#each = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
// CHECK-LABEL: @branches
// CHECK: %[[T:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NOT: memref.alloc()
// CHECK: sinter.launch "in_turn" {{.*}} outs(%[[T]]
// CHECK-NEXT: sinter.matmul ins(%arg0, %arg1 {{.*}}) outs(%[[T]]
// CHECK: sinter.matmul ins(%arg2, %arg3, %[[T]] {{.*}}) outs(%[[T]]
func.func @branches(%a: memref<8x16xf32>, %b: memref<16x8xf32>, %c: memref<8x4xf32>, %d: memref<4x8xf32>, %y: memref<8x8xf32>) {
  %t = memref.alloc() : memref<8x8xf32>
  sinter.matmul ins(%a, %b : memref<8x16xf32>, memref<16x8xf32>) outs(%t : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %u = memref.alloc() : memref<8x8xf32>
  sinter.matmul ins(%c, %d, %t : memref<8x4xf32>, memref<4x8xf32>, memref<8x8xf32>) outs(%u : memref<8x8xf32>) attributes {epilogue_maps = [#each]} {
  ^bb0(%sum: f32, %other: f32):
    %0 = arith.addf %sum, %other : f32
    sinter.yield %0 : f32
  }
  memref.copy %u, %y : memref<8x8xf32> to memref<8x8xf32>
  return
}

// Elements of other places, which another block may not have made yet.
// CHECK-LABEL: @turned
// CHECK-NOT: sinter.launch
func.func @turned(%a: memref<8x16xf32>, %b: memref<16x8xf32>, %c: memref<8x4xf32>, %d: memref<4x8xf32>, %y: memref<8x8xf32>) {
  %t = memref.alloc() : memref<8x8xf32>
  sinter.matmul ins(%a, %b : memref<8x16xf32>, memref<16x8xf32>) outs(%t : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.matmul ins(%c, %d, %t : memref<8x4xf32>, memref<4x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) attributes {epilogue_maps = [#turned]} {
  ^bb0(%sum: f32, %other: f32):
    %0 = arith.addf %sum, %other : f32
    sinter.yield %0 : f32
  }
  return
}
}
