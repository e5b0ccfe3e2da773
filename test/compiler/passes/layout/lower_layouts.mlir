// RUN: sinter-opt %s --lower-layouts | FileCheck %s
// A pack is a reshape and a transpose, an unpack the way back.

// CHECK-LABEL: @pack
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2], [3], [4]{{\]}}
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 3, 4, 2]
// CHECK-NOT: tensor.pack
func.func @pack(%x: tensor<1x32x5x7xf32>) -> tensor<1x2x5x7x16xf32> {
  %e = tensor.empty() : tensor<1x2x5x7x16xf32>
  %y = tensor.pack %x inner_dims_pos = [1] inner_tiles = [16] into %e : tensor<1x32x5x7xf32> -> tensor<1x2x5x7x16xf32>
  return %y : tensor<1x2x5x7x16xf32>
}

// CHECK-LABEL: @unpack
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 4, 2, 3]
// CHECK: tensor.collapse_shape
// CHECK-NOT: tensor.unpack
func.func @unpack(%x: tensor<1x2x5x7x16xf32>) -> tensor<1x32x5x7xf32> {
  %e = tensor.empty() : tensor<1x32x5x7xf32>
  %y = tensor.unpack %x inner_dims_pos = [1] inner_tiles = [16] into %e : tensor<1x2x5x7x16xf32> -> tensor<1x32x5x7xf32>
  return %y : tensor<1x32x5x7xf32>
}

// What an elementwise op makes for channels-last it writes so, and no copy is left.
// CHECK-LABEL: func.func @written_channels_last
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[IN:map.*]], #[[OUT:map.*]]], {{.*}} ins(%arg0 : tensor<1x3x4x5xf32>) outs(%{{.*}} : tensor<1x1x4x5x3xf32>)
// CHECK-NOT: transpose
// CHECK: return %[[Y]]
func.func @written_channels_last(%x: tensor<1x3x4x5xf32>) -> tensor<1x1x4x5x3xf32> {
  %e = tensor.empty() : tensor<1x3x4x5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x4x5xf32>) outs(%e : tensor<1x3x4x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  } -> tensor<1x3x4x5xf32>
  %d = tensor.empty() : tensor<1x1x4x5x3xf32>
  %p = tensor.pack %y inner_dims_pos = [1] inner_tiles = [3] into %d : tensor<1x3x4x5xf32> -> tensor<1x1x4x5x3xf32>
  return %p : tensor<1x1x4x5x3xf32>
}
// The plain form has another reader: it stays, and is transposed.
// CHECK-LABEL: func.func @two_readers
// CHECK: linalg.generic
// CHECK: linalg.transpose
func.func @two_readers(%x: tensor<1x3x4x5xf32>) -> (tensor<1x1x4x5x3xf32>, tensor<1x3x4x5xf32>) {
  %e = tensor.empty() : tensor<1x3x4x5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x4x5xf32>) outs(%e : tensor<1x3x4x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  } -> tensor<1x3x4x5xf32>
  %d = tensor.empty() : tensor<1x1x4x5x3xf32>
  %p = tensor.pack %y inner_dims_pos = [1] inner_tiles = [3] into %d : tensor<1x3x4x5xf32> -> tensor<1x1x4x5x3xf32>
  return %p, %y : tensor<1x1x4x5x3xf32>, tensor<1x3x4x5xf32>
}
