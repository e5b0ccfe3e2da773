// RUN: sinter-opt %s --choose-layouts --lower-layouts --simplify --split-input-file | FileCheck %s

// LayerNorm between a convolution and a depthwise one, a residual around it: all maps are one block of all channels, which is channels-last; nothing
// moves.
// CHECK-LABEL: @channels_last
// CHECK: sinter.conv {{.*}} outs(%{{.*}} : tensor<1x1x14x14x32xf32>) {{.*}}layout = "nchw->nchwc"
// CHECK: sinter.kernel "layer_norm"
// CHECK: sinter.conv ins(%{{.*}} : tensor<1x1x14x14x32xf32>, tensor<32x1x3x3xf32>) {{.*}}layout = "nchwc"
// CHECK: linalg.generic {{.*}} tensor<1x1x14x14x32xf32>
// CHECK-NOT: linalg.transpose
// CHECK: return
module {
func.func @channels_last(%x: tensor<1x3x14x14xf32>, %s: tensor<32xf32>) -> tensor<1x14x14x32xf32> {
  %w = sinter.weight dense<1.0> : tensor<32x3x3x3xf32> : tensor<32x3x3x3xf32>
  %d = sinter.weight dense<1.0> : tensor<32x1x3x3xf32> : tensor<32x1x3x3xf32>
  %e = tensor.empty() : tensor<1x32x14x14xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x3x14x14xf32>, tensor<32x3x3x3xf32>) outs(%e : tensor<1x32x14x14xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x32x14x14xf32>
  %le = tensor.empty() : tensor<1x14x14x32xf32>
  %last = linalg.transpose ins(%y : tensor<1x32x14x14xf32>) outs(%le : tensor<1x14x14x32xf32>) permutation = [0, 2, 3, 1]
  %rows = tensor.collapse_shape %last [[0, 1, 2], [3]] : tensor<1x14x14x32xf32> into tensor<196x32xf32>
  %re = tensor.empty() : tensor<196x32xf32>
  %norm = sinter.kernel "layer_norm" ins(%rows, %s, %s : tensor<196x32xf32>, tensor<32xf32>, tensor<32xf32>) outs(%re : tensor<196x32xf32>) {params = {centered = true, epsilon = 1.0e-6 : f64}} -> tensor<196x32xf32>
  %normed = tensor.expand_shape %norm [[0, 1, 2], [3]] output_shape [1, 14, 14, 32] : tensor<196x32xf32> into tensor<1x14x14x32xf32>
  %first = linalg.transpose ins(%normed : tensor<1x14x14x32xf32>) outs(%e : tensor<1x32x14x14xf32>) permutation = [0, 3, 1, 2]
  %dw = sinter.conv ins(%first, %d : tensor<1x32x14x14xf32>, tensor<32x1x3x3xf32>) outs(%e : tensor<1x32x14x14xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 32 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x32x14x14xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n,c,h,w)->(n,c,h,w)>, affine_map<(n,c,h,w)->(n,c,h,w)>, affine_map<(n,c,h,w)->(n,c,h,w)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%dw, %first : tensor<1x32x14x14xf32>, tensor<1x32x14x14xf32>) outs(%e : tensor<1x32x14x14xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.addf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<1x32x14x14xf32>
  %z = linalg.transpose ins(%sum : tensor<1x32x14x14xf32>) outs(%le : tensor<1x14x14x32xf32>) permutation = [0, 2, 3, 1]
  return %z : tensor<1x14x14x32xf32>
}
}

// -----

// Spatial dims that are collapsed in front of the transpose (patches), and expanded behind one.
// CHECK-LABEL: @patches
// CHECK: sinter.conv {{.*}} outs(%{{.*}} : tensor<1x1x7x7x32xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: sinter.conv {{.*}} outs(%{{.*}} : tensor<1x2x7x7x16xf32>)
// CHECK: return
module {
func.func @patches(%x: tensor<1x16x7x7xf32>) -> tensor<1x32x7x7xf32> {
  %w = sinter.weight dense<1.0> : tensor<32x16x1x1xf32> : tensor<32x16x1x1xf32>
  %v = sinter.weight dense<1.0> : tensor<32x32x1x1xf32> : tensor<32x32x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x7x7xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x16x7x7xf32>, tensor<32x16x1x1xf32>) outs(%e : tensor<1x32x7x7xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x32x7x7xf32>
  %flat = tensor.collapse_shape %y [[0], [1], [2, 3]] : tensor<1x32x7x7xf32> into tensor<1x32x49xf32>
  %te = tensor.empty() : tensor<1x49x32xf32>
  %tokens = linalg.transpose ins(%flat : tensor<1x32x49xf32>) outs(%te : tensor<1x49x32xf32>) permutation = [0, 2, 1]
  %re = tensor.empty() : tensor<1x49x32xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(n,l,c)->(n,l,c)>, affine_map<(n,l,c)->(n,l,c)>], iterator_types = ["parallel","parallel","parallel"]} ins(%tokens : tensor<1x49x32xf32>) outs(%re : tensor<1x49x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %t = arith.maximumf %p, %zero : f32
    linalg.yield %t : f32
  } -> tensor<1x49x32xf32>
  %fe = tensor.empty() : tensor<1x32x49xf32>
  %back = linalg.transpose ins(%relu : tensor<1x49x32xf32>) outs(%fe : tensor<1x32x49xf32>) permutation = [0, 2, 1]
  %map = tensor.expand_shape %back [[0], [1], [2, 3]] output_shape [1, 32, 7, 7] : tensor<1x32x49xf32> into tensor<1x32x7x7xf32>
  %z = sinter.conv ins(%map, %v : tensor<1x32x7x7xf32>, tensor<32x32x1x1xf32>) outs(%e : tensor<1x32x7x7xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x32x7x7xf32>
  return %z : tensor<1x32x7x7xf32>
}
}

// -----

// Parts of the channels are joined: blocks stay, and the transpose is a copy.
// CHECK-LABEL: @joined
// CHECK-COUNT-2: sinter.conv {{.*}} outs(%{{.*}} : tensor<1x1x7x7x16xf32>)
// CHECK: tensor.concat {{.*}} -> tensor<1x2x7x7x16xf32>
// CHECK: linalg.transpose
module {
func.func @joined(%x: tensor<1x16x7x7xf32>) -> tensor<1x7x7x32xf32> {
  %w = sinter.weight dense<1.0> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x16x7x7xf32>, tensor<16x16x1x1xf32>) outs(%e : tensor<1x16x7x7xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x16x7x7xf32>
  %z = sinter.conv ins(%y, %w : tensor<1x16x7x7xf32>, tensor<16x16x1x1xf32>) outs(%e : tensor<1x16x7x7xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x16x7x7xf32>
  %c = tensor.concat dim(1) %y, %z : (tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>) -> tensor<1x32x7x7xf32>
  %le = tensor.empty() : tensor<1x7x7x32xf32>
  %last = linalg.transpose ins(%c : tensor<1x32x7x7xf32>) outs(%le : tensor<1x7x7x32xf32>) permutation = [0, 2, 3, 1]
  return %last : tensor<1x7x7x32xf32>
}
}
