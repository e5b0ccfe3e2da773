// RUN: sinter-opt %s --pack-dual --fold-constants --split-input-file | FileCheck %s
// Contractions of bytes for dual multiply-adds: epilogues that rescale go into the words, others stay.

// sum + 3, times a factor, to nearest even, with zero point -5: one multiplication of integers does the same.
// CHECK-LABEL: @proved
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[}}3, 771, 3, 771, 33686018, {{.*}}> : tensor<2x14xi32>
// CHECK: sinter.conv ins(%{{.*}}, %[[W]] : tensor<1x1x3x3x4xi8>, tensor<2x14xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"dual_conv"
// CHECK-SAME: proved = 2 : i64, rescale = array<i64: -5, -128, 127>
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: i32):
// CHECK-NEXT: %[[NARROW:.*]] = arith.trunci %[[ACC]]
// CHECK-NEXT: sinter.yield %[[NARROW]]
#map = affine_map<(n, b, h, w, c) -> (c)>
module attributes {sinter.target = "cortex-m4"} {
func.func @proved(%x: tensor<1x1x3x3x4xi8>) -> tensor<1x1x3x3x8xi8> {
  %f = arith.constant dense<2> : tensor<8x4x1x1xi8>
  %bias = arith.constant dense<3> : tensor<8xi32>
  %e = tensor.empty() : tensor<1x1x3x3x8xi8>
  %m = arith.constant 0.0611 : f32
  %y = sinter.conv ins(%x, %f, %bias : tensor<1x1x3x3x4xi8>, tensor<8x4x1x1xi8>, tensor<8xi32>) outs(%e : tensor<1x1x3x3x8xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [#map], input_zero = 7 : i64} {
  ^bb0(%acc: i32, %b: i32):
    %q = sinter.requantize %acc bias(%b) factor(%m) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  } -> tensor<1x1x3x3x8xi8>
  return %y : tensor<1x1x3x3x8xi8>
}
}

// -----

// A sixteenth has ties at each step, which integers would round up: the definition in float stays.
// CHECK-LABEL: @ties
// CHECK: proved = 0 : i64, rescale = array<i64: -5, -128, 127>
#map = affine_map<(n, b, h, w, c) -> (c)>
module attributes {sinter.target = "cortex-m4"} {
func.func @ties(%x: tensor<1x1x3x3x4xi8>) -> tensor<1x1x3x3x8xi8> {
  %f = arith.constant dense<2> : tensor<8x4x1x1xi8>
  %bias = arith.constant dense<3> : tensor<8xi32>
  %e = tensor.empty() : tensor<1x1x3x3x8xi8>
  %m = arith.constant 0.0625 : f32
  %y = sinter.conv ins(%x, %f, %bias : tensor<1x1x3x3x4xi8>, tensor<8x4x1x1xi8>, tensor<8xi32>) outs(%e : tensor<1x1x3x3x8xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [#map], input_zero = 7 : i64} {
  ^bb0(%acc: i32, %b: i32):
    %q = sinter.requantize %acc bias(%b) factor(%m) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  } -> tensor<1x1x3x3x8xi8>
  return %y : tensor<1x1x3x3x8xi8>
}
}

// -----

// The output's limits are narrower than its type's; the upper one is out of reach.
// CHECK-LABEL: @limits
// CHECK: rescale = array<i64: -5, -5, 127>
#map = affine_map<(n, b, h, w, c) -> (c)>
module attributes {sinter.target = "cortex-m4"} {
func.func @limits(%x: tensor<1x1x3x3x4xi8>) -> tensor<1x1x3x3x8xi8> {
  %f = arith.constant dense<2> : tensor<8x4x1x1xi8>
  %bias = arith.constant dense<3> : tensor<8xi32>
  %e = tensor.empty() : tensor<1x1x3x3x8xi8>
  %m = arith.constant 0.0611 : f32
  %y = sinter.conv ins(%x, %f, %bias : tensor<1x1x3x3x4xi8>, tensor<8x4x1x1xi8>, tensor<8xi32>) outs(%e : tensor<1x1x3x3x8xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [#map], input_zero = 7 : i64} {
  ^bb0(%acc: i32, %b: i32):
    %q = sinter.requantize %acc bias(%b) factor(%m) zero -5 in [0, 105] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  } -> tensor<1x1x3x3x8xi8>
  return %y : tensor<1x1x3x3x8xi8>
}
}

// -----

// A factor that falls, and one that is not known: the epilogue stays as it is.
// CHECK-LABEL: @falling
// CHECK-NOT: rescale
// CHECK: sinter.requantize
#map = affine_map<(n, b, h, w, c) -> (c)>
module attributes {sinter.target = "cortex-m4"} {
func.func @falling(%x: tensor<1x1x3x3x4xi8>) -> tensor<1x1x3x3x8xi8> {
  %f = arith.constant dense<2> : tensor<8x4x1x1xi8>
  %bias = arith.constant dense<3> : tensor<8xi32>
  %e = tensor.empty() : tensor<1x1x3x3x8xi8>
  %m = arith.constant -0.0611 : f32
  %y = sinter.conv ins(%x, %f, %bias : tensor<1x1x3x3x4xi8>, tensor<8x4x1x1xi8>, tensor<8xi32>) outs(%e : tensor<1x1x3x3x8xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [#map], input_zero = 7 : i64} {
  ^bb0(%acc: i32, %b: i32):
    %q = sinter.requantize %acc bias(%b) factor(%m) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  } -> tensor<1x1x3x3x8xi8>
  return %y : tensor<1x1x3x3x8xi8>
}
}
// -----
// CHECK-LABEL: @float
// CHECK: kernel = #sinter.kernel<"dual_matmul", {proved = 0
// CHECK-NOT: rescale
// CHECK: arith.sitofp
module attributes {sinter.target = "cortex-m4"} {
func.func @float(%a: tensor<2x6xi8>) -> tensor<2x3xf32> {
  %b = arith.constant dense<1> : tensor<6x3xi8>
  %e = tensor.empty() : tensor<2x3xf32>
  %c = sinter.matmul ins(%a, %b : tensor<2x6xi8>, tensor<6x3xi8>) outs(%e : tensor<2x3xf32>)
      attributes {epilogue_maps = [], lhs_zero = 2 : i64} {
  ^bb0(%x: i32):
    %f = arith.sitofp %x : i32 to f32
    sinter.yield %f : f32
  } -> tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}
}
// -----

// Weights whose distance from their zero point is no byte, dilation, and other targets: nothing.
// CHECK-LABEL: @wide
// CHECK-NOT: #sinter.kernel
module attributes {sinter.target = "cortex-m4"} {
func.func @wide(%a: tensor<2x6xi8>) -> tensor<2x3xi32> {
  %b = arith.constant dense<-1> : tensor<6x3xi8>
  %e = tensor.empty() : tensor<2x3xi32>
  %c = sinter.matmul ins(%a, %b : tensor<2x6xi8>, tensor<6x3xi8>) outs(%e : tensor<2x3xi32>)
      attributes {epilogue_maps = [], signs = "su", rhs_zero = 5 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<2x3xi32>
  return %c : tensor<2x3xi32>
}
}

// -----

// Three filters, the second with ties: its word is the definition's factor with the sign set (0.0625), the others'
// are proved; the empty place has the channel of the first one, which is stored last.
// CHECK-LABEL: @mixed
// CHECK: arith.constant dense<{{.*}}, 131074, 262422496, 262422496, -1115684864, 0, 131072, 1]]> : tensor<1x14xi32>
// CHECK: proved = 0 : i64, rescale = array<i64: -5, -128, 127>
#map = affine_map<(n, b, h, w, c) -> (c)>
module attributes {sinter.target = "cortex-m4"} {
func.func @mixed(%x: tensor<1x1x3x3x4xi8>) -> tensor<1x1x3x3x3xi8> {
  %f = arith.constant dense<2> : tensor<3x4x1x1xi8>
  %m = arith.constant dense<[0.0611, 0.0625, 0.0611]> : tensor<3xf32>
  %e = tensor.empty() : tensor<1x1x3x3x3xi8>
  %y = sinter.conv ins(%x, %f, %m : tensor<1x1x3x3x4xi8>, tensor<3x4x1x1xi8>, tensor<3xf32>) outs(%e : tensor<1x1x3x3x3xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [#map], input_zero = 7 : i64} {
  ^bb0(%acc: i32, %b: f32):
    %none = arith.constant 0 : i32
    %q = sinter.requantize %acc bias(%none) factor(%b) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  } -> tensor<1x1x3x3x3xi8>
  return %y : tensor<1x1x3x3x3xi8>
}
}

// -----

// Planes of three channels become pixels of four, in their own order: a step of words (0, 1), then (2, filled up).
// CHECK-LABEL: @planes
// CHECK: arith.constant dense<{{\[\[}}0, 0, 0, 0, 131073, 0, 3, 0, -65536, -1{{\]\]}}> : tensor<1x10xi32>
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x3x4x4xi8>, tensor<1x10xi32>)
// CHECK-SAME: kernel = #sinter.kernel<"dual_conv"
// CHECK-SAME: layout = "nchw->nchwc"
module attributes {sinter.target = "cortex-m4"} {
func.func @planes(%x: tensor<1x3x4x4xi8>) -> tensor<1x1x4x4x1xi32> {
  %f = arith.constant dense<[[[[1]], [[2]], [[3]]]]> : tensor<1x3x1x1xi8>
  %e = tensor.empty() : tensor<1x1x4x4x1xi32>
  %y = sinter.conv ins(%x, %f : tensor<1x3x4x4xi8>, tensor<1x3x1x1xi8>) outs(%e : tensor<1x1x4x4x1xi32>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchw->nchwc", epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x1x4x4x1xi32>
  return %y : tensor<1x1x4x4x1xi32>
}
}

// -----

// What is added to the rounded element stays in the region, which takes the element.
// CHECK-LABEL: @residual
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x1x3x3x4xi8>, tensor<2x14xi32>, tensor<1x1x3x3x8xi8>)
// CHECK-SAME: proved = 2 : i64, rescale = array<i64: -5, -128, 127>
// CHECK-NEXT: ^bb0(%[[E:.*]]: i32, %[[B:.*]]: i8):
// CHECK-NOT: sinter.requantize
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[E]]
// CHECK: sinter.yield
#map = affine_map<(n, b, h, w, c) -> (c)>
#id = affine_map<(n, b, h, w, c) -> (n, b, h, w, c)>
module attributes {sinter.target = "cortex-m4"} {
func.func @residual(%x: tensor<1x1x3x3x4xi8>, %residual: tensor<1x1x3x3x8xi8>) -> tensor<1x1x3x3x8xi8> {
  %f = arith.constant dense<2> : tensor<8x4x1x1xi8>
  %bias = arith.constant dense<3> : tensor<8xi32>
  %e = tensor.empty() : tensor<1x1x3x3x8xi8>
  %m = arith.constant 0.0611 : f32
  %factor = arith.constant 3000000 : i32
  %shift = arith.constant 22 : i32
  %y = sinter.conv ins(%x, %f, %bias, %residual : tensor<1x1x3x3x4xi8>, tensor<8x4x1x1xi8>, tensor<8xi32>, tensor<1x1x3x3x8xi8>)
      outs(%e : tensor<1x1x3x3x8xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [#map, #id], input_zero = 7 : i64} {
  ^bb0(%acc: i32, %b: i32, %other: i8):
    %k = sinter.requantize %acc bias(%b) factor(%m) zero -5 in [-123, 132] : (i32, i32, f32) -> i32
    %p = arith.muli %k, %factor : i32
    %o = arith.extsi %other : i8 to i32
    %v = arith.addi %p, %o : i32
    %w = sinter.apply "shift_to_int8"(%v, %shift) : (i32, i32) -> i32
    %q = arith.trunci %w : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x3x3x8xi8>
  return %y : tensor<1x1x3x3x8xi8>
}
}

// -----

// A sum that is read besides its element keeps all of its epilogue.
// CHECK-LABEL: @twice
// CHECK-NOT: rescale
// CHECK: sinter.requantize
#map = affine_map<(n, b, h, w, c) -> (c)>
module attributes {sinter.target = "cortex-m4"} {
func.func @twice(%x: tensor<1x1x3x3x4xi8>) -> tensor<1x1x3x3x8xi8> {
  %f = arith.constant dense<2> : tensor<8x4x1x1xi8>
  %e = tensor.empty() : tensor<1x1x3x3x8xi8>
  %m = arith.constant 0.0611 : f32
  %y = sinter.conv ins(%x, %f : tensor<1x1x3x3x4xi8>, tensor<8x4x1x1xi8>) outs(%e : tensor<1x1x3x3x8xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %none = arith.constant 0 : i32
    %i = sinter.requantize %acc bias(%none) factor(%m) zero 0 in [-123, 132] : (i32, i32, f32) -> i32
    %k = arith.addi %i, %acc : i32
    %q = arith.trunci %k : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x3x3x8xi8>
  return %y : tensor<1x1x3x3x8xi8>
}
}
