// A function's parameters are what its body asks for: a buffer once, however often it is read, constant where it is; sizes that are known at run time only; scalars
// of run.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      void k0_map(const float *a, const float *b, float *y, int64_t n, float s) {
// CHECK:      splat<V>(s);
// CHECK:      k0_map(in.x, in.x, out.y, n, v);
#id = affine_map<(i, j) -> (i, j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = ["n", 4 : i64]}, {name = "s", element = 1 : i64, dims = []}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = ["n", 4 : i64]}],
  sinter.dim_bounds = {n = array<i64: 1, 64>},
  sinter.arena_bytes = 4096 : i64} {
  %n = sinter.dim "n" [1, 64]
  %x = sinter.input 0 "x" [%n] : memref<?x4xf32>
  %s = sinter.input 1 "s" : memref<f32>
  %y = sinter.output 0 "y" [%n] : memref<?x4xf32>
  %scale = memref.load %s[] : memref<f32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %x : memref<?x4xf32>, memref<?x4xf32>) outs(%y : memref<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  }
  return
}
