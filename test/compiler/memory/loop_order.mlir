// RUN: sinter-opt %s --split-input-file --plan-memory --check-plan | FileCheck %s
// What a loop makes lies over what it reads for the last time, as far as its rows allow (memory/loop_order.h).

// Row i is read, then row i is written by another op: in the same place, beside the row between the two. 144 bytes, not 272.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @rows
  // CHECK-SAME: sinter.arena_bytes = 144
  // CHECK: sinter.arena [[A:[0-9]+]] for 128
  // CHECK: sinter.arena 0 for 128
  func.func @rows(%x: memref<8x16xi8>, %y: memref<8x16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<8x16xi8>
    %b = memref.alloc() : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x16xi8>
      %in = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    } {sinter.row_tiles = "rows"}
    sinter.kernel "f" ins(%b : memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
}

// -----

// The first iterations read ahead and write nothing, the last ones write only; rows of the input are in three planes, of which
// only the first one's are free in order. The input is the caller's, in the arena.
#ahead = affine_map<(i) -> (i + 2)>
#read = affine_map<(i) -> (-i + 6, 1)>
#written = affine_map<(i) -> (i, 0)>
#count = affine_map<(i) -> (i + 1, 0)>
#most = affine_map<(i) -> (i, 1)>
#none = affine_map<(i) -> (i, 0)>
module attributes {sinter.target = "cortex-m3", sinter.io_in_arena} {
  // CHECK-LABEL: func.func @planes
  // CHECK-SAME: sinter.arena_bytes = 200
  // CHECK-DAG: sinter.arena 0 for 192 {sinter.input = 0 : i64}
  // CHECK-DAG: sinter.arena 0 for 64
  func.func @planes(%y: memref<8x8xi8>) attributes {sinter.inputs = [{name = "x"}]} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %cm2 = arith.constant -2 : index
    %a = memref.alloc() {sinter.input = 0 : i64} : memref<3x8x8xi8>
    %b = memref.alloc() : memref<8x8xi8>
    scf.for %i = %cm2 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x8xi8>
      %at = affine.apply #ahead(%i)
      %left = affine.min #read(%i)
      %new = affine.max #none(%left)
      %in = memref.subview %a[0, %at, 0] [3, %new, 8] [1, 1, 1] : memref<3x8x8xi8> to memref<3x?x8xi8, strided<[64, 8, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<3x?x8xi8, strided<[64, 8, 1], offset: ?>>) outs(%row : memref<1x8xi8>)
      %first = affine.max #written(%i)
      %some = affine.max #count(%i)
      %one = affine.min #most(%some)
      %out = memref.subview %b[%first, 0] [%one, 8] [1, 1] : memref<8x8xi8> to memref<?x8xi8, strided<[8, 1], offset: ?>>
      sinter.kernel "f" ins(%row : memref<1x8xi8>) outs(%out : memref<?x8xi8, strided<[8, 1], offset: ?>>)
    } {sinter.row_tiles = "rows"}
    sinter.kernel "f" ins(%b : memref<8x8xi8>) outs(%y : memref<8x8xi8>)
    return
  }
}

// -----

// Rows of the output are twice as long: it begins as many bytes below the input as it is longer.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @longer
  // CHECK-SAME: sinter.arena_bytes = 272
  func.func @longer(%x: memref<8x16xi8>, %y: memref<8x32xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<8x16xi8>
    %b = memref.alloc() : memref<8x32xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x16xi8>
      %in = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 32] [1, 1] : memref<8x32xi8> to memref<1x32xi8, strided<[32, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x32xi8, strided<[32, 1], offset: ?>>)
    } {sinter.row_tiles = "rows"}
    sinter.kernel "f" ins(%b : memref<8x32xi8>) outs(%y : memref<8x32xi8>)
    return
  }
}

// -----

// A second reader two rows behind the first, in the op that writes: three rows below.
#behind = affine_map<(i) -> (i - 2, 0)>
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @residual
  // CHECK-SAME: sinter.arena_bytes = 192
  func.func @residual(%x: memref<8x16xi8>, %y: memref<8x16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<8x16xi8>
    %b = memref.alloc() : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x16xi8>
      %before = affine.max #behind(%i)
      %in = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %add = memref.subview %a[%before, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "g" ins(%row, %add : memref<1x16xi8>, memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    } {sinter.row_tiles = "rows"}
    sinter.kernel "f" ins(%b : memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
}

// -----

// From the last row to the first: only what is written after the last read may lie there, a row.
#back = affine_map<(i) -> (-i + 7)>
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @backwards
  // CHECK-SAME: sinter.arena_bytes = 256
  func.func @backwards(%x: memref<8x16xi8>, %y: memref<8x16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<8x16xi8>
    %b = memref.alloc() : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x16xi8>
      %at = affine.apply #back(%i)
      %in = memref.subview %a[%at, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    } {sinter.row_tiles = "rows"}
    sinter.kernel "f" ins(%b : memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
}

// -----

// Rows that are not known here count as all rows. An input that is read once more after the loop, and one that the loop writes
// too: apart.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @unknown
  // CHECK-SAME: sinter.arena_bytes = 256
  func.func @unknown(%x: memref<8x16xi8>, %y: memref<8x16xi8>, %at: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<8x16xi8>
    %b = memref.alloc() : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x16xi8>
      %in = memref.subview %a[%at, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    } {sinter.row_tiles = "rows"}
    sinter.kernel "f" ins(%b : memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
  // CHECK-LABEL: func.func @read_later
  // CHECK-SAME: sinter.arena_bytes = 272
  func.func @read_later(%x: memref<8x16xi8>, %y: memref<8x16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<8x16xi8>
    %b = memref.alloc() : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x16xi8>
      %in = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    } {sinter.row_tiles = "rows"}
    sinter.kernel "g" ins(%b, %a : memref<8x16xi8>, memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
  // CHECK-LABEL: func.func @written_too
  // CHECK-SAME: sinter.arena_bytes = 272
  func.func @written_too(%x: memref<8x16xi8>, %y: memref<8x16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<8x16xi8>
    %b = memref.alloc() : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x16xi8>
      %in = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    } {sinter.row_tiles = "rows"}
    sinter.kernel "f" ins(%b : memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
}

// -----

// The model's own loops: 128 bytes apart.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @scan
  // CHECK-SAME: sinter.arena_bytes = 272
  func.func @scan(%x: memref<8x16xi8>, %y: memref<8x16xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<8x16xi8>
    %b = memref.alloc() : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.alloc() : memref<1x16xi8>
      %in = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    }
    sinter.kernel "f" ins(%b : memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
}
