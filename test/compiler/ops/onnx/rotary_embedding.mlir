// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Halves turned by a quarter.

// CHECK: output 0: tensor<1x1x2x4xf32> [1.5, 1.25, -2, -1.75, -1, -0.75, -0.5, -0.25]
func.func @main(%x: tensor<1x1x2x4xf32>) -> !sinter.any {
  %c = sinter.weight dense<[[[0.0, 0.0], [1.0, 1.0]]]> : tensor<1x2x2xf32> : tensor<1x2x2xf32>
  %s = sinter.weight dense<[[[1.0, 1.0], [0.0, 0.0]]]> : tensor<1x2x2xf32> : tensor<1x2x2xf32>
  %r = sinter.node "RotaryEmbedding"(%x, %c, %s) {since = 23 : i64, attrs = {interleaved = 0 : i64, num_heads = 0 : i64, rotary_embedding_dim = 0 : i64}} : (tensor<1x1x2x4xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}
