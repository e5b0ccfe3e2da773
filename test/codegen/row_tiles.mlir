// An op by row tiles, whose heights and upper padding differ at the borders, writes what the op as a whole writes, to the last bit. What does not
// vary stays a constant of the kernel. Inputs/row_tiles.cpp compares.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net --target x86-64-v3
// RUN: FileCheck %s < %t/net.cpp
// RUN: %cxx -std=c++17 -O0 -march=x86-64-v3 -Wall -Wextra -Wconversion -pedantic -Werror -fno-exceptions -fno-rtti -fsanitize=undefined,address -fno-sanitize-recover -I%t -c %t/net.cpp -o %t/net.o
// RUN: %cxx -std=c++17 -fsanitize=undefined,address -I%t %S/Inputs/row_tiles.cpp %t/net.o -o %t/run && %t/run

// CHECK: struct [[SIZES:ConvSizes_2]] {
// CHECK-NEXT: static constexpr int64_t batch = 2, channels = 16, width = 6, filters = 16, outWidth = 6, kernelH = 3, kernelW = 3;
// CHECK-NEXT: static constexpr int64_t strideH = 1,
// CHECK-NEXT: static constexpr ImageLayout in =
// CHECK-NEXT: static constexpr ImageLayout out =
// CHECK-NEXT: int64_t height;
// CHECK-NEXT: int64_t outHeight;
// CHECK-NEXT: int64_t padTop;
// CHECK: depthwise<3, 1>([[SIZES]]{{{.*}}n{{.*}}, n{{.*}}, n{{.*}}}, a, w, y, Fixed<0>{}, int64_t(n
// CHECK: // 3 row tiles of 4 rows
// CHECK-NEXT: for (int64_t i = 0; i < 11; i += 4) {
func.func @main() attributes {
  sinter.inputs = [{name = "image", element = 1 : i64, dims = [2 : i64, 2 : i64, 11 : i64, 6 : i64, 8 : i64]},
                   {name = "planar", element = 1 : i64, dims = [2 : i64, 3 : i64, 11 : i64, 12 : i64]},
                   {name = "taps", element = 1 : i64, dims = [3 : i64, 3 : i64, 16 : i64]},
                   {name = "panels", element = 1 : i64, dims = [1 : i64, 3 : i64, 3 : i64, 16 : i64, 16 : i64]},
                   {name = "planes", element = 1 : i64, dims = [1 : i64, 1 : i64, 3 : i64, 3 : i64, 3 : i64, 16 : i64]},
                   {name = "plain", element = 1 : i64, dims = [4 : i64, 3 : i64, 3 : i64, 3 : i64]}],
  sinter.outputs = [{name = "depthwise", element = 1 : i64, dims = [2 : i64, 2 : i64, 11 : i64, 6 : i64, 8 : i64]},
                    {name = "depthwise_tiles", element = 1 : i64, dims = [2 : i64, 2 : i64, 11 : i64, 6 : i64, 8 : i64]},
                    {name = "conv", element = 1 : i64, dims = [2 : i64, 2 : i64, 6 : i64, 3 : i64, 8 : i64]},
                    {name = "conv_tiles", element = 1 : i64, dims = [2 : i64, 2 : i64, 6 : i64, 3 : i64, 8 : i64]},
                    {name = "first", element = 1 : i64, dims = [2 : i64, 2 : i64, 11 : i64, 12 : i64, 8 : i64]},
                    {name = "first_tiles", element = 1 : i64, dims = [2 : i64, 2 : i64, 11 : i64, 12 : i64, 8 : i64]},
                    {name = "rows", element = 1 : i64, dims = [2 : i64, 4 : i64, 11 : i64, 12 : i64]},
                    {name = "rows_tiles", element = 1 : i64, dims = [2 : i64, 4 : i64, 11 : i64, 12 : i64]},
                    {name = "pool", element = 1 : i64, dims = [2 : i64, 2 : i64, 6 : i64, 3 : i64, 8 : i64]},
                    {name = "pool_tiles", element = 1 : i64, dims = [2 : i64, 2 : i64, 6 : i64, 3 : i64, 8 : i64]}],
  sinter.arena_bytes = 0 : i64} {
  %image = sinter.input 0 "image" : memref<2x2x11x6x8xf32>
  %planar = sinter.input 1 "planar" : memref<2x3x11x12xf32>
  %taps = sinter.input 2 "taps" : memref<3x3x16xf32>
  %panels = sinter.input 3 "panels" : memref<1x3x3x16x16xf32>
  %planes = sinter.input 4 "planes" : memref<1x1x3x3x3x16xf32>
  %plain = sinter.input 5 "plain" : memref<4x3x3x3xf32>
  %depthwise = sinter.output 0 "depthwise" : memref<2x2x11x6x8xf32>
  %depthwise_tiles = sinter.output 1 "depthwise_tiles" : memref<2x2x11x6x8xf32>
  %conv = sinter.output 2 "conv" : memref<2x2x6x3x8xf32>
  %conv_tiles = sinter.output 3 "conv_tiles" : memref<2x2x6x3x8xf32>
  %first = sinter.output 4 "first" : memref<2x2x11x12x8xf32>
  %first_tiles = sinter.output 5 "first_tiles" : memref<2x2x11x12x8xf32>
  %rows = sinter.output 6 "rows" : memref<2x4x11x12xf32>
  %rows_tiles = sinter.output 7 "rows_tiles" : memref<2x4x11x12xf32>
  %pool = sinter.output 8 "pool" : memref<2x2x6x3x8xf32>
  %pool_tiles = sinter.output 9 "pool_tiles" : memref<2x2x6x3x8xf32>
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %c4 = arith.constant 4 : index

  sinter.conv ins(%image, %taps : memref<2x2x11x6x8xf32>, memref<3x3x16xf32>) outs(%depthwise : memref<2x2x11x6x8xf32>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 16 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } loc("Depthwise")
  scf.for %i = %c0 to %c11 step %c4 {
    %n = affine.min affine_map<(d0) -> (4, 11 - d0)>(%i)
    %low = affine.max affine_map<(d0) -> (d0 * 1 - 1, 0)>(%i)
    %high = affine.min affine_map<(d0, d1) -> (d0 * 1 - 1 + (d1 - 1) * 1 + 3, 11)>(%i, %n)
    %count = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%low, %high)
    %pad = affine.max affine_map<(d0) -> (1 - d0 * 1, 0)>(%i)
    %in = memref.subview %image[0, 0, %low, 0, 0] [2, 2, %count, 6, 8] [1, 1, 1, 1, 1] : memref<2x2x11x6x8xf32> to memref<2x2x?x6x8xf32, strided<[1056, 528, 48, 8, 1], offset: ?>>
    %out = memref.subview %depthwise_tiles[0, 0, %i, 0, 0] [2, 2, %n, 6, 8] [1, 1, 1, 1, 1] : memref<2x2x11x6x8xf32> to memref<2x2x?x6x8xf32, strided<[1056, 528, 48, 8, 1], offset: ?>>
    sinter.conv ins(%in, %taps : memref<2x2x?x6x8xf32, strided<[1056, 528, 48, 8, 1], offset: ?>>, memref<3x3x16xf32>) row_pad(%pad) outs(%out : memref<2x2x?x6x8xf32, strided<[1056, 528, 48, 8, 1], offset: ?>>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1>, group = 16 : i64, layout = "nchwc", kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
    ^bb0(%sum: f32):
      sinter.yield %sum : f32
    } loc("Depthwise")
  } {sinter.row_tiles = "3 row tiles of 4 rows"}
  %c6 = arith.constant 6 : index
  %c2 = arith.constant 2 : index

  sinter.conv ins(%image, %panels : memref<2x2x11x6x8xf32>, memref<1x3x3x16x16xf32>) outs(%conv : memref<2x2x6x3x8xf32>)
    attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } loc("Conv")
  scf.for %i = %c0 to %c6 step %c2 {
    %n = affine.min affine_map<(d0) -> (2, 6 - d0)>(%i)
    %low = affine.max affine_map<(d0) -> (d0 * 2 - 1, 0)>(%i)
    %high = affine.min affine_map<(d0, d1) -> (d0 * 2 - 1 + (d1 - 1) * 2 + 3, 11)>(%i, %n)
    %count = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%low, %high)
    %pad = affine.max affine_map<(d0) -> (1 - d0 * 2, 0)>(%i)
    %in = memref.subview %image[0, 0, %low, 0, 0] [2, 2, %count, 6, 8] [1, 1, 1, 1, 1] : memref<2x2x11x6x8xf32> to memref<2x2x?x6x8xf32, strided<[1056, 528, 48, 8, 1], offset: ?>>
    %out = memref.subview %conv_tiles[0, 0, %i, 0, 0] [2, 2, %n, 3, 8] [1, 1, 1, 1, 1] : memref<2x2x6x3x8xf32> to memref<2x2x?x3x8xf32, strided<[288, 144, 24, 8, 1], offset: ?>>
    sinter.conv ins(%in, %panels : memref<2x2x?x6x8xf32, strided<[1056, 528, 48, 8, 1], offset: ?>>, memref<1x3x3x16x16xf32>) row_pad(%pad) outs(%out : memref<2x2x?x3x8xf32, strided<[288, 144, 24, 8, 1], offset: ?>>)
      attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>, epilogue_maps = []} {
    ^bb0(%sum: f32):
      sinter.yield %sum : f32
    } loc("Conv")
  } {sinter.row_tiles = "3 row tiles of 2 rows"}

  sinter.conv ins(%planar, %planes : memref<2x3x11x12xf32>, memref<1x1x3x3x3x16xf32>) outs(%first : memref<2x2x11x12x8xf32>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchw->nchwc", kernel = #sinter.kernel<"conv_planar", {dims = [array<i64: 0, 1, 5>, array<i64: 2>, array<i64: 3>, array<i64: 4>]}>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } loc("First")
  scf.for %i = %c0 to %c11 step %c4 {
    %n = affine.min affine_map<(d0) -> (4, 11 - d0)>(%i)
    %low = affine.max affine_map<(d0) -> (d0 * 1 - 1, 0)>(%i)
    %high = affine.min affine_map<(d0, d1) -> (d0 * 1 - 1 + (d1 - 1) * 1 + 3, 11)>(%i, %n)
    %count = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%low, %high)
    %pad = affine.max affine_map<(d0) -> (1 - d0 * 1, 0)>(%i)
    %in = memref.subview %planar[0, 0, %low, 0] [2, 3, %count, 12] [1, 1, 1, 1] : memref<2x3x11x12xf32> to memref<2x3x?x12xf32, strided<[396, 132, 12, 1], offset: ?>>
    %out = memref.subview %first_tiles[0, 0, %i, 0, 0] [2, 2, %n, 12, 8] [1, 1, 1, 1, 1] : memref<2x2x11x12x8xf32> to memref<2x2x?x12x8xf32, strided<[2112, 1056, 96, 8, 1], offset: ?>>
    sinter.conv ins(%in, %planes : memref<2x3x?x12xf32, strided<[396, 132, 12, 1], offset: ?>>, memref<1x1x3x3x3x16xf32>) row_pad(%pad) outs(%out : memref<2x2x?x12x8xf32, strided<[2112, 1056, 96, 8, 1], offset: ?>>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1>, group = 1 : i64, layout = "nchw->nchwc", kernel = #sinter.kernel<"conv_planar", {dims = [array<i64: 0, 1, 5>, array<i64: 2>, array<i64: 3>, array<i64: 4>]}>, epilogue_maps = []} {
    ^bb0(%sum: f32):
      sinter.yield %sum : f32
    } loc("First")
  } {sinter.row_tiles = "3 row tiles of 4 rows"}
  %c5 = arith.constant 5 : index

  sinter.conv ins(%planar, %plain : memref<2x3x11x12xf32>, memref<4x3x3x3xf32>) outs(%rows : memref<2x4x11x12xf32>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = [], kernel = #sinter.kernel<"conv_rows", {}>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } loc("Rows")
  scf.for %i = %c0 to %c11 step %c5 {
    %n = affine.min affine_map<(d0) -> (5, 11 - d0)>(%i)
    %low = affine.max affine_map<(d0) -> (d0 * 1 - 1, 0)>(%i)
    %high = affine.min affine_map<(d0, d1) -> (d0 * 1 - 1 + (d1 - 1) * 1 + 3, 11)>(%i, %n)
    %count = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%low, %high)
    %pad = affine.max affine_map<(d0) -> (1 - d0 * 1, 0)>(%i)
    %in = memref.subview %planar[0, 0, %low, 0] [2, 3, %count, 12] [1, 1, 1, 1] : memref<2x3x11x12xf32> to memref<2x3x?x12xf32, strided<[396, 132, 12, 1], offset: ?>>
    %out = memref.subview %rows_tiles[0, 0, %i, 0] [2, 4, %n, 12] [1, 1, 1, 1] : memref<2x4x11x12xf32> to memref<2x4x?x12xf32, strided<[528, 132, 12, 1], offset: ?>>
    sinter.conv ins(%in, %plain : memref<2x3x?x12xf32, strided<[396, 132, 12, 1], offset: ?>>, memref<4x3x3x3xf32>) row_pad(%pad) outs(%out : memref<2x4x?x12xf32, strided<[528, 132, 12, 1], offset: ?>>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1>, group = 1 : i64, epilogue_maps = [], kernel = #sinter.kernel<"conv_rows", {}>} {
    ^bb0(%sum: f32):
      sinter.yield %sum : f32
    } loc("Rows")
  } {sinter.row_tiles = "3 row tiles of 5 rows"}
  %c3 = arith.constant 3 : index

  sinter.pool max ins(%image : memref<2x2x11x6x8xf32>) outs(%pool : memref<2x2x6x3x8xf32>) {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1, 0, 0>, layout = "nchwc"} loc("Pool")
  scf.for %i = %c0 to %c6 step %c3 {
    %n = affine.min affine_map<(d0) -> (3, 6 - d0)>(%i)
    %low = affine.max affine_map<(d0) -> (d0 * 2 - 1, 0)>(%i)
    %high = affine.min affine_map<(d0, d1) -> (d0 * 2 - 1 + (d1 - 1) * 2 + 3, 11)>(%i, %n)
    %count = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%low, %high)
    %pad = affine.max affine_map<(d0) -> (1 - d0 * 2, 0)>(%i)
    %in = memref.subview %image[0, 0, %low, 0, 0] [2, 2, %count, 6, 8] [1, 1, 1, 1, 1] : memref<2x2x11x6x8xf32> to memref<2x2x?x6x8xf32, strided<[1056, 528, 48, 8, 1], offset: ?>>
    %out = memref.subview %pool_tiles[0, 0, %i, 0, 0] [2, 2, %n, 3, 8] [1, 1, 1, 1, 1] : memref<2x2x6x3x8xf32> to memref<2x2x?x3x8xf32, strided<[288, 144, 24, 8, 1], offset: ?>>
    sinter.pool max ins(%in : memref<2x2x?x6x8xf32, strided<[1056, 528, 48, 8, 1], offset: ?>>) row_pad(%pad) outs(%out : memref<2x2x?x3x8xf32, strided<[288, 144, 24, 8, 1], offset: ?>>) {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1, 0, 0>, layout = "nchwc"} loc("Pool")
  } {sinter.row_tiles = "2 row tiles of 3 rows"}
  return
}
