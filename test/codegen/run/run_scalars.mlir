// Sizes that come of sizes stay expressions; what comes from data is computed with the checks of its type, and bounded where a buffer needs that.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      void k0_map(const float *a, float *y, int64_t n, int64_t n_3) {
// CHECK:      const int64_t n = in.n;
// CHECK-NEXT: out.y_dims[0] = n;
// CHECK-NEXT: out.y_dims[1] = 4;
// CHECK:      const int64_t v = *(in.k);
// CHECK-NEXT: const int64_t v_2 = mul(v, int64_t(5));
// CHECK-NEXT: const bool v_3 = v_2 < int64_t(0);
// CHECK-NEXT: const int64_t v_4 = select(v_3, int64_t(0), v_2);
// CHECK-NEXT: *(out.z) = v_4;
// CHECK:      if (n_3 < 0 || n_3 > 4)
// CHECK-NEXT: return kCapacityExceeded;
// CHECK-NEXT: k0_map(in.x, out.y, n, n_3);
#id = affine_map<(i, j) -> (i, j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = ["n", 4 : i64]}, {name = "k", element = 7 : i64, dims = []}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = ["n", 4 : i64]}, {name = "z", element = 7 : i64, dims = []}],
  sinter.dim_bounds = {n = array<i64: 1, 64>},
  sinter.arena_bytes = 4096 : i64} {
  %n = sinter.dim "n" [1, 64]
  %x = sinter.input 0 "x" [%n] : memref<?x4xf32>
  %k = sinter.input 1 "k" : memref<i64>
  %y = sinter.output 0 "y" [%n] : memref<?x4xf32>
  %z = sinter.output 1 "z" : memref<i64>
  %wide = memref.load %k[] : memref<i64>
  %c5 = arith.constant 5 : i64
  %twice = arith.muli %wide, %c5 : i64
  %c0 = arith.constant 0 : i64
  %isNegative = arith.cmpi slt, %twice, %c0 : i64
  %least = arith.select %isNegative, %c0, %twice : i64
  memref.store %least, %z[] : memref<i64>
  %given = arith.index_cast %wide : i64 to index
  %bounded = sinter.bound %given [0, 4]
  %part = memref.subview %x[0, 0] [%n, %bounded] [1, 1] : memref<?x4xf32> to memref<?x?xf32, strided<[4, 1]>>
  %out = memref.subview %y[0, 0] [%n, %bounded] [1, 1] : memref<?x4xf32> to memref<?x?xf32, strided<[4, 1]>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%part : memref<?x?xf32, strided<[4, 1]>>) outs(%out : memref<?x?xf32, strided<[4, 1]>>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
