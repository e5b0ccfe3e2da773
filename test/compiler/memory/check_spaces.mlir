// RUN: sinter-opt %s --split-input-file --check-plan --verify-diagnostics
// Offsets count in each space for itself: all of these are at 0.
func.func @fine(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sinter.arena_bytes = 64 : i64, sinter.arenas = [
    {space = #sinter.space<host>, bytes = 64 : i64}, {space = #sinter.space<device>, bytes = 64 : i64}, {space = #sinter.space<shared>, bytes = 64 : i64}]} {
  %a = sinter.arena 0 for 64 : memref<16xf32>
  %b = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<device>>
  %c = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<shared>>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %b : memref<16xf32> to memref<16xf32, #sinter.space<device>>
  sinter.kernel "f" ins(%b : memref<16xf32, #sinter.space<device>>) outs(%c : memref<16xf32, #sinter.space<shared>>)
  sinter.kernel "f" ins(%a, %c : memref<16xf32>, memref<16xf32, #sinter.space<shared>>) outs(%b : memref<16xf32, #sinter.space<device>>)
  memref.copy %b, %a : memref<16xf32, #sinter.space<device>> to memref<16xf32>
  sinter.kernel "f" ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

// The device's %b lies over %a, which is still read; that the host's %h is at 0 too is nobody's harm.
func.func @overlap_on_device(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sinter.arena_bytes = 64 : i64, sinter.arenas = [
    {space = #sinter.space<host>, bytes = 64 : i64}, {space = #sinter.space<device>, bytes = 128 : i64}]} {
  // expected-note @below {{the buffer at 0}}
  %a = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<device>>
  %b = sinter.arena 0 for 128 : memref<32xf32, #sinter.space<device>>
  %h = sinter.arena 0 for 64 : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32, #sinter.space<device>>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%h : memref<16xf32>)
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%b : memref<32xf32, #sinter.space<device>>)
  // expected-error @below {{a buffer is overwritten before it is read}}
  memref.copy %a, %y : memref<16xf32, #sinter.space<device>> to memref<16xf32>
  sinter.kernel "f" ins(%h : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

func.func @own_input(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sinter.arena_bytes = 0 : i64, sinter.arenas = [{space = #sinter.space<device>, bytes = 64 : i64}]} {
  %a = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<device>>
  %b = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<device>>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<16xf32, #sinter.space<device>>)
  // expected-error @below {{an op writes over its own input}}
  sinter.kernel "f" ins(%a : memref<16xf32, #sinter.space<device>>) outs(%b : memref<16xf32, #sinter.space<device>>)
  sinter.kernel "f" ins(%b : memref<16xf32, #sinter.space<device>>) outs(%y : memref<16xf32>)
  return
}

// -----

// Bounds and alignment are those of the space: the host's arena is larger, and aligned to 64.
func.func @misplaced() attributes {sinter.arena_bytes = 1024 : i64, sinter.arenas = [
    {space = #sinter.space<host>, bytes = 1024 : i64}, {space = #sinter.space<device>, bytes = 512 : i64, alignment = 256 : i64}]} {
  %a = sinter.arena 64 for 64 : memref<16xf32>
  // expected-error @below {{misplaced}}
  %b = sinter.arena 512 for 64 : memref<16xf32, #sinter.space<device>>
  // expected-error @below {{misplaced}}
  %c = sinter.arena 64 for 64 : memref<16xf32, #sinter.space<device>>
  // expected-error @below {{misplaced}}
  %d = sinter.arena 0 for 16 : memref<16xf32, #sinter.space<device>>
  // expected-error @below {{misplaced}}
  %e = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<shared>>
  return
}

// -----

// A cast may forget the region, as where a choice gives one of two buffers, but never leave the space.
func.func @casts() attributes {sinter.arena_bytes = 64 : i64, sinter.arenas = [
    {space = #sinter.space<host, "fast">}, {space = #sinter.space<host, "slow">, bytes = 64 : i64}, {space = #sinter.space<device>, bytes = 64 : i64}]} {
  %a = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<host, "slow">>
  %b = memref.memory_space_cast %a : memref<16xf32, #sinter.space<host, "slow">> to memref<16xf32>
  %c = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<device>>
  // expected-error @below {{a view leaves the memory space of its buffer}}
  %d = memref.memory_space_cast %c : memref<16xf32, #sinter.space<device>> to memref<16xf32>
  return
}

// -----

// Regions of two spaces are no neighbours: only those of one must not overlap.
// expected-error @below {{regions of the arena overlap}}
func.func @regions() attributes {sinter.arena_bytes = 64 : i64, sinter.arenas = [
    {space = #sinter.space<host>, bytes = 64 : i64}, {space = #sinter.space<device, "near">, bytes = 128 : i64}, {space = #sinter.space<device, "far">, begin = 64 : i64, bytes = 64 : i64}]} {
  return
}
