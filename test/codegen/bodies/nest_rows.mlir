// A sum over rows that lie far apart takes a part of each row at a time; one over short rows stays in registers.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: for (int64_t first = 0; first < 3000; first += 1024) {
// CHECK-NEXT: const int64_t last = first + 1024 < 3000 ? first + 1024 : 3000;
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 7; ++i0) {
// CHECK-NEXT: mapRange<float>(first, last, [&](auto tag, int64_t i1) {
// CHECK: const auto sum = load<V>(y + i1);
// CHECK: store(y + i1, v_2);
// CHECK: map<float>(Fixed<30>{}, [&](auto tag, int64_t i1) {
// CHECK: auto sum = load<V>(y + i1);
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [7 : i64, 3000 : i64]}, {name = "s", element = 1 : i64, dims = [7 : i64, 30 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [3000 : i64]}, {name = "z", element = 1 : i64, dims = [30 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<7x3000xf32>
  %s = sinter.input 1 "s" : memref<7x30xf32>
  %y = sinter.output 0 "y" : memref<3000xf32>
  %z = sinter.output 1 "z" : memref<30xf32>
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["reduction", "parallel"]} ins(%x : memref<7x3000xf32>) outs(%y : memref<3000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["reduction", "parallel"]} ins(%s : memref<7x30xf32>) outs(%z : memref<30xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  return
}
