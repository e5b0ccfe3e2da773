// RUN: sinter-opt %s --split-input-file --plan-memory --check-plan | FileCheck %s
// Buffers that are not needed together share bytes; the exponential writes over its input.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: sinter.arena_bytes = 192
// CHECK: %[[A:.*]] = sinter.arena [[AT:[0-9]+]] for 40 : memref<10xf32>
// CHECK: %[[B:.*]] = sinter.arena [[AT]] for 40 : memref<10xf32>
// CHECK: %[[C:.*]] = sinter.arena {{[0-9]+}} for 80 : memref<20xf32>
#id = affine_map<(a) -> (a)>
func.func @chain(%x: memref<10xf32>, %y: memref<10xf32>) {
  %a = memref.alloc() : memref<10xf32>
  %b = memref.alloc() : memref<10xf32>
  %c = memref.alloc() : memref<20xf32>
  sinter.kernel "f" ins(%x : memref<10xf32>) outs(%a : memref<10xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<10xf32>) outs(%b : memref<10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  }
  sinter.kernel "f" ins(%b : memref<10xf32>) outs(%c : memref<20xf32>)
  sinter.kernel "f" ins(%c : memref<20xf32>) outs(%y : memref<10xf32>)
  return
}

// -----

// A reversed read is not element by element: two places.
// CHECK-LABEL: func.func @reversed
// CHECK-SAME: sinter.arena_bytes = 128
#id = affine_map<(a) -> (a)>
#reversed = affine_map<(a) -> (9 - a)>
func.func @reversed(%x: memref<10xf32>, %y: memref<10xf32>) {
  %a = memref.alloc() : memref<10xf32>
  %b = memref.alloc() : memref<10xf32>
  sinter.kernel "f" ins(%x : memref<10xf32>) outs(%a : memref<10xf32>)
  linalg.generic {indexing_maps = [#id, #reversed, #id], iterator_types = ["parallel"]} ins(%a, %a : memref<10xf32>, memref<10xf32>) outs(%b : memref<10xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %v = arith.addf %in, %in2 : f32
    linalg.yield %v : f32
  }
  sinter.kernel "f" ins(%b : memref<10xf32>) outs(%y : memref<10xf32>)
  return
}

// -----

// What nobody has written has no place that an op could write over: the sum lies where nothing else does.
// CHECK-LABEL: func.func @unwritten
// CHECK-SAME: sinter.arena_bytes = 128
#id = affine_map<(a) -> (a)>
func.func @unwritten(%x: memref<10xf32>, %y: memref<10xf32>) {
  %never = memref.alloc() : memref<10xf32>
  %a = memref.alloc() : memref<10xf32>
  %b = memref.alloc() : memref<10xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %never : memref<10xf32>, memref<10xf32>) outs(%a : memref<10xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %v = arith.addf %in, %in2 : f32
    linalg.yield %v : f32
  }
  sinter.kernel "f" ins(%x : memref<10xf32>) outs(%b : memref<10xf32>)
  sinter.kernel "f" ins(%a, %b : memref<10xf32>, memref<10xf32>) outs(%y : memref<10xf32>)
  return
}

// -----

// Branches share; what a loop reads from outside stays throughout the loop; sizes are planned for their upper bound.
// CHECK-LABEL: func.func @control
// CHECK-SAME: sinter.arena_bytes = 512
// CHECK: sinter.arena {{[0-9]+}} for 256[%{{.*}}] : memref<?x4xf32>
// CHECK: scf.if
// CHECK: sinter.arena [[AT:[0-9]+]] for 256 : memref<64xf32>
// CHECK: else
// CHECK: sinter.arena [[AT]] for 256 : memref<64xf32>
// CHECK: scf.for
// CHECK: sinter.arena [[AT]] for 256 : memref<64xf32>
func.func @control(%x: memref<64xf32>, %y: memref<64xf32>, %cond: i1) {
  %n = sinter.dim "n"[1, 16]
  %whole = memref.alloc(%n) : memref<?x4xf32>
  sinter.kernel "f" ins(%x : memref<64xf32>) outs(%whole : memref<?x4xf32>)
  scf.if %cond {
    %t = memref.alloc() : memref<64xf32>
    sinter.kernel "f" ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
    sinter.kernel "f" ins(%t : memref<64xf32>) outs(%y : memref<64xf32>)
  } else {
    %t = memref.alloc() : memref<64xf32>
    sinter.kernel "f" ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
    sinter.kernel "f" ins(%t : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    sinter.kernel "f" ins(%whole : memref<?x4xf32>) outs(%y : memref<64xf32>)
    %t = memref.alloc() : memref<64xf32>
    sinter.kernel "f" ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
    sinter.kernel "f" ins(%t : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  return
}

// -----

// A residual is overwritten by the sum that it is added to; the convolution's own input is not.
// CHECK-LABEL: func.func @residual
// CHECK-SAME: sinter.arena_bytes = 512
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @residual(%x: memref<1x4x4x4xf32>, %w: memref<4x4x1x1xf32>, %y: memref<1x4x4x4xf32>) {
  // CHECK: %[[A:.*]] = sinter.arena [[AT:[0-9]+]] for 256
  // CHECK: %[[B:.*]] = sinter.arena
  // CHECK: %[[C:.*]] = sinter.arena [[AT]] for 256
  %a = memref.alloc() : memref<1x4x4x4xf32>
  %b = memref.alloc() : memref<1x4x4x4xf32>
  %c = memref.alloc() : memref<1x4x4x4xf32>
  sinter.kernel "f" ins(%x : memref<1x4x4x4xf32>) outs(%a : memref<1x4x4x4xf32>)
  sinter.kernel "f" ins(%a : memref<1x4x4x4xf32>) outs(%b : memref<1x4x4x4xf32>)
  sinter.conv ins(%b, %w, %a : memref<1x4x4x4xf32>, memref<4x4x1x1xf32>, memref<1x4x4x4xf32>) outs(%c : memref<1x4x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [#id]} {
  ^bb0(%sum: f32, %residual: f32):
    %v = arith.addf %sum, %residual : f32
    sinter.yield %v : f32
  }
  sinter.kernel "f" ins(%c : memref<1x4x4x4xf32>) outs(%y : memref<1x4x4x4xf32>)
  return
}
