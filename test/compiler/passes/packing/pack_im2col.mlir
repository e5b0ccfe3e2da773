// Contractions of bytes for small cores: weights in fours of filters, zero points in the bias, and in the arena what kernels gather.
// RUN: sed s/TARGET/cortex-m3/ %s | sinter-opt --pack-integers --split-input-file | FileCheck %s --check-prefixes=CHECK,M3
// RUN: sed s/TARGET/cortex-m0plus/ %s | sinter-opt --pack-integers --split-input-file | FileCheck %s --check-prefixes=CHECK,M0
// RUN: sed s/TARGET/cortex-m55/ %s | sinter-opt --pack-integers --split-input-file | FileCheck %s --check-prefixes=CHECK,MVE

#id5 = affine_map<(n, b, h, w, c) -> (n, b, h, w, c)>

// 1x1 with 5 filters of 20 channels: two fours; the row of 20 bytes is filled up to the core's step.
// CHECK-LABEL: @product
// M3: sinter.conv {{.*}} tensor<2x20x4xi8>
// M0: sinter.conv {{.*}} tensor<2x24x4xi8>
// MVE: sinter.conv {{.*}} tensor<2x2x4x16xi8>
// CHECK-SAME: kernel = #sinter.kernel<"conv_im2col", {runs = 1 : i64, taps = array<i64: 1, 1>, zero = -5 : i64}>
// CHECK-SAME: signs = "su"
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[TERM:.*]]: i32):
// CHECK-NEXT: arith.addi %[[ACC]], %[[TERM]]
module attributes {sinter.target = "TARGET"} {
func.func @product(%x: tensor<1x1x6x6x20xi8>) -> tensor<1x1x6x6x5xi32> {
  %w = sinter.weight dense<1> : tensor<5x20x1x1xi8> : tensor<5x20x1x1xi8>
  %o = tensor.empty() : tensor<1x1x6x6x5xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x6x6x20xi8>, tensor<5x20x1x1xi8>) outs(%o : tensor<1x1x6x6x5xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = [], input_zero = -5 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x1x6x6x5xi32>
  return %y : tensor<1x1x6x6x5xi32>
}
}

// -----

// 3x3 windows: Helium takes each row of the window as a run that it reads where it lies, of 48 bytes, and of 9 that are
// filled up to 16 for few filters. For many filters 27 bytes are gathered into two vectors instead.
// CHECK-LABEL: @runs
// M3: sinter.conv {{.*}} tensor<1x144x4xi8>
// MVE: sinter.conv {{.*}} tensor<1x9x4x16xi8>
// M3-SAME: runs = 1
// MVE-SAME: runs = 3
// M3: sinter.conv {{.*}} tensor<2x28x4xi8>
// MVE: sinter.conv {{.*}} tensor<2x3x4x16xi8>
// MVE-SAME: runs = 3
// MVE: sinter.conv {{.*}} tensor<8x2x4x16xi8>
// MVE-SAME: runs = 1
module attributes {sinter.target = "TARGET"} {
func.func @runs(%x: tensor<1x1x6x6x16xi8>, %rgb: tensor<1x1x6x6x3xi8>) -> (tensor<1x1x4x4x4xi32>, tensor<1x1x4x4x8xi32>, tensor<1x1x4x4x32xi32>) {
  %w = sinter.weight dense<1> : tensor<4x16x3x3xi8> : tensor<4x16x3x3xi8>
  %o = tensor.empty() : tensor<1x1x4x4x4xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x6x6x16xi8>, tensor<4x16x3x3xi8>) outs(%o : tensor<1x1x4x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x1x4x4x4xi32>
  %w8 = sinter.weight dense<1> : tensor<8x3x3x3xi8> : tensor<8x3x3x3xi8>
  %o8 = tensor.empty() : tensor<1x1x4x4x8xi32>
  %y8 = sinter.conv ins(%rgb, %w8 : tensor<1x1x6x6x3xi8>, tensor<8x3x3x3xi8>) outs(%o8 : tensor<1x1x4x4x8xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x1x4x4x8xi32>
  %w32 = sinter.weight dense<1> : tensor<32x3x3x3xi8> : tensor<32x3x3x3xi8>
  %o32 = tensor.empty() : tensor<1x1x4x4x32xi32>
  %y32 = sinter.conv ins(%rgb, %w32 : tensor<1x1x6x6x3xi8>, tensor<32x3x3x3xi8>) outs(%o32 : tensor<1x1x4x4x32xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x1x4x4x32xi32>
  return %y, %y8, %y32 : tensor<1x1x4x4x4xi32>, tensor<1x1x4x4x8xi32>, tensor<1x1x4x4x32xi32>
}
}

// -----

// CHECK-LABEL: @depthwise
// M3: kernel = #sinter.kernel<"depthwise_im2col"
// M0: kernel = #sinter.kernel<"depthwise_im2col"
// MVE: sinter.conv {{.*}} tensor<8x2x16xi8>
// MVE-SAME: kernel = #sinter.kernel<"depthwise_columns"
module attributes {sinter.target = "TARGET"} {
func.func @depthwise(%x: tensor<1x1x6x6x6xi8>) -> tensor<1x1x6x6x6xi32> {
  %w = sinter.weight dense<1> : tensor<6x1x3x3xi8> : tensor<6x1x3x3xi8>
  %o = tensor.empty() : tensor<1x1x6x6x6xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x1x6x6x6xi8>, tensor<6x1x3x3xi8>) outs(%o : tensor<1x1x6x6x6xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 6 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x1x6x6x6xi32>
  return %y : tensor<1x1x6x6x6xi32>
}
}

// -----

// Weights that are known at run time only, and those that are no bytes less their zero point, stay.
// CHECK-LABEL: @unknown
// CHECK-NOT: #sinter.kernel
module attributes {sinter.target = "TARGET"} {
func.func @unknown(%x: tensor<2x8xi8>, %w: tensor<8x4xi8>) -> tensor<2x4xi32> {
  %o = tensor.empty() : tensor<2x4xi32>
  %y = sinter.matmul ins(%x, %w : tensor<2x8xi8>, tensor<8x4xi8>) outs(%o : tensor<2x4xi32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<2x4xi32>
  %v = sinter.weight dense<-100> : tensor<8x4xi8> : tensor<8x4xi8>
  %z = sinter.matmul ins(%x, %v : tensor<2x8xi8>, tensor<8x4xi8>) outs(%o : tensor<2x4xi32>) attributes {epilogue_maps = [], rhs_zero = 100 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<2x4xi32>
  return %z : tensor<2x4xi32>
}
}

// -----

// CHECK-LABEL: @rows
// M3: sinter.matmul {{.*}} tensor<8x4xi8>
// M0: sinter.matmul {{.*}} tensor<8x4xi8>
// MVE: sinter.matmul {{.*}} tensor<16x4xi8>
// CHECK-SAME: kernel = #sinter.kernel<"gemm_im2col"
module attributes {sinter.target = "TARGET"} {
func.func @rows(%x: tensor<2x8xi8>) -> tensor<2x4xi32> {
  %w = sinter.weight dense<1> : tensor<8x4xi8> : tensor<8x4xi8>
  %o = tensor.empty() : tensor<2x4xi32>
  %y = sinter.matmul ins(%x, %w : tensor<2x8xi8>, tensor<8x4xi8>) outs(%o : tensor<2x4xi32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<2x4xi32>
  return %y : tensor<2x4xi32>
}
}

// -----

// What is added behind the contraction goes into its bias, in steps of 1 / factor, so that kernels with vectors take the
// whole epilogue: 0.3 / 0.1 = 3 steps, and the zero point times the weights, 5 * 20.
// CHECK-LABEL: @addend
// MVE: sinter.matmul
// MVE-NEXT: ^bb0(%[[ACC:.*]]: i32, %[[BIAS:.*]]: i32):
// MVE: sinter.requantize %[[ACC]] bias(%[[BIAS]]) factor(%{{.*}}) zero -3 in [-125, 130] : (i32, i32, f32) -> i8
module attributes {sinter.target = "TARGET"} {
func.func @addend(%x: tensor<4x20xi8>) -> tensor<4x5xi8> {
  %w = sinter.weight dense<1> : tensor<20x5xi8> : tensor<20x5xi8>
  %o = tensor.empty() : tensor<4x5xi8>
  %y = sinter.matmul ins(%x, %w : tensor<4x20xi8>, tensor<20x5xi8>) outs(%o : tensor<4x5xi8>) attributes {epilogue_maps = [], lhs_zero = -5 : i64} {
  ^bb0(%acc: i32):
    %none = arith.constant 0 : i32
    %factor = arith.constant 0.1 : f32
    %addend = arith.constant 0.3 : f32
    %q = sinter.requantize %acc bias(%none) factor(%factor) plus(%addend) zero -3 in [-125, 130] : (i32, i32, f32, f32) -> i8
    sinter.yield %q : i8
  } -> tensor<4x5xi8>
  return %y : tensor<4x5xi8>
}
}
