// Buffers of two regions of RAM, each with a pointer of its own: their types say which. A choice gives one of either.
// RUN: rm -rf %t && sinter-opt %s --check-plan -o %t.mlir && sinter-emit %t.mlir -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// RUN: FileCheck %s --check-prefix=HEADER < %t/net.h
// RUN: FileCheck %s --check-prefix=REPORT < %t/net_report.txt
// RUN: %cxx -std=c++17 -O0 -march=x86-64-v2 -Wall -Wextra -Wconversion -pedantic -Werror -I%t %S/Inputs/regions.cpp %t/net.cpp -o %t/run && %t/run

// HEADER: #define NET_ARENA_BYTES 192
// HEADER: #define NET_ARENA_FAST_BYTES 64
// HEADER: #define NET_ARENA_SLOW_BYTES 128
// HEADER: in the arena: null, or slow + 64
// CHECK: = env.arenas[0];
// CHECK: = env.arenas[1];
// CHECK: at<float>(arena_fast, 0)
// CHECK: at<float>(arena_slow, 0)
// CHECK: = at<{{.*}}float>(arena_fast, 0);
// CHECK: else
// CHECK: = at<{{.*}}float>(arena_slow, 0);
// REPORT: fast, 64 bytes, from 0 on in a single arena
// REPORT: slow, 128 bytes, from 64 on in a single arena
// REPORT: at 0 4xf32
#id = affine_map<(d0) -> (d0)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64], arena_offset = 64 : i64, arena_space = #sinter.space<host, "slow">}, {name = "c", element = 9 : i64, dims = []}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64]}],
  sinter.arena_bytes = 192 : i64,
  sinter.arenas = [{space = #sinter.space<host, "fast">, bytes = 64 : i64}, {space = #sinter.space<host, "slow">, begin = 64 : i64, bytes = 128 : i64}]} {
  %x = sinter.arena 64 for 16 {sinter.input = 0 : i64} : memref<4xf32, #sinter.space<host, "slow">>
  %c = sinter.input 1 "c" : memref<i1>
  %y = sinter.output 0 "y" : memref<4xf32>
  %fast = sinter.arena 0 for 16 : memref<4xf32>
  %slow = sinter.arena 0 for 16 : memref<4xf32, #sinter.space<host, "slow">>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32, #sinter.space<host, "slow">>) outs(%fast : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %in : f32
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32, #sinter.space<host, "slow">>) outs(%slow : memref<4xf32, #sinter.space<host, "slow">>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.mulf %in, %in : f32
    linalg.yield %v : f32
  }
  %cond = memref.load %c[] : memref<i1>
  %either = scf.if %cond -> (memref<4xf32>) {
    scf.yield %fast : memref<4xf32>
  } else {
    %cast = memref.memory_space_cast %slow : memref<4xf32, #sinter.space<host, "slow">> to memref<4xf32>
    scf.yield %cast : memref<4xf32>
  }
  memref.copy %either, %y : memref<4xf32> to memref<4xf32>
  return
}
