// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Periodic and symmetric.

// CHECK: output 0: tensor<4xf32> [0, 0.5, 1, 0.5]
func.func @main() -> !sinter.any {
  %n = sinter.weight dense<4> : tensor<i64> : tensor<si64>
  %r = sinter.node "HannWindow"(%n) {since = 17 : i64, attrs = {periodic = 1 : i64, output_datatype = 1 : i64}} : (tensor<si64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<3xf32> [{{-?[0-9.e-]+}}, 1,
func.func @main() -> !sinter.any {
  %n = sinter.weight dense<3> : tensor<i64> : tensor<si64>
  %r = sinter.node "BlackmanWindow"(%n) {since = 17 : i64, attrs = {periodic = 0 : i64, output_datatype = 1 : i64}} : (tensor<si64>) -> !sinter.any
  return %r : !sinter.any
}
