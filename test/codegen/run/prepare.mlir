// Named ops and copies come as nests: a fill stores one value, a copy between gaps goes by rows.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      void k0_fill(float s, float *y) {
// CHECK-NEXT: map<float>(Fixed<32>{},
// CHECK:      store(y + i0, splat<V>(s));
// CHECK:      void k1_copy(const float *a, float *y) {
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT: memcpy(y + 4 * i0, a + 8 * i0, 16);
// CHECK:      k0_fill(2.5f, out.y);
// CHECK:      k1_copy(in.x + 4, out.z);
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "z", element = 1 : i64, dims = [4 : i64, 4 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<4x8xf32>
  %y = sinter.output 0 "y" : memref<4x8xf32>
  %z = sinter.output 1 "z" : memref<4x4xf32>
  %c = arith.constant 2.5 : f32
  linalg.fill ins(%c : f32) outs(%y : memref<4x8xf32>)
  %part = memref.subview %x[0, 4] [4, 4] [1, 1] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  memref.copy %part, %z : memref<4x4xf32, strided<[8, 1], offset: 4>> to memref<4x4xf32>
  return
}
