// RUN: sinter-opt %s --choose-kernels --slice-contractions | FileCheck %s
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
}
