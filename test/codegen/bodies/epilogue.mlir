// The region of a contraction is a lambda that serves vectors and single elements: what lies along the lanes is loaded as the value's type, what does not is
// one element for all lanes; residuals are read where the output goes. One that changes nothing is no lambda.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      const auto epilogue = [=](auto sum, int64_t i, int64_t j) {
// CHECK:      const auto v = load<V>(e + j);
// CHECK-NEXT: const auto v_2 = e_2[i];
// CHECK-NEXT: const auto v_3 = load<V>(e_3 + 8 * i + j);
// CHECK-NEXT: const auto v_4 = sum + v;
// CHECK-NEXT: const auto v_5 = v_4 * splat<V>(v_2);
// CHECK-NEXT: const auto v_6 = v_5 + v_3;
// CHECK-NEXT: return v_6;
// CHECK:      Fixed<4>{}, epilogue);
// CHECK:      void k1_matmul(
// CHECK-NEXT: const SubnormalsAsZero zeros;
// CHECK-NEXT: Identity{});
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @main() attributes {
  sinter.inputs = [{name = "a", element = 1 : i64, dims = [6 : i64, 4 : i64]}, {name = "b", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "bias", element = 1 : i64, dims = [8 : i64]}, {name = "row", element = 1 : i64, dims = [6 : i64]}, {name = "r", element = 1 : i64, dims = [6 : i64, 8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [6 : i64, 8 : i64]}, {name = "z", element = 1 : i64, dims = [6 : i64, 8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %a = sinter.input 0 "a" : memref<6x4xf32>
  %b = sinter.input 1 "b" : memref<4x8xf32>
  %bias = sinter.input 2 "bias" : memref<8xf32>
  %row = sinter.input 3 "row" : memref<6xf32>
  %r = sinter.input 4 "r" : memref<6x8xf32>
  %y = sinter.output 0 "y" : memref<6x8xf32>
  %z = sinter.output 1 "z" : memref<6x8xf32>
  sinter.matmul ins(%a, %b, %bias, %row, %r : memref<6x4xf32>, memref<4x8xf32>, memref<8xf32>, memref<6xf32>, memref<6x8xf32>) outs(%y : memref<6x8xf32>)
      attributes {epilogue_maps = [#column, #row, #id], kernel = #sinter.kernel<"gemm_rows", {}>} {
  ^bb0(%s: f32, %bias_: f32, %row_: f32, %res: f32):
    %0 = arith.addf %s, %bias_ : f32
    %1 = arith.mulf %0, %row_ : f32
    %2 = arith.addf %1, %res : f32
    sinter.yield %2 : f32
  }
  sinter.matmul ins(%a, %b : memref<6x4xf32>, memref<4x8xf32>) outs(%z : memref<6x8xf32>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"gemm_rows", {}>} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  }
  return
}
