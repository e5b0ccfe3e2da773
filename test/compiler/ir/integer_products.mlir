// RUN: sinter-opt %s --split-input-file --verify-diagnostics
// Signs and zero points that fit the operands.

func.func @signs(%x: tensor<2x3xi8>, %w: tensor<3x4xi8>, %y: tensor<2x4xi32>) -> tensor<2x4xi32> {
  // expected-error @+1 {{'sinter.matmul' op signs has one letter, s or u, for each of two operands}}
  %0 = sinter.matmul ins(%x, %w : tensor<2x3xi8>, tensor<3x4xi8>) outs(%y : tensor<2x4xi32>) attributes {epilogue_maps = [], signs = "x"} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

func.func @range(%x: tensor<2x3xi8>, %w: tensor<3x4xi8>, %y: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %0 = sinter.matmul ins(%x, %w : tensor<2x3xi8>, tensor<3x4xi8>) outs(%y : tensor<2x4xi32>) attributes {epilogue_maps = [], signs = "us", lhs_zero = 200 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<2x4xi32>
  // expected-error @+1 {{'sinter.matmul' op a zero point is no value of its operand's type}}
  %1 = sinter.matmul ins(%x, %w : tensor<2x3xi8>, tensor<3x4xi8>) outs(%y : tensor<2x4xi32>) attributes {epilogue_maps = [], signs = "us", rhs_zero = 200 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<2x4xi32>
  return %1 : tensor<2x4xi32>
}

// -----

func.func @floats(%x: tensor<1x1x3xf32>, %w: tensor<1x1x1xf32>, %y: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  // expected-error @+1 {{'sinter.conv' op a zero point is no value of its operand's type}}
  %0 = sinter.conv ins(%x, %w : tensor<1x1x3xf32>, tensor<1x1x1xf32>) outs(%y : tensor<1x1x3xf32>)
    attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 1 : i64, input_zero = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}
