// RUN: sinter-opt %s --choose-kernels --launch-side-by-side --norms-into-products | FileCheck %s
// On a GPU products normalise their rows. What nobody else reads is in no memory; what is read later is stored.
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
// CHECK-LABEL: @alone
// CHECK: sinter.launch "normed_products" ins(%arg0, %arg1, %arg2 : {{.*}}) outs(%arg3
// CHECK-NEXT: %[[N:.*]] = memref.alloca() : memref<8x16xf32>
// CHECK-NEXT: sinter.kernel "layer_norm" {{.*}} outs(%[[N]]
// CHECK-NEXT: sinter.matmul ins(%[[N]]
func.func @alone(%x: memref<8x16xf32>, %g: memref<16xf32>, %a: memref<16x8xf32>, %y: memref<8x8xf32>) {
  %n = memref.alloc() : memref<8x16xf32>
  sinter.kernel "layer_norm" ins(%x, %g : memref<8x16xf32>, memref<16xf32>) outs(%n : memref<8x16xf32>) {params = {centered = false, epsilon = 1.0e-5 : f64}}
  sinter.matmul ins(%n, %a : memref<8x16xf32>, memref<16x8xf32>) outs(%y : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// Halves, whose tile is chosen again for a block that normalises its rows.
// CHECK-LABEL: @halves
// CHECK: sinter.launch "normed_products"
// CHECK-NEXT: %[[N:.*]] = memref.alloca() : memref<8x64xf16>
// CHECK-NEXT: sinter.kernel "layer_norm" {{.*}} outs(%[[N]]
// CHECK-NEXT: sinter.matmul ins(%[[N]]{{.*}} kernel = #sinter.kernel<"tile_gemm"
func.func @halves(%x: memref<8x64xf16>, %g: memref<64xf32>, %a: memref<16x64xf16>, %y: memref<8x16xf16>) {
  %n = memref.alloc() : memref<8x64xf16>
  sinter.kernel "layer_norm" ins(%x, %g : memref<8x64xf16>, memref<64xf32>) outs(%n : memref<8x64xf16>) {params = {centered = false, epsilon = 1.0e-5 : f64}}
  sinter.matmul ins(%n, %a : memref<8x64xf16>, memref<16x64xf16>) outs(%y : memref<8x16xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %r = arith.truncf %sum : f32 to f16
    sinter.yield %r : f16
  }
  return
}

// Floats, which the matrix unit takes where the product is large: then the norm has its launch. A small one is by SIMT,
// whose form it is, whichever kernel would be faster without the norm.
// CHECK-LABEL: @large_floats
// CHECK-NOT: sinter.launch
// CHECK: sinter.matmul {{.*}}kernel = #sinter.kernel<"tile_gemm"
func.func @large_floats(%x: memref<128x768xf32>, %g: memref<768xf32>, %a: memref<768x768xf32>, %y: memref<128x768xf32>) {
  %n = memref.alloc() : memref<128x768xf32>
  sinter.kernel "layer_norm" ins(%x, %g : memref<128x768xf32>, memref<768xf32>) outs(%n : memref<128x768xf32>) {params = {centered = false, epsilon = 1.0e-5 : f64}}
  sinter.matmul ins(%n, %a : memref<128x768xf32>, memref<768x768xf32>) outs(%y : memref<128x768xf32>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}
// CHECK-LABEL: @small_floats
// CHECK: sinter.launch "normed_products"
// CHECK: sinter.matmul {{.*}}kernel = #sinter.kernel<"simt_gemm"
func.func @small_floats(%x: memref<8x64xf32>, %g: memref<64xf32>, %a: memref<16x64xf32>, %y: memref<8x16xf32>) {
  %n = memref.alloc() : memref<8x64xf32>
  sinter.kernel "layer_norm" ins(%x, %g : memref<8x64xf32>, memref<64xf32>) outs(%n : memref<8x64xf32>) {params = {centered = false, epsilon = 1.0e-5 : f64}}
  sinter.matmul ins(%n, %a : memref<8x64xf32>, memref<16x64xf32>) outs(%y : memref<8x16xf32>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// A block would hold more of a row than its registers do.
// CHECK-LABEL: @long_halves
// CHECK-NOT: sinter.launch
// CHECK: return
func.func @long_halves(%x: memref<8x2048xf16>, %g: memref<2048xf32>, %a: memref<16x2048xf16>, %y: memref<8x16xf16>) {
  %n = memref.alloc() : memref<8x2048xf16>
  sinter.kernel "layer_norm" ins(%x, %g : memref<8x2048xf16>, memref<2048xf32>) outs(%n : memref<8x2048xf16>) {params = {centered = false, epsilon = 1.0e-5 : f64}}
  sinter.matmul ins(%n, %a : memref<8x2048xf16>, memref<16x2048xf16>) outs(%y : memref<8x16xf16>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%sum: f32):
    %r = arith.truncf %sum : f32 to f16
    sinter.yield %r : f16
  }
  return
}

// CHECK-LABEL: @two_and_later
// CHECK: %[[N:.*]] = memref.alloc() : memref<8x16xf32>
// CHECK: sinter.launch "normed_products" {{.*}} outs(%[[N]], %{{.*}}, %{{.*}} : memref<8x16xf32>, memref<8x8xf32>, memref<8x8xf32>)
// CHECK-NEXT: sinter.kernel "layer_norm"
// CHECK-NEXT: sinter.matmul
// CHECK: sinter.matmul
// CHECK: memref.copy %[[N]]
func.func @two_and_later() {
  %x = sinter.input 0 "x" : memref<8x16xf32>
  %g = sinter.input 1 "g" : memref<16xf32>
  %a = sinter.input 2 "a" : memref<16x8xf32>
  %y = sinter.output 0 "y" : memref<8x8xf32>
  %z = sinter.output 1 "z" : memref<8x8xf32>
  %later = sinter.output 2 "later" : memref<8x16xf32>
  %n = memref.alloc() : memref<8x16xf32>
  sinter.kernel "layer_norm" ins(%x, %g, %g : memref<8x16xf32>, memref<16xf32>, memref<16xf32>) outs(%n : memref<8x16xf32>) {params = {centered = true, epsilon = 1.0e-5 : f64}}
  sinter.matmul ins(%n, %a : memref<8x16xf32>, memref<16x8xf32>) outs(%y : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.matmul ins(%n, %a : memref<8x16xf32>, memref<16x8xf32>) outs(%z : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  memref.copy %n, %later : memref<8x16xf32> to memref<8x16xf32>
  return
}
}
