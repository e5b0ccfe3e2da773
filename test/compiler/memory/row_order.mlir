// RUN: sinter-opt %s --split-input-file --plan-memory --check-plan | FileCheck %s
// Where a kernel promises to read rows before it writes over them (kernels/kernel_order.h), its output lies over its input.

// 1x1, more channels behind it than before: pixel after pixel, the output 16 * 11 bytes below the input. 384 bytes, not 576.
#c = affine_map<(n, b, h, w, c) -> (n, b, h, w, c)>
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @widens
  // CHECK-SAME: sinter.arena_bytes = 384
  // CHECK: sinter.arena 176 for 192
  // CHECK: sinter.arena 0 for 384
  func.func @widens(%x: memref<1x1x3x4x16xi8>, %w: memref<16x32x1x1xi8>, %y: memref<1x1x3x4x32xi8>) {
    %a = memref.alloc() : memref<1x1x3x4x16xi8>
    %b = memref.alloc() : memref<1x1x3x4x32xi8>
    sinter.kernel "f" ins(%x : memref<1x1x3x4x16xi8>) outs(%a : memref<1x1x3x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x3x4x16xi8>, memref<16x32x1x1xi8>) outs(%b : memref<1x1x3x4x32xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x3x4x32xi8>) outs(%y : memref<1x1x3x4x32xi8>)
    return
  }
}

// -----

// 3x3 over kept lines: in place, beside the scratch. Not with threads, which share the rows.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @kept
  // CHECK-SAME: sinter.arena_bytes = 256
  func.func @kept(%x: memref<1x1x4x4x16xi8>, %w: memref<16x16x3x3xi8>, %y: memref<1x1x4x4x16xi8>) {
    %a = memref.alloc() : memref<1x1x4x4x16xi8>
    %b = memref.alloc() : memref<1x1x4x4x16xi8>
    sinter.kernel "f" ins(%x : memref<1x1x4x4x16xi8>) outs(%a : memref<1x1x4x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x4x4x16xi8>, memref<16x16x3x3xi8>) outs(%b : memref<1x1x4x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
    return
  }
}

// -----

module attributes {sinter.target = "cortex-m3", sinter.threads = 2 : i64} {
  // CHECK-LABEL: func.func @threads
  // CHECK-SAME: sinter.arena_bytes = 512
  func.func @threads(%x: memref<1x1x4x4x16xi8>, %w: memref<16x16x3x3xi8>, %y: memref<1x1x4x4x16xi8>) {
    %a = memref.alloc() : memref<1x1x4x4x16xi8>
    %b = memref.alloc() : memref<1x1x4x4x16xi8>
    sinter.kernel "f" ins(%x : memref<1x1x4x4x16xi8>) outs(%a : memref<1x1x4x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x4x4x16xi8>, memref<16x16x3x3xi8>) outs(%b : memref<1x1x4x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
    return
  }
}

// -----

// Channel after channel: a row below, so that a step of rows finds the last rows of the one before; 16 bytes of pixels a multiple.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @planes
  // CHECK-SAME: sinter.arena_bytes = 320
  // CHECK: sinter.arena 64 for 256
  // CHECK: sinter.arena 0 for 256
  func.func @planes(%x: memref<1x1x4x4x16xi8>, %w: memref<16x1x3x3xi8>, %y: memref<1x1x4x4x16xi8>) {
    %a = memref.alloc() : memref<1x1x4x4x16xi8>
    %b = memref.alloc() : memref<1x1x4x4x16xi8>
    sinter.kernel "f" ins(%x : memref<1x1x4x4x16xi8>) outs(%a : memref<1x1x4x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x4x4x16xi8>, memref<16x1x3x3xi8>) outs(%b : memref<1x1x4x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"dual_depthwise", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
    return
  }
}

// -----

// A kernel that promises nothing: two places. An input that is read later too: two places.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @unknown
  // CHECK-SAME: sinter.arena_bytes = 512
  func.func @unknown(%x: memref<1x1x4x4x16xi8>, %w: memref<16x16x3x3xi8>, %y: memref<1x1x4x4x16xi8>) {
    %a = memref.alloc() : memref<1x1x4x4x16xi8>
    %b = memref.alloc() : memref<1x1x4x4x16xi8>
    sinter.kernel "f" ins(%x : memref<1x1x4x4x16xi8>) outs(%a : memref<1x1x4x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x4x4x16xi8>, memref<16x16x3x3xi8>) outs(%b : memref<1x1x4x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"other", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
    return
  }
}

// -----

// Elements of other sizes: floats become bytes where they are, bytes become floats that end where the bytes end.
#id = affine_map<(a) -> (a)>
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @elements
  // CHECK-SAME: sinter.arena_bytes = 256
  // CHECK: sinter.arena [[BYTES:.*]] for 64
  func.func @elements(%x: memref<64xi8>, %y: memref<64xi8>) {
    %a = memref.alloc() : memref<64xi8>
    %b = memref.alloc() : memref<64xf32>
    %c = memref.alloc() : memref<64xi8>
    sinter.kernel "f" ins(%x : memref<64xi8>) outs(%a : memref<64xi8>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xi8>) outs(%b : memref<64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %v = arith.sitofp %in : i8 to f32
      linalg.yield %v : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<64xf32>) outs(%c : memref<64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %v = arith.fptosi %in : f32 to i8
      linalg.yield %v : i8
    }
    sinter.kernel "f" ins(%c : memref<64xi8>) outs(%y : memref<64xi8>)
    return
  }
}

// -----

// Lines that are read where they lie: eight pixels are read again while they are written.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @lines
  // CHECK-SAME: sinter.arena_bytes = 384
  func.func @lines(%x: memref<1x1x4x4x16xi8>, %w: memref<16x16x1x1xi8>, %y: memref<1x1x4x4x16xi8>) {
    %a = memref.alloc() : memref<1x1x4x4x16xi8>
    %b = memref.alloc() : memref<1x1x4x4x16xi8>
    sinter.kernel "f" ins(%x : memref<1x1x4x4x16xi8>) outs(%a : memref<1x1x4x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x4x4x16xi8>, memref<16x16x1x1xi8>) outs(%b : memref<1x1x4x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"conv_im2col", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
    return
  }
}

// -----

// Lines that are copied to scratch (64 bytes here) first: in place.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @gathered
  // CHECK-SAME: sinter.arena_bytes = 320
  func.func @gathered(%x: memref<1x1x4x4x16xi8>, %w: memref<16x16x1x1xi8>, %y: memref<1x1x4x4x16xi8>) {
    %a = memref.alloc() : memref<1x1x4x4x16xi8>
    %b = memref.alloc() : memref<1x1x4x4x16xi8>
    %s = memref.alloc() : memref<64xi8>
    sinter.kernel "f" ins(%x : memref<1x1x4x4x16xi8>) outs(%a : memref<1x1x4x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x4x4x16xi8>, memref<16x16x1x1xi8>) outs(%b, %s : memref<1x1x4x4x16xi8>, memref<64xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"conv_im2col", {copies_rows}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
    return
  }
}

// -----

// Windows read where they lie: two rows, that of the output and the one above.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @windows
  // CHECK-SAME: sinter.arena_bytes = 384
  func.func @windows(%x: memref<1x1x4x4x16xi8>, %w: memref<16x1x3x3xi8>, %y: memref<1x1x4x4x16xi8>) {
    %a = memref.alloc() : memref<1x1x4x4x16xi8>
    %b = memref.alloc() : memref<1x1x4x4x16xi8>
    sinter.kernel "f" ins(%x : memref<1x1x4x4x16xi8>) outs(%a : memref<1x1x4x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x4x4x16xi8>, memref<16x1x3x3xi8>) outs(%b : memref<1x1x4x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"depthwise_im2col", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
    return
  }
}

// -----

// Columns of whole rows are copied to scratch first, and the row above is read again: one row.
module attributes {sinter.target = "cortex-m3"} {
  // CHECK-LABEL: func.func @columns
  // CHECK-SAME: sinter.arena_bytes = 320
  func.func @columns(%x: memref<1x1x4x4x16xi8>, %w: memref<16x1x3x3xi8>, %y: memref<1x1x4x4x16xi8>) {
    %a = memref.alloc() : memref<1x1x4x4x16xi8>
    %b = memref.alloc() : memref<1x1x4x4x16xi8>
    sinter.kernel "f" ins(%x : memref<1x1x4x4x16xi8>) outs(%a : memref<1x1x4x4x16xi8>)
    sinter.conv ins(%a, %w : memref<1x1x4x4x16xi8>, memref<16x1x3x3xi8>) outs(%b : memref<1x1x4x4x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, epilogue_maps = [], layout = "nchwc", kernel = #sinter.kernel<"depthwise_columns", {}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
    return
  }
}

// -----

// Planes, which are read side by side: the output lies over rows of the first one. 8 rows of 4 bytes in three planes become 8 of
// 16: when 7 of them are made, the last row is still to be read, so that the output begins 7 * 16 - 7 * 4 bytes below.
module attributes {sinter.target = "{base: cortex-m3, alignment: 4}"} {
  // CHECK-LABEL: func.func @planar
  // CHECK-SAME: sinter.arena_bytes = 180
  func.func @planar(%x: memref<1x3x8x4xi8>, %w: memref<4x4xi32>, %y: memref<1x1x8x4x4xi8>) {
    %a = memref.alloc() : memref<1x3x8x4xi8>
    %b = memref.alloc() : memref<1x1x8x4x4xi8>
    sinter.kernel "f" ins(%x : memref<1x3x8x4xi8>) outs(%a : memref<1x3x8x4xi8>)
    sinter.conv ins(%a, %w : memref<1x3x8x4xi8>, memref<4x4xi32>) outs(%b : memref<1x1x8x4x4xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], layout = "nchw->nchwc", kernel = #sinter.kernel<"dual_conv", {taps = array<i64: 1, 1>}>} {
    ^bb0(%sum: i32):
      %v = arith.trunci %sum : i32 to i8
      sinter.yield %v : i8
    }
    sinter.kernel "f" ins(%b : memref<1x1x8x4x4xi8>) outs(%y : memref<1x1x8x4x4xi8>)
    return
  }
}

// -----

// A GPU makes all elements at the same time: nothing lies over what it is made of, where elements have other sizes.
#id = affine_map<(a) -> (a)>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
  // CHECK-LABEL: func.func @side_by_side
  // CHECK-SAME: sinter.arena_bytes = 512
  func.func @side_by_side(%x: memref<64xi8>, %y: memref<64xf32>) {
    %a = memref.alloc() : memref<64xi8>
    %b = memref.alloc() : memref<64xf32>
    sinter.kernel "f" ins(%x : memref<64xi8>) outs(%a : memref<64xi8>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xi8>) outs(%b : memref<64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %v = arith.sitofp %in : i8 to f32
      linalg.yield %v : f32
    }
    sinter.kernel "f" ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
    return
  }
}
