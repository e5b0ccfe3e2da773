// RUN: split-file %s %t
// RUN: sinter-opt %t/forms.mlir | sinter-opt | FileCheck %s
// RUN: sinter-opt %t/errors.mlir --split-input-file --verify-diagnostics
// What sinter.pool looks like, and what it does not take.

//--- forms.mlir
// CHECK-LABEL: @forms
// CHECK: sinter.pool max ins(%arg0 : tensor<1x4x6xf32>) outs(%{{.*}} : tensor<1x4x3xf32>) {dilations = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 2>, window = array<i64: 2>} -> tensor<1x4x3xf32>
// CHECK: sinter.pool sum ins(
// CHECK: sinter.pool max ins(%arg1 : tensor<1x2x4x4x8xi8>) row_pad(%arg2) outs(%{{.*}} : tensor<1x2x3x3x8xi8>) {{.*}}is_unsigned, layout = "nchwc"
// CHECK: sinter.pool average {{.*}}count_include_pad, {{.*}}scales = #sinter.pool_scales<x_scale = 5.000000e-01 : f64, x_zero = -3, y_scale = 2.500000e-01 : f64, y_zero = 7, integer_sums = true>
func.func @forms(%x: tensor<1x4x6xf32>, %bytes: tensor<1x2x4x4x8xi8>, %pad: index) -> tensor<1x2x3x3x8xi8> {
  %e = tensor.empty() : tensor<1x4x3xf32>
  %0 = sinter.pool max ins(%x : tensor<1x4x6xf32>) outs(%e : tensor<1x4x3xf32>) {window = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0, 0>} -> tensor<1x4x3xf32>
  %1 = sinter.pool sum ins(%x : tensor<1x4x6xf32>) outs(%0 : tensor<1x4x3xf32>) {window = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0, 0>} -> tensor<1x4x3xf32>
  %b = tensor.empty() : tensor<1x2x3x3x8xi8>
  %2 = sinter.pool max ins(%bytes : tensor<1x2x4x4x8xi8>) row_pad(%pad) outs(%b : tensor<1x2x3x3x8xi8>) {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, layout = "nchwc", is_unsigned} -> tensor<1x2x3x3x8xi8>
  %3 = sinter.pool average ins(%bytes : tensor<1x2x4x4x8xi8>) outs(%2 : tensor<1x2x3x3x8xi8>) {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, layout = "nchwc", count_include_pad, scales = #sinter.pool_scales<x_scale = 0.5 : f64, x_zero = -3, y_scale = 0.25 : f64, y_zero = 7, integer_sums = true>} -> tensor<1x2x3x3x8xi8>
  return %3 : tensor<1x2x3x3x8xi8>
}

//--- errors.mlir
func.func @element(%x: tensor<1x4x6xf32>, %e: tensor<1x4x3xf16>) {
  // expected-error @+1 {{'sinter.pool' op makes one map of its input's element type}}
  %0 = sinter.pool max ins(%x : tensor<1x4x6xf32>) outs(%e : tensor<1x4x3xf16>) {window = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0, 0>} -> tensor<1x4x3xf16>
  return
}

// -----

func.func @layout(%x: tensor<1x4x6xf32>, %e: tensor<1x4x3xf32>) {
  // expected-error @+1 {{'sinter.pool' op layout is nchw or nchwc}}
  %0 = sinter.pool max ins(%x : tensor<1x4x6xf32>) outs(%e : tensor<1x4x3xf32>) {window = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, layout = "nhwc"} -> tensor<1x4x3xf32>
  return
}

// -----

func.func @rank(%x: tensor<1x4x6xf32>, %e: tensor<1x4x3xf32>) {
  // expected-error @+1 {{'sinter.pool' op has a window of one to three dims behind image and channel}}
  %0 = sinter.pool max ins(%x : tensor<1x4x6xf32>) outs(%e : tensor<1x4x3xf32>) {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>} -> tensor<1x4x3xf32>
  return
}

// -----

func.func @pads(%x: tensor<1x4x6xf32>, %e: tensor<1x4x3xf32>) {
  // expected-error @+1 {{'sinter.pool' op needs a stride, a dilation and two pads for each dim of the window}}
  %0 = sinter.pool max ins(%x : tensor<1x4x6xf32>) outs(%e : tensor<1x4x3xf32>) {window = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0>} -> tensor<1x4x3xf32>
  return
}

// -----

func.func @scales(%x: tensor<1x4x6xi8>, %e: tensor<1x4x3xi8>) {
  // expected-error @+1 {{'sinter.pool' op scales are those of a mean of bytes}}
  %0 = sinter.pool max ins(%x : tensor<1x4x6xi8>) outs(%e : tensor<1x4x3xi8>) {window = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, scales = #sinter.pool_scales<x_scale = 0.5 : f64, x_zero = 0, y_scale = 0.5 : f64, y_zero = 0, integer_sums = false>} -> tensor<1x4x3xi8>
  return
}

// -----

func.func @blocked_sum(%x: tensor<1x2x4x4x8xf32>, %e: tensor<1x2x3x3x8xf32>) {
  // expected-error @+1 {{'sinter.pool' op takes no sums on channel blocks}}
  %0 = sinter.pool sum ins(%x : tensor<1x2x4x4x8xf32>) outs(%e : tensor<1x2x3x3x8xf32>) {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, layout = "nchwc"} -> tensor<1x2x3x3x8xf32>
  return
}

// -----

func.func @row_pad(%x: tensor<1x4x6x6xf32>, %e: tensor<1x4x5x5xf32>, %pad: index) {
  // expected-error @+1 {{'sinter.pool' op row_pad is a maximum's on channel blocks}}
  %0 = sinter.pool max ins(%x : tensor<1x4x6x6xf32>) row_pad(%pad) outs(%e : tensor<1x4x5x5xf32>) {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>} -> tensor<1x4x5x5xf32>
  return
}
