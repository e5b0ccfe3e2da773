// RUN: sinter-opt %s --split-input-file --choose-layouts --lower-layouts --simplify | FileCheck %s

// A nest that reads a feature map by coordinates (nearest Resize) reads the packed one; what it makes is packed too, and unpacked behind the nest.
// CHECK-LABEL: @resize
// CHECK: %[[CONV:.*]] = sinter.conv {{.*}} outs(%{{.*}} : tensor<1x1x4x4x16xf32>)
// CHECK: %[[UP:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x8x8x16xf32>)
// CHECK: tensor.extract %[[CONV]][%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : tensor<1x1x4x4x16xf32>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x{{.*}}8x8x16xf32>)
module {
func.func @resize(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x8x8xf32> {
  %w = sinter.weight dense<1.0> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %c = sinter.conv ins(%x, %w : tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) outs(%e : tensor<1x16x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x16x4x4xf32>
  %o = tensor.empty() : tensor<1x16x8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%o : tensor<1x16x8x8xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %ch = linalg.index 1 : index
    %h = linalg.index 2 : index
    %v = linalg.index 3 : index
    %hs = arith.divsi %h, %two : index
    %vs = arith.divsi %v, %two : index
    %y = tensor.extract %c[%n, %ch, %hs, %vs] : tensor<1x16x4x4xf32>
    linalg.yield %y : f32
  } -> tensor<1x16x8x8xf32>
  return %r : tensor<1x16x8x8xf32>
}
}

// -----

// Reads by coordinates may leave out channels: what is no whole block stays plain.
// CHECK-LABEL: @some_channels
// CHECK: %[[CONV:.*]] = sinter.conv {{.*}} outs(%{{.*}} : tensor<1x1x4x4x16xf32>)
// CHECK: %[[PLAIN:.*]] = linalg.transpose ins(%{{.*}} : tensor<1x{{.*}}4x4x16xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x3x4x4xf32>)
module {
func.func @some_channels(%x: tensor<1x16x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %w = sinter.weight dense<1.0> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %three = arith.constant 3 : index
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %c = sinter.conv ins(%x, %w : tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) outs(%e : tensor<1x16x4x4xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x16x4x4xf32>
  %o = tensor.empty() : tensor<1x3x4x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%o : tensor<1x3x4x4xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %ch = linalg.index 1 : index
    %h = linalg.index 2 : index
    %v = linalg.index 3 : index
    %back = arith.subi %three, %v : index
    %y = tensor.extract %c[%n, %ch, %h, %back] : tensor<1x16x4x4xf32>
    linalg.yield %y : f32
  } -> tensor<1x3x4x4xf32>
  return %r : tensor<1x3x4x4xf32>
}
}

// -----

// Factors of channels, made by a convolution of one place, times a map that the model is given: the map stays as it is, the factors come to it.
// CHECK-LABEL: @factors
// CHECK: %[[FACTORS:.*]] = sinter.conv {{.*}} outs(%{{.*}} : tensor<1x2x1x1x16xf32>)
// CHECK: linalg.transpose ins(%[[FACTORS]] : tensor<1x2x1x1x16xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x32x6x6xf32>, tensor<1x32x1x1xf32>) outs(%{{.*}} : tensor<1x32x6x6xf32>)
// CHECK-NOT: linalg.transpose
module {
func.func @factors(%x: tensor<1x32x6x6xf32>, %p: tensor<1x32x1x1xf32>) -> tensor<1x32x6x6xf32> {
  %w = sinter.weight dense<1.0> : tensor<32x32x1x1xf32> : tensor<32x32x1x1xf32>
  %e = tensor.empty() : tensor<1x32x1x1xf32>
  %c = sinter.conv ins(%p, %w : tensor<1x32x1x1xf32>, tensor<32x32x1x1xf32>) outs(%e : tensor<1x32x1x1xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x32x1x1xf32>
  %o = tensor.empty() : tensor<1x32x6x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, 0, 0)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %c : tensor<1x32x6x6xf32>, tensor<1x32x1x1xf32>) outs(%o : tensor<1x32x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.mulf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<1x32x6x6xf32>
  return %r : tensor<1x32x6x6xf32>
}
}
