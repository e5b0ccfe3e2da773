// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Sums of half floats are rounded behind the bias, once: 300 * 200 * 2 is no half float, 60000 less it is.

// CHECK: output 0: tensor<1x1x1x1xf16> [60000]
func.func @main() -> !sinter.any {
  %x = sinter.weight dense<300.0> : tensor<1x2x1x1xf16> : tensor<1x2x1x1xf16>
  %w = sinter.weight dense<200.0> : tensor<1x2x1x1xf16> : tensor<1x2x1x1xf16>
  %b = sinter.weight dense<-60000.0> : tensor<1xf16> : tensor<1xf16>
  %r = sinter.node "Conv"(%x, %w, %b) {attrs = {}, since = 11 : i64} : (tensor<1x2x1x1xf16>, tensor<1x2x1x1xf16>, tensor<1xf16>) -> !sinter.any
  return %r : !sinter.any
}
