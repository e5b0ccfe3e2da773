// RUN: sinter-opt %s --fold-pads --simplify --split-input-file | FileCheck %s

// Zeros on all sides: two rows above, one column to the left, whatever is behind.
// CHECK-LABEL: @zeros
// CHECK-NOT: insert_slice
// CHECK: sinter.conv ins(%arg0, %arg1 : tensor<1x8x5x5xf32>, tensor<4x8x3x3xf32>) {{.*}}pads = array<i64: 3, 2>
func.func @zeros(%x: tensor<1x8x5x5xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x8x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x7xf32>) -> tensor<1x8x8x7xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 2, 1] [1, 8, 5, 5] [1, 1, 1, 1] : tensor<1x8x5x5xf32> into tensor<1x8x8x7xf32>
  %o = tensor.empty() : tensor<1x4x8x7xf32>
  %y = sinter.conv ins(%p, %w : tensor<1x8x8x7xf32>, tensor<4x8x3x3xf32>) outs(%o : tensor<1x4x8x7xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x8x7xf32>
  return %y : tensor<1x4x8x7xf32>
}

// -----

// Not zeros: the tensor is made.
// CHECK-LABEL: @ones
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: sinter.conv ins(%[[P]]
func.func @ones(%x: tensor<1x8x5x5xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x5x5xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x8x7x7xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 1, 1] [1, 8, 5, 5] [1, 1, 1, 1] : tensor<1x8x5x5xf32> into tensor<1x8x7x7xf32>
  %o = tensor.empty() : tensor<1x4x5x5xf32>
  %y = sinter.conv ins(%p, %w : tensor<1x8x7x7xf32>, tensor<4x8x3x3xf32>) outs(%o : tensor<1x4x5x5xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x5x5xf32>
  return %y : tensor<1x4x5x5xf32>
}

// -----

// More channels are no pads of the convolution.
// CHECK-LABEL: @channels
// CHECK: %[[P:.*]] = tensor.insert_slice
// CHECK: sinter.conv ins(%[[P]]
func.func @channels(%x: tensor<1x6x5x5xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 1, 1] [1, 6, 5, 5] [1, 1, 1, 1] : tensor<1x6x5x5xf32> into tensor<1x8x7x7xf32>
  %o = tensor.empty() : tensor<1x4x5x5xf32>
  %y = sinter.conv ins(%p, %w : tensor<1x8x7x7xf32>, tensor<4x8x3x3xf32>) outs(%o : tensor<1x4x5x5xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x5x5xf32>
  return %y : tensor<1x4x5x5xf32>
}
