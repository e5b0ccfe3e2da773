// What a call gives is checked before anything is read: pointers, alignment, sizes within their bounds, the room in the arena, what the CPU has.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net --target x86-64-v3
// RUN: FileCheck %s < %t/net.cpp
// Registers that the system gives to those who ask are asked for behind what tells whether the CPU has them.
// RUN: rm -rf %t.tiles && sinter-emit %s -o %t.tiles --prefix net --target x86-64-v4+amx-int8
// RUN: FileCheck %s --check-prefix=TILES < %t.tiles/net.cpp
// TILES:      if (!__builtin_cpu_supports("amx-int8"))
// TILES-NEXT: return kUnsupportedCpu;
// TILES-NEXT: if (!mayUseTileRegisters())
// TILES-NEXT: return kUnsupportedCpu;
// RUN: %cxx -std=c++17 -Wall -Wextra -Wconversion -pedantic -Werror @%t.tiles/net.flags -I%t.tiles -c %t.tiles/net.cpp -o %t.tiles/net.o
// CHECK:      int check(const net_inputs &in, const net_outputs &out, const sinter_env &env) {
// CHECK:      if (!__builtin_cpu_supports("avx2"))
// CHECK-NEXT: return kUnsupportedCpu;
// CHECK:      if (in.n < 1 || in.n > 64)
// CHECK-NEXT: return kDimOutOfBounds;
// CHECK-NEXT: if (!in.x)
// CHECK-NEXT: return kNullPointer;
// CHECK-NEXT: if (!isAligned(in.x, sizeof(float)))
// CHECK-NEXT: return kMisaligned;
// CHECK-NEXT: if (!out.y)
// CHECK:      if (env.arena_bytes != 0 && env.arena_bytes < NET_ARENA_BYTES)
// CHECK-NEXT: return kCapacityExceeded;
// CHECK:      extern "C" int net_run_with(const net_inputs *inputs, net_outputs *outputs, const sinter_env *env) {
// CHECK:      const int status = sinter::check(*inputs, *outputs, all);
// CHECK-NEXT: if (status)
// CHECK-NEXT: return status;
// CHECK-NEXT: return sinter::run(*inputs, *outputs, all);
#id = affine_map<(i, j) -> (i, j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = ["n", 4 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = ["n", 4 : i64]}],
  sinter.dim_bounds = {n = array<i64: 1, 64>},
  sinter.arena_bytes = 4096 : i64} {
  %n = sinter.dim "n" [1, 64]
  %x = sinter.input 0 "x" [%n] : memref<?x4xf32>
  %y = sinter.output 0 "y" [%n] : memref<?x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x4xf32>) outs(%y : memref<?x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
