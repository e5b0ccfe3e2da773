// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Triangles over spectrogram bins.

// CHECK: output 0: tensor<5x2xf32> [1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
func.func @main() -> !sinter.any {
  %b = sinter.weight dense<2> : tensor<i64> : tensor<si64>
  %l = sinter.weight dense<8> : tensor<i64> : tensor<si64>
  %hz = sinter.weight dense<8192> : tensor<i64> : tensor<si64>
  %lo = sinter.weight dense<0.0> : tensor<f32> : tensor<f32>
  %hi = sinter.weight dense<4096.0> : tensor<f32> : tensor<f32>
  %r = sinter.node "MelWeightMatrix"(%b, %l, %hz, %lo, %hi) {since = 17 : i64, attrs = {output_datatype = 1 : i64}} : (tensor<si64>, tensor<si64>, tensor<si64>, tensor<f32>, tensor<f32>) -> !sinter.any
  return %r : !sinter.any
}
