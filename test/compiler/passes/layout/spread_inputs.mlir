// RUN: sinter-opt %s --choose-layouts --split-input-file | FileCheck %s
// RUN: sinter-opt %s --split-input-file --interpret -o /dev/null > %t.before
// RUN: sinter-opt %s --split-input-file --choose-layouts --simplify --pack-weights --lower-layouts --interpret -o /dev/null > %t.after
// RUN: cmp %t.before %t.after
module attributes {sinter.target = "x86-64-v3"} {

// Zeros between elements, and one in front: how a transposed convolution reads.
// CHECK-LABEL: @main
// CHECK-NOT: insert_slice
// CHECK: sinter.conv ins({{.*}} : tensor<1x1x5x5x8xf32>, tensor<4x8x3x3xf32>) {{.*}}layout = "nchwc", pads = array<i64: 2, 1>, spreads = array<i64: 2, 1>
func.func @main(%x: tensor<1x8x5x5xf32>) -> tensor<1x4x10x5xf32> {
  %w = sinter.weight dense<1.0> : tensor<4x8x3x3xf32> : tensor<4x8x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x10x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x10x5xf32>) -> tensor<1x8x10x5xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 1, 0] [1, 8, 5, 5] [1, 1, 2, 1] : tensor<1x8x5x5xf32> into tensor<1x8x10x5xf32>
  %o = tensor.empty() : tensor<1x4x10x5xf32>
  %y = sinter.conv ins(%p, %w : tensor<1x8x10x5xf32>, tensor<4x8x3x3xf32>) outs(%o : tensor<1x4x10x5xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x10x5xf32>
  return %y : tensor<1x4x10x5xf32>
}
}

// -----

// A row of ones is no padding, and no spread.
module attributes {sinter.target = "x86-64-v3"} {
// CHECK-LABEL: @main
// CHECK: tensor.insert_slice
// CHECK-NOT: spreads
func.func @main(%x: tensor<1x8x5xf32>) -> tensor<1x4x9xf32> {
  %w = sinter.weight dense<1.0> : tensor<4x8x3xf32> : tensor<4x8x3xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x8x9xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<1x8x9xf32>) -> tensor<1x8x9xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 0] [1, 8, 5] [1, 1, 2] : tensor<1x8x5xf32> into tensor<1x8x9xf32>
  %o = tensor.empty() : tensor<1x4x9xf32>
  %y = sinter.conv ins(%p, %w : tensor<1x8x9xf32>, tensor<4x8x3xf32>) outs(%o : tensor<1x4x9xf32>) attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x9xf32>
  return %y : tensor<1x4x9xf32>
}
}

// -----

// Integers have no kernels that leave such zeros out.
module attributes {sinter.target = "x86-64-v3"} {
// CHECK-LABEL: @main
// CHECK: tensor.insert_slice
// CHECK-NOT: spreads
func.func @main(%x: tensor<1x8x5xi8>) -> tensor<1x4x9xi32> {
  %w = sinter.weight dense<1> : tensor<4x8x3xi8> : tensor<4x8x3xi8>
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<1x8x9xi8>
  %f = linalg.fill ins(%zero : i8) outs(%e : tensor<1x8x9xi8>) -> tensor<1x8x9xi8>
  %p = tensor.insert_slice %x into %f[0, 0, 0] [1, 8, 5] [1, 1, 2] : tensor<1x8x5xi8> into tensor<1x8x9xi8>
  %o = tensor.empty() : tensor<1x4x9xi32>
  %y = sinter.conv ins(%p, %w : tensor<1x8x9xi8>, tensor<4x8x3xi8>) outs(%o : tensor<1x4x9xi32>) attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: i32):
    sinter.yield %a : i32
  } -> tensor<1x4x9xi32>
  return %y : tensor<1x4x9xi32>
}
}
