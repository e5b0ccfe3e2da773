// A dim runs in lanes where every operand is contiguous or constant along it; elsewhere elements come one by one, and so they do without vectors.
// RUN: sinter-emit %s -o %t --prefix net --scalar && FileCheck %s --check-prefix=SCALAR < %t/net.cpp
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: void k0_map(
// CHECK-NOT: load<V>
// CHECK: const auto v = a[i0 + 6 * i1];
// CHECK: void k1_map(
// CHECK-NEXT: map<int64_t>(Fixed<16>{},
// CHECK: const auto v = load<V>(a + i0);
// SCALAR: void k1_map(
// SCALAR: const auto v = a[i0];
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#one = affine_map<(i) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [8 : i64, 6 : i64]}, {name = "d", element = 7 : i64, dims = [16 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [6 : i64, 8 : i64]}, {name = "r", element = 7 : i64, dims = [16 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<8x6xf32>
  %d = sinter.input 1 "d" : memref<16xi64>
  %y = sinter.output 0 "y" : memref<6x8xf32>
  %r = sinter.output 1 "r" : memref<16xi64>
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x6xf32>) outs(%y : memref<6x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%d : memref<16xi64>) outs(%r : memref<16xi64>) {
  ^bb0(%a: i64, %o: i64):
    %c3 = arith.constant 3 : i64
    %0 = arith.remsi %a, %c3 : i64
    linalg.yield %0 : i64
  }
  return
}
