// RUN: sinter-opt %s --pack-weights --split-input-file | FileCheck %s
// Constant operands of contractions in the order of their kernels: panels of as many columns as a tile has, zeros behind the last.

// CHECK-LABEL: @panels
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [8, 250] [1, 1] : tensor<8x250xf32> into tensor<8x256xf32>
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<16x8x16xf32>) {{.*}}kernel = #sinter.kernel<"gemm"
module attributes {sinter.target = "{base: x86-64-v3, byte_kernels: none}"} {
func.func @panels(%a: tensor<4x8xf32>) -> tensor<4x250xf32> {
  %b = arith.constant dense<1.0> : tensor<8x250xf32>
  %e = tensor.empty() : tensor<4x250xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x250xf32>) outs(%e : tensor<4x250xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<4x250xf32>
  return %c : tensor<4x250xf32>
}
}

// -----

// Where a whole tile would compute many columns for nothing panels are narrower.
// CHECK-LABEL: @narrow
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<5x8x8xf32>) {{.*}}kernel = #sinter.kernel<"gemm"
module attributes {sinter.target = "{base: x86-64-v3, byte_kernels: none}"} {
func.func @narrow(%a: tensor<4x8xf32>) -> tensor<4x40xf32> {
  %b = arith.constant dense<1.0> : tensor<8x40xf32>
  %e = tensor.empty() : tensor<4x40xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x40xf32>) outs(%e : tensor<4x40xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<4x40xf32>
  return %c : tensor<4x40xf32>
}
}

// -----

// An operand that is known at run time only stays as it is.
// CHECK-LABEL: @data
// CHECK-NOT: packed
// CHECK: return
module attributes {sinter.target = "{base: x86-64-v3, byte_kernels: none}"} {
func.func @data(%a: tensor<4x8xf32>, %b: tensor<8x20xf32>) -> tensor<4x20xf32> {
  %e = tensor.empty() : tensor<4x20xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x20xf32>) outs(%e : tensor<4x20xf32>) attributes {epilogue_maps = []} {
  ^bb0(%x: f32):
    sinter.yield %x : f32
  } -> tensor<4x20xf32>
  return %c : tensor<4x20xf32>
}
}
