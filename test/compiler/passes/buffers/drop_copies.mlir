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
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [3], sizes: [1, %{{.*}}, 8], strides: [%{{.*}}, 20, 2]
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

// -----

// Parts, other blocks, what a choice may be: not the whole of a buffer that could lie elsewhere.
// CHECK-LABEL: func.func @not_the_whole
// CHECK: memref.copy {{.*}} {sinter.reason = "the source is a part of a buffer"}
// CHECK: memref.copy {{.*}} {sinter.reason = "the source is made in another block"}
// CHECK: memref.copy {{.*}} {sinter.reason = "the source changes after the copy"}
func.func @not_the_whole(%x: memref<1x8xf32>, %condition: i1, %y: memref<1x8xf32>) {
  %o = sinter.output 0 "y" : memref<4x8xf32>
  %in0 = memref.subview %o[0, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1]>>
  %in1 = memref.subview %o[1, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 8>>
  %in2 = memref.subview %o[2, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 16>>
  %two = memref.alloc() : memref<2x8xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%two : memref<2x8xf32>)
  %part = memref.subview %two[1, 0] [1, 8] [1, 1] : memref<2x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 8>>
  memref.copy %part, %in0 : memref<1x8xf32, strided<[8, 1], offset: 8>> to memref<1x8xf32, strided<[8, 1]>>
  %outer = memref.alloc() : memref<1x8xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%outer : memref<1x8xf32>)
  scf.if %condition {
    memref.copy %outer, %in1 : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 8>>
  }
  %a = memref.alloc() : memref<1x8xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%a : memref<1x8xf32>)
  %chosen = scf.if %condition -> memref<1x8xf32> {
    scf.yield %a : memref<1x8xf32>
  } else {
    scf.yield %x : memref<1x8xf32>
  }
  sinter.kernel "g" ins(%chosen : memref<1x8xf32>) outs(%y : memref<1x8xf32>)
  memref.copy %a, %in2 : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 16>>
  return
}

// -----

// Views of the source are views of its place, with the strides that it has there.
// CHECK-LABEL: func.func @views
// CHECK: %[[PLACE:.*]] = memref.subview %{{.*}}[0, 8] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
// CHECK: sinter.kernel "f" {{.*}} outs(%[[PLACE]]
// CHECK: memref.subview %[[PLACE]][1, 0] [2, 8] [1, 1] : {{.*}} to memref<2x8xf32, strided<[16, 1], offset: 24>>
// CHECK: memref.expand_shape %[[PLACE]] {{.*}} into memref<2x2x8xf32, strided<[32, 16, 1], offset: 8>>
// CHECK-NOT: memref.copy
func.func @views(%x: memref<1x8xf32>, %y: memref<1x8xf32>) {
  %o = sinter.output 0 "y" : memref<4x16xf32>
  %a = memref.alloc() : memref<4x8xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%a : memref<4x8xf32>)
  %rows = memref.subview %a[1, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
  %pairs = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  sinter.kernel "g" ins(%rows, %pairs : memref<2x8xf32, strided<[8, 1], offset: 8>>, memref<2x2x8xf32>) outs(%y : memref<1x8xf32>)
  %in = memref.subview %o[0, 8] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %a, %in : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  return
}

// -----

// Rows that lie apart are not one long row.
// CHECK-LABEL: func.func @flat_reader
// CHECK: memref.copy {{.*}} {sinter.reason = "a kernel that makes or reads the source needs it contiguous"}
// CHECK: memref.copy {{.*}} {sinter.reason = "a kernel that makes or reads the source needs it contiguous"}
func.func @flat_reader(%x: memref<1x8xf32>, %y: memref<1x8xf32>) {
  %o = sinter.output 0 "y" : memref<4x16xf32>
  %a = memref.alloc() : memref<4x8xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%a : memref<4x8xf32>)
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  sinter.kernel "g" ins(%flat : memref<32xf32>) outs(%y : memref<1x8xf32>)
  %in = memref.subview %o[0, 0] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
  memref.copy %a, %in : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  %b = memref.alloc() : memref<4x8xf32>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%b : memref<4x8xf32>)
  %turned = memref.reinterpret_cast %b to offset: [0], sizes: [8, 4], strides: [4, 1] : memref<4x8xf32> to memref<8x4xf32>
  sinter.kernel "g" ins(%turned : memref<8x4xf32>) outs(%y : memref<1x8xf32>)
  %in2 = memref.subview %o[0, 8] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %b, %in2 : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  return
}
