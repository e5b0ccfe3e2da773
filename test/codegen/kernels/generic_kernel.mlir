// A nest that only moves elements is a copy, memcpy where both sides lie without gaps, squares in registers where a matrix is turned, pixels of few planes interleaved; any other is a loop
// nest.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: void k0_copy(
// CHECK-NEXT: memcpy(y, a, 128);
// CHECK: void k1_copy(
// CHECK-NEXT: interleave<4>(a, 8, y, 8);
// CHECK: void k2_map(
// CHECK-NEXT: map<float>(Fixed<32>{},
// Short elements by as many as fill 16 bytes, if there are so many.
// CHECK: void k3_copy(
// CHECK-NEXT: turn(a, 8, y, 9, 8, 9);
// CHECK: void k4_copy(
// CHECK-NOT: turn(
// CHECK: void k5_copy(
// CHECK-NEXT: deinterleave<3>(a, y, 9, 9);
// Few lines, where the other side fills vectors.
// CHECK: void k6_copy(
// CHECK-NEXT: turn(a, 5, y, 9, 5, 9);
// An index that is divided repeats elements, and rows: those of dims that are whole multiples.
// CHECK: void k7_copy(
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 9; ++i0) {
// CHECK-NEXT: for (int64_t i1 = 0; i1 < 3; ++i1) {
// CHECK-NEXT: interleave<2>(a + 5 * i0, 0, y + 30 * i0 + 10 * i1, 5);
// CHECK: void k8_map(
// CHECK-NOT: interleave<
// Planes and places need not be neighbouring dims: blocks of SpaceToDepth.
// CHECK: void k9_copy(
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 2; ++i0) {
// CHECK-NEXT: for (int64_t i1 = 0; i1 < 3; ++i1) {
// CHECK-NEXT: deinterleave<2>(a + 18 * i0 + 36 * i1, y + 54 * i0 + 9 * i1, 27, 9);
#id = affine_map<(i, j) -> (i, j)>
#back = affine_map<(p, q, i, j) -> (i, p, j, q)>
#forth = affine_map<(p, q, i, j) -> (p, q, i, j)>
#t = affine_map<(i, j) -> (j, i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "h", element = 10 : i64, dims = [9 : i64, 8 : i64]}, {name = "few", element = 10 : i64, dims = [5 : i64, 6 : i64]}, {name = "pixels", element = 10 : i64, dims = [9 : i64, 3 : i64]}, {name = "lines", element = 10 : i64, dims = [9 : i64, 5 : i64]}, {name = "blocks", element = 10 : i64, dims = [3 : i64, 2 : i64, 9 : i64, 2 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "t", element = 1 : i64, dims = [8 : i64, 4 : i64]}, {name = "z", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "u", element = 10 : i64, dims = [8 : i64, 9 : i64]}, {name = "v", element = 10 : i64, dims = [6 : i64, 5 : i64]}, {name = "planes", element = 10 : i64, dims = [3 : i64, 9 : i64]}, {name = "columns", element = 10 : i64, dims = [5 : i64, 9 : i64]}, {name = "twice", element = 10 : i64, dims = [27 : i64, 10 : i64]}, {name = "less", element = 10 : i64, dims = [9 : i64, 9 : i64]}, {name = "depths", element = 10 : i64, dims = [2 : i64, 2 : i64, 3 : i64, 9 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<4x8xf32>
  %h = sinter.input 1 "h" : memref<9x8xf16>
  %few = sinter.input 2 "few" : memref<5x6xf16>
  %pixels = sinter.input 3 "pixels" : memref<9x3xf16>
  %lines = sinter.input 4 "lines" : memref<9x5xf16>
  %blocks = sinter.input 5 "blocks" : memref<3x2x9x2xf16>
  %depths = sinter.output 9 "depths" : memref<2x2x3x9xf16>
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %y = sinter.output 0 "y" : memref<4x8xf32>
  %t = sinter.output 1 "t" : memref<8x4xf32>
  %z = sinter.output 2 "z" : memref<4x8xf32>
  %u = sinter.output 3 "u" : memref<8x9xf16>
  %v = sinter.output 4 "v" : memref<6x5xf16>
  %columns = sinter.output 6 "columns" : memref<5x9xf16>
  %twice = sinter.output 7 "twice" : memref<27x10xf16>
  %less = sinter.output 8 "less" : memref<9x9xf16>
  %planes = sinter.output 5 "planes" : memref<3x9xf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x8xf32>) outs(%t : memref<8x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x8xf32>) outs(%z : memref<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%h : memref<9x8xf16>) outs(%u : memref<8x9xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  }
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%few : memref<5x6xf16>) outs(%v : memref<6x5xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  }
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%pixels : memref<9x3xf16>) outs(%planes : memref<3x9xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  }
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%lines : memref<9x5xf16>) outs(%columns : memref<5x9xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%twice : memref<27x10xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.divui %i, %three : index
    %column = arith.divui %j, %two : index
    %0 = memref.load %lines[%row, %column] : memref<9x5xf16>
    linalg.yield %0 : f16
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%less : memref<9x9xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %column = arith.divui %j, %two : index
    %0 = memref.load %lines[%i, %column] : memref<9x5xf16>
    linalg.yield %0 : f16
  }
  linalg.generic {indexing_maps = [#back, #forth], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%blocks : memref<3x2x9x2xf16>) outs(%depths : memref<2x2x3x9xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  }
  return
}
