// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// An exponent of unsigned bytes: 2 ** 200 is no float, 2 ** -56 would be one.

// CHECK: output 0: tensor<1xf32> [inf]
func.func @main() -> !sinter.any {
  %b = sinter.weight dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %e = sinter.weight dense<200> : tensor<ui8> : tensor<ui8>
  %r = sinter.node "Pow"(%b, %e) {since = 13 : i64} : (tensor<1xf32>, tensor<ui8>) -> !sinter.any
  return %r : !sinter.any
}
