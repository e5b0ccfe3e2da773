// RUN: sinter-opt %s --split-input-file --order-channels --simplify | FileCheck %s
// RUN: sinter-opt %s --split-input-file --interpret -o /dev/null > %t.before
// RUN: sinter-opt %s --split-input-file --order-channels --interpret -o /dev/null > %t.after
// RUN: diff %t.before %t.after

// A unit that splits, and joins and shuffles the halves, and the reader of half of that: the convolution before makes its channels in the order in
// which those that are read lie together, and the other half is one copy.
// CHECK-LABEL: @main
// CHECK: sinter.conv
// CHECK: sinter.conv
// CHECK: [[JOINED:%.*]] = tensor.concat dim(1)
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xi64>)
// CHECK: tensor.extract [[JOINED]]
// CHECK: tensor.extract_slice [[JOINED]][0, 2, 0, 0] [1, 4, 3, 2]
// CHECK: sinter.conv
// CHECK-NOT: linalg.transpose
// CHECK: tensor.concat dim(1)
// CHECK-NOT: tensor.extract
// CHECK: sinter.conv
func.func @main(%x: tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32> {
  %w1 = sinter.weight dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]], [[[5.0]], [[6.0]]], [[[7.0]], [[8.0]]]]> : tensor<4x2x1x1xf32> : tensor<4x2x1x1xf32>
  %w2 = sinter.weight dense<[[[[2.0]], [[1.0]]], [[[-1.0]], [[3.0]]], [[[0.5]], [[2.0]]], [[[4.0]], [[-3.0]]]]> : tensor<4x2x1x1xf32> : tensor<4x2x1x1xf32>
  %w3 = sinter.weight dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]], [[[5.0]], [[6.0]], [[7.0]], [[8.0]]], [[[-1.0]], [[-2.0]], [[1.0]], [[2.0]]], [[[3.0]], [[1.0]], [[2.0]], [[5.0]]]]> : tensor<4x4x1x1xf32> : tensor<4x4x1x1xf32>
  %w4 = sinter.weight dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]]], [[[8.0]], [[6.0]], [[4.0]], [[2.0]], [[1.0]], [[3.0]], [[5.0]], [[7.0]]]]> : tensor<2x8x1x1xf32> : tensor<2x8x1x1xf32>
  %o4 = tensor.empty() : tensor<1x4x3x2xf32>
  %o2 = tensor.empty() : tensor<1x2x3x2xf32>
  %oT = tensor.empty() : tensor<1x4x2x3x2xf32>
  %a = sinter.conv ins(%x, %w1 : tensor<1x2x3x2xf32>, tensor<4x2x1x1xf32>) outs(%o4 : tensor<1x4x3x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x4x3x2xf32>
  %b = sinter.conv ins(%x, %w2 : tensor<1x2x3x2xf32>, tensor<4x2x1x1xf32>) outs(%o4 : tensor<1x4x3x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x4x3x2xf32>
  %joined = tensor.concat dim(1) %a, %b : (tensor<1x4x3x2xf32>, tensor<1x4x3x2xf32>) -> tensor<1x8x3x2xf32>
  %e = tensor.expand_shape %joined [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 3, 2] : tensor<1x8x3x2xf32> into tensor<1x2x4x3x2xf32>
  %t = linalg.transpose ins(%e : tensor<1x2x4x3x2xf32>) outs(%oT : tensor<1x4x2x3x2xf32>) permutation = [0, 2, 1, 3, 4]
  %c = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<1x4x2x3x2xf32> into tensor<1x8x3x2xf32>
  %left = tensor.extract_slice %c[0, 0, 0, 0] [1, 4, 3, 2] [1, 1, 1, 1] : tensor<1x8x3x2xf32> to tensor<1x4x3x2xf32>
  %right = tensor.extract_slice %c[0, 4, 0, 0] [1, 4, 3, 2] [1, 1, 1, 1] : tensor<1x8x3x2xf32> to tensor<1x4x3x2xf32>
  %y = sinter.conv ins(%right, %w3 : tensor<1x4x3x2xf32>, tensor<4x4x1x1xf32>) outs(%o4 : tensor<1x4x3x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x4x3x2xf32>
  %again = tensor.concat dim(1) %left, %y : (tensor<1x4x3x2xf32>, tensor<1x4x3x2xf32>) -> tensor<1x8x3x2xf32>
  %e2 = tensor.expand_shape %again [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 3, 2] : tensor<1x8x3x2xf32> into tensor<1x2x4x3x2xf32>
  %t2 = linalg.transpose ins(%e2 : tensor<1x2x4x3x2xf32>) outs(%oT : tensor<1x4x2x3x2xf32>) permutation = [0, 2, 1, 3, 4]
  %c2 = tensor.collapse_shape %t2 [[0], [1, 2], [3], [4]] : tensor<1x4x2x3x2xf32> into tensor<1x8x3x2xf32>
  %z = sinter.conv ins(%c2, %w4 : tensor<1x8x3x2xf32>, tensor<2x8x1x1xf32>) outs(%o2 : tensor<1x2x3x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x2x3x2xf32>
  return %z : tensor<1x2x3x2xf32>
}

// -----

// A Gather with constant indices, from the end too, goes through an addition per channel and a depthwise convolution into weights.
// CHECK-LABEL: @main
// CHECK-NOT: tensor.extract
// CHECK: linalg.generic {{.*}} ins(%arg0, %{{.*}} : tensor<1x4x2x2xf32>, tensor<4xf32>)
// CHECK-NOT: tensor.extract
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x4x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %four = arith.constant 4 : index
  %table = arith.constant dense<[2, 0, -1, 1]> : tensor<4xi64>
  %bias = arith.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  %dw = arith.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>
  %w = arith.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[5.0]]]]> : tensor<1x4x1x1xf32>
  %o = tensor.empty() : tensor<1x4x2x2xf32>
  %g = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%o : tensor<1x4x2x2xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %at = tensor.extract %table[%i1] : tensor<4xi64>
    %c = sinter.check_index %at, %four : i64
    %v = tensor.extract %x[%i0, %c, %i2, %i3] : tensor<1x4x2x2xf32>
    linalg.yield %v : f32
  } -> tensor<1x4x2x2xf32>
  %s = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g, %bias : tensor<1x4x2x2xf32>, tensor<4xf32>) outs(%o : tensor<1x4x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<1x4x2x2xf32>
  %y = sinter.conv ins(%s, %dw : tensor<1x4x2x2xf32>, tensor<4x1x1x1xf32>) outs(%o : tensor<1x4x2x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 4 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x4x2x2xf32>
  %o1 = tensor.empty() : tensor<1x1x2x2xf32>
  %z = sinter.conv ins(%y, %w : tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) outs(%o1 : tensor<1x1x2x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x1x2x2xf32>
  return %z : tensor<1x1x2x2xf32>
}

// -----

// Who adds another map to a shuffled one, or gives it back, needs the order: nothing changes.
// CHECK-LABEL: @main
// CHECK: linalg.transpose
func.func @main(%x: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32> {
  %o = tensor.empty() : tensor<1x2x2x2x2xf32>
  %e = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 2, 2] : tensor<1x4x2x2xf32> into tensor<1x2x2x2x2xf32>
  %t = linalg.transpose ins(%e : tensor<1x2x2x2x2xf32>) outs(%o : tensor<1x2x2x2x2xf32>) permutation = [0, 2, 1, 3, 4]
  %c = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<1x2x2x2x2xf32> into tensor<1x4x2x2xf32>
  return %c : tensor<1x4x2x2xf32>
}
