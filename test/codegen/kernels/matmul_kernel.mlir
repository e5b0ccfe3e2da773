// Batches of a matrix product are a loop; those that lie behind each other, with one right-hand side for all, are more rows of one product. A transposed
// left-hand side has strides of its own.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: for (int64_t batch = 0; batch < 3; ++batch) {
// CHECK: gemmRows<[[ROWS:[0-9]+]], [[#COLUMNS:]]>(a + 20 * batch, Fixed<4>{}, Fixed<1>{}, b + 24 * batch, Fixed<6>{}, y + 30 * batch, Fixed<6>{}, Fixed<5>{}, Fixed<6>{},
// CHECK-NEXT: Fixed<4>{}, Identity{});
// CHECK-NOT: for (int64_t batch
// CHECK: gemmRows<{{[0-9]+, [0-9]+}}>(a, Fixed<4>{}, Fixed<1>{}, b, Fixed<6>{}, y, Fixed<6>{}, Fixed<15>{}, Fixed<6>{}, Fixed<4>{}, Identity{});
// CHECK: gemmRows<{{[0-9]+, [0-9]+}}>(a, Fixed<1>{}, Fixed<5>{}, b, Fixed<6>{}, y, Fixed<6>{}, Fixed<5>{}, Fixed<6>{}, Fixed<4>{}, Identity{});
// Doubles are half as many to a register, and as many registers hold sums.
// CHECK: gemmRows<[[ROWS]], [[#div(COLUMNS,2)]]>(a, Fixed<4>{},
func.func @main() attributes {
  sinter.inputs = [{name = "a", element = 1 : i64, dims = [3 : i64, 5 : i64, 4 : i64]}, {name = "b", element = 1 : i64, dims = [3 : i64, 4 : i64, 6 : i64]}, {name = "one", element = 1 : i64, dims = [4 : i64, 6 : i64]}, {name = "t", element = 1 : i64, dims = [4 : i64, 5 : i64]}, {name = "c", element = 11 : i64, dims = [5 : i64, 4 : i64]}, {name = "d", element = 11 : i64, dims = [4 : i64, 6 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [3 : i64, 5 : i64, 6 : i64]}, {name = "z", element = 1 : i64, dims = [3 : i64, 5 : i64, 6 : i64]}, {name = "w", element = 1 : i64, dims = [5 : i64, 6 : i64]}, {name = "doubles", element = 11 : i64, dims = [5 : i64, 6 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %a = sinter.input 0 "a" : memref<3x5x4xf32>
  %b = sinter.input 1 "b" : memref<3x4x6xf32>
  %one = sinter.input 2 "one" : memref<4x6xf32>
  %t = sinter.input 3 "t" : memref<4x5xf32>
  %c = sinter.input 4 "c" : memref<5x4xf64>
  %d = sinter.input 5 "d" : memref<4x6xf64>
  %doubles = sinter.output 3 "doubles" : memref<5x6xf64>
  %y = sinter.output 0 "y" : memref<3x5x6xf32>
  %z = sinter.output 1 "z" : memref<3x5x6xf32>
  %w = sinter.output 2 "w" : memref<5x6xf32>
  sinter.matmul ins(%a, %b : memref<3x5x4xf32>, memref<3x4x6xf32>) outs(%y : memref<3x5x6xf32>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"gemm_rows", {}>} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  }
  sinter.matmul ins(%a, %one : memref<3x5x4xf32>, memref<4x6xf32>) outs(%z : memref<3x5x6xf32>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"gemm_rows", {}>} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  }
  sinter.matmul ins(%t, %one : memref<4x5xf32>, memref<4x6xf32>) outs(%w : memref<5x6xf32>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"gemm_rows", {}>, transpose_lhs} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  }
  sinter.matmul ins(%c, %d : memref<5x4xf64>, memref<4x6xf64>) outs(%doubles : memref<5x6xf64>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"gemm_rows", {}>} {
  ^bb0(%s: f64):
    sinter.yield %s : f64
  }
  return
}
