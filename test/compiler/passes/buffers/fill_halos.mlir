// RUN: sinter-opt %s --split-input-file --fill-halos | FileCheck %s

// A map inside of its padding: what is in front, the borders between two rows, what is behind.
// CHECK-LABEL: func.func @map
// CHECK-SAME: %[[ZERO:[a-z0-9]*]]: i8
// CHECK: %[[MAP:.*]] = memref.alloc()
// CHECK-NOT: linalg.fill
// CHECK: %[[FRONT:.*]] = memref.reinterpret_cast %[[MAP]] to offset: [0], sizes: [408], strides: [1]
// CHECK: %[[BORDERS:.*]] = memref.reinterpret_cast %[[MAP]] to offset: [696], sizes: [7, 48], strides: [336, 1]
// CHECK: %[[BEHIND:.*]] = memref.reinterpret_cast %[[MAP]] to offset: [3048], sizes: [648], strides: [1]
// CHECK: sinter.kernel "fill_halo" ins(%[[ZERO]] : i8) outs(%[[FRONT]], %[[BORDERS]], %[[BEHIND]] :
// CHECK: sinter.kernel "f"
func.func @map(%zero: i8, %x: memref<1x8x12x24xi8>, %y: memref<1x11x14x24xi8>) {
  %map = memref.alloc() : memref<1x11x14x24xi8>
  linalg.fill ins(%zero : i8) outs(%map : memref<1x11x14x24xi8>)
  %part = memref.subview %map[0, 1, 3, 0] [1, 8, 12, 24] [1, 1, 1, 1]
    : memref<1x11x14x24xi8> to memref<1x8x12x24xi8, strided<[3696, 336, 24, 1], offset: 408>>
  sinter.kernel "f" ins(%x : memref<1x8x12x24xi8>) outs(%part : memref<1x8x12x24xi8, strided<[3696, 336, 24, 1], offset: 408>>)
  sinter.kernel "g" ins(%map : memref<1x11x14x24xi8>) outs(%y : memref<1x11x14x24xi8>)
  return
}

// -----

// Planes, copied into an output: what is between two of them, then the borders of all rows.
// CHECK-LABEL: func.func @planes
// CHECK-NOT: linalg.fill
// CHECK: sizes: [38]
// CHECK: to offset: [214], sizes: [3, 76], strides: [252, 1]
// CHECK: to offset: [70], sizes: [4, 4, 4], strides: [252, 36, 1]
// CHECK: to offset: [970], sizes: [38]
// CHECK: sinter.kernel "fill_halo"
// CHECK: memref.copy
func.func @planes(%zero: f32) {
  %x = sinter.input 0 "x" : memref<4x5x32xf32>
  %y = sinter.output 0 "y" : memref<4x7x36xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<4x7x36xf32>)
  %part = memref.subview %y[0, 1, 2] [4, 5, 32] [1, 1, 1] : memref<4x7x36xf32> to memref<4x5x32xf32, strided<[252, 36, 1], offset: 38>>
  memref.copy %x, %part : memref<4x5x32xf32> to memref<4x5x32xf32, strided<[252, 36, 1], offset: 38>>
  return
}

// -----

// Two parts of a concatenation are one; others of the same buffer count for themselves.
// CHECK-LABEL: func.func @parts
// CHECK-NOT: linalg.fill
// CHECK: sizes: [64]
// CHECK: to offset: [240], sizes: [3, 80], strides: [256, 1]
// CHECK: to offset: [1008], sizes: [16]
// CHECK: sinter.kernel "fill_halo"
func.func @parts(%zero: f32, %x: memref<4x96xf32>, %y: memref<4x80xf32>) {
  %map = memref.alloc() : memref<4x256xf32>
  linalg.fill ins(%zero : f32) outs(%map : memref<4x256xf32>)
  %first = memref.subview %map[0, 64] [4, 96] [1, 1] : memref<4x256xf32> to memref<4x96xf32, strided<[256, 1], offset: 64>>
  %second = memref.subview %map[0, 160] [4, 80] [1, 1] : memref<4x256xf32> to memref<4x80xf32, strided<[256, 1], offset: 160>>
  %far = memref.subview %map[0, 250] [4, 4] [1, 1] : memref<4x256xf32> to memref<4x4xf32, strided<[256, 1], offset: 250>>
  sinter.kernel "f" ins(%x : memref<4x96xf32>) outs(%second : memref<4x80xf32, strided<[256, 1], offset: 160>>)
  sinter.kernel "f" ins(%x : memref<4x96xf32>) outs(%far : memref<4x4xf32, strided<[256, 1], offset: 250>>)
  sinter.kernel "f" ins(%x : memref<4x96xf32>) outs(%first : memref<4x96xf32, strided<[256, 1], offset: 64>>)
  sinter.kernel "g" ins(%map : memref<4x256xf32>) outs(%y : memref<4x80xf32>)
  return
}

// -----

// Every eighth element is filled, and of these most are copied; what lies between them may be read.
// CHECK-LABEL: func.func @strided
// CHECK-NOT: linalg.fill
// CHECK: to offset: [407], sizes: [11, 14], strides: [512, 8]
// CHECK: to offset: [6039], sizes: [14], strides: [8]
// CHECK: sinter.kernel "fill_halo"
func.func @strided(%zero: f32, %x: memref<12x50xf32>) {
  %map = memref.alloc() : memref<12x64x8xf32>
  %channel = memref.subview %map[0, 0, 7] [12, 64, 1] [1, 1, 1] : memref<12x64x8xf32> to memref<12x64xf32, strided<[512, 8], offset: 7>>
  %other = memref.subview %map[0, 0, 6] [12, 64, 1] [1, 1, 1] : memref<12x64x8xf32> to memref<12x64xf32, strided<[512, 8], offset: 6>>
  linalg.fill ins(%zero : f32) outs(%channel : memref<12x64xf32, strided<[512, 8], offset: 7>>)
  sinter.kernel "f" ins(%other : memref<12x64xf32, strided<[512, 8], offset: 6>>) outs(%x : memref<12x50xf32>)
  %part = memref.subview %channel[0, 0] [12, 50] [1, 1] : memref<12x64xf32, strided<[512, 8], offset: 7>> to memref<12x50xf32, strided<[512, 8], offset: 7>>
  memref.copy %x, %part : memref<12x50xf32> to memref<12x50xf32, strided<[512, 8], offset: 7>>
  return
}

// -----

// Nothing is left of a fill whose buffer is written whole.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: fill
func.func @whole(%zero: f32, %x: memref<64xf32>) {
  %map = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%map : memref<64xf32>)
  sinter.kernel "f" ins(%x : memref<64xf32>) outs(%map : memref<64xf32>)
  return
}

// -----

// The fill stays where its values are read first, be it by the kernel itself, where a body writes an element ...
// CHECK-LABEL: func.func @read
// CHECK-COUNT-5: linalg.fill
// CHECK-NOT: fill_halo
#same = affine_map<(i, j) -> (i, j)>
func.func @read(%zero: f32, %x: memref<8x64xf32>) {
  %a = memref.alloc() : memref<10x64xf32>
  %inA = memref.subview %a[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.fill ins(%zero : f32) outs(%a : memref<10x64xf32>)
  sinter.kernel "g" ins(%a : memref<10x64xf32>) outs(%x : memref<8x64xf32>)
  sinter.kernel "f" ins(%x : memref<8x64xf32>) outs(%inA : memref<8x64xf32, strided<[64, 1], offset: 64>>)

  %b = memref.alloc() : memref<10x64xf32>
  %inB = memref.subview %b[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.fill ins(%zero : f32) outs(%b : memref<10x64xf32>)
  sinter.kernel "f" ins(%x : memref<8x64xf32>) outs(%inB : memref<8x64xf32, strided<[64, 1], offset: 64>>) {updates}

  %c = memref.alloc() : memref<10x64xf32>
  %inC = memref.subview %c[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.fill ins(%zero : f32) outs(%c : memref<10x64xf32>)
  %seenC = memref.subview %c[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.add ins(%x, %seenC : memref<8x64xf32>, memref<8x64xf32, strided<[64, 1], offset: 64>>) outs(%inC : memref<8x64xf32, strided<[64, 1], offset: 64>>)

  %d = memref.alloc() : memref<10x64xf32>
  %inD = memref.subview %d[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.fill ins(%zero : f32) outs(%d : memref<10x64xf32>)
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x64xf32>) outs(%inD : memref<8x64xf32, strided<[64, 1], offset: 64>>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  }

  %c0 = arith.constant 0 : index
  %e = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<1024xf32>)
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x64xf32>) outs(%x : memref<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    memref.store %in, %e[%c0] : memref<1024xf32>
    linalg.yield %in : f32
  }
  return
}

// -----

// ... where a kernel writes some elements only, where a loop may not run, where sizes, places or the buffer vary, and
// where what is written begins outside of what is filled.
// CHECK-LABEL: func.func @partly
// CHECK-COUNT-6: linalg.fill
// CHECK-NOT: fill_halo
#spread = affine_map<(i, j) -> (i, j * 2)>
#same = affine_map<(i, j) -> (i, j)>
func.func @partly(%condition: i1, %zero: f32, %x: memref<8x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<10x128xf32>
  %inA = memref.subview %a[1, 0] [8, 128] [1, 1] : memref<10x128xf32> to memref<8x128xf32, strided<[128, 1], offset: 128>>
  linalg.fill ins(%zero : f32) outs(%a : memref<10x128xf32>)
  linalg.generic {indexing_maps = [#same, #spread], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x64xf32>) outs(%inA : memref<8x128xf32, strided<[128, 1], offset: 128>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }

  %b = memref.alloc() : memref<10x64xf32>
  %inB = memref.subview %b[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.fill ins(%zero : f32) outs(%b : memref<10x64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %inB : memref<8x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  }

  %c = memref.alloc() : memref<10x64xf32>
  %inC = memref.subview %c[%n, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%c : memref<10x64xf32>)
  memref.copy %x, %inC : memref<8x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>

  %d = memref.alloc(%n) : memref<?x64xf32>
  %inD = memref.subview %d[1, 0] [8, 64] [1, 1] : memref<?x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  linalg.fill ins(%zero : f32) outs(%d : memref<?x64xf32>)
  memref.copy %x, %inD : memref<8x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>

  %e = memref.alloc() : memref<10x64xf32>
  %rows = memref.subview %e[1, 0] [9, 64] [1, 1] : memref<10x64xf32> to memref<9x64xf32, strided<[64, 1], offset: 64>>
  %inE = memref.subview %e[0, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1]>>
  linalg.fill ins(%zero : f32) outs(%rows : memref<9x64xf32, strided<[64, 1], offset: 64>>)
  memref.copy %x, %inE : memref<8x64xf32> to memref<8x64xf32, strided<[64, 1]>>

  %f = memref.alloc() : memref<8x64xf32>
  %chosen = arith.select %condition, %f, %x : memref<8x64xf32>
  linalg.fill ins(%zero : f32) outs(%f : memref<8x64xf32>)
  memref.copy %x, %chosen : memref<8x64xf32> to memref<8x64xf32>
  return
}

// -----

// Of a buffer that a loop hands on from outside nobody fills a halo here; of rows of 31 floats, or of few, neither.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: linalg.fill
// CHECK-NOT: fill_halo
func.func @stays(%zero: f32, %x: memref<8x64xf32>, %short: memref<40x31xf32>, %few: memref<7x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<10x64xf32>
  %inA = memref.subview %a[1, 0] [8, 64] [1, 1] : memref<10x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%a : memref<10x64xf32>)
    memref.copy %x, %inA : memref<8x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  }

  %b = memref.alloc() : memref<40x33xf32>
  %inB = memref.subview %b[0, 1] [40, 31] [1, 1] : memref<40x33xf32> to memref<40x31xf32, strided<[33, 1], offset: 1>>
  linalg.fill ins(%zero : f32) outs(%b : memref<40x33xf32>)
  memref.copy %short, %inB : memref<40x31xf32> to memref<40x31xf32, strided<[33, 1], offset: 1>>

  %c = memref.alloc() : memref<9x64xf32>
  %inC = memref.subview %c[1, 0] [7, 64] [1, 1] : memref<9x64xf32> to memref<7x64xf32, strided<[64, 1], offset: 64>>
  linalg.fill ins(%zero : f32) outs(%c : memref<9x64xf32>)
  memref.copy %few, %inC : memref<7x64xf32> to memref<7x64xf32, strided<[64, 1], offset: 64>>
  return
}
