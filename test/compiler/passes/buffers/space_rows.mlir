// RUN: sinter-opt %s --split-input-file --space-rows | FileCheck %s
// Rows of 4 KB that a product reads many of get a line more each, in views too; kernels that count through a buffer
// keep it as it is, and so do products of few rows, other rows, and what the caller has.

// CHECK-LABEL: func.func @hidden
// CHECK: %[[MEMORY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x16x1040xf32>
// CHECK: %[[ROWS:.*]] = memref.subview %[[MEMORY]][0, 0, 0] [1, 16, 1024] [1, 1, 1]
// CHECK-SAME: to memref<1x16x1024xf32, strided<[16640, 1040, 1]>>
// CHECK: sinter.matmul {{.*}} outs(%[[ROWS]] :
// CHECK: memref.collapse_shape %[[ROWS]] {{.*}} into memref<16x1024xf32, strided<[1040, 1]>>
// CHECK: sinter.matmul ins(%[[ROWS]],
func.func @hidden(%x: memref<1x16x8xf32>, %w: memref<8x1024xf32>, %v: memref<1024x8xf32>, %y: memref<1x16x8xf32>, %z: memref<16x1024xf32>) {
  %hidden = memref.alloc() {alignment = 64 : i64} : memref<1x16x1024xf32>
  sinter.matmul ins(%x, %w : memref<1x16x8xf32>, memref<8x1024xf32>) outs(%hidden : memref<1x16x1024xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %flat = memref.collapse_shape %hidden [[0, 1], [2]] : memref<1x16x1024xf32> into memref<16x1024xf32>
  memref.copy %flat, %z : memref<16x1024xf32> to memref<16x1024xf32>
  sinter.matmul ins(%hidden, %v : memref<1x16x1024xf32>, memref<1024x8xf32>) outs(%y : memref<1x16x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: memref.alloc(%[[M:.*]]) : memref<?x1040xf32>
// CHECK: memref.subview {{.*}} [%[[M]], 1024] [1, 1] : memref<?x1040xf32> to memref<?x1024xf32, strided<[1040, 1]>>
func.func @dynamic(%m: index, %x: f32, %v: memref<1024x8xf32>, %y: memref<?x8xf32>) {
  %hidden = memref.alloc(%m) : memref<?x1024xf32>
  linalg.fill ins(%x : f32) outs(%hidden : memref<?x1024xf32>)
  sinter.matmul ins(%hidden, %v : memref<?x1024xf32>, memref<1024x8xf32>) outs(%y : memref<?x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @as_they_are
// CHECK-COUNT-4: memref.alloc() : memref<{{1x16x1024xf32|4x1024xf32|16x1000xf32|16x1024xf32}}>
// CHECK-NOT: memref.subview
func.func @as_they_are(%x: f32, %v: memref<1024x8xf32>, %u: memref<1000x8xf32>, %y: memref<16x8xf32>, %z: memref<4x8xf32>) {
  %counted = memref.alloc() : memref<1x16x1024xf32>
  %few = memref.alloc() : memref<4x1024xf32>
  %other = memref.alloc() : memref<16x1000xf32>
  %alone = memref.alloc() : memref<16x1024xf32>
  linalg.fill ins(%x : f32) outs(%few : memref<4x1024xf32>)
  linalg.fill ins(%x : f32) outs(%other : memref<16x1000xf32>)
  linalg.fill ins(%x : f32) outs(%alone : memref<16x1024xf32>)
  sinter.kernel "::acme::swirl" ins(%x : f32) outs(%counted : memref<1x16x1024xf32>) {header = "acme.h", arguments = []}
  %flat = memref.collapse_shape %counted [[0, 1], [2]] : memref<1x16x1024xf32> into memref<16x1024xf32>
  sinter.matmul ins(%flat, %v : memref<16x1024xf32>, memref<1024x8xf32>) outs(%y : memref<16x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.matmul ins(%few, %v : memref<4x1024xf32>, memref<1024x8xf32>) outs(%z : memref<4x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.matmul ins(%other, %u : memref<16x1000xf32>, memref<1000x8xf32>) outs(%y : memref<16x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}
