// RUN: sinter-opt %s --fold-scales --split-input-file | FileCheck %s

#nchw = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// Bias, then BatchNorm's factor and offset, then an activation: the filter is scaled, one offset stays in front of the activation.
// CHECK-LABEL: @batch_norm
// CHECK: %[[FACTOR:.*]] = linalg.generic
// CHECK: arith.mulf
// CHECK: %[[OFFSET:.*]] = linalg.generic
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[FACTOR]] : tensor<4x8x1x1xf32>, tensor<4xf32>)
// CHECK: %[[Y:.*]] = sinter.conv ins(%arg0, %[[W]]
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[OFFSET]] : tensor<1x4x5x5xf32>, tensor<4xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: linalg.yield
func.func @batch_norm(%x: tensor<1x8x5x5xf32>) -> tensor<1x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %w = sinter.weight dense<1.0> : tensor<4x8x1x1xf32> : tensor<4x8x1x1xf32>
  %b = sinter.weight dense<2.0> : tensor<4xf32> : tensor<4xf32>
  %f = sinter.weight dense<3.0> : tensor<4xf32> : tensor<4xf32>
  %p = sinter.weight dense<4.0> : tensor<4xf32> : tensor<4xf32>
  %o = tensor.empty() : tensor<1x4x5x5xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x8x5x5xf32>, tensor<4x8x1x1xf32>) outs(%o : tensor<1x4x5x5xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x5x5xf32>
  %biased = linalg.generic {indexing_maps = [#nchw, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %b : tensor<1x4x5x5xf32>, tensor<4xf32>) outs(%o : tensor<1x4x5x5xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x4x5x5xf32>
  %z = linalg.generic {indexing_maps = [#nchw, #channel, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%biased, %f, %p : tensor<1x4x5x5xf32>, tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<1x4x5x5xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32, %e: f32):
    %s = arith.mulf %a, %c : f32
    %t = arith.addf %s, %d : f32
    %r = arith.maximumf %t, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x4x5x5xf32>
  return %z : tensor<1x4x5x5xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A scalar behind a matrix product; a transposed right-hand side has its channels in front.
// CHECK-LABEL: @scaled_product
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<16x8xf32>, tensor<16xf32>)
// CHECK: %[[Y:.*]] = sinter.matmul ins(%arg0, %[[W]]
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : tensor<4x16xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[A]]
func.func @scaled_product(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %half = arith.constant 0.5 : f32
  %w = sinter.weight dense<1.0> : tensor<16x8xf32> : tensor<16x8xf32>
  %o = tensor.empty() : tensor<4x16xf32>
  %y = sinter.matmul ins(%x, %w : tensor<4x8xf32>, tensor<16x8xf32>) outs(%o : tensor<4x16xf32>) attributes {transpose_rhs, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<4x16xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x16xf32>) outs(%o : tensor<4x16xf32>) {
  ^bb0(%a: f32, %d: f32):
    %s = arith.mulf %a, %half : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %z : tensor<4x16xf32>
}

// -----

#nchw = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#column = affine_map<(n, c, h, w) -> (w)>

// Stays: the factor is the caller's; differs along the width; the unscaled result has another reader.
// CHECK-LABEL: @stays
// CHECK: %[[W:.*]] = sinter.weight dense<1.0
// CHECK-COUNT-3: sinter.conv ins(%arg0, %[[W]] :
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT: arith.mulf
func.func @stays(%x: tensor<1x8x5x5xf32>, %given: tensor<4xf32>) -> (tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>) {
  %w = sinter.weight dense<1.0> : tensor<4x8x1x1xf32> : tensor<4x8x1x1xf32>
  %f = sinter.weight dense<3.0> : tensor<4xf32> : tensor<4xf32>
  %g = sinter.weight dense<3.0> : tensor<5xf32> : tensor<5xf32>
  %o = tensor.empty() : tensor<1x4x5x5xf32>
  %y1 = sinter.conv ins(%x, %w : tensor<1x8x5x5xf32>, tensor<4x8x1x1xf32>) outs(%o : tensor<1x4x5x5xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x5x5xf32>
  %y2 = sinter.conv ins(%x, %w : tensor<1x8x5x5xf32>, tensor<4x8x1x1xf32>) outs(%o : tensor<1x4x5x5xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x5x5xf32>
  %y3 = sinter.conv ins(%x, %w : tensor<1x8x5x5xf32>, tensor<4x8x1x1xf32>) outs(%o : tensor<1x4x5x5xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x5x5xf32>
  %z1 = linalg.generic {indexing_maps = [#nchw, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y1, %given : tensor<1x4x5x5xf32>, tensor<4xf32>) outs(%o : tensor<1x4x5x5xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %s = arith.mulf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x4x5x5xf32>
  %z2 = linalg.generic {indexing_maps = [#nchw, #column, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y2, %g : tensor<1x4x5x5xf32>, tensor<5xf32>) outs(%o : tensor<1x4x5x5xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %s = arith.mulf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x4x5x5xf32>
  %z3 = linalg.generic {indexing_maps = [#nchw, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y3, %f : tensor<1x4x5x5xf32>, tensor<4xf32>) outs(%o : tensor<1x4x5x5xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %s = arith.mulf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x4x5x5xf32>
  return %z1, %z2, %z3, %y3 : tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>
}
