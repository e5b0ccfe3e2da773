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
