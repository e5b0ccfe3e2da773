// RUN: sinter-opt %s --raise-transposes | FileCheck %s

// The heads of a detector: box and score joined, positions joined to one dim, scales joined. Each part is transposed by itself.
// CHECK-LABEL: @heads
// CHECK-COUNT-2: linalg.transpose ins(%arg{{[01]}} : tensor<1x{{[41]}}x2x3xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK: tensor.concat dim(3) {{.*}} -> tensor<1x2x3x5xf32>
// CHECK: tensor.collapse_shape {{.*}} {{\[\[}}0], [1, 2], [3]] : tensor<1x2x3x5xf32> into tensor<1x6x5xf32>
// CHECK: linalg.transpose ins(%arg2
// CHECK: tensor.concat dim(1) {{.*}} -> tensor<1x10x5xf32>
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @heads(%box: tensor<1x4x2x3xf32>, %score: tensor<1x1x2x3xf32>, %other: tensor<1x5x4xf32>) -> tensor<1x10x5xf32> {
  %c = tensor.concat dim(1) %box, %score : (tensor<1x4x2x3xf32>, tensor<1x1x2x3xf32>) -> tensor<1x5x2x3xf32>
  %f = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<1x5x2x3xf32> into tensor<1x5x6xf32>
  %all = tensor.concat dim(2) %f, %other : (tensor<1x5x6xf32>, tensor<1x5x4xf32>) -> tensor<1x5x10xf32>
  %e = tensor.empty() : tensor<1x10x5xf32>
  %t = linalg.transpose ins(%all : tensor<1x5x10xf32>) outs(%e : tensor<1x10x5xf32>) permutation = [0, 2, 1]
  return %t : tensor<1x10x5xf32>
}

// Read as it is, too: one transpose.
// CHECK-LABEL: @read_twice
// CHECK: %[[C:.*]] = tensor.concat
// CHECK: linalg.transpose ins(%[[C]]
func.func @read_twice(%x: tensor<1x5x4xf32>) -> (tensor<1x5x8xf32>, tensor<1x8x5xf32>) {
  %c = tensor.concat dim(2) %x, %x : (tensor<1x5x4xf32>, tensor<1x5x4xf32>) -> tensor<1x5x8xf32>
  %e = tensor.empty() : tensor<1x8x5xf32>
  %t = linalg.transpose ins(%c : tensor<1x5x8xf32>) outs(%e : tensor<1x8x5xf32>) permutation = [0, 2, 1]
  return %c, %t : tensor<1x5x8xf32>, tensor<1x8x5xf32>
}
