// RUN: sinter-opt %s --choose-kernels --launch-side-by-side --tiles-of-launches | FileCheck %s
// RUN: sinter-opt %s --choose-kernels --launch-side-by-side | FileCheck %s --check-prefix=APART
// Three products side by side take a larger tile than each alone would: together they have blocks for all of the GPU.
module attributes {sinter.target = "cuda-x86-64-v2-h100"} {
// APART: sinter.matmul {{.*}} kernel = #sinter.kernel<"tile_gemm", {{.*}}tile = array<i64: 32, 32,
// CHECK: sinter.launch "side_by_side"
// CHECK-COUNT-3: sinter.matmul {{.*}} kernel = #sinter.kernel<"tile_gemm", {{.*}}tile = array<i64: 64, 64,
func.func @queries_keys_values() {
  %x = sinter.input 0 "x" : memref<128x768xf16>
  %a = sinter.input 1 "a" : memref<768x768xf16>
  %b = sinter.input 2 "b" : memref<768x768xf16>
  %c = sinter.input 3 "c" : memref<768x768xf16>
  %q = sinter.output 0 "q" : memref<128x768xf16>
  %k = sinter.output 1 "k" : memref<128x768xf16>
  %v = sinter.output 2 "v" : memref<128x768xf16>
  sinter.matmul ins(%x, %a : memref<128x768xf16>, memref<768x768xf16>) outs(%q : memref<128x768xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %r = arith.truncf %sum : f32 to f16
    sinter.yield %r : f16
  }
  sinter.matmul ins(%x, %b : memref<128x768xf16>, memref<768x768xf16>) outs(%k : memref<128x768xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %r = arith.truncf %sum : f32 to f16
    sinter.yield %r : f16
  }
  sinter.matmul ins(%x, %c : memref<128x768xf16>, memref<768x768xf16>) outs(%v : memref<128x768xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %r = arith.truncf %sum : f32 to f16
    sinter.yield %r : f16
  }
  return
}
}
