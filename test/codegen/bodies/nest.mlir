// Dims that walk through all operands together are one loop; a dim that some operand has elsewhere, or leaves out, stays one of its own.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: void k0_map(
// CHECK-NEXT: map<float>(Fixed<48>{},
// CHECK: void k1_map(
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 6; ++i0) {
// CHECK-NEXT: map<float>(Fixed<8>{},
// CHECK: load<V>(a + 8 * i0 + i1);
// CHECK: load<V>(b + i1);
// CHECK: void k2_map(
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 2; ++i0) {
// CHECK-NEXT: for (int64_t i1 = 0; i1 < 3; ++i1) {
// CHECK: load<V>(a + 24 * i0 + 8 * i1 + i2);
// CHECK: store(y + 8 * i0 + 16 * i1 + i2,
#id = affine_map<(i, j, k) -> (i, j, k)>
#swap = affine_map<(i, j, k) -> (j, i, k)>
#col = affine_map<(i, j, k) -> (k)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [2 : i64, 3 : i64, 8 : i64]}, {name = "col", element = 1 : i64, dims = [8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [2 : i64, 3 : i64, 8 : i64]}, {name = "z", element = 1 : i64, dims = [2 : i64, 3 : i64, 8 : i64]}, {name = "w", element = 1 : i64, dims = [3 : i64, 2 : i64, 8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<2x3x8xf32>
  %col = sinter.input 1 "col" : memref<8xf32>
  %y = sinter.output 0 "y" : memref<2x3x8xf32>
  %z = sinter.output 1 "z" : memref<2x3x8xf32>
  %w = sinter.output 2 "w" : memref<3x2x8xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : memref<2x3x8xf32>) outs(%y : memref<2x3x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %col : memref<2x3x8xf32>, memref<8xf32>) outs(%z : memref<2x3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #swap], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : memref<2x3x8xf32>) outs(%w : memref<3x2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
