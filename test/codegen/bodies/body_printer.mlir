// Each operation of a body is one named value, at the outermost loop where its operands are known: what depends on the row only is computed once a row.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT: const auto v = b[i0];
// CHECK-NEXT: const auto v_2 = sqrt(v);
// CHECK-NEXT: map<float>(Fixed<8>{},
// CHECK:      = v_3 * splat<V>(v_2);
// Elements of 16 bits that are only moved and chosen between are not made floats; those that are computed with are.
// CHECK:      void k1_map(
// CHECK:      const auto [[MOVED:v[_0-9]*]] = a[{{.*}}];
// CHECK:      select({{.*}}, convert<f16>(0.5f), [[MOVED]]);
// CHECK-NEXT: y[{{.*}}] = v
// CHECK:      void k2_map(
// CHECK:      load<float>(a
// CHECK:      store(y
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "row", element = 1 : i64, dims = [4 : i64]}, {name = "h", element = 10 : i64, dims = [8 : i64, 4 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "moved", element = 10 : i64, dims = [4 : i64, 8 : i64]}, {name = "added", element = 10 : i64, dims = [4 : i64, 8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<4x8xf32>
  %row = sinter.input 1 "row" : memref<4xf32>
  %h = sinter.input 2 "h" : memref<8x4xf16>
  %y = sinter.output 0 "y" : memref<4x8xf32>
  %moved = sinter.output 1 "moved" : memref<4x8xf16>
  %added = sinter.output 2 "added" : memref<4x8xf16>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %row : memref<4x8xf32>, memref<4xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%a: f32, %r: f32, %o: f32):
    %s = math.sqrt %r : f32
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%h : memref<8x4xf16>) outs(%moved : memref<4x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %j = linalg.index 1 : index
    %two = arith.constant 2 : index
    %half = arith.constant 0.5 : f16
    %first = arith.cmpi slt, %j, %two : index
    %0 = arith.select %first, %half, %a : f16
    linalg.yield %0 : f16
  }
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%h : memref<8x4xf16>) outs(%added : memref<4x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %half = arith.constant 0.5 : f16
    %0 = arith.addf %a, %half : f16
    linalg.yield %0 : f16
  }
  return
}
