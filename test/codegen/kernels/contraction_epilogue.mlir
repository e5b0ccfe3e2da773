// The epilogue of a quantized contraction is an object where the kernel knows it: one factor for all columns, or one each.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net --target cortex-m55 && FileCheck %s < %t/net.cpp

// CHECK: static constexpr float factors[4] = {0.25f, 0.25f, 0.25f, 0.25f};
// CHECK: gemmIm2col<
// CHECK: Requantize{e, factors, -123, 132, -5, 0});
// CHECK: gemmIm2col<
// CHECK: Requantize{e, e_2, -123, 132, -5});
#channel = affine_map<(i, j) -> (j)>
func.func @main() attributes {
  sinter.inputs = [
    {name = "a", element = 3 : i64, dims = [4 : i64, 16 : i64]}, {name = "w", element = 3 : i64, dims = [16 : i64, 4 : i64]},
    {name = "bias", element = 6 : i64, dims = [4 : i64]}, {name = "factor", element = 1 : i64, dims = [4 : i64]}],
  sinter.outputs = [{name = "y", element = 3 : i64, dims = [4 : i64, 4 : i64]}, {name = "z", element = 3 : i64, dims = [4 : i64, 4 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %a = sinter.input 0 "a" : memref<4x16xi8>
  %w = sinter.input 1 "w" : memref<16x4xi8>
  %bias = sinter.input 2 "bias" : memref<4xi32>
  %factor = sinter.input 3 "factor" : memref<4xf32>
  %y = sinter.output 0 "y" : memref<4x4xi8>
  %z = sinter.output 1 "z" : memref<4x4xi8>
  sinter.matmul ins(%a, %w, %bias : memref<4x16xi8>, memref<16x4xi8>, memref<4xi32>) outs(%y : memref<4x4xi8>)
      attributes {epilogue_maps = [#channel], kernel = #sinter.kernel<"gemm_im2col", {}>, signs = "su"} {
  ^bb0(%acc: i32, %b: i32):
    %f = arith.constant 0.25 : f32
    %q = sinter.requantize %acc bias(%b) factor(%f) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  }
  sinter.matmul ins(%a, %w, %bias, %factor : memref<4x16xi8>, memref<16x4xi8>, memref<4xi32>, memref<4xf32>) outs(%z : memref<4x4xi8>)
      attributes {epilogue_maps = [#channel, #channel], kernel = #sinter.kernel<"gemm_im2col", {}>, signs = "su"} {
  ^bb0(%acc: i32, %b: i32, %f: f32):
    %q = sinter.requantize %acc bias(%b) factor(%f) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  }
  return
}
