// RUN: sinter-opt %s --transposes-as-views | FileCheck %s

// Heads are read and written in place by attention; what is added elementwise is still moved.
// CHECK-LABEL: @heads
// CHECK: %[[Q:.*]] = sinter.permute %{{.*}} [0, 2, 1, 3]
// CHECK: %[[OUT:.*]] = sinter.permute %{{.*}} [0, 2, 1, 3] : tensor<1x8x2x4xf32> -> tensor<1x2x8x4xf32>
// CHECK: %[[Y:.*]] = sinter.kernel "attention_heads" ins(%[[Q]]
// CHECK-SAME: outs(%[[OUT]]
// CHECK: sinter.permute %[[Y]] [0, 2, 1, 3]
func.func @heads(%x: tensor<1x8x2x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x8x2x4xf32> {
  %e = tensor.empty() : tensor<1x2x8x4xf32>
  %q = linalg.transpose ins(%x : tensor<1x8x2x4xf32>) outs(%e : tensor<1x2x8x4xf32>) permutation = [0, 2, 1, 3]
  %o = tensor.empty() : tensor<1x2x8x4xf32>
  %y = sinter.kernel "attention_heads" ins(%q, %k, %k : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) outs(%o : tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  %t = tensor.empty() : tensor<1x8x2x4xf32>
  %r = linalg.transpose ins(%y : tensor<1x2x8x4xf32>) outs(%t : tensor<1x8x2x4xf32>) permutation = [0, 2, 1, 3]
  return %r : tensor<1x8x2x4xf32>
}

// The innermost dim of an operand stays contiguous: this one is copied.
// CHECK-LABEL: @columns
// CHECK: linalg.transpose
func.func @columns(%x: tensor<1x2x8x4xf32>) -> tensor<1x2x4x8xf32> {
  %e = tensor.empty() : tensor<1x2x4x8xf32>
  %q = linalg.transpose ins(%x : tensor<1x2x8x4xf32>) outs(%e : tensor<1x2x4x8xf32>) permutation = [0, 1, 3, 2]
  %o = tensor.empty() : tensor<1x2x4x8xf32>
  %y = sinter.kernel "attention_heads" ins(%q, %q, %q : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %y : tensor<1x2x4x8xf32>
}

// Only dims of size 1 move: a reshape. Where another one moves too, it is not.
// CHECK-LABEL: @units
// CHECK-NOT: linalg.transpose
// CHECK: tensor.expand_shape
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 2, 1]
func.func @units(%x: tensor<1x4x16x1x1xf32>, %y: tensor<1x4x1x8xf32>) -> (tensor<1x4x1x1x16xf32>, tensor<1x8x1x4xf32>) {
  %e = tensor.empty() : tensor<1x4x1x1x16xf32>
  %t = linalg.transpose ins(%x : tensor<1x4x16x1x1xf32>) outs(%e : tensor<1x4x1x1x16xf32>) permutation = [0, 1, 3, 4, 2]
  %o = tensor.empty() : tensor<1x8x1x4xf32>
  %u = linalg.transpose ins(%y : tensor<1x4x1x8xf32>) outs(%o : tensor<1x8x1x4xf32>) permutation = [0, 3, 2, 1]
  return %t, %u : tensor<1x4x1x1x16xf32>, tensor<1x8x1x4xf32>
}
