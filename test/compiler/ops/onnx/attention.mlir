// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// The fused kernel for Y alone, with causality as an additive mask; steps where scores are shown.

// CHECK: sinter.kernel "attention_heads" ins(
func.func @main(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> !sinter.any {
  %r = sinter.node "Attention"(%q, %k, %v) {since = 23 : i64, attrs = {is_causal = 1 : i64}} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: sinter.matmul
// CHECK: math.tanh
func.func @main(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> !sinter.any {
  %r = sinter.node "Attention"(%q, %k, %v) {since = 23 : i64, attrs = {softcap = 2.0 : f32, qk_matmul_output_mode = 3 : i64}} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> !sinter.any
  return %r : !sinter.any
}
