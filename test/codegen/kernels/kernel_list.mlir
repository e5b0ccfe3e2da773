// Payload ops become functions: equal ones are printed once and called again, names are what is readable of the first node's, and comments say what it
// is and on what shapes.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      // call 0: Neg/1: 8xf32 -> 8xf32
// CHECK-NEXT: // call 1: Neg/2: 8xf32 -> 8xf32
// CHECK-NEXT: SINTER_NOINLINE void k0_neg_1(
// CHECK:      // call 2: last!: 8xf32 -> 8xf32
// CHECK-NEXT: SINTER_NOINLINE void k1_last(
// CHECK-NOT:  void k2
// CHECK:      k0_neg_1({{.*}}); // Neg/1
// CHECK:      k0_neg_1({{.*}}); // Neg/2
// CHECK:      k1_last({{.*}}); // last!
#id = affine_map<(i) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [8 : i64]}, {name = "z", element = 1 : i64, dims = [8 : i64]}, {name = "w", element = 1 : i64, dims = [8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<8xf32>
  %y = sinter.output 0 "y" : memref<8xf32>
  %z = sinter.output 1 "z" : memref<8xf32>
  %w = sinter.output 2 "w" : memref<8xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } loc("Neg/1")
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : memref<8xf32>) outs(%z : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } loc("Neg/2")
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%z : memref<8xf32>) outs(%w : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.absf %a : f32
    linalg.yield %0 : f32
  } loc("last!")
  return
}
