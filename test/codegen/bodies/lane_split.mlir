// Comparisons of an index with what the loop does not change divide rows: several of them, of either direction, with data. A sum with data might
// wrap around, and is compared; so is an index times two.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: void k0_map(
// CHECK: partsOf(0, 96, placeOf(int64_t(-5), int64_t(i0)), placeOf(v_2, v)))
// CHECK: if ([[BOTH:.*]]) {
// CHECK-NEXT: mapPart<float>(from, to,
// CHECK: load<V>(a
// CHECK: mapPart<float>(from, to,
// CHECK-NOT: load
// CHECK: void k1_map(
// CHECK-NOT: partsOf
// CHECK: void k3_map(
// CHECK: partsOf(0, 96, placeOf(int64_t(0), int64_t(i0)), placeBehind(int64_t(0), int64_t(i0)))
// CHECK: const auto [[V:.*]] = int64_t(from) != int64_t(i0);
// CHECK-NEXT: mapPart<int8_t>(from, to,
// CHECK: storeMask(y + 96 * i0 + i1, splatMask<V>([[V]]));
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 96 : i64]}, {name = "k", element = 7 : i64, dims = [4 : i64]}],
  sinter.outputs = [{name = "a", element = 1 : i64, dims = [4 : i64, 96 : i64]}, {name = "b", element = 1 : i64, dims = [4 : i64, 96 : i64]},
                    {name = "c", element = 1 : i64, dims = [4 : i64, 96 : i64]}, {name = "d", element = 9 : i64, dims = [4 : i64, 96 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<4x96xf32>
  %k = sinter.input 1 "k" : memref<4xi64>
  %a = sinter.output 0 "a" : memref<4x96xf32>
  %b = sinter.output 1 "b" : memref<4x96xf32>
  %c = sinter.output 2 "c" : memref<4x96xf32>
  %d = sinter.output 3 "d" : memref<4x96xi1>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %k : memref<4x96xf32>, memref<4xi64>) outs(%a : memref<4x96xf32>) {
  ^bb0(%e: f32, %n: i64, %o: f32):
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %behind = arith.subi %i, %j : index
    %c5 = arith.constant -5 : index
    %near = arith.cmpi sgt, %behind, %c5 : index
    %w = arith.index_cast %j : index to i64
    %below = arith.cmpi slt, %w, %n : i64
    %both = arith.andi %near, %below : i1
    %r = arith.select %both, %e, %zero : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %k : memref<4x96xf32>, memref<4xi64>) outs(%b : memref<4x96xf32>) {
  ^bb0(%e: f32, %n: i64, %o: f32):
    %zero = arith.constant 0.0 : f32
    %c9 = arith.constant 9 : i64
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i64
    %s = arith.addi %w, %n : i64
    %below = arith.cmpi slt, %s, %c9 : i64
    %r = arith.select %below, %e, %zero : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x96xf32>) outs(%c : memref<4x96xf32>) {
  ^bb0(%e: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %c2 = arith.constant 2 : index
    %c90 = arith.constant 90 : index
    %j = linalg.index 1 : index
    %s = arith.muli %j, %c2 : index
    %below = arith.cmpi slt, %s, %c90 : index
    %r = arith.select %below, %e, %zero : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%d : memref<4x96xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %below = arith.cmpi ne, %j, %i : index
    linalg.yield %below : i1
  }
  return
}
