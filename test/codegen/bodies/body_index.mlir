// Indices of a body made of loop variables and constants stay expressions, so that addresses fold; one from data is an index once it is checked.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: const auto v = data[i0];
// CHECK: const int64_t i = checkIndex(fromEnd(int64_t(v), 4), 4, status);
// CHECK: = data_2[7 + 8 * i - i1];
#id = affine_map<(i, j) -> (i, j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "rows", element = 6 : i64, dims = [4 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64, 8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<4x8xf32>
  %rows = sinter.input 1 "rows" : memref<4xi32>
  %y = sinter.output 0 "y" : memref<4x8xf32>
  %c4 = arith.constant 4 : index
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%y : memref<4x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %back = arith.subi %c7, %j : index
    %up = arith.addi %back, %c1 : index
    %down = arith.subi %up, %c1 : index
    %row = memref.load %rows[%i] : memref<4xi32>
    %r = sinter.check_index %row, %c4 : i32
    %0 = memref.load %x[%r, %down] : memref<4x8xf32>
    linalg.yield %0 : f32
  }
  return
}
