// Matrix products with packed, plain and transposed right-hand sides; convolutions in blocks, plain, depthwise and direct: with epilogues that read a
// bias and a residual. Weights come as inputs here. Inputs/contractions.cpp compares with loops.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net --target x86-64-v3
// RUN: FileCheck %s < %t/net.cpp
// RUN: %cxx -std=c++17 -O0 -march=x86-64-v3 -Wall -Wextra -Wconversion -pedantic -Werror -fno-exceptions -fno-rtti -I%t -c %t/net.cpp -o %t/net.o
// RUN: %cxx -std=c++17 -I%t %S/Inputs/contractions.cpp %t/net.o -o %t/run && %t/run

// RUN: sinter-emit %s -o %t --prefix net --target x86-64-v3 --threads 3 --shared-work=1
// RUN: FileCheck %s --check-prefix=THREADS < %t/net.cpp
// RUN: %cxx -std=c++17 -O0 -march=x86-64-v3 -Wall -Wextra -Wconversion -pedantic -Werror -fno-exceptions -fno-rtti -I%t -c %t/net.cpp -o %t/net.o
// RUN: %cxx -std=c++17 -DPOOL -I%t %S/Inputs/contractions.cpp %t/net.o -o %t/run && %t/run

// THREADS: conv<6, 16>(ConvSizes{}, a, w, y, first, last, epilogue);
// THREADS: inShares(env.parallel, 3, 5, 1, [&](int64_t first, int64_t last) { k4_conv({{.*}}, first, last); });

// CHECK: struct ConvSizes {
// CHECK: void k0_gemm(
// CHECK: const auto epilogue = [=](auto sum, int64_t, int64_t j) {
// CHECK: load<V>(e + j)
// CHECK: gemm<6, 16>(a, Fixed<40>{}, Fixed<1>{}, b, y, Fixed<20>{}, Fixed<15>{}, Fixed<20>{}, Fixed<40>{}, epilogue);
// CHECK: void k1_scores(
// CHECK: for (int64_t batch = 0; batch < 3; ++batch) {
// CHECK: gemmDots(a + 56 * batch,
// CHECK: gemmRows<6, 16>(
// CHECK: matmulDirect<int64_t>(
// CHECK: conv<6, 16>(ConvSizes{}, a, w, y, Fixed<0>{}, Fixed<5>{}, epilogue);
// CHECK: convPlanar<6, 16>(
// CHECK: depthwise<3, 1>(
// CHECK: convRows<float, {{[0-9]}}>(
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main() attributes {
  sinter.inputs = [
    {name = "a", element = 1 : i64, dims = [3 : i64, 5 : i64, 40 : i64]}, {name = "b", element = 1 : i64, dims = [2 : i64, 40 : i64, 16 : i64]},
    {name = "bias", element = 1 : i64, dims = [32 : i64]}, {name = "q", element = 1 : i64, dims = [3 : i64, 7 : i64, 8 : i64]},
    {name = "kv", element = 1 : i64, dims = [3 : i64, 9 : i64, 8 : i64]}, {name = "ints", element = 7 : i64, dims = [4 : i64, 4 : i64]},
    {name = "image", element = 1 : i64, dims = [2 : i64, 2 : i64, 5 : i64, 6 : i64, 8 : i64]},
    {name = "filter", element = 1 : i64, dims = [2 : i64, 3 : i64, 3 : i64, 16 : i64, 16 : i64]},
    {name = "planar", element = 1 : i64, dims = [2 : i64, 3 : i64, 9 : i64, 11 : i64]},
    {name = "planes", element = 1 : i64, dims = [1 : i64, 2 : i64, 3 : i64, 3 : i64, 3 : i64, 16 : i64]},
    {name = "dwf", element = 1 : i64, dims = [3 : i64, 3 : i64, 32 : i64]},
    {name = "group", element = 1 : i64, dims = [4 : i64, 2 : i64, 3 : i64]}],
  sinter.outputs = [
    {name = "gemm", element = 1 : i64, dims = [3 : i64, 5 : i64, 20 : i64]}, {name = "scores", element = 1 : i64, dims = [3 : i64, 7 : i64, 9 : i64]},
    {name = "mix", element = 1 : i64, dims = [3 : i64, 7 : i64, 8 : i64]}, {name = "square", element = 7 : i64, dims = [4 : i64, 4 : i64]},
    {name = "conv", element = 1 : i64, dims = [2 : i64, 4 : i64, 5 : i64, 6 : i64, 8 : i64]},
    {name = "first", element = 1 : i64, dims = [2 : i64, 4 : i64, 5 : i64, 6 : i64, 8 : i64]},
    {name = "dw", element = 1 : i64, dims = [2 : i64, 4 : i64, 5 : i64, 6 : i64, 8 : i64]},
    {name = "grouped", element = 1 : i64, dims = [3 : i64, 4 : i64, 5 : i64]}],
  sinter.arena_bytes = 0 : i64} {
  %a = sinter.input 0 "a" : memref<3x5x40xf32>
  %b = sinter.input 1 "b" : memref<2x40x16xf32>
  %bias = sinter.input 2 "bias" : memref<32xf32>
  %q = sinter.input 3 "q" : memref<3x7x8xf32>
  %kv = sinter.input 4 "kv" : memref<3x9x8xf32>
  %ints = sinter.input 5 "ints" : memref<4x4xi64>
  %image = sinter.input 6 "image" : memref<2x2x5x6x8xf32>
  %filter = sinter.input 7 "filter" : memref<2x3x3x16x16xf32>
  %planar = sinter.input 8 "planar" : memref<2x3x9x11xf32>
  %planes = sinter.input 9 "planes" : memref<1x2x3x3x3x16xf32>
  %dwf = sinter.input 10 "dwf" : memref<3x3x32xf32>
  %group = sinter.input 11 "group" : memref<4x2x3xf32>
  %gemm = sinter.output 0 "gemm" : memref<3x5x20xf32>
  %scores = sinter.output 1 "scores" : memref<3x7x9xf32>
  %mix = sinter.output 2 "mix" : memref<3x7x8xf32>
  %square = sinter.output 3 "square" : memref<4x4xi64>
  %conv = sinter.output 4 "conv" : memref<2x4x5x6x8xf32>
  %first = sinter.output 5 "first" : memref<2x4x5x6x8xf32>
  %dw = sinter.output 6 "dw" : memref<2x4x5x6x8xf32>
  %grouped = sinter.output 7 "grouped" : memref<3x4x5xf32>

  // Batches are rows, because the right-hand side is the same for all.
  %bias20 = memref.subview %bias[0] [20] [1] : memref<32xf32> to memref<20xf32, strided<[1]>>
  sinter.matmul ins(%a, %b, %bias20 : memref<3x5x40xf32>, memref<2x40x16xf32>, memref<20xf32, strided<[1]>>) outs(%gemm : memref<3x5x20xf32>)
    attributes {kernel = #sinter.kernel<"gemm", {dims = [array<i64: 1>, array<i64: 0, 2>]}>, epilogue_maps = [affine_map<(d0, d1, d2) -> (d2)>]} {
  ^bb0(%sum: f32, %e: f32):
    %0 = arith.addf %sum, %e : f32
    %zero = arith.constant 0.0 : f32
    %1 = arith.maximumf %0, %zero : f32
    sinter.yield %1 : f32
  } loc("Gemm")
  sinter.matmul ins(%q, %kv : memref<3x7x8xf32>, memref<3x9x8xf32>) outs(%scores : memref<3x7x9xf32>)
    attributes {transpose_rhs, epilogue_maps = [], kernel = #sinter.kernel<"gemm_dots", {}>} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } loc("Scores")
  sinter.matmul ins(%scores, %kv, %q : memref<3x7x9xf32>, memref<3x9x8xf32>, memref<3x7x8xf32>) outs(%mix : memref<3x7x8xf32>)
    attributes {epilogue_maps = [#id3], kernel = #sinter.kernel<"gemm_rows", {}>} {
  ^bb0(%sum: f32, %e: f32):
    %0 = arith.addf %sum, %e : f32
    sinter.yield %0 : f32
  } loc("Mix")
  sinter.matmul ins(%ints, %ints : memref<4x4xi64>, memref<4x4xi64>) outs(%square : memref<4x4xi64>)
    attributes {transpose_lhs, epilogue_maps = [], kernel = #sinter.kernel<"matmul_direct", {}>} {
  ^bb0(%sum: i64):
    sinter.yield %sum : i64
  } loc("Square")
  %biasBlocks = memref.expand_shape %bias [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  sinter.conv ins(%image, %filter, %biasBlocks, %first : memref<2x2x5x6x8xf32>, memref<2x3x3x16x16xf32>, memref<4x8xf32>, memref<2x4x5x6x8xf32>)
    outs(%conv : memref<2x4x5x6x8xf32>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>,
                epilogue_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>]} {
  ^bb0(%sum: f32, %e: f32, %r: f32):
    %0 = arith.addf %sum, %e : f32
    sinter.yield %0 : f32
  } loc("Conv")
  sinter.conv ins(%planar, %planes, %conv : memref<2x3x9x11xf32>, memref<1x2x3x3x3x16xf32>, memref<2x4x5x6x8xf32>) outs(%first : memref<2x4x5x6x8xf32>)
    attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchw->nchwc",
                kernel = #sinter.kernel<"conv_planar", {dims = [array<i64: 0, 1, 5>, array<i64: 2>, array<i64: 3>, array<i64: 4>]}>, epilogue_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>]} {
  ^bb0(%sum: f32, %r: f32):
    %0 = arith.addf %sum, %r : f32
    sinter.yield %0 : f32
  } loc("First")
  sinter.conv ins(%conv, %dwf : memref<2x4x5x6x8xf32>, memref<3x3x32xf32>) outs(%dw : memref<2x4x5x6x8xf32>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 32 : i64, layout = "nchwc",
                kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } loc("Depthwise")
  %small = memref.subview %q[0, 0, 0] [3, 4, 7] [1, 1, 1] : memref<3x7x8xf32> to memref<3x4x7xf32, strided<[56, 8, 1]>>
  sinter.conv ins(%small, %group, %bias : memref<3x4x7xf32, strided<[56, 8, 1]>>, memref<4x2x3xf32>, memref<32xf32>) outs(%grouped : memref<3x4x5xf32>)
    attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 2 : i64, epilogue_maps = [affine_map<(d0, d1, d2) -> (d1)>], kernel = #sinter.kernel<"conv_rows", {}>} {
  ^bb0(%sum: f32, %e: f32):
    %0 = arith.addf %sum, %e : f32
    sinter.yield %0 : f32
  } loc("Grouped")
  return
}
