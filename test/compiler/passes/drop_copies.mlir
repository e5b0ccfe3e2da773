// RUN: sinter-opt %s --split-input-file --drop-copies --canonicalize | FileCheck %s

// The part is made in its place, although others read it afterwards.
// CHECK-LABEL: func.func @part
// CHECK: %[[WHOLE:.*]] = memref.alloc() : memref<2x8xf32>
// CHECK: %[[PART:.*]] = memref.subview %[[WHOLE]][0, 0]
// CHECK: sinter.kernel "f" {{.*}} outs(%[[PART]]
// CHECK-NOT: memref.copy
func.func @part(%x: memref<1x8xf32>, %y: memref<2x8xf32>) {
  %part = memref.alloc() : memref<1x8xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%part : memref<1x8xf32>)
  %whole = memref.alloc() : memref<2x8xf32>
  %low = memref.subview %whole[0, 0] [1, 8] [1, 1] : memref<2x8xf32> to memref<1x8xf32, strided<[8, 1]>>
  %high = memref.subview %whole[1, 0] [1, 8] [1, 1] : memref<2x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 8>>
  sinter.kernel "f" ins(%part : memref<1x8xf32>) outs(%high : memref<1x8xf32, strided<[8, 1], offset: 8>>)
  memref.copy %part, %low : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1]>>
  sinter.kernel "g" ins(%whole, %part : memref<2x8xf32>, memref<1x8xf32>) outs(%y : memref<2x8xf32>)
  return
}

// -----

// A result reshaped on its way to the caller.
// CHECK-LABEL: func.func @flatten
// CHECK: %[[OUT:.*]] = sinter.output 0 "y" : memref<1x32xf32>
// CHECK: %[[PLACE:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [1, 4, 8], strides: [32, 8, 1]
// CHECK: sinter.kernel "f" {{.*}} outs(%[[PLACE]]
// CHECK-NOT: memref.copy
func.func @flatten(%x: memref<1x8xf32>) {
  %o = sinter.output 0 "y" : memref<1x32xf32>
  %a = memref.alloc() : memref<1x4x8xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%a : memref<1x4x8xf32>)
  %flat = memref.collapse_shape %a [[0], [1, 2]] : memref<1x4x8xf32> into memref<1x32xf32>
  memref.copy %flat, %o : memref<1x32xf32> to memref<1x32xf32>
  return
}

// -----

// Where it does not hold, the copy stays, with its reason.
// CHECK-LABEL: func.func @stays
// CHECK: memref.copy {{.*}} {sinter.reason = "the source changes after the copy"}
// CHECK: memref.copy {{.*}} {sinter.reason = "the destination is in use while the source is made"}
// CHECK: memref.copy {{.*}} {sinter.reason = "the source is a constant"}
// CHECK: memref.copy {{.*}} {sinter.reason = "the source is the caller's"}
func.func @stays(%y: memref<8xf32>) {
  %x = sinter.input 0 "x" : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  %a2 = memref.alloc() : memref<8xf32>
  sinter.kernel "f" ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %a2 : memref<8xf32> to memref<8xf32>
  sinter.kernel "f" ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  sinter.kernel "g" ins(%a, %a2 : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)

  %b = memref.alloc() : memref<8xf32>
  %b2 = memref.alloc() : memref<8xf32>
  sinter.kernel "f" ins(%x : memref<8xf32>) outs(%b2 : memref<8xf32>)
  sinter.kernel "f" ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  sinter.kernel "f" ins(%b2 : memref<8xf32>) outs(%y : memref<8xf32>)
  memref.copy %b, %b2 : memref<8xf32> to memref<8xf32>
  sinter.kernel "g" ins(%b, %b2 : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)

  %c = sinter.constant {
    %w = sinter.weight dense<1.0> : tensor<8xf32> : tensor<8xf32>
    sinter.yield %w : tensor<8xf32>
  } : memref<8xf32>
  %c2 = memref.alloc() : memref<8xf32>
  memref.copy %c, %c2 : memref<8xf32> to memref<8xf32>
  sinter.kernel "f" ins(%c2 : memref<8xf32>) outs(%c2 : memref<8xf32>)
  memref.copy %x, %c2 : memref<8xf32> to memref<8xf32>
  sinter.kernel "f" ins(%c2 : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

// Two parts of one tensor, each reshaped and interleaved with the other: disjoint, so both are made in place.
// CHECK-LABEL: func.func @interleaved
// CHECK-NOT: memref.copy
func.func @interleaved(%x: memref<1x8xf32>) {
  %o = sinter.output 0 "y" : memref<1x6x10xf32>
  %a = memref.alloc() : memref<1x2x2x5xf32>
  %b = memref.alloc() : memref<1x4x2x5xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%a : memref<1x2x2x5xf32>)
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%b : memref<1x4x2x5xf32>)
  %flatA = memref.collapse_shape %a [[0], [1], [2, 3]] : memref<1x2x2x5xf32> into memref<1x2x10xf32>
  %flatB = memref.collapse_shape %b [[0], [1], [2, 3]] : memref<1x4x2x5xf32> into memref<1x4x10xf32>
  %inA = memref.subview %o[0, 0, 0] [1, 2, 10] [1, 1, 1] : memref<1x6x10xf32> to memref<1x2x10xf32, strided<[60, 10, 1]>>
  %inB = memref.subview %o[0, 2, 0] [1, 4, 10] [1, 1, 1] : memref<1x6x10xf32> to memref<1x4x10xf32, strided<[60, 10, 1], offset: 20>>
  memref.copy %flatA, %inA : memref<1x2x10xf32> to memref<1x2x10xf32, strided<[60, 10, 1]>>
  memref.copy %flatB, %inB : memref<1x4x10xf32> to memref<1x4x10xf32, strided<[60, 10, 1], offset: 20>>
  return
}

// -----

// A fill of the whole destination moves in front; unit dims may come and go under one dynamic size.
// CHECK-LABEL: func.func @padded
// CHECK: %[[WHOLE:.*]] = memref.alloc(%{{.*}}) : memref<1x?x10x2xf32>
// CHECK: linalg.fill {{.*}} outs(%[[WHOLE]]
// CHECK: linalg.broadcast
// CHECK-NOT: memref.copy
func.func @padded(%x: memref<1x8xf32>, %y: memref<1x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = sinter.dim "n"[1, 8]
  %a = memref.alloc(%n) : memref<1x?x8xf32>
  linalg.broadcast ins(%x : memref<1x8xf32>) outs(%a : memref<1x?x8xf32>) dimensions = [1]
  %whole = memref.alloc(%n) : memref<1x?x10x2xf32>
  linalg.fill ins(%zero : f32) outs(%whole : memref<1x?x10x2xf32>)
  %wide = memref.expand_shape %a [[0], [1], [2, 3]] output_shape [1, %n, 8, 1] : memref<1x?x8xf32> into memref<1x?x8x1xf32>
  %middle = memref.subview %whole[0, 0, 1, 1] [1, %n, 8, 1] [1, 1, 1, 1] : memref<1x?x10x2xf32> to memref<1x?x8x1xf32, strided<[?, 20, 2, 1], offset: 3>>
  memref.copy %wide, %middle : memref<1x?x8x1xf32> to memref<1x?x8x1xf32, strided<[?, 20, 2, 1], offset: 3>>
  sinter.kernel "g" ins(%whole : memref<1x?x10x2xf32>) outs(%y : memref<1x8xf32>)
  return
}

// -----

// Kernels go along the innermost dim by vectors: a column of the destination is no place for them, for a loop nest it is.
// CHECK-LABEL: func.func @column
// CHECK: sinter.kernel "f" {{.*}} outs(%[[OWN:.*]] : memref<1x3xf32>)
// CHECK: memref.copy {{.*}} {sinter.reason = "a kernel that makes or reads the source needs it contiguous"}
// CHECK-NOT: memref.copy
func.func @column(%x: memref<1x3xf32>) {
  %o = sinter.output 0 "y" : memref<3x2xf32>
  %a = memref.alloc() : memref<1x3xf32>
  %b = memref.alloc() : memref<1x3xf32>
  sinter.kernel "f" ins(%x : memref<1x3xf32>) outs(%a : memref<1x3xf32>)
  linalg.exp ins(%x : memref<1x3xf32>) outs(%b : memref<1x3xf32>)
  %flatA = memref.collapse_shape %a [[0, 1]] : memref<1x3xf32> into memref<3xf32>
  %columnA = memref.expand_shape %flatA [[0, 1]] output_shape [3, 1] : memref<3xf32> into memref<3x1xf32>
  %flatB = memref.collapse_shape %b [[0, 1]] : memref<1x3xf32> into memref<3xf32>
  %columnB = memref.expand_shape %flatB [[0, 1]] output_shape [3, 1] : memref<3xf32> into memref<3x1xf32>
  %inA = memref.subview %o[0, 0] [3, 1] [1, 1] : memref<3x2xf32> to memref<3x1xf32, strided<[2, 1]>>
  %inB = memref.subview %o[0, 1] [3, 1] [1, 1] : memref<3x2xf32> to memref<3x1xf32, strided<[2, 1], offset: 1>>
  memref.copy %columnA, %inA : memref<3x1xf32> to memref<3x1xf32, strided<[2, 1]>>
  memref.copy %columnB, %inB : memref<3x1xf32> to memref<3x1xf32, strided<[2, 1], offset: 1>>
  return
}
