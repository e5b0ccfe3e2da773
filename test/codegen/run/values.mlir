// Views are addresses: offsets of parts add up, strides stay, reshapes change nothing.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: load<V>(a + 16 * i0 + i1);
// CHECK: store(y + 3 * i0 + i1,
// CHECK: k0_map(in.x + 26, out.y);
#id = affine_map<(i, j) -> (i, j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [6 : i64, 8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [2 : i64, 3 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<6x8xf32>
  %y = sinter.output 0 "y" : memref<2x3xf32>
  %rows = memref.subview %x[2, 0] [4, 8] [1, 1] : memref<6x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 16>>
  %part = memref.subview %rows[1, 2] [2, 3] [2, 1] : memref<4x8xf32, strided<[8, 1], offset: 16>> to memref<2x3xf32, strided<[16, 1], offset: 26>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%part : memref<2x3xf32, strided<[16, 1], offset: 26>>) outs(%y : memref<2x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
