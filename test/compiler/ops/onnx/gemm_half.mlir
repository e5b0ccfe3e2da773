// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Sums of half floats are rounded behind alpha and C, once: 300 * 200 * 2 is no half float, half of it is.

// CHECK: output 0: tensor<1x1xf16> [60000]
func.func @main() -> !sinter.any {
  %a = sinter.weight dense<300.0> : tensor<1x2xf16> : tensor<1x2xf16>
  %b = sinter.weight dense<200.0> : tensor<2x1xf16> : tensor<2x1xf16>
  %r = sinter.node "Gemm"(%a, %b) {attrs = {alpha = 0.5 : f32, beta = 1.0 : f32, transA = 0 : i64, transB = 0 : i64}, since = 13 : i64} : (tensor<1x2xf16>, tensor<2x1xf16>) -> !sinter.any
  return %r : !sinter.any
}
