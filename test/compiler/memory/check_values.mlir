// RUN: not sinter-opt %s --split-input-file --check-values 2>&1 | FileCheck %s --implicit-check-not=error:
// Values: 0 and 1 are results of ops 1 and 2, which op 3 reads; 2 is its result, and the output's. Ops have their numbers in their locations.

// As it should be.
func.func @right() attributes {sinter.named_values = array<i64: 3, 1, 0, 3, 2, 0, 3, 3, 0>, sinter.named_reads = [array<i64>, array<i64: -1>, array<i64: -1>, array<i64: 0, 1, -1>],
                               sinter.named_loops = [], sinter.named_left = array<i64: 0, 0, 2>} {
  %o = sinter.output 0 "y" : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  sinter.kernel "f" ins() outs(%a : memref<4xf32>) loc(fused<1 : index>["f"])
  sinter.kernel "g" ins() outs(%b : memref<4xf32>) loc(fused<2 : index>["g"])
  sinter.kernel "h" ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>) loc(fused<3 : index>["h"])
  return
}

// -----

// As it should be: w is 2 h, so that h is never more than 8, and the loop stays in what op 1 has written.
func.func @sizes_that_belong_together() attributes {sinter.named_values = array<i64: 3, 1, 0, 4, 0, 0, 3, 3, 0>,
                               sinter.named_reads = [array<i64>, array<i64: -1>, array<i64>, array<i64: 1, -1>],
                               sinter.named_loops = [], sinter.named_left = array<i64: 0, 0, 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = sinter.dim "w"[1, 16]
  %h = sinter.dim "h"[1, 16]
  %double = arith.muli %h, %c2 : index
  %same = arith.cmpi eq, %w, %double : index
  cf.assert %same, "the operands fit"
  %o = sinter.output 0 "y" : memref<2xf32>
  %a = memref.alloc(%w) : memref<?xf32>
  sinter.kernel "f" ins() outs(%a : memref<?xf32>) loc(fused<1 : index>["f"])
  scf.for %i = %c0 to %h step %c1 {
    %at = arith.muli %i, %c2 : index
    %pair = memref.subview %a[%at] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
    sinter.kernel "h" ins(%pair : memref<2xf32, strided<[1], offset: ?>>) outs(%o : memref<2xf32>) loc(fused<3 : index>["h"])
  }
  return
}

// -----

// CHECK: error: loc("h"): internal error: an op reads a value that another was written over
// The second value lies over the first, which is still read.
func.func @overwritten() attributes {sinter.named_values = array<i64: 3, 1, 0, 3, 2, 0, 3, 3, 0>, sinter.named_reads = [array<i64>, array<i64: -1>, array<i64: -1>, array<i64: 0, 1, -1>],
                               sinter.named_loops = [], sinter.named_left = array<i64: 0, 0, 2>} {
  %o = sinter.output 0 "y" : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  sinter.kernel "f" ins() outs(%a : memref<4xf32>) loc(fused<1 : index>["f"])
  sinter.kernel "g" ins() outs(%a : memref<4xf32>) loc(fused<2 : index>["g"])
  sinter.kernel "h" ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>) loc(fused<3 : index>["h"])
  return
}

// -----

// CHECK: error: internal error: an op reads a value that nobody has written
// Nobody writes the output.
func.func @missing() attributes {sinter.named_values = array<i64: 3, 1, 0>, sinter.named_reads = [array<i64>, array<i64: -1>],
                               sinter.named_loops = [], sinter.named_left = array<i64: 0, 0, 0>} {
  %o = sinter.output 0 "y" : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  sinter.kernel "f" ins() outs(%a : memref<4xf32>) loc(fused<1 : index>["f"])
  return
}

// -----

// CHECK: error: loc("h"): internal error: an op reads a value that another was written over
// Values 0 and 1: what op 1, a loop, carries and leaves: it starts as input 0 (value 2), then is the result of op 2 (value 3), which works in
// place. Op 3 reads the loop's result, op 4 what the loop started from: but that is gone.
func.func @start_read_later() attributes {sinter.named_values = array<i64: 6, 2, 3, 7, 0, 0, 3, 5, 0, 3, 2, 0, 3, 3, 0, 3, 4, 0>,
                               sinter.named_reads = [array<i64>, array<i64>, array<i64: 0, -1>, array<i64: 1, -1>, array<i64: 2, -1>, array<i64: -1>],
                               sinter.named_loops = [array<i64: 1, 0>], sinter.named_left = array<i64: 0, 0, 4, 0, 1, 5>} {
  %o = sinter.output 0 "y" : memref<4xf32>
  %p = sinter.output 1 "z" : memref<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  sinter.kernel "start" ins() outs(%a : memref<4xf32>) loc(fused<5 : index>["start"])
  scf.for %i = %c0 to %c3 step %c1 {
    sinter.kernel "f" ins(%a : memref<4xf32>) outs(%a : memref<4xf32>) loc(fused<2 : index>["f"])
  } loc(fused<1 : index>["loop"])
  sinter.kernel "g" ins(%a : memref<4xf32>) outs(%o : memref<4xf32>) loc(fused<3 : index>["g"])
  sinter.kernel "h" ins(%a : memref<4xf32>) outs(%p : memref<4xf32>) loc(fused<4 : index>["h"])
  return
}

// -----

// As it should be: to the device and back.
func.func @through_device() attributes {sinter.named_values = array<i64: 3, 1, 0, 3, 2, 0, 3, 3, 0>, sinter.named_reads = [array<i64>, array<i64: -1>, array<i64: 0, -1>, array<i64: 1, -1>],
                               sinter.named_loops = [], sinter.named_left = array<i64: 0, 0, 2>} {
  %o = sinter.output 0 "y" : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32, #sinter.space<device>>
  %e = memref.alloc() : memref<4xf32, #sinter.space<device>>
  %b = memref.alloc() : memref<4xf32>
  sinter.kernel "f" ins() outs(%a : memref<4xf32>) loc(fused<1 : index>["f"])
  memref.copy %a, %d : memref<4xf32> to memref<4xf32, #sinter.space<device>>
  sinter.kernel "g" ins(%d : memref<4xf32, #sinter.space<device>>) outs(%e : memref<4xf32, #sinter.space<device>>) loc(fused<2 : index>["g"])
  memref.copy %e, %b : memref<4xf32, #sinter.space<device>> to memref<4xf32>
  sinter.kernel "h" ins(%b : memref<4xf32>) outs(%o : memref<4xf32>) loc(fused<3 : index>["h"])
  return
}

// -----

// CHECK: error: loc("h"): internal error: an op reads a value that another was written over
// What is copied back is what was copied there, not what was computed there.
func.func @stale_copy() attributes {sinter.named_values = array<i64: 3, 1, 0, 3, 2, 0, 3, 3, 0>, sinter.named_reads = [array<i64>, array<i64: -1>, array<i64: 0, -1>, array<i64: 1, -1>],
                               sinter.named_loops = [], sinter.named_left = array<i64: 0, 0, 2>} {
  %o = sinter.output 0 "y" : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32, #sinter.space<device>>
  %e = memref.alloc() : memref<4xf32, #sinter.space<device>>
  %b = memref.alloc() : memref<4xf32>
  sinter.kernel "f" ins() outs(%a : memref<4xf32>) loc(fused<1 : index>["f"])
  memref.copy %a, %d : memref<4xf32> to memref<4xf32, #sinter.space<device>>
  sinter.kernel "g" ins(%d : memref<4xf32, #sinter.space<device>>) outs(%e : memref<4xf32, #sinter.space<device>>) loc(fused<2 : index>["g"])
  memref.copy %d, %b : memref<4xf32, #sinter.space<device>> to memref<4xf32>
  sinter.kernel "h" ins(%b : memref<4xf32>) outs(%o : memref<4xf32>) loc(fused<3 : index>["h"])
  return
}
