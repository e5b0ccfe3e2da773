// RUN: sinter-opt %s --split-input-file --remove-dead-channels | FileCheck %s
// RUN: sinter-opt %s --split-input-file --interpret -o /dev/null > %t.before
// RUN: sinter-opt %s --split-input-file --remove-dead-channels --interpret -o /dev/null > %t.after
// RUN: diff %t.before %t.after

// Channel 1 has no weights and ends at the reader's zero point, -5: it goes, through the padded depthwise convolution too. Channel 2 has weights
// that cancel out only in part: it stays.
// CHECK-LABEL: @main
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x2x4x4xi8>, tensor<2x2x1x1xi8>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x2x4x4xi32>, tensor<2xi32>)
// CHECK: sinter.conv {{.*}} : tensor<1x2x4x4xi8>, tensor<2x1x3x3xi8>) {{.*}}group = 2
// CHECK: sinter.conv {{.*}} : tensor<1x2x4x4xi8>, tensor<2x2x1x1xi8>)
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x4x4xi32> {
  %low = arith.constant -5 : i32
  %high = arith.constant 100 : i32
  %w = sinter.weight dense<[[[[1]], [[2]]], [[[0]], [[0]]], [[[3]], [[-3]]]]> : tensor<3x2x1x1xi8> : tensor<3x2x1x1xi8>
  %b = sinter.weight dense<[4, -9, 2]> : tensor<3xi32> : tensor<3xi32>
  %d = sinter.weight dense<1> : tensor<3x1x3x3xi8> : tensor<3x1x3x3xi8>
  %r = sinter.weight dense<[[[[1]], [[7]], [[2]]], [[[3]], [[5]], [[1]]]]> : tensor<2x3x1x1xi8> : tensor<2x3x1x1xi8>
  %o32 = tensor.empty() : tensor<1x3x4x4xi32>
  %o8 = tensor.empty() : tensor<1x3x4x4xi8>
  %or = tensor.empty() : tensor<1x2x4x4xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x2x4x4xi8>, tensor<3x2x1x1xi8>) outs(%o32 : tensor<1x3x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x3x4x4xi32>
  %q = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %b : tensor<1x3x4x4xi32>, tensor<3xi32>) outs(%o8 : tensor<1x3x4x4xi8>) {
  ^bb0(%s: i32, %bias: i32, %unused: i8):
    %0 = arith.addi %s, %bias : i32
    %1 = arith.maxsi %0, %low : i32
    %2 = arith.minsi %1, %high : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  } -> tensor<1x3x4x4xi8>
  %dw = sinter.conv ins(%q, %d : tensor<1x3x4x4xi8>, tensor<3x1x3x3xi8>) outs(%o32 : tensor<1x3x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 3 : i64, epilogue_maps = [], input_zero = -5 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x3x4x4xi32>
  %t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%dw : tensor<1x3x4x4xi32>) outs(%o8 : tensor<1x3x4x4xi8>) {
  ^bb0(%s: i32, %unused: i8):
    %0 = arith.trunci %s : i32 to i8
    linalg.yield %0 : i8
  } -> tensor<1x3x4x4xi8>
  %z = sinter.conv ins(%t, %r : tensor<1x3x4x4xi8>, tensor<2x3x1x1xi8>) outs(%or : tensor<1x2x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], input_zero = 0 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x2x4x4xi32>
  return %z : tensor<1x2x4x4xi32>
}

// -----

// Channel 1 is 7 everywhere: what it adds to the sums is added behind the reader, which has no padding.
// CHECK-LABEL: @main
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x2x4x4xi8>, tensor<1x2x1x1xi8>)
// CHECK: %[[Y:.*]] = sinter.conv {{.*}} : tensor<1x1x4x4xi8>, tensor<2x1x3x3xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %{{.*}} : tensor<1x2x2x2xi32>, tensor<2xi32>)
// CHECK: arith.addi
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x2x2xi32> {
  %low = arith.constant -5 : i32
  %high = arith.constant 100 : i32
  %w = sinter.weight dense<[[[[1]], [[2]]], [[[0]], [[0]]]]> : tensor<2x2x1x1xi8> : tensor<2x2x1x1xi8>
  %b = sinter.weight dense<[4, 7]> : tensor<2xi32> : tensor<2xi32>
  %r = sinter.weight dense<[[[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]], [[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[-1, 2, -3], [4, 5, -6], [7, -8, 9]]]]> : tensor<2x2x3x3xi8> : tensor<2x2x3x3xi8>
  %o32 = tensor.empty() : tensor<1x2x4x4xi32>
  %o8 = tensor.empty() : tensor<1x2x4x4xi8>
  %or = tensor.empty() : tensor<1x2x2x2xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x2x4x4xi8>, tensor<2x2x1x1xi8>) outs(%o32 : tensor<1x2x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x2x4x4xi32>
  %q = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %b : tensor<1x2x4x4xi32>, tensor<2xi32>) outs(%o8 : tensor<1x2x4x4xi8>) {
  ^bb0(%s: i32, %bias: i32, %unused: i8):
    %0 = arith.addi %s, %bias : i32
    %1 = arith.maxsi %0, %low : i32
    %2 = arith.minsi %1, %high : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  } -> tensor<1x2x4x4xi8>
  %z = sinter.conv ins(%q, %r : tensor<1x2x4x4xi8>, tensor<2x2x3x3xi8>) outs(%or : tensor<1x2x2x2xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], input_zero = -5 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x2x2x2xi32>
  return %z : tensor<1x2x2x2xi32>
}

// -----

// The same with padding, in whose place 7 does not stand: nothing goes.
// CHECK-LABEL: @main
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x2x4x4xi8>, tensor<2x2x1x1xi8>)
// CHECK: sinter.conv {{.*}} : tensor<1x2x4x4xi8>, tensor<2x2x3x3xi8>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: sinter.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x4x4xi32> {
  %low = arith.constant -5 : i32
  %high = arith.constant 100 : i32
  %w = sinter.weight dense<[[[[1]], [[2]]], [[[0]], [[0]]]]> : tensor<2x2x1x1xi8> : tensor<2x2x1x1xi8>
  %b = sinter.weight dense<[4, 7]> : tensor<2xi32> : tensor<2xi32>
  %r = sinter.weight dense<[[[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]], [[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[-1, 2, -3], [4, 5, -6], [7, -8, 9]]]]> : tensor<2x2x3x3xi8> : tensor<2x2x3x3xi8>
  %o32 = tensor.empty() : tensor<1x2x4x4xi32>
  %o8 = tensor.empty() : tensor<1x2x4x4xi8>
  %or = tensor.empty() : tensor<1x2x4x4xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x2x4x4xi8>, tensor<2x2x1x1xi8>) outs(%o32 : tensor<1x2x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x2x4x4xi32>
  %q = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %b : tensor<1x2x4x4xi32>, tensor<2xi32>) outs(%o8 : tensor<1x2x4x4xi8>) {
  ^bb0(%s: i32, %bias: i32, %unused: i8):
    %0 = arith.addi %s, %bias : i32
    %1 = arith.maxsi %0, %low : i32
    %2 = arith.minsi %1, %high : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  } -> tensor<1x2x4x4xi8>
  %z = sinter.conv ins(%q, %r : tensor<1x2x4x4xi8>, tensor<2x2x3x3xi8>) outs(%or : tensor<1x2x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = [], input_zero = -5 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x2x4x4xi32>
  return %z : tensor<1x2x4x4xi32>
}

// -----

// Floats. Nobody has weights for channel 0 of the sum of two convolutions: it goes from both. Channel 2 is 0 behind its Relu.
// CHECK-LABEL: @main
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>)
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>)
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1xf32>)
// CHECK: sinter.pool max {{.*}} -> tensor<1x1x3x3xf32>
// CHECK: sinter.conv {{.*}} : tensor<1x1x3x3xf32>, tensor<1x1x1x1xf32>)
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x1x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %w = sinter.weight dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[1.0]]], [[[0.0]], [[0.0]]]]> : tensor<3x2x1x1xf32> : tensor<3x2x1x1xf32>
  %v = sinter.weight dense<[[[[2.0]], [[2.0]]], [[[3.0]], [[1.0]]], [[[-0.0]], [[0.0]]]]> : tensor<3x2x1x1xf32> : tensor<3x2x1x1xf32>
  %b = sinter.weight dense<[1.0, 2.0, -1.0]> : tensor<3xf32> : tensor<3xf32>
  %r = sinter.weight dense<[[[[0.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf32> : tensor<1x3x1x1xf32>
  %o = tensor.empty() : tensor<1x3x4x4xf32>
  %p = tensor.empty() : tensor<1x3x3x3xf32>
  %or = tensor.empty() : tensor<1x1x3x3xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) outs(%o : tensor<1x3x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x3x4x4xf32>
  %u = sinter.conv ins(%x, %v : tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) outs(%o : tensor<1x3x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x3x4x4xf32>
  %s = linalg.generic {indexing_maps = [#all, #all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %u, %b : tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<3xf32>) outs(%o : tensor<1x3x4x4xf32>) {
  ^bb0(%i: f32, %j: f32, %bias: f32, %unused: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.addf %0, %bias : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x4x4xf32>
  %m = sinter.pool max ins(%s : tensor<1x3x4x4xf32>) outs(%p : tensor<1x3x3x3xf32>) {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>} -> tensor<1x3x3x3xf32>
  %z = sinter.conv ins(%m, %r : tensor<1x3x3x3xf32>, tensor<1x3x1x1xf32>) outs(%or : tensor<1x1x3x3xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x1x3x3xf32>
  return %z : tensor<1x1x3x3xf32>
}

// -----

// Channel 0 is 1 everywhere: in floats what it adds would round differently. The map is an output as well as an input: all of it is asked for.
// CHECK-LABEL: @main
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>)
// CHECK: sinter.conv {{.*}} : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>)
// CHECK: sinter.conv {{.*}} : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>)
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x2x4x4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = sinter.weight dense<[[[[0.0]], [[0.0]]], [[[3.0]], [[1.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %b = sinter.weight dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %r = sinter.weight dense<[[[[1.0]], [[2.0]]], [[[0.0]], [[0.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %q = sinter.weight dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %o = tensor.empty() : tensor<1x2x4x4xf32>
  %or = tensor.empty() : tensor<1x1x4x4xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) outs(%o : tensor<1x2x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x2x4x4xf32>
  %s = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %b : tensor<1x2x4x4xf32>, tensor<2xf32>) outs(%o : tensor<1x2x4x4xf32>) {
  ^bb0(%i: f32, %bias: f32, %unused: f32):
    %0 = arith.addf %i, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<1x2x4x4xf32>
  %z = sinter.conv ins(%s, %r : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) outs(%o : tensor<1x2x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x2x4x4xf32>
  %k = sinter.conv ins(%z, %q : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) outs(%or : tensor<1x1x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x1x4x4xf32>
  return %k, %z : tensor<1x1x4x4xf32>, tensor<1x2x4x4xf32>
}

// -----

// A contraction that reads and makes the same channels (x + conv x); what it loses it loses on both sides.
// CHECK-LABEL: @main
// CHECK: sinter.matmul ins(%arg0, %{{.*}} : tensor<2x3xf32>, tensor<3x2xf32>)
// CHECK: sinter.matmul {{.*}} : tensor<2x2xf32>, tensor<2x2xf32>)
// CHECK: linalg.generic {{.*}} : tensor<2x2xf32>, tensor<2x2xf32>)
// CHECK: sinter.matmul {{.*}} : tensor<2x2xf32>, tensor<2x1xf32>)
#rows = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %w = sinter.weight dense<[[1.0, 0.0, 2.0], [3.0, 0.0, 1.0], [1.0, 0.0, 4.0]]> : tensor<3x3xf32> : tensor<3x3xf32>
  %v = sinter.weight dense<[[1.0, 0.0, 2.0], [3.0, 0.0, 1.0], [1.0, 0.0, 4.0]]> : tensor<3x3xf32> : tensor<3x3xf32>
  %r = sinter.weight dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32> : tensor<3x1xf32>
  %o = tensor.empty() : tensor<2x3xf32>
  %or = tensor.empty() : tensor<2x1xf32>
  %y = sinter.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x3xf32>) outs(%o : tensor<2x3xf32>) attributes {epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<2x3xf32>
  %u = sinter.matmul ins(%y, %v : tensor<2x3xf32>, tensor<3x3xf32>) outs(%o : tensor<2x3xf32>) attributes {epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<2x3xf32>
  %s = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%y, %u : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) {
  ^bb0(%i: f32, %j: f32, %unused: f32):
    %0 = arith.addf %i, %j : f32
    linalg.yield %0 : f32
  } -> tensor<2x3xf32>
  %z = sinter.matmul ins(%s, %r : tensor<2x3xf32>, tensor<3x1xf32>) outs(%or : tensor<2x1xf32>) attributes {epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<2x1xf32>
  return %z : tensor<2x1xf32>
}

// -----

// Weights are zero points where the filter has one. All channels are dead: one stays.
// CHECK-LABEL: @main
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x2x4x4xi8>, tensor<1x2x1x1xi8>)
// CHECK: sinter.conv {{.*}} : tensor<1x1x4x4xi8>, tensor<1x1x1x1xi8>)
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x2x4x4xi8>) -> tensor<1x1x4x4xi32> {
  %low = arith.constant -5 : i32
  %high = arith.constant 100 : i32
  %w = sinter.weight dense<-56> : tensor<2x2x1x1xi8> : tensor<2x2x1x1xi8>
  %b = sinter.weight dense<[4, 7]> : tensor<2xi32> : tensor<2xi32>
  %r = sinter.weight dense<[[[[1]], [[2]]]]> : tensor<1x2x1x1xi8> : tensor<1x2x1x1xi8>
  %o32 = tensor.empty() : tensor<1x2x4x4xi32>
  %o8 = tensor.empty() : tensor<1x2x4x4xi8>
  %or = tensor.empty() : tensor<1x1x4x4xi32>
  %y = sinter.conv ins(%x, %w : tensor<1x2x4x4xi8>, tensor<2x2x1x1xi8>) outs(%o32 : tensor<1x2x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], signs = "su", filter_zero = 200 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x2x4x4xi32>
  %q = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %b : tensor<1x2x4x4xi32>, tensor<2xi32>) outs(%o8 : tensor<1x2x4x4xi8>) {
  ^bb0(%s: i32, %bias: i32, %unused: i8):
    %0 = arith.addi %s, %bias : i32
    %1 = arith.maxsi %0, %low : i32
    %2 = arith.minsi %1, %high : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  } -> tensor<1x2x4x4xi8>
  %z = sinter.conv ins(%q, %r : tensor<1x2x4x4xi8>, tensor<1x2x1x1xi8>) outs(%or : tensor<1x1x4x4xi32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [], signs = "us", input_zero = 4 : i64} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<1x1x4x4xi32>
  return %z : tensor<1x1x4x4xi32>
}
