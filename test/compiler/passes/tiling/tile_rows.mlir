// Chains by row tiles: which loop comes out, that the interpreter computes the same, and each precondition failing.
// RUN: split-file %s %t
// RUN: sinter-opt %t/chain.mlir --tile-rows --simplify | FileCheck %s --check-prefix=CHAIN
// RUN: sinter-opt %t/chain.mlir --interpret -o %t/null > %t/whole.txt
// RUN: sinter-opt %t/chain.mlir --tile-rows --simplify --interpret -o %t/null > %t/tiled.txt
// RUN: diff %t/whole.txt %t/tiled.txt
// RUN: sinter-opt %t/stride.mlir --tile-rows --simplify | FileCheck %s --check-prefix=STRIDE
// RUN: sinter-opt %t/stride.mlir --interpret -o %t/null > %t/whole.txt
// RUN: sinter-opt %t/stride.mlir --tile-rows --simplify --interpret -o %t/null > %t/tiled.txt
// RUN: diff %t/whole.txt %t/tiled.txt
// RUN: sinter-opt %t/pool.mlir --tile-rows --simplify | FileCheck %s --check-prefix=POOL
// RUN: sinter-opt %t/pool.mlir --interpret -o %t/null > %t/whole.txt
// RUN: sinter-opt %t/pool.mlir --tile-rows --simplify --interpret -o %t/null > %t/tiled.txt
// RUN: diff %t/whole.txt %t/tiled.txt
// RUN: sinter-opt %t/residual.mlir --tile-rows --simplify | FileCheck %s --check-prefix=RESIDUAL
// RUN: sinter-opt %t/residual.mlir --interpret -o %t/null > %t/whole.txt
// RUN: sinter-opt %t/residual.mlir --tile-rows --simplify --interpret -o %t/null > %t/tiled.txt
// RUN: diff %t/whole.txt %t/tiled.txt
// RUN: sinter-opt %t/whole.mlir --tile-rows --simplify | FileCheck %s --check-prefix=WHOLE
// RUN: sinter-opt %t/whole.mlir --interpret -o %t/null > %t/whole.txt
// RUN: sinter-opt %t/whole.mlir --tile-rows --simplify --interpret -o %t/null > %t/tiled.txt
// RUN: diff %t/whole.txt %t/tiled.txt
// RUN: sinter-opt %t/uneven.mlir --tile-rows --simplify | FileCheck %s --check-prefix=UNEVEN
// RUN: sinter-opt %t/uneven.mlir --interpret -o %t/null > %t/whole.txt
// RUN: sinter-opt %t/uneven.mlir --tile-rows --simplify --interpret -o %t/null > %t/tiled.txt
// RUN: diff %t/whole.txt %t/tiled.txt
// RUN: sed 's/"cortex-m4"/"{base: x86-64-v4, byte_kernels: none, l2_kbytes: 0}"/' %t/uneven.mlir | sinter-opt --tile-rows | FileCheck %s --check-prefix=ONE
// RUN: sed 's/sinter.maps_apart, //' %t/uneven.mlir | sinter-opt --tile-rows | FileCheck %s --check-prefix=OVER
// RUN: sinter-opt %t/inplace.mlir --tile-rows | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/sinter.fit/sinter.maps_apart, sinter.fit/' %t/inplace.mlir | sinter-opt --tile-rows | FileCheck %s --check-prefix=APART
// RUN: sinter-opt %t/large.mlir --tile-rows --simplify | FileCheck %s --check-prefix=LARGE
// RUN: sed 's/bytes_per_cycle: 4/bytes_per_cycle: 64/' %t/large.mlir | sinter-opt --tile-rows | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/sinter.target/sinter.threads = 4 : i64, sinter.target/' %t/large.mlir | sinter-opt --tile-rows --simplify | FileCheck %s --check-prefix=BANDS
// RUN: sinter-opt %t/kept.mlir --tile-rows | FileCheck %s --check-prefix=KEPT
// RUN: sinter-opt %t/small.mlir --tile-rows | FileCheck %s --check-prefix=KEPT

//--- chain.mlir
// Pointwise, depthwise with padding, pointwise with the chain's input added. Memory comes first: one row at a time. Of what
// the first convolution makes, a window of three rows stays from row tile to row tile: its last two move up, and one new
// row (none in the last row tile) comes in behind them; the first row tile only gets that one ahead of the others.
// CHAIN-LABEL: func.func @main
// CHAIN: %[[Y:.*]] = tensor.empty() : tensor<1x2x8x6x4xf32>
// CHAIN: %[[W:.*]] = tensor.empty() : tensor<1x4x3x6x4xf32>
// CHAIN: scf.for %[[I:.*]] = %c-1 to %c8 step %c1 iter_args(%[[ACC:.*]] = %[[Y]], %[[WINDOW:.*]] = %[[W]])
// CHAIN: %[[SLID:.*]] = sinter.kernel "slide_rows" ins(%[[SHIFT:.*]], %[[STAY:.*]] : index, index) outs(%[[WINDOW]] : {{.*}}) {params = {dim = 2 : i64}, updates}
// CHAIN: %[[N:.*]] = affine.apply
// CHAIN: tensor.extract_slice %arg0[0, 0, %[[FIRST:.*]], 0, 0] [1, 2, %[[N]], 6, 4]
// CHAIN: %[[NEW:.*]] = tensor.extract_slice %[[SLID]][0, 0, %[[STAY]], 0, 0] [1, 4, %[[N]], 6, 4]
// CHAIN: %[[UP:.*]] = sinter.conv {{.*}} outs(%[[NEW]]
// CHAIN: %[[FULL:.*]] = tensor.insert_slice %[[UP]] into %[[SLID]]
// CHAIN: %[[READ:.*]] = tensor.extract_slice %[[FULL]][0, 0, 0, 0, 0]
// CHAIN: %[[DW:.*]] = sinter.conv ins(%[[READ]], {{.*}}) row_pad(%{{.*}}) outs(
// CHAIN: %[[RES:.*]] = tensor.extract_slice %arg0[0, 0, %[[ROW:.*]], 0, 0] [1, 2, %[[ROWS:.*]], 6, 4]
// CHAIN: sinter.conv ins({{.*}}, %[[RES]]
// CHAIN: %[[OUT:.*]] = tensor.insert_slice {{.*}} into %[[ACC]][0, 0, %[[ROW]], 0, 0] [1, 2, %[[ROWS]], 6, 4]
// CHAIN: scf.yield %[[OUT]], %[[FULL]]
// CHAIN: sinter.row_tiles = "9 row tiles of 1 row: buffers of {{[0-9]+}} bytes instead of whole feature maps"
module attributes {sinter.fit = "ram"} {
func.func @main(%x: tensor<1x2x8x6x4xf32>, %w1: tensor<2x1x1x8x8xf32>, %w2: tensor<3x3x16xf32>, %w3: tensor<1x1x1x16x8xf32>) -> tensor<1x2x8x6x4xf32> {
  %eup = tensor.empty() : tensor<1x4x8x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x8x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%eup : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edw = tensor.empty() : tensor<1x4x8x6x4xf32>
  %dw = sinter.conv ins(%up, %w2 : tensor<1x4x8x6x4xf32>, tensor<3x3x16xf32>) outs(%edw : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edown = tensor.empty() : tensor<1x2x8x6x4xf32>
  %down = sinter.conv ins(%dw, %w3, %x : tensor<1x4x8x6x4xf32>, tensor<1x1x1x16x8xf32>, tensor<1x2x8x6x4xf32>) outs(%edown : tensor<1x2x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = [affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>]} {
  ^bb0(%a: f32, %e: f32):
    %r = arith.addf %a, %e : f32
    sinter.yield %r : f32
  } -> tensor<1x2x8x6x4xf32>
  return %down : tensor<1x2x8x6x4xf32>
}
}
//--- stride.mlir
// Stride 2 and an odd height: no tail, because row tiles are divisors of the output's rows.
// STRIDE: scf.for
// STRIDE: row_pad(
// STRIDE: sinter.row_tiles =
module attributes {sinter.fit = "ram"} {
func.func @main(%x: tensor<1x2x9x6x4xf32>, %w1: tensor<2x1x1x8x8xf32>, %w2: tensor<3x3x16xf32>, %w3: tensor<1x1x1x16x8xf32>) -> tensor<1x2x5x3x4xf32> {
  %eup = tensor.empty() : tensor<1x4x9x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x9x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%eup : tensor<1x4x9x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x9x6x4xf32>
  %edw = tensor.empty() : tensor<1x4x5x3x4xf32>
  %dw = sinter.conv ins(%up, %w2 : tensor<1x4x9x6x4xf32>, tensor<3x3x16xf32>) outs(%edw : tensor<1x4x5x3x4xf32>) attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x5x3x4xf32>
  %edown = tensor.empty() : tensor<1x2x5x3x4xf32>
  %down = sinter.conv ins(%dw, %w3 : tensor<1x4x5x3x4xf32>, tensor<1x1x1x16x8xf32>) outs(%edown : tensor<1x2x5x3x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x2x5x3x4xf32>
  return %down : tensor<1x2x5x3x4xf32>
}
}
//--- pool.mlir
// A pool takes its padding as an operand; elementwise ops go along.
// POOL: scf.for
// POOL: sinter.conv
// POOL: linalg.generic
// POOL: sinter.pool max ins(%{{.*}} : tensor<{{.*}}>) row_pad(%{{.*}}) outs(
// POOL: sinter.row_tiles =
module attributes {sinter.fit = "ram"} {
func.func @main(%x: tensor<1x2x9x6x4xf32>, %w1: tensor<2x1x1x8x8xf32>, %scale: tensor<6xf32>) -> tensor<1x4x5x4x4xf32> {
  %eup = tensor.empty() : tensor<1x4x9x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x9x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%eup : tensor<1x4x9x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x9x6x4xf32>
  %eg = tensor.empty() : tensor<1x4x9x6x4xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>, affine_map<(n, c, h, w, b) -> (w)>, affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%up, %scale : tensor<1x4x9x6x4xf32>, tensor<6xf32>) outs(%eg : tensor<1x4x9x6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x4x9x6x4xf32>
  %ep = tensor.empty() : tensor<1x4x5x4x4xf32>
  %pool = sinter.pool max ins(%scaled : tensor<1x4x9x6x4xf32>) outs(%ep : tensor<1x4x5x4x4xf32>) {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1, 0, 0>, layout = "nchwc"} -> tensor<1x4x5x4x4xf32>
  return %pool : tensor<1x4x5x4x4xf32>
}
}
//--- residual.mlir
// A map with two readers, one by a window and one in an epilogue, is a window of as many rows as both need.
// RESIDUAL: tensor.empty() : tensor<1x4x8x6x4xf32>
// RESIDUAL-NEXT: tensor.empty() : tensor<1x4x3x6x4xf32>
// RESIDUAL: scf.for
// RESIDUAL: %[[FULL:.*]] = tensor.insert_slice
// RESIDUAL: sinter.conv ins({{.*}} row_pad(
// RESIDUAL: %[[SHORTCUT:.*]] = tensor.extract_slice %[[FULL]][0, 0, %{{.*}}, 0, 0] [1, 4, %{{.*}}, 6, 4]
// RESIDUAL: sinter.conv ins({{.*}} row_pad(
// RESIDUAL: sinter.row_tiles =
module attributes {sinter.fit = "ram"} {
func.func @main(%x: tensor<1x2x8x6x4xf32>, %w1: tensor<2x1x1x8x8xf32>, %w2: tensor<3x3x16xf32>, %w3: tensor<2x3x3x16x8xf32>) -> tensor<1x4x8x6x4xf32> {
  %e0 = tensor.empty() : tensor<1x4x8x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x8x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%e0 : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x8x6x4xf32>
  %e1 = tensor.empty() : tensor<1x4x8x6x4xf32>
  %dw = sinter.conv ins(%up, %w2 : tensor<1x4x8x6x4xf32>, tensor<3x3x16xf32>) outs(%e1 : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %e2 = tensor.empty() : tensor<1x4x8x6x4xf32>
  %sum = sinter.conv ins(%dw, %w3, %up : tensor<1x4x8x6x4xf32>, tensor<2x3x3x16x8xf32>, tensor<1x4x8x6x4xf32>) outs(%e2 : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = [affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>]} {
  ^bb0(%a: f32, %e: f32):
    %r = arith.addf %a, %e : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  return %sum : tensor<1x4x8x6x4xf32>
}
}
//--- whole.mlir
// A quantized average over the whole map becomes sums that grow with the row tiles: the map is never there at once.
// WHOLE: scf.for {{.*}} -> (tensor<1x1x4xf32>
// WHOLE: sinter.conv
// WHOLE: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]
// WHOLE: sinter.row_tiles =
// WHOLE: sinter.requantize %{{.*}} plus(%{{.*}}) zero -128 in [0, 255]
module attributes {sinter.fit = "ram"} {
func.func @main(%x: tensor<1x1x8x6x4xf32>, %w: tensor<3x3x4xf32>) -> tensor<1x1x1x1x4xi8> {
  %e = tensor.empty() : tensor<1x1x8x6x4xi8>
  %y = sinter.conv ins(%x, %w : tensor<1x1x8x6x4xf32>, tensor<3x3x4xf32>) outs(%e : tensor<1x1x8x6x4xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 4 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %r = arith.fptosi %a : f32 to i8
    sinter.yield %r : i8
  } -> tensor<1x1x8x6x4xi8>
  %ep = tensor.empty() : tensor<1x1x1x1x4xi8>
  %pool = sinter.pool average ins(%y : tensor<1x1x8x6x4xi8>) outs(%ep : tensor<1x1x1x1x4xi8>) {window = array<i64: 8, 6>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, layout = "nchwc", scales = #sinter.pool_scales<x_scale = 0.3 : f64, x_zero = 3, y_scale = 0.1 : f64, y_zero = -5, integer_sums = false>} -> tensor<1x1x1x1x4xi8>
  return %pool : tensor<1x1x1x1x4xi8>
}
}
//--- uneven.mlir
// On a microcontroller row tiles take at most 15 % more work by estimate: kernels that take pixels in pairs get two rows of five at a time, and the last
// row tile has one. Without such kernels, one row is as good.
// UNEVEN: scf.for
// UNEVEN: sinter.conv {{.*}} row_pad({{.*}} most_rows = 2 : i64
// UNEVEN: sinter.row_tiles = "14 row tiles of 2 rows: 
// ONE: sinter.row_tiles = "{{[0-9]+}} row tiles of 1 row: 
// What a loop makes may lie over what it has read: then the first map may as well be whole.
// OVER-NOT: scf.for
// OVER: } -> tensor<1x1x25x5x64xf32>
// OVER: sinter.row_tiles = "13 row tiles of 2 rows: 
module attributes {sinter.maps_apart, sinter.fit = "ram", sinter.target = "cortex-m4"} {
func.func @main(%x: tensor<1x1x25x5x64xf32>, %w1: tensor<8x1x1x64x8xf32>, %w2: tensor<3x3x64xf32>, %w3: tensor<8x1x1x64x8xf32>) -> tensor<1x1x25x5x64xf32> {
  %eup = tensor.empty() : tensor<1x1x25x5x64xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x1x25x5x64xf32>, tensor<8x1x1x64x8xf32>) outs(%eup : tensor<1x1x25x5x64xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x1x25x5x64xf32>
  %edw = tensor.empty() : tensor<1x1x25x5x64xf32>
  %dw = sinter.conv ins(%up, %w2 : tensor<1x1x25x5x64xf32>, tensor<3x3x64xf32>) outs(%edw : tensor<1x1x25x5x64xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 64 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x1x25x5x64xf32>
  %edown = tensor.empty() : tensor<1x1x25x5x64xf32>
  %down = sinter.conv ins(%dw, %w3 : tensor<1x1x25x5x64xf32>, tensor<8x1x1x64x8xf32>) outs(%edown : tensor<1x1x25x5x64xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x1x25x5x64xf32>
  return %down : tensor<1x1x25x5x64xf32>
}
}
//--- inplace.mlir
// Kernels that write over what they have read (kernels/kernel_order.h) need no row tiles.
// APART: scf.for
// APART: sinter.row_tiles =
module attributes {sinter.fit = "ram", sinter.target = "cortex-m4"} {
func.func @main(%x: tensor<1x1x8x8x16xi8>, %w1: tensor<16x16x1x1xi8>) -> tensor<1x1x8x8x16xi8> {
  %ea = tensor.empty() : tensor<1x1x8x8x16xi8>
  %a = sinter.conv ins(%x, %w1 : tensor<1x1x8x8x16xi8>, tensor<16x16x1x1xi8>) outs(%ea : tensor<1x1x8x8x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {}>, epilogue_maps = []} {
  ^bb0(%sum: i32):
    %v = arith.trunci %sum : i32 to i8
    sinter.yield %v : i8
  } -> tensor<1x1x8x8x16xi8>
  %eb = tensor.empty() : tensor<1x1x8x8x16xi8>
  %b = sinter.conv ins(%a, %w1 : tensor<1x1x8x8x16xi8>, tensor<16x16x1x1xi8>) outs(%eb : tensor<1x1x8x8x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {}>, epilogue_maps = []} {
  ^bb0(%sum: i32):
    %v = arith.trunci %sum : i32 to i8
    sinter.yield %v : i8
  } -> tensor<1x1x8x8x16xi8>
  %ec = tensor.empty() : tensor<1x1x8x8x16xi8>
  %c = sinter.conv ins(%b, %w1 : tensor<1x1x8x8x16xi8>, tensor<16x16x1x1xi8>) outs(%ec : tensor<1x1x8x8x16xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"dual_conv", {}>, epilogue_maps = []} {
  ^bb0(%sum: i32):
    %v = arith.trunci %sum : i32 to i8
    sinter.yield %v : i8
  } -> tensor<1x1x8x8x16xi8>
  return %c : tensor<1x1x8x8x16xi8>
}
}
//--- large.mlir
// Where speed comes first, what does not fit into L2 is fused as far as it then does: not if what lies behind L2 is fast, and not if threads share
// the rows of a kernel.
// LARGE: scf.for
// LARGE: sinter.row_tiles = "{{[0-9]+}} row tiles of {{[0-9]+}} rows: {{.*}} thousand cycles by estimate, because {{[0-9]+}} bytes stay in L2"
// A band for each of four threads, with a window of its own: two tiles of seven rows.
// BANDS: %[[Y:.*]] = tensor.empty() : tensor<1x6x56x56x16xf32>
// BANDS: scf.for %{{.*}} = %c0 to %c4 step %c1 iter_args(%[[ACC:.*]] = %[[Y]])
// BANDS: %[[W:.*]] = tensor.empty() : tensor<1x6x15x112x16xf32>
// BANDS: %[[TILES:.*]]:2 = scf.for %{{.*}} = %c0 to %c14 step %c7 iter_args(%{{.*}} = %[[ACC]], %{{.*}} = %[[W]])
// BANDS: sinter.row_tiles = "8 row tiles of 7 rows
// BANDS: scf.yield %[[TILES]]#0
// BANDS: sinter.bands
module attributes {sinter.target = "{base: x86-64-v4, byte_kernels: none, bytes_per_cycle: 4}"} {
func.func @main(%x: tensor<1x1x112x112x16xf32>, %w1: tensor<3x1x1x16x32xf32>, %w2: tensor<3x3x96xf32>, %w3: tensor<1x1x1x96x32xf32>) -> tensor<1x2x56x56x16xf32> {
  %eup = tensor.empty() : tensor<1x6x112x112x16xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x1x112x112x16xf32>, tensor<3x1x1x16x32xf32>) outs(%eup : tensor<1x6x112x112x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x6x112x112x16xf32>
  %edw = tensor.empty() : tensor<1x6x56x56x16xf32>
  %dw = sinter.conv ins(%up, %w2 : tensor<1x6x112x112x16xf32>, tensor<3x3x96xf32>) outs(%edw : tensor<1x6x56x56x16xf32>) attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 96 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x6x56x56x16xf32>
  %edown = tensor.empty() : tensor<1x2x56x56x16xf32>
  %down = sinter.conv ins(%dw, %w3 : tensor<1x6x56x56x16xf32>, tensor<1x1x1x96x32xf32>) outs(%edown : tensor<1x2x56x56x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x2x56x56x16xf32>
  return %down : tensor<1x2x56x56x16xf32>
}
}
//--- kept.mlir
// Nothing is in row tiles where a precondition fails.
// KEPT-NOT: scf.for
module attributes {sinter.fit = "ram"} {
// An intermediate with two users.
func.func @two_users(%x: tensor<1x2x8x6x4xf32>, %w1: tensor<2x1x1x8x8xf32>, %w2: tensor<3x3x16xf32>, %w3: tensor<1x1x1x16x8xf32>) -> (tensor<1x2x8x6x4xf32>, tensor<1x4x8x6x4xf32>) {
  %eup = tensor.empty() : tensor<1x4x8x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x8x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%eup : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edw = tensor.empty() : tensor<1x4x8x6x4xf32>
  %dw = sinter.conv ins(%up, %w2 : tensor<1x4x8x6x4xf32>, tensor<3x3x16xf32>) outs(%edw : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edw2 = tensor.empty() : tensor<1x4x8x6x4xf32>
  %dw2 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>, affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%dw : tensor<1x4x8x6x4xf32>) outs(%edw2 : tensor<1x4x8x6x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edown = tensor.empty() : tensor<1x2x8x6x4xf32>
  %down = sinter.conv ins(%dw2, %w3, %x : tensor<1x4x8x6x4xf32>, tensor<1x1x1x16x8xf32>, tensor<1x2x8x6x4xf32>) outs(%edown : tensor<1x2x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = [affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>]} {
  ^bb0(%a: f32, %e: f32):
    %r = arith.addf %a, %e : f32
    sinter.yield %r : f32
  } -> tensor<1x2x8x6x4xf32>
  return %down, %up : tensor<1x2x8x6x4xf32>, tensor<1x4x8x6x4xf32>
}
// Sizes that are known at run time only.
func.func @run_time_size(%x: tensor<1x2x?x6x4xf32>, %h: index, %w1: tensor<2x1x1x8x8xf32>, %w3: tensor<1x1x1x16x8xf32>) -> tensor<1x2x?x6x4xf32> {
  %eup = tensor.empty(%h) : tensor<1x4x?x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x?x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%eup : tensor<1x4x?x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x?x6x4xf32>
  %edown = tensor.empty(%h) : tensor<1x2x?x6x4xf32>
  %down = sinter.conv ins(%up, %w3 : tensor<1x4x?x6x4xf32>, tensor<1x1x1x16x8xf32>) outs(%edown : tensor<1x2x?x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x2x?x6x4xf32>
  return %down : tensor<1x2x?x6x4xf32>
}
// An average over padding, which its kernel does not take at run time.
func.func @padded_average(%x: tensor<1x2x8x6x4xf32>, %w1: tensor<2x1x1x8x8xf32>) -> tensor<1x4x8x6x4xf32> {
  %eup = tensor.empty() : tensor<1x4x8x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x8x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%eup : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x8x6x4xf32>
  %ep = tensor.empty() : tensor<1x4x8x6x4xf32>
  %pool = sinter.pool average ins(%up : tensor<1x4x8x6x4xf32>) outs(%ep : tensor<1x4x8x6x4xf32>) {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, layout = "nchwc"} -> tensor<1x4x8x6x4xf32>
  return %pool : tensor<1x4x8x6x4xf32>
}
// One spatial dim: its kernels have no rows.
func.func @one_dim(%x: tensor<1x2x8x4xf32>, %w1: tensor<2x1x8x8xf32>, %w3: tensor<1x1x16x8xf32>) -> tensor<1x2x8x4xf32> {
  %eup = tensor.empty() : tensor<1x4x8x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x8x4xf32>, tensor<2x1x8x8xf32>) outs(%eup : tensor<1x4x8x4xf32>) attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 3>, array<i64: 2>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x8x4xf32>
  %edown = tensor.empty() : tensor<1x2x8x4xf32>
  %down = sinter.conv ins(%up, %w3 : tensor<1x4x8x4xf32>, tensor<1x1x16x8xf32>) outs(%edown : tensor<1x2x8x4xf32>) attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 3>, array<i64: 2>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x2x8x4xf32>
  return %down : tensor<1x2x8x4xf32>
}
// Another step needs more memory anyway.
func.func @larger_elsewhere(%x: tensor<1x2x8x6x4xf32>, %w1: tensor<2x1x1x8x8xf32>, %w2: tensor<3x3x16xf32>, %w3: tensor<1x1x1x16x8xf32>, %big: tensor<65536xf32>) -> (tensor<1x2x8x6x4xf32>, tensor<f32>) {
  %ebig = tensor.empty() : tensor<65536xf32>
  %other = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%big : tensor<65536xf32>) outs(%ebig : tensor<65536xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<65536xf32>
  %esum = tensor.empty() : tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%other : tensor<65536xf32>) outs(%esum : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %eup = tensor.empty() : tensor<1x4x8x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x8x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%eup : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edw = tensor.empty() : tensor<1x4x8x6x4xf32>
  %dw = sinter.conv ins(%up, %w2 : tensor<1x4x8x6x4xf32>, tensor<3x3x16xf32>) outs(%edw : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edown = tensor.empty() : tensor<1x2x8x6x4xf32>
  %down = sinter.conv ins(%dw, %w3, %x : tensor<1x4x8x6x4xf32>, tensor<1x1x1x16x8xf32>, tensor<1x2x8x6x4xf32>) outs(%edown : tensor<1x2x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = [affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>]} {
  ^bb0(%a: f32, %e: f32):
    %r = arith.addf %a, %e : f32
    sinter.yield %r : f32
  } -> tensor<1x2x8x6x4xf32>
  return %down, %sum : tensor<1x2x8x6x4xf32>, tensor<f32>
}
}
//--- small.mlir
// All of it fits into L2, and speed comes first.
module {
func.func @main(%x: tensor<1x2x8x6x4xf32>, %w1: tensor<2x1x1x8x8xf32>, %w2: tensor<3x3x16xf32>, %w3: tensor<1x1x1x16x8xf32>) -> tensor<1x2x8x6x4xf32> {
  %eup = tensor.empty() : tensor<1x4x8x6x4xf32>
  %up = sinter.conv ins(%x, %w1 : tensor<1x2x8x6x4xf32>, tensor<2x1x1x8x8xf32>) outs(%eup : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edw = tensor.empty() : tensor<1x4x8x6x4xf32>
  %dw = sinter.conv ins(%up, %w2 : tensor<1x4x8x6x4xf32>, tensor<3x3x16xf32>) outs(%edw : tensor<1x4x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %a, %z : f32
    sinter.yield %r : f32
  } -> tensor<1x4x8x6x4xf32>
  %edown = tensor.empty() : tensor<1x2x8x6x4xf32>
  %down = sinter.conv ins(%dw, %w3, %x : tensor<1x4x8x6x4xf32>, tensor<1x1x1x16x8xf32>, tensor<1x2x8x6x4xf32>) outs(%edown : tensor<1x2x8x6x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = [affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>]} {
  ^bb0(%a: f32, %e: f32):
    %r = arith.addf %a, %e : f32
    sinter.yield %r : f32
  } -> tensor<1x2x8x6x4xf32>
  return %down : tensor<1x2x8x6x4xf32>
}
}
