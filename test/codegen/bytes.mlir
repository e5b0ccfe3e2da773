// Contractions of bytes whose weights are packed in fours for dot products, and planes that become pixels: which template each calls.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net --target x86-64-v4+vnni && FileCheck %s < %t/net.cpp
// RUN: %cxx -std=c++17 -O0 -march=x86-64-v4 -mavx512vnni -Wall -Wextra -Wconversion -pedantic -Werror -fno-exceptions -fno-rtti -I%t -c %t/net.cpp -o %t/net.o

// CHECK: interleave<3>(a, 64, y, 64);
// CHECK: intConv<14, 32, true, UnsignedBytes>(ConvSizes
// CHECK: intDepthwise<5, 1, FlippedToUnsigned>(ConvSizes
// CHECK: intGemm<6, 64, FlippedToUnsigned>(a, Fixed<9>{}, b, y, Fixed<40>{}, Fixed<2>{}, Fixed<40>{}, Fixed<9>{}
#map = affine_map<(n, h, w, c) -> (n, c, h, w)>
#last = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main() attributes {
  sinter.inputs = [
    {name = "image", element = 3 : i64, dims = [1 : i64, 3 : i64, 8 : i64, 8 : i64]},
    {name = "filter", element = 3 : i64, dims = [1 : i64, 3 : i64, 3 : i64, 32 : i64, 4 : i64]},
    {name = "taps", element = 3 : i64, dims = [1536 : i64]},
    {name = "a", element = 3 : i64, dims = [2 : i64, 9 : i64]}, {name = "b", element = 3 : i64, dims = [1 : i64, 3 : i64, 256 : i64]}],
  sinter.outputs = [{name = "y", element = 6 : i64, dims = [2 : i64, 40 : i64]}, {name = "d", element = 6 : i64, dims = [1 : i64, 1 : i64, 4 : i64, 2 : i64, 64 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %image = sinter.input 0 "image" : memref<1x3x8x8xi8>
  %filter = sinter.input 1 "filter" : memref<1x3x3x32x4xi8>
  %taps = sinter.input 2 "taps" : memref<1536xi8>
  %a = sinter.input 3 "a" : memref<2x9xi8>
  %b = sinter.input 4 "b" : memref<1x3x256xi8>
  %y = sinter.output 0 "y" : memref<2x40xi32>
  %d = sinter.output 1 "d" : memref<1x1x4x2x64xi32>
  %pixels = sinter.arena 0 for 192 : memref<1x1x8x8x3xi8>
  %view = memref.collapse_shape %pixels [[0, 1], [2], [3], [4]] : memref<1x1x8x8x3xi8> into memref<1x8x8x3xi8>
  linalg.generic {indexing_maps = [#map, #last], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<1x3x8x8xi8>) outs(%view : memref<1x8x8x3xi8>) {
  ^bb0(%x: i8, %o: i8):
    linalg.yield %x : i8
  }
  %c = sinter.arena 192 for 2304 : memref<1x1x6x6x64xi8>
  sinter.conv ins(%pixels, %filter : memref<1x1x8x8x3xi8>, memref<1x3x3x32x4xi8>) outs(%c : memref<1x1x6x6x64xi8>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"int_conv", {taps = array<i64: 3, 3>, merged}>,
                  pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, signs = "us"} {
  ^bb0(%s: i32):
    %t = arith.trunci %s : i32 to i8
    sinter.yield %t : i8
  }
  sinter.conv ins(%c, %taps : memref<1x1x6x6x64xi8>, memref<1536xi8>) outs(%d : memref<1x1x4x2x64xi32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 64 : i64, layout = "nchwc", kernel = #sinter.kernel<"int_depthwise", {taps = array<i64: 3, 5>, flipped}>,
                  pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} {
  ^bb0(%s: i32):
    sinter.yield %s : i32
  }
  sinter.matmul ins(%a, %b : memref<2x9xi8>, memref<1x3x256xi8>) outs(%y : memref<2x40xi32>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"int_gemm", {flipped}>} {
  ^bb0(%s: i32):
    sinter.yield %s : i32
  }
  return
}
