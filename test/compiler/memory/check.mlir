// RUN: sinter-opt %s --split-input-file --check-plan --verify-diagnostics
func.func @fine(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sinter.arena_bytes = 128 : i64} {
  %a = sinter.arena 0 for 64 : memref<16xf32>
  %b = sinter.arena 64 for 64 : memref<16xf32>
  %c = sinter.arena 0 for 64 : memref<16xf32>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  sinter.kernel "f" ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  sinter.kernel "f" ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
  sinter.kernel "f" ins(%c : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

func.func @overwritten(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sinter.arena_bytes = 128 : i64} {
  // expected-note @below {{the buffer at 0}}
  %a = sinter.arena 0 for 64 : memref<16xf32>
  %b = sinter.arena 0 for 128 : memref<32xf32>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%b : memref<32xf32>)
  // expected-error @below {{a buffer is overwritten before it is read}}
  sinter.kernel "f" ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

func.func @own_input(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sinter.arena_bytes = 64 : i64} {
  %a = sinter.arena 0 for 64 : memref<16xf32>
  %b = sinter.arena 0 for 64 : memref<16xf32>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-error @below {{an op writes over its own input}}
  sinter.kernel "f" ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  sinter.kernel "f" ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

// Two results of two widths: the one of the operand's width is written where it has been read.
#each = affine_map<(d) -> (d)>
func.func @second_result(%x: memref<16xf16>, %y: memref<16xf16>) attributes {sinter.arena_bytes = 128 : i64} {
  %a = sinter.arena 0 for 32 : memref<16xf16>
  %b = sinter.arena 0 for 32 : memref<16xf16>
  %sum = sinter.arena 64 for 64 : memref<16xf32>
  sinter.kernel "f" ins(%x : memref<16xf16>) outs(%a : memref<16xf16>)
  linalg.generic {indexing_maps = [#each, #each, #each], iterator_types = ["parallel"]} ins(%a : memref<16xf16>) outs(%sum, %b : memref<16xf32>, memref<16xf16>) {
  ^bb0(%in: f16, %s: f32, %out: f16):
    %wide = arith.extf %in : f16 to f32
    linalg.yield %wide, %in : f32, f16
  }
  sinter.kernel "f" ins(%b : memref<16xf16>) outs(%y : memref<16xf16>)
  return
}

// -----

// The second round of the loop reads what the first overwrote.
func.func @next_round(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) attributes {sinter.arena_bytes = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{the buffer at 0}}
  %a = sinter.arena 0 for 64 : memref<16xf32>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{a buffer is overwritten before it is read}}
    sinter.kernel "f" ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
    %b = sinter.arena 0 for 64 : memref<16xf32>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    sinter.kernel "f" ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  }
  return
}

// -----

// A buffer of the body is another one in each round, also where an inner loop writes it, which may take no turn.
func.func @anew_in_each_round(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) attributes {sinter.arena_bytes = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = sinter.arena 0 for 64 : memref<16xf32>
    scf.for %j = %c0 to %n step %c1 {
      sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    }
    sinter.kernel "f" ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
    %b = sinter.arena 0 for 64 : memref<16xf32>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    sinter.kernel "f" ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  }
  return
}

// -----

func.func @misplaced() attributes {sinter.arena_bytes = 128 : i64} {
  // expected-error @below {{misplaced}}
  %a = sinter.arena 100 for 16 : memref<4xf32>
  // expected-error @below {{misplaced}}
  %b = sinter.arena 128 for 16 : memref<4xf32>
  // expected-error @below {{misplaced}}
  %c = sinter.arena 0 for 8 : memref<4xf32>
  // expected-error @below {{an allocation is left}}
  %d = memref.alloc() : memref<4xf32>
  return
}

// -----

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @residual(%x: memref<1x4x4x4xf32>, %w: memref<4x4x1x1xf32>, %y: memref<1x4x4x4xf32>) attributes {sinter.arena_bytes = 512 : i64} {
  %a = sinter.arena 0 for 256 : memref<1x4x4x4xf32>
  %b = sinter.arena 256 for 256 : memref<1x4x4x4xf32>
  %c = sinter.arena 0 for 256 : memref<1x4x4x4xf32>
  %d = sinter.arena 0 for 256 : memref<1x4x4x4xf32>
  sinter.kernel "f" ins(%x : memref<1x4x4x4xf32>) outs(%a : memref<1x4x4x4xf32>)
  sinter.kernel "f" ins(%a : memref<1x4x4x4xf32>) outs(%b : memref<1x4x4x4xf32>)
  sinter.conv ins(%b, %w, %a : memref<1x4x4x4xf32>, memref<4x4x1x1xf32>, memref<1x4x4x4xf32>) outs(%c : memref<1x4x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [#id]} {
  ^bb0(%sum: f32, %residual: f32):
    sinter.yield %residual : f32
  }
  // expected-error @below {{an op writes over its own input}}
  sinter.conv ins(%c, %w, %b : memref<1x4x4x4xf32>, memref<4x4x1x1xf32>, memref<1x4x4x4xf32>) outs(%d : memref<1x4x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [#id]} {
  ^bb0(%sum: f32, %residual: f32):
    sinter.yield %residual : f32
  }
  sinter.kernel "f" ins(%d : memref<1x4x4x4xf32>) outs(%y : memref<1x4x4x4xf32>)
  return
}

// -----

// State: the old value must not be read once the new one, in the same bytes, was written; element by element is fine.
#id = affine_map<(i) -> (i)>
func.func @state(%y: memref<16xf32>) attributes {sinter.arena_bytes = 0 : i64} {
  // expected-note @below {{the buffer at 0}}
  %h = sinter.input 0 "h" : memref<16xf32>
  %g = sinter.input 1 "g" : memref<16xf32>
  %new_h = sinter.input 0 "h_out" {state = true} : memref<16xf32>
  %new_g = sinter.input 1 "g_out" {state = true} : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%h : memref<16xf32>) outs(%new_h : memref<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  }
  // expected-error @below {{an op writes over its own input}}
  sinter.kernel "f" ins(%g : memref<16xf32>) outs(%new_g : memref<16xf32>)
  sinter.kernel "f" ins(%new_h : memref<16xf32>) outs(%y : memref<16xf32>)
  // expected-error @below {{a buffer is overwritten before it is read}}
  sinter.kernel "f" ins(%h : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

// Row after row: the least distance is good, a pixel less is not; a kernel that keeps channels apart needs whole pixels.
module attributes {sinter.target = "cortex-m3"} {
  func.func @rows(%x: memref<1x1x3x4x16xi8>, %w: memref<16x32x1x1xi8>, %k: memref<16x1x3x3xi8>, %y: memref<1x1x3x4x32xi8>) attributes {sinter.arena_bytes = 1024 : i64} {
    %a = sinter.arena 176 for 192 : memref<1x1x3x4x16xi8>
    %b = sinter.arena 0 for 384 : memref<1x1x3x4x32xi8>
    %c = sinter.arena 168 for 192 : memref<1x1x3x4x16xi8>
    %d = sinter.arena 600 for 192 : memref<1x1x3x4x16xi8>
    %e = sinter.arena 536 for 192 : memref<1x1x3x4x16xi8>
    %f = sinter.arena 528 for 192 : memref<1x1x3x4x16xi8>
    sinter.kernel "f" ins(%x : memref<1x1x3x4x16xi8>) outs(%a : memref<1x1x3x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x3x4x16xi8>, memref<16x32x1x1xi8>) outs(%b : memref<1x1x3x4x32xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%x : memref<1x1x3x4x16xi8>) outs(%c : memref<1x1x3x4x16xi8>)
    // expected-error @below {{an op writes over its own input}}
    sinter.conv ins(%c, %w : memref<1x1x3x4x16xi8>, memref<16x32x1x1xi8>) outs(%b : memref<1x1x3x4x32xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%x : memref<1x1x3x4x16xi8>) outs(%d : memref<1x1x3x4x16xi8>)
    sinter.conv ins(%d, %k : memref<1x1x3x4x16xi8>, memref<16x1x3x3xi8>) outs(%e : memref<1x1x3x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"dual_depthwise", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%x : memref<1x1x3x4x16xi8>) outs(%d : memref<1x1x3x4x16xi8>)
    // expected-error @below {{an op writes over its own input}}
    sinter.conv ins(%d, %k : memref<1x1x3x4x16xi8>, memref<16x1x3x3xi8>) outs(%f : memref<1x1x3x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"dual_depthwise", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%f : memref<1x1x3x4x16xi8>) outs(%y : memref<1x1x3x4x32xi8>)
    return
  }
}

// -----

// A buffer lies in one region, and regions do not overlap: each may be elsewhere. The first has what names none.
func.func @between_regions() attributes {sinter.arena_bytes = 256 : i64, sinter.arenas = [
    {space = #sinter.space<host, "fast">, bytes = 64 : i64}, {space = #sinter.space<host, "slow">, begin = 128 : i64, bytes = 128 : i64}]} {
  // expected-error @below {{misplaced}}
  %a = sinter.arena 0 for 128 : memref<16xf32>
  // expected-error @below {{misplaced}}
  %b = sinter.arena 64 for 16 : memref<4xf32, #sinter.space<host, "fast">>
  %c = sinter.arena 0 for 128 : memref<32xf32, #sinter.space<host, "slow">>
  // expected-error @below {{misplaced}}
  %d = sinter.arena 64 for 128 : memref<32xf32, #sinter.space<host, "slow">>
  // expected-error @below {{misplaced}}
  %e = sinter.arena 0 for 16 : memref<4xf32, #sinter.space<host, "ccm">>
  return
}

// -----

// expected-error @below {{regions of the arena overlap}}
func.func @overlapping_regions() attributes {sinter.arena_bytes = 256 : i64, sinter.arenas = [
    {space = #sinter.space<host, "fast">, bytes = 128 : i64}, {space = #sinter.space<host, "slow">, begin = 64 : i64, bytes = 128 : i64}]} {
  return
}

// -----

// expected-error @below {{a region ends behind the arena}}
func.func @long_region() attributes {sinter.arena_bytes = 64 : i64, sinter.arenas = [
    {space = #sinter.space<host, "fast">, bytes = 128 : i64}]} {
  return
}

// -----

// An operand whose elements the body does not use only lends its sizes: nobody reads it, wherever it lies.
func.func @sizes_only(%x: memref<16xf32>, %y: memref<16xf32>) attributes {sinter.arena_bytes = 64 : i64} {
  %sizes = sinter.arena 0 for 12 : memref<3xf32>
  %a = sinter.arena 0 for 64 : memref<16xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sizes : memref<16xf32>, memref<3xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%e: f32, %unused: f32, %sum: f32):
    %s = arith.addf %e, %sum : f32
    linalg.yield %s : f32
  }
  sinter.kernel "f" ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
