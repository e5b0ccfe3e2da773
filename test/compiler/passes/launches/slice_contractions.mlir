// RUN: sinter-opt %s --choose-kernels --share-reductions --fuse-reductions --slice-contractions | FileCheck %s
// A product with few tiles and a long k is cut along k: it gets a buffer of sums, and words that count. A contraction in front of it, which stays
// whole, clears these beside its own work; where there is none, a fill does. In a loop nothing is cut: each turn would clear them.
module attributes {sinter.target = "cuda-x86-64-v2-h100"} {
// CHECK-LABEL: @behind_another
// CHECK: %[[COUNTERS:.*]] = memref.alloc() : memref<[[COUNT:.*]]xi32>
// CHECK: sinter.launch "in_turn"
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[COUNTERS]]
// CHECK-NEXT: sinter.matmul {{.*}} outs(%{{[^,]*}} : memref<64x64xf16>)
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<{{.*}}xf32>
// CHECK: sinter.matmul {{.*}} outs(%{{.*}}, %[[SUMS]], %[[COUNTERS]] : {{.*}} kernel = #sinter.kernel<"tile_gemm", {choice = "{{.*}}k in {{[0-9]+}} slices
func.func @behind_another(%x: memref<64x64xf16>, %a: memref<64x64xf16>, %h: memref<64x64xf16>, %z: memref<64x8192xf16>, %b: memref<128x8192xf16>, %y: memref<64x128xf16>) {
  sinter.matmul ins(%x, %a : memref<64x64xf16>, memref<64x64xf16>) outs(%h : memref<64x64xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %r = arith.truncf %sum : f32 to f16
    sinter.yield %r : f16
  }
  sinter.matmul ins(%z, %b : memref<64x8192xf16>, memref<128x8192xf16>) outs(%y : memref<64x128xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %r = arith.truncf %sum : f32 to f16
    sinter.yield %r : f16
  }
  return
}

// CHECK-LABEL: @first
// CHECK: linalg.fill
// CHECK-NOT: sinter.launch
// CHECK: k in {{[0-9]+}} slices
func.func @first(%z: memref<64x8192xf16>, %b: memref<128x8192xf16>, %y: memref<64x128xf16>) {
  sinter.matmul ins(%z, %b : memref<64x8192xf16>, memref<128x8192xf16>) outs(%y : memref<64x128xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %r = arith.truncf %sum : f32 to f16
    sinter.yield %r : f16
  }
  return
}

// CHECK-LABEL: @in_a_loop
// CHECK-NOT: slices
// CHECK: return
func.func @in_a_loop(%z: memref<64x8192xf16>, %b: memref<128x8192xf16>, %y: memref<64x128xf16>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  scf.for %i = %zero to %four step %one {
    sinter.matmul ins(%z, %b : memref<64x8192xf16>, memref<128x8192xf16>) outs(%y : memref<64x128xf16>) attributes {transpose_rhs, epilogue_maps = []} {
    ^bb0(%sum: f32):
      %r = arith.truncf %sum : f32 to f16
      sinter.yield %r : f16
    }
  }
  return
}

// So is a reduction of a million elements to one, which threads of blocks share.
// CHECK-LABEL: @million
// CHECK: %[[PARTS:.*]] = memref.alloc() : memref<[[SLICES:[0-9]+]]xf32>
// CHECK: %[[COUNTER:.*]] = memref.alloc() : memref<1xi32>
// CHECK: linalg.fill {{.*}} outs(%[[COUNTER]]
// CHECK: sinter.launch "reduction" {{.*}} outs(%{{.*}}, %[[PARTS]], %[[COUNTER]] :
// CHECK: chosen = #sinter.kernel<"block_fold", {{.*}} slices = [[SLICES]] : i64
func.func @million(%x: memref<1000001xf32>, %y: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%s : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} ins(%x : memref<1000001xf32>) outs(%s : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%s : memref<f32>) outs(%y : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  return
}
}
