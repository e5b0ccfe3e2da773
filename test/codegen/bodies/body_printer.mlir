// Each operation of a body is one named value, at the outermost loop where its operands are known: what depends on the row only is computed once a row.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT: const auto v = b[i0];
// CHECK-NEXT: const auto v_2 = sqrt(v);
// CHECK-NEXT: map<float>(Fixed<8>{},
// CHECK:      = v_3 * splat<V>(v_2);
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "row", element = 1 : i64, dims = [4 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64, 8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<4x8xf32>
  %row = sinter.input 1 "row" : memref<4xf32>
  %y = sinter.output 0 "y" : memref<4x8xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %row : memref<4x8xf32>, memref<4xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%a: f32, %r: f32, %o: f32):
    %s = math.sqrt %r : f32
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  }
  return
}
