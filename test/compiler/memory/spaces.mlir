// RUN: sinter-opt %s --split-input-file --plan-memory --check-plan | FileCheck %s
// Each memory space has an arena of its own.

// Buffers of the device do not share bytes with the host's, but with each other; a copy between them reads and writes as any.
// CHECK-LABEL: func.func @two_spaces
// CHECK-SAME: sinter.arena_bytes = 64 : i64
// CHECK-SAME: sinter.arenas = [{bytes = 64 : i64, needed = 64 : i64, space = #sinter.space<host>}, {bytes = 512 : i64, needed = 512 : i64, space = #sinter.space<device>}]
// CHECK-SAME: sinter.needed_bytes = 64 : i64
// CHECK: %[[HOST:.*]] = sinter.arena 0 for 64 : memref<16xf32>
// CHECK: %[[A:.*]] = sinter.arena [[AT:[0-9]+]] for 64 : memref<16xf32, #sinter.space<device>>
// CHECK: %[[B:.*]] = sinter.arena {{[0-9]+}} for 256 : memref<64xf32, #sinter.space<device>>
// CHECK: %[[C:.*]] = sinter.arena {{[0-9]+}} for 256 : memref<64xf32, #sinter.space<device>>
// CHECK: sinter.arena 0 for 64 : memref<16xf32, #sinter.space<host>>
// CHECK: memref.copy %[[HOST]], %[[A]] : memref<16xf32> to memref<16xf32, #sinter.space<device>>
func.func @two_spaces(%x: memref<16xf32>, %y: memref<16xf32>) {
  %host = memref.alloc() : memref<16xf32>
  %a = memref.alloc() : memref<16xf32, #sinter.space<device>>
  %b = memref.alloc() : memref<64xf32, #sinter.space<device>>
  %c = memref.alloc() : memref<64xf32, #sinter.space<device>>
  %d = memref.alloc() : memref<16xf32, #sinter.space<device>>
  %back = memref.alloc() : memref<16xf32, #sinter.space<host>>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%host : memref<16xf32>)
  memref.copy %host, %a : memref<16xf32> to memref<16xf32, #sinter.space<device>>
  sinter.kernel "f" ins(%a : memref<16xf32, #sinter.space<device>>) outs(%b : memref<64xf32, #sinter.space<device>>)
  sinter.kernel "f" ins(%b : memref<64xf32, #sinter.space<device>>) outs(%c : memref<64xf32, #sinter.space<device>>)
  sinter.kernel "f" ins(%c : memref<64xf32, #sinter.space<device>>) outs(%d : memref<16xf32, #sinter.space<device>>)
  memref.copy %d, %back : memref<16xf32, #sinter.space<device>> to memref<16xf32, #sinter.space<host>>
  sinter.kernel "f" ins(%back : memref<16xf32, #sinter.space<host>>) outs(%y : memref<16xf32>)
  return
}

// -----

// Regions of the host leave the device's buffers where they are; its arena has its own alignment. A buffer that names a region stays there.
// CHECK-LABEL: func.func @with_regions
// CHECK-SAME: sinter.arena_bytes = 192 : i64
// CHECK-SAME: {bytes = 64 : i64, limit = 64 : i64, needed = 64 : i64, space = #sinter.space<host, "fast">}, {alignment = 256 : i64, bytes = 512 : i64, needed = 512 : i64, space = #sinter.space<device>}, {begin = 64 : i64, bytes = 128 : i64, needed = 128 : i64, space = #sinter.space<host, "slow">}
// CHECK: sinter.arena 0 for 64 {{.*}} : memref<16xf32>
// CHECK: sinter.arena {{0|64}} for 64 {{.*}} : memref<16xf32, #sinter.space<host, "slow">>
// CHECK: sinter.arena {{0|64}} for 40 {{.*}} : memref<10xf32, #sinter.space<host, "slow">>
// CHECK: sinter.arena {{0|256}} for 64 {{.*}} : memref<16xf32, #sinter.space<device>>
// CHECK: sinter.arena {{0|256}} for 64 {{.*}} : memref<16xf32, #sinter.space<device>>
module attributes {sinter.arenas = [{space = #sinter.space<host, "fast">, limit = 64 : i64}, {space = #sinter.space<device>, alignment = 256 : i64}, {space = #sinter.space<host, "slow">}]} {
  func.func @with_regions(%x: memref<16xf32>, %y: memref<16xf32>) {
    %hot = memref.alloc() : memref<16xf32>
    %cold = memref.alloc() : memref<16xf32>
    %stays = memref.alloc() : memref<10xf32, #sinter.space<host, "slow">>
    %a = memref.alloc() : memref<16xf32, #sinter.space<device>>
    %b = memref.alloc() : memref<16xf32, #sinter.space<device>>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%hot : memref<16xf32>)
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%cold : memref<16xf32>)
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%stays : memref<10xf32, #sinter.space<host, "slow">>)
    memref.copy %hot, %a : memref<16xf32> to memref<16xf32, #sinter.space<device>>
    sinter.kernel "f" ins(%a : memref<16xf32, #sinter.space<device>>) outs(%b : memref<16xf32, #sinter.space<device>>)
    memref.copy %b, %hot : memref<16xf32, #sinter.space<device>> to memref<16xf32>
    sinter.kernel "f" ins(%stays : memref<10xf32, #sinter.space<host, "slow">>) outs(%hot : memref<16xf32>)
    sinter.kernel "f" ins(%stays : memref<10xf32, #sinter.space<host, "slow">>) outs(%hot : memref<16xf32>)
    sinter.kernel "f" ins(%hot, %cold : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
    return
  }
}

// -----

// An op may write over its input in the same space, not in another.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: sinter.arena_bytes = 64 : i64
// CHECK-SAME: {bytes = 64 : i64, needed = 64 : i64, space = #sinter.space<device>}
// CHECK: sinter.arena 0 for 40 : memref<10xf32, #sinter.space<device>>
// CHECK: sinter.arena 0 for 40 : memref<10xf32, #sinter.space<device>>
// CHECK: sinter.arena 0 for 40 : memref<10xf32>
#id = affine_map<(a) -> (a)>
func.func @in_place(%x: memref<10xf32>, %y: memref<10xf32>) {
  %a = memref.alloc() : memref<10xf32, #sinter.space<device>>
  %b = memref.alloc() : memref<10xf32, #sinter.space<device>>
  %c = memref.alloc() : memref<10xf32>
  sinter.kernel "f" ins(%x : memref<10xf32>) outs(%a : memref<10xf32, #sinter.space<device>>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<10xf32, #sinter.space<device>>) outs(%b : memref<10xf32, #sinter.space<device>>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<10xf32, #sinter.space<device>>) outs(%c : memref<10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  }
  sinter.kernel "f" ins(%c : memref<10xf32>) outs(%y : memref<10xf32>)
  return
}

// -----

// With --io-in-arena an input that lies on the device has its place in the device's arena.
// CHECK-LABEL: func.func @io
// CHECK-SAME: sinter.arena_bytes = 0 : i64
// CHECK-SAME: sinter.inputs = [{arena_offset = 0 : i64, arena_space = #sinter.space<device>, name = "x"}]
// CHECK: sinter.arena 0 for 64 {sinter.input = 0 : i64} : memref<16xf32, #sinter.space<device>>
func.func @io(%y: memref<16xf32>) attributes {sinter.inputs = [{name = "x"}]} {
  %x = memref.alloc() {sinter.input = 0 : i64} : memref<16xf32, #sinter.space<device>>
  sinter.kernel "f" ins(%x : memref<16xf32, #sinter.space<device>>) outs(%y : memref<16xf32>)
  return
}
