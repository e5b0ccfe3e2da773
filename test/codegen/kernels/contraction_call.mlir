// A record's call, argument by argument: template arguments in front, what the kernel asks for and no more, its headers; threads get shares that are whole
// tiles.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: void k0_matmul(
// CHECK-NEXT: const SubnormalsAsZero zeros;
// CHECK-NEXT: gemmDots(a, Fixed<8>{}, b, Fixed<8>{}, y, Fixed<9>{}, Fixed<7>{}, Fixed<9>{}, Fixed<8>{}, Identity{});
// CHECK: matmulDirect<int64_t>(at_2, at_3, y, 4, 1, 4, 4, 4, Identity{});
func.func @main() attributes {
  sinter.inputs = [{name = "q", element = 1 : i64, dims = [7 : i64, 8 : i64]}, {name = "k", element = 1 : i64, dims = [9 : i64, 8 : i64]}, {name = "i", element = 7 : i64, dims = [4 : i64, 4 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [7 : i64, 9 : i64]}, {name = "z", element = 7 : i64, dims = [4 : i64, 4 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %q = sinter.input 0 "q" : memref<7x8xf32>
  %k = sinter.input 1 "k" : memref<9x8xf32>
  %i = sinter.input 2 "i" : memref<4x4xi64>
  %y = sinter.output 0 "y" : memref<7x9xf32>
  %z = sinter.output 1 "z" : memref<4x4xi64>
  sinter.matmul ins(%q, %k : memref<7x8xf32>, memref<9x8xf32>) outs(%y : memref<7x9xf32>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"gemm_dots", {}>, transpose_rhs} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  }
  sinter.matmul ins(%i, %i : memref<4x4xi64>, memref<4x4xi64>) outs(%z : memref<4x4xi64>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"matmul_direct", {}>} {
  ^bb0(%s: i64):
    sinter.yield %s : i64
  }
  return
}
