// Sizes given by the caller, sizes from data within a bound, indices from data, and control flow around kernels.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// RUN: FileCheck %s --check-prefix=HEADER < %t/net.h
// RUN: %cxx -std=c++17 -O0 -march=x86-64-v2 -Wall -Wextra -Wconversion -pedantic -Werror -fno-exceptions -fno-rtti -fsanitize=undefined,address -fno-sanitize-recover -I%t -c %t/net.cpp -o %t/net.o
// RUN: %cxx -std=c++17 -fsanitize=undefined,address -I%t %S/Inputs/dynamic.cpp %t/net.o -o %t/run && %t/run

// HEADER: const float *x; /* float[seq, 8] */
// HEADER: int64_t seq; /* seq: 0 to 16 */
// HEADER: int64_t picked_dims[2]; /* written by the call */

// Both dims of an elementwise kernel are one loop, although a size is only known at run time.
// CHECK: void k0_relu(const float *a, {{.*}}int64_t seq
// CHECK: if (8 * seq <= 0)
// CHECK: map<float>(8 * seq,
// CHECK: void k1_gather(
// CHECK: if (seq <= 0) return void(status = kIndexOutOfRange);
// CHECK: checkIndex(fromEnd(int64_t(v), seq), seq, status);
// CHECK: const int64_t seq = in.seq;
// CHECK: if ([[N:n.*]] < 0 || [[N]] > 3)
// CHECK-NEXT: return kCapacityExceeded;
// CHECK: out.picked_dims[0] = [[N]];
#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = ["seq", 8 : i64]}, {name = "rows", element = 6 : i64, dims = [3 : i64]},
                   {name = "count", element = 7 : i64, dims = []}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = ["seq", 8 : i64]}, {name = "picked", element = 1 : i64, dims = ["?", 8 : i64]},
                    {name = "power", element = 1 : i64, dims = [4 : i64]}, {name = "steps", element = 7 : i64, dims = []}],
  sinter.dim_bounds = {seq = array<i64: 0, 16>}, sinter.arena_bytes = 1024 : i64} {
  %seq = sinter.dim "seq" [0, 16]
  %x = sinter.input 0 "x" [%seq] : memref<?x8xf32>
  %rows = sinter.input 1 "rows" : memref<3xi32>
  %count = sinter.input 2 "count" : memref<i64>
  %y = sinter.output 0 "y" [%seq] : memref<?x8xf32>
  %power = sinter.output 2 "power" : memref<4xf32>
  %steps = sinter.output 3 "steps" : memref<i64>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x8xf32>) outs(%y : memref<?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %0 = arith.maximumf %a, %z : f32
    linalg.yield %0 : f32
  } loc("Relu")

  // The first `count` of the rows, which must be known to fit.
  %wide = memref.load %count[] : memref<i64>
  %given = arith.index_cast %wide : i64 to index
  %n = sinter.bound %given [0, 3]
  %picked = sinter.output 1 "picked" [%n] : memref<?x8xf32>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%picked : memref<?x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = memref.load %rows[%i] : memref<3xi32>
    %checked = sinter.check_index %row, %seq : i32
    %0 = memref.load %x[%checked, %j] : memref<?x8xf32>
    linalg.yield %0 : f32
  } loc("Gather")

  // power = 1, then doubled `count` times in place.
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%power : memref<4xf32>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%power : memref<4xf32>) {
    ^bb0(%o: f32):
      %0 = arith.addf %o, %o : f32
      linalg.yield %0 : f32
    } loc("Double")
  }
  // Collatz steps from count * 7 + 1, with carried scalars; then one of two buffers is copied.
  %c7 = arith.constant 7 : i64
  %c1i = arith.constant 1 : i64
  %c2i = arith.constant 2 : i64
  %c3i = arith.constant 3 : i64
  %c0i = arith.constant 0 : i64
  %s0 = arith.muli %wide, %c7 : i64
  %s1 = arith.addi %s0, %c1i : i64
  %end:2 = scf.while (%v = %s1, %k = %c0i) : (i64, i64) -> (i64, i64) {
    %go = arith.cmpi sgt, %v, %c1i : i64
    scf.condition(%go) %v, %k : i64, i64
  } do {
  ^bb0(%v: i64, %k: i64):
    %r = arith.remsi %v, %c2i : i64
    %even = arith.cmpi eq, %r, %c0i : i64
    %next = scf.if %even -> i64 {
      %h = arith.divsi %v, %c2i : i64
      scf.yield %h : i64
    } else {
      %t = arith.muli %v, %c3i : i64
      %u = arith.addi %t, %c1i : i64
      scf.yield %u : i64
    }
    %k1 = arith.addi %k, %c1i : i64
    scf.yield %next, %k1 : i64, i64
  }
  memref.store %end#1, %steps[] : memref<i64>
  %a0 = sinter.arena 0 for 512[%seq] : memref<?x8xf32>
  memref.copy %x, %a0 : memref<?x8xf32> to memref<?x8xf32>
  %big = arith.cmpi sgt, %wide, %c1i : i64
  %chosen = scf.if %big -> memref<?x8xf32> {
    scf.yield %a0 : memref<?x8xf32>
  } else {
    scf.yield %y : memref<?x8xf32>
  }
  memref.copy %chosen, %y : memref<?x8xf32> to memref<?x8xf32>
  return
}
