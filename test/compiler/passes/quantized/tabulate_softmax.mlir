// RUN: sinter-opt %s --tabulate-softmax --split-input-file | FileCheck %s
// One is 2^32 / (2 * 256 + 4) - 1 = 0x7f01fb units, and each step below the largest exp(-0.5) times as many: 0x4d08ba.
// CHECK-LABEL: @bytes
// CHECK: %[[TABLE:.*]] = sinter.weight dense<"0xFB017F00BA084D00{{.*}} : tensor<256xi32>
// CHECK: sinter.kernel "softmax_by_table" ins(%arg0, %[[TABLE]] : {{.*}}params = {steps = 256 : i64, y_zero = -128 : i64}, signedness = "sus"
module attributes {sinter.requant = "fixed"} {
func.func @bytes(%x: tensor<1x4x1xi8>) -> tensor<1x4x1xi8> {
  %o = tensor.empty() : tensor<1x4x1xi8>
  %y = sinter.kernel "quantized_softmax" ins(%x : tensor<1x4x1xi8>) outs(%o : tensor<1x4x1xi8>) {params = {x_scale = 0.5 : f64, steps = 256.0 : f64, y_zero = -128 : i64}, signedness = "ss"} -> tensor<1x4x1xi8>
  return %y : tensor<1x4x1xi8>
}
}

// -----

// Of so many numbers 32 bits do not hold a sum that is exact enough.
// CHECK-LABEL: @many
// CHECK: sinter.kernel "quantized_softmax"
module attributes {sinter.requant = "fixed"} {
func.func @many(%x: tensor<1x20000x1xi8>) -> tensor<1x20000x1xi8> {
  %o = tensor.empty() : tensor<1x20000x1xi8>
  %y = sinter.kernel "quantized_softmax" ins(%x : tensor<1x20000x1xi8>) outs(%o : tensor<1x20000x1xi8>) {params = {x_scale = 0.5 : f64, steps = 256.0 : f64, y_zero = -128 : i64}, signedness = "ss"} -> tensor<1x20000x1xi8>
  return %y : tensor<1x20000x1xi8>
}
}

// -----

// With an FPU floats are as good.
// CHECK-LABEL: @floats
// CHECK: sinter.kernel "quantized_softmax"
func.func @floats(%x: tensor<1x4x1xi8>) -> tensor<1x4x1xi8> {
  %o = tensor.empty() : tensor<1x4x1xi8>
  %y = sinter.kernel "quantized_softmax" ins(%x : tensor<1x4x1xi8>) outs(%o : tensor<1x4x1xi8>) {params = {x_scale = 0.5 : f64, steps = 256.0 : f64, y_zero = -128 : i64}, signedness = "ss"} -> tensor<1x4x1xi8>
  return %y : tensor<1x4x1xi8>
}
