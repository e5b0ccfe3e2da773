// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// A matrix product; one-sided spectra, frames of a signal.

// CHECK: output 0: tensor<1x3x2xf32> [-6.5, 0, -0.5, 0.5, -0.5,
func.func @main(%x: tensor<1x4x1xf32>) -> !sinter.any {
  %r = sinter.node "DFT"(%x) {since = 17 : i64, attrs = {axis = 1 : i64, onesided = 1 : i64}} : (tensor<1x4x1xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1x2x3x2xf32> [-6.5, 0, -0.5, 0.5, -0.5,
func.func @main(%x: tensor<1x6x1xf32>) -> !sinter.any {
  %s = sinter.weight dense<2> : tensor<i64> : tensor<si64>
  %n = sinter.absent
  %l = sinter.weight dense<4> : tensor<i64> : tensor<si64>
  %r = sinter.node "STFT"(%x, %s, %n, %l) {since = 17 : i64, attrs = {onesided = 1 : i64}} : (tensor<1x6x1xf32>, tensor<si64>, !sinter.absent, tensor<si64>) -> !sinter.any
  return %r : !sinter.any
}
