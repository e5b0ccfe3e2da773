// RUN: sinter-opt %s --check-plan | FileCheck %s
// What the checker finds that any plan needs, beside the arena of this one.

// Two buffers of 40 bytes at a time; scratch counts as needed, not as a tensor; an elementwise op writes over its input: two tensors in one place.
// CHECK-LABEL: @chain
// CHECK-SAME: sinter.arena_bytes = 256 : i64, sinter.graph_bytes = 80 : i64, sinter.needed_bytes = 192 : i64
func.func @chain(%x: memref<10xf32>, %y: memref<10xf32>) attributes {sinter.arena_bytes = 256 : i64} {
  %a = sinter.arena 0 for 40 : memref<10xf32>
  %b = sinter.arena 0 for 40 : memref<10xf32>
  %c = sinter.arena 64 for 40 : memref<10xf32>
  %scratch = sinter.arena 128 for 40 : memref<10xf32>
  sinter.kernel "f" ins(%x : memref<10xf32>) outs(%a : memref<10xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<10xf32>) outs(%b : memref<10xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %p : f32
    linalg.yield %s : f32
  }
  sinter.kernel "f" ins(%b : memref<10xf32>) outs(%c, %scratch : memref<10xf32>, memref<10xf32>)
  sinter.kernel "f" ins(%c : memref<10xf32>) outs(%y : memref<10xf32>)
  return
}

// A buffer that a loop uses is needed throughout the loop, one within it for itself.
// CHECK-LABEL: @loop
// CHECK-SAME: sinter.graph_bytes = 192 : i64, sinter.needed_bytes = 192 : i64
func.func @loop(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sinter.arena_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = sinter.arena 0 for 64 : memref<16xf32>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %c1 step %c1 {
    %b = sinter.arena 64 for 64 : memref<16xf32>
    %c = sinter.arena 128 for 64 : memref<16xf32>
    sinter.kernel "f" ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    sinter.kernel "f" ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
    sinter.kernel "f" ins(%c : memref<16xf32>) outs(%y : memref<16xf32>)
  }
  return
}
