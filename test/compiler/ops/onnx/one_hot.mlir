// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Negative indices count from the end; others are off.

// CHECK: output 0: tensor<3x3xi64> [5, 2, 2, 2, 2, 5, 2, 2, 2]
func.func @main() -> !sinter.any {
  %i = sinter.weight dense<[0, -1, 9]> : tensor<3xi64> : tensor<3xsi64>
  %d = sinter.weight dense<3> : tensor<i64> : tensor<si64>
  %v = sinter.weight dense<[2, 5]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "OneHot"(%i, %d, %v) {since = 11 : i64, attrs = {axis = -1 : i64}} : (tensor<3xsi64>, tensor<si64>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// Constants of unsigned bytes are what they are: a depth of 200.
// CHECK: output 0: tensor<1x200xi8>
func.func @main() -> !sinter.any {
  %i = sinter.weight dense<[199]> : tensor<1xi64> : tensor<1xsi64>
  %d = sinter.weight dense<200> : tensor<ui8> : tensor<ui8>
  %v = sinter.weight dense<[2, 5]> : tensor<2xi8> : tensor<2xsi8>
  %r = sinter.node "OneHot"(%i, %d, %v) {since = 11 : i64, attrs = {axis = -1 : i64}} : (tensor<1xsi64>, tensor<ui8>, tensor<2xsi8>) -> !sinter.any
  return %r : !sinter.any
}
