// RUN: sinter-opt %s --pack-integers --split-input-file | FileCheck %s
// Contractions of bytes: weights in fours, the zero point of the activations in a term per column, pads as a padded map.

// Unsigned bytes times signed ones are what VNNI multiplies.
// CHECK-LABEL: @matmul
// CHECK: %[[BIAS:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<40xi32>, tensor<40xi32>)
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %[[BIAS]] : tensor<4x9xi8>, tensor<1x3x192xi8>, tensor<40xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm", {}>
// CHECK-SAME: signs = "us"
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[TERM:.*]]: i32):
// CHECK-NEXT: arith.addi %[[ACC]], %[[TERM]]
// CHECK-NEXT: sinter.yield
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @matmul(%a: tensor<4x9xi8>) -> tensor<4x40xi32> {
  %b = arith.constant dense<3> : tensor<9x40xi8>
  %bias = arith.constant dense<100> : tensor<40xi32>
  %e = tensor.empty() : tensor<4x40xi32>
  %c = sinter.matmul ins(%a, %b, %bias : tensor<4x9xi8>, tensor<9x40xi8>, tensor<40xi32>) outs(%e : tensor<4x40xi32>)
      attributes {epilogue_maps = [affine_map<(m, n) -> (n)>], signs = "us", lhs_zero = 5 : i64} {
  ^bb0(%x: i32, %t: i32):
    %s = arith.addi %x, %t : i32
    sinter.yield %s : i32
  } -> tensor<4x40xi32>
  return %c : tensor<4x40xi32>
}
}

// -----

// Signed bytes are flipped for VNNI: their zero point is then 128, not 0.
// CHECK-LABEL: @flipped
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xi8>, tensor<1x2x64xi8>, tensor<16xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm", {flipped}>
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @flipped(%a: tensor<4x8xi8>) -> tensor<4x16xi32> {
  %b = arith.constant dense<3> : tensor<16x8xi8>
  %e = tensor.empty() : tensor<4x16xi32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xi8>, tensor<16x8xi8>) outs(%e : tensor<4x16xi32>)
      attributes {epilogue_maps = [], transpose_rhs} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<4x16xi32>
  return %c : tensor<4x16xi32>
}
}

// -----

// Without VNNI x86 adds pairs, whose weights are made small: of 100 and 100 a half is an extra four. Bytes are unsigned.
// CHECK-LABEL: @pairs
// CHECK: sinter.kernel "pack_pairs" ins(%{{.*}} : tensor<1x4x8x4xi8>) {{.*}}columns = 1 : i64, extras = 1 : i64, length = 16 : i64
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x16xi8>, tensor<1x6x32xi8>, tensor<8xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm", {extras = 1 : i64, flipped}>
// CHECK-LABEL: @large_pairs
// CHECK-NOT: pack_pairs
// CHECK: sinter.matmul
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm", {}>
module attributes {sinter.target = "x86-64-v3"} {
func.func @pairs(%a: tensor<4x16xi8>) -> tensor<4x8xi32> {
  %small = arith.constant dense<64> : tensor<8x12xi8>
  %large = arith.constant dense<100> : tensor<8x4xi8>
  %e = tensor.empty() : tensor<4x8xi32>
  %b = tensor.concat dim(1) %small, %large : (tensor<8x12xi8>, tensor<8x4xi8>) -> tensor<8x16xi8>
  %c = sinter.matmul ins(%a, %b : tensor<4x16xi8>, tensor<8x16xi8>) outs(%e : tensor<4x8xi32>)
      attributes {epilogue_maps = [], transpose_rhs} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<4x8xi32>
  return %c : tensor<4x8xi32>
}
// Where nearly all fours would need another one, products are of 16 bits.
func.func @large_pairs(%a: tensor<4x16xi8>) -> tensor<4x8xi32> {
  %b = arith.constant dense<100> : tensor<8x16xi8>
  %e = tensor.empty() : tensor<4x8xi32>
  %c = sinter.matmul ins(%a, %b : tensor<4x16xi8>, tensor<8x16xi8>) outs(%e : tensor<4x8xi32>)
      attributes {epilogue_maps = [], transpose_rhs} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<4x8xi32>
  return %c : tensor<4x8xi32>
}
}

// -----

// Weights that are no bytes once their zero point is off are so less 128; what they lack meets the sum of each row.
// CHECK-LABEL: @wide
// CHECK: %[[OF_ROWS:.*]] = linalg.generic {{.*}} ins(%{{[0-9]+}} : tensor<4xi32>)
// CHECK: %[[LACKS:.*]] = arith.constant 28 : i32
// CHECK: arith.muli %{{.*}}, %[[LACKS]]
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %[[OF_ROWS]] : tensor<4x8xi8>, tensor<1x2x64xi8>, tensor<4xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm"
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @wide(%a: tensor<4x8xi8>) -> tensor<4x16xi32> {
  %b = arith.constant dense<-1> : tensor<8x16xi8>
  %e = tensor.empty() : tensor<4x16xi32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x16xi8>) outs(%e : tensor<4x16xi32>)
      attributes {epilogue_maps = [], signs = "uu", rhs_zero = 100 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<4x16xi32>
  return %c : tensor<4x16xi32>
}
}

// -----

// Of a convolution these sums are one of its own, with a filter of ones.
// CHECK-LABEL: @wide_conv
// CHECK: %[[SUMS:.*]] = sinter.conv ins(%[[MAP:.*]], %{{.*}}, %{{.*}} : tensor<1x1x10x10x4xi8>, {{.*}} outs(%{{.*}} : tensor<1x1x8x8x1xi32>) {{.*}}kernel = #sinter.kernel<"int_conv"
// CHECK: %[[FLAT:.*]] = tensor.{{.*}} %[[SUMS]]
// CHECK: %[[OF_WINDOWS:.*]] = linalg.generic {{.*}} ins(%[[FLAT]] : tensor<1x8x8xi32>)
// CHECK: sinter.conv ins(%[[MAP]], %{{.*}}, %[[OF_WINDOWS]], {{.*}}kernel = #sinter.kernel<"int_conv"
module attributes {sinter.target = "x86-64-v3"} {
func.func @wide_conv(%x: tensor<1x1x8x8x4xi8>) -> tensor<1x1x8x8x16xi32> {
  %w = arith.constant dense<3> : tensor<16x4x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x8x16xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x8x8x4xi8>, tensor<16x4x3x3xi8>) outs(%e : tensor<1x1x8x8x16xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc",
                  pads = array<i64: 1, 1>, strides = array<i64: 1, 1>, signs = "uu", input_zero = 7 : i64, filter_zero = 140 : i64} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x8x8x16xi32>
  return %y : tensor<1x1x8x8x16xi32>
}
}

// -----

// Rows of three taps of three channels are runs of nine bytes, three fours; what lies around the map is its zero point.
// CHECK-LABEL: @conv
// CHECK: %[[ZERO:.*]] = arith.constant -1 : i8
// CHECK: %[[FILLED:.*]] = linalg.fill ins(%[[ZERO]] : i8)
// CHECK: %[[MAP:.*]] = tensor.insert_slice %{{.*}} into %[[FILLED]][0, 0, 1, 1, 0] [1, 1, 8, 8, 3] [1, 1, 1, 1, 1] : tensor<1x1x8x8x3xi8> into tensor<1x1x10x10x3xi8>
// CHECK: sinter.conv ins(%[[MAP]], %{{.*}}, %{{.*}} : tensor<1x1x10x10x3xi8>, tensor<1x3x3x16x4xi8>, tensor<1x16xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"int_conv", {merged, taps = array<i64: 3, 3>}>
// CHECK-SAME: pads = array<i64: 0, 0>
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @conv(%x: tensor<1x1x8x8x3xi8>) -> tensor<1x1x8x8x16xi32> {
  %w = arith.constant dense<3> : tensor<16x3x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x8x16xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x8x8x3xi8>, tensor<16x3x3x3xi8>) outs(%e : tensor<1x1x8x8x16xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc",
                  pads = array<i64: 1, 1>, strides = array<i64: 1, 1>, signs = "us", input_zero = 255 : i64} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x8x8x16xi32>
  return %y : tensor<1x1x8x8x16xi32>
}
}

// -----

// One filter per channel: 64 and 5 channels (filled up to 16), three taps and a zero to a four.
// CHECK-LABEL: @depthwise
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x69xi8>, tensor<960xi8>)
// CHECK-SAME: kernel = #sinter.kernel<"int_depthwise"
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @depthwise(%x: tensor<1x1x8x8x69xi8>) -> tensor<1x1x6x6x69xi32> {
  %w = arith.constant dense<3> : tensor<69x1x3x3xi8>
  %e = tensor.empty() : tensor<1x1x6x6x69xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x8x8x69xi8>, tensor<69x1x3x3xi8>) outs(%e : tensor<1x1x6x6x69xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 69 : i64, layout = "nchwc",
                  pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, signs = "us"} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x6x6x69xi32>
  return %y : tensor<1x1x6x6x69xi32>
}
}

// -----

// A contraction of constants is computed at compile time, as it is.
// CHECK-LABEL: @constants
// CHECK: sinter.matmul
// CHECK-NOT: #sinter.kernel
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @constants() -> tensor<4x40xi32> {
  %a = sinter.weight dense<2> : tensor<4x9xi8> : tensor<4x9xi8>
  %b = sinter.weight dense<3> : tensor<9x40xi8> : tensor<9x40xi8>
  %e = tensor.empty() : tensor<4x40xi32>
  %c = sinter.matmul ins(%a, %b : tensor<4x9xi8>, tensor<9x40xi8>) outs(%e : tensor<4x40xi32>) attributes {epilogue_maps = [], signs = "us", lhs_zero = 5 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<4x40xi32>
  return %c : tensor<4x40xi32>
}
}

// -----

// Where small matrices are multiplied, eight of k lie together, and no kind of bytes is flipped.
// CHECK-LABEL: @eights
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<12x9xi8>, tensor<3x2x128xi8>, tensor<40xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm", {eights}>
module attributes {sinter.target = "aarch64+i8mm"} {
func.func @eights(%a: tensor<12x9xi8>) -> tensor<12x40xi32> {
  %b = arith.constant dense<3> : tensor<9x40xi8>
  %bias = arith.constant dense<100> : tensor<40xi32>
  %e = tensor.empty() : tensor<12x40xi32>
  %c = sinter.matmul ins(%a, %b, %bias : tensor<12x9xi8>, tensor<9x40xi8>, tensor<40xi32>) outs(%e : tensor<12x40xi32>)
      attributes {epilogue_maps = [affine_map<(m, n) -> (n)>], signs = "us", lhs_zero = 5 : i64} {
  ^bb0(%x: i32, %t: i32):
    %s = arith.addi %x, %t : i32
    sinter.yield %s : i32
  } -> tensor<12x40xi32>
  return %c : tensor<12x40xi32>
}
}

// -----

// Nine bytes are two eights; taps of twelve channels that no border is put around are runs of their own, since a row of them has no whole eights.
// CHECK-LABEL: @conv_eights
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x10x10x3xi8>, tensor<1x3x2x16x8xi8>)
// CHECK-SAME: kernel = #sinter.kernel<"int_conv", {eights, merged, taps = array<i64: 3, 3>}>
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x12xi8>, tensor<1x9x2x16x8xi8>)
// CHECK-SAME: kernel = #sinter.kernel<"int_conv", {eights, taps = array<i64: 3, 3>}>
module attributes {sinter.target = "aarch64+i8mm"} {
func.func @conv_eights(%x: tensor<1x1x8x8x3xi8>, %z: tensor<1x1x8x8x12xi8>) -> (tensor<1x1x8x8x16xi32>, tensor<1x1x6x6x16xi32>) {
  %w = arith.constant dense<3> : tensor<16x3x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x8x16xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x8x8x3xi8>, tensor<16x3x3x3xi8>) outs(%e : tensor<1x1x8x8x16xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc",
                  pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x8x8x16xi32>
  %v = arith.constant dense<3> : tensor<16x12x3x3xi8>
  %f = tensor.empty() : tensor<1x1x6x6x16xi32>
  %u = sinter.conv ins(%z, %v : tensor<1x1x8x8x12xi8>, tensor<16x12x3x3xi8>) outs(%f : tensor<1x1x6x6x16xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc",
                  pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x6x6x16xi32>
  return %y, %u : tensor<1x1x8x8x16xi32>, tensor<1x1x6x6x16xi32>
}
}

// -----

// Tile registers take bytes of either kind as they are, whose zero point is then no other; a product of one row stays with dot products.
// CHECK-LABEL: @tiles
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<32x64xi8>, tensor<2x16x128xi8>, tensor<40xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm", {tiles}>
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x64xi8>, tensor<1x16x192xi8>, tensor<40xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm", {flipped}>
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<?x64xi8>, tensor<2x16x128xi8>)
// CHECK-SAME: kernel = #sinter.kernel<"int_gemm", {tiles}>
module attributes {sinter.target = "x86-64-v4+vnni+amx-int8"} {
func.func @tiles(%x: tensor<32x64xi8>, %row: tensor<1x64xi8>, %some: tensor<?x64xi8>, %d: tensor<?x40xi32>) -> (tensor<32x40xi32>, tensor<1x40xi32>, tensor<?x40xi32>) {
  %b = arith.constant dense<3> : tensor<64x40xi8>
  %e = tensor.empty() : tensor<32x40xi32>
  %c = sinter.matmul ins(%x, %b : tensor<32x64xi8>, tensor<64x40xi8>) outs(%e : tensor<32x40xi32>) attributes {epilogue_maps = [], lhs_zero = 5 : i64} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<32x40xi32>
  %f = tensor.empty() : tensor<1x40xi32>
  %g = sinter.matmul ins(%row, %b : tensor<1x64xi8>, tensor<64x40xi8>) outs(%f : tensor<1x40xi32>) attributes {epilogue_maps = [], lhs_zero = 5 : i64} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x40xi32>
  %h = sinter.matmul ins(%some, %b : tensor<?x64xi8>, tensor<64x40xi8>) outs(%d : tensor<?x40xi32>) attributes {epilogue_maps = [], signs = "us"} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<?x40xi32>
  return %c, %g, %h : tensor<32x40xi32>, tensor<1x40xi32>, tensor<?x40xi32>
}
}

// -----

// Rows of taps are 48 bytes, a step of tiles; three channels have none.
// CHECK-LABEL: @conv_tiles
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x22x22x16xi8>, tensor<1x3x12x32x4xi8>)
// CHECK-SAME: kernel = #sinter.kernel<"int_conv", {merged, taps = array<i64: 3, 3>, tiles}>
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x22x22x3xi8>, tensor<1x3x3x32x4xi8>)
// CHECK-SAME: kernel = #sinter.kernel<"int_conv", {merged, taps = array<i64: 3, 3>}>
module attributes {sinter.target = "x86-64-v4+vnni+amx-int8"} {
func.func @conv_tiles(%x: tensor<1x1x20x20x16xi8>, %z: tensor<1x1x20x20x3xi8>) -> (tensor<1x1x20x20x32xi32>, tensor<1x1x20x20x32xi32>) {
  %w = arith.constant dense<3> : tensor<32x16x3x3xi8>
  %e = tensor.empty() : tensor<1x1x20x20x32xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x20x20x16xi8>, tensor<32x16x3x3xi8>) outs(%e : tensor<1x1x20x20x32xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc", signs = "us",
                  pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x20x20x32xi32>
  %v = arith.constant dense<3> : tensor<32x3x3x3xi8>
  %u = sinter.conv ins(%z, %v : tensor<1x1x20x20x3xi8>, tensor<32x3x3x3xi8>) outs(%e : tensor<1x1x20x20x32xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc", signs = "us",
                  pads = array<i64: 1, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x20x20x32xi32>
  return %y, %u : tensor<1x1x20x20x32xi32>, tensor<1x1x20x20x32xi32>
}
}

// -----

// Two operands that a call brings, the left-hand side broadcast: their zero points go into sums of rows and columns.
// CHECK-LABEL: @run_time
// CHECK-DAG: %[[OF_ROWS:.*]] = linalg.generic {{.*}} ins(%{{[0-9]+}} : tensor<1x4xi32>)
// CHECK-DAG: %[[OF_COLUMNS:.*]] = linalg.generic {{.*}} ins(%{{[0-9]+}} : tensor<3x8xi32>)
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %[[OF_ROWS]], %[[OF_COLUMNS]] : tensor<1x4x16xi8>, tensor<3x8x16xi8>, tensor<1x4xi32>, tensor<3x8xi32>)
// CHECK-NOT: zero
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[ROW:.*]]: i32, %[[COLUMN:.*]]: i32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[ACC]], %[[COLUMN]]
// CHECK-NEXT: arith.addi %[[SUM]], %[[ROW]]
module attributes {sinter.target = "x86-64-v3"} {
func.func @run_time(%a: tensor<1x4x16xi8>, %b: tensor<3x8x16xi8>) -> tensor<3x4x8xi32> {
  %e = tensor.empty() : tensor<3x4x8xi32>
  %c = sinter.matmul ins(%a, %b : tensor<1x4x16xi8>, tensor<3x8x16xi8>) outs(%e : tensor<3x4x8xi32>)
      attributes {epilogue_maps = [], transpose_rhs, signs = "uu", lhs_zero = 7 : i64, rhs_zero = 128 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<3x4x8xi32>
  return %c : tensor<3x4x8xi32>
}
}

// -----

// Groups of two channels and filters fill a vector of eight sums by fours, which are two fours of bytes; those of eight stay as they are.
// CHECK-LABEL: @groups
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x16xi8>, tensor<2x9x2x8x4xi8>)
// CHECK-SAME: group = 2 : i64
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x16xi8>, tensor<2x9x2x8x4xi8>)
// CHECK-SAME: group = 2 : i64
module attributes {sinter.target = "x86-64-v3+vnni"} {
func.func @groups(%x: tensor<1x1x8x8x16xi8>) -> (tensor<1x1x6x6x16xi32>, tensor<1x1x6x6x16xi32>) {
  %w = arith.constant dense<3> : tensor<16x2x3x3xi8>
  %e = tensor.empty() : tensor<1x1x6x6x16xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x8x8x16xi8>, tensor<16x2x3x3xi8>) outs(%e : tensor<1x1x6x6x16xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 8 : i64, layout = "nchwc",
                  pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, signs = "us"} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x6x6x16xi32>
  %v = arith.constant dense<3> : tensor<16x8x3x3xi8>
  %u = sinter.conv ins(%x, %v : tensor<1x1x8x8x16xi8>, tensor<16x8x3x3xi8>) outs(%e : tensor<1x1x6x6x16xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 2 : i64, layout = "nchwc",
                  pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, signs = "us"} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x1x6x6x16xi32>
  return %y, %u : tensor<1x1x6x6x16xi32>, tensor<1x1x6x6x16xi32>
}
}
