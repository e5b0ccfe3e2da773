// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s

func.func @main(%x: tensor<4xui8> {sinter.name = "x"}, %s: tensor<f32> {sinter.name = "s"}, %z: tensor<ui8> {sinter.name = "z"},
                %m: tensor<1x1x4x4xsi8> {sinter.name = "m"}, %i: tensor<si8> {sinter.name = "i"})
    -> (tensor<1x1x3x3xsi8> {sinter.name = "mean"}, tensor<4xui8> {sinter.name = "shares"},
        tensor<1x1x3x3xsi8> {sinter.name = "mean_of_bytes"}, tensor<1x1x1x1xsi8> {sinter.name = "whole"}, tensor<4xui8> {sinter.name = "shares_of_bytes"}) {
  // Pools with numbers that only the run knows: floats in between, the zero point before the rounding, 128 above for signed ones.
  // CHECK: sinter.pool average
  // CHECK: %[[STEPS:.*]] = arith.divf
  // CHECK: %[[LIFT:.*]] = arith.constant 1.280000e+02 : f32
  // CHECK: %[[ZERO:.*]] = arith.sitofp
  // CHECK: %[[LIFTED:.*]] = arith.addf %[[ZERO]], %[[LIFT]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[STEPS]], %[[LIFTED]]
  // CHECK: math.roundeven %[[SUM]]
  %0 = sinter.node "QLinearAveragePool"(%m, %s, %i, %s, %i) {attrs = {kernel_shape = array<i64: 2, 2>}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x4x4xsi8>, tensor<f32>, tensor<si8>, tensor<f32>, tensor<si8>) -> tensor<1x1x3x3xsi8>

  // Softmax counts in whole steps to 1.
  // CHECK: math.floor
  // CHECK: math.roundeven
  %1 = sinter.node "QLinearSoftmax"(%x, %s, %z, %s, %z) {attrs = {opset = 13 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>

  // With constants: kernels from bytes to bytes. Without a zero point it is 0.
  %c = sinter.weight dense<0.25> : tensor<f32> : tensor<f32>
  %k = sinter.weight dense<-3> : tensor<si8> : tensor<si8>
  %none = sinter.absent
  %zs = sinter.weight dense<0> : tensor<si8> : tensor<si8>
  %zu = sinter.weight dense<0> : tensor<ui8> : tensor<ui8>
  // CHECK: sinter.pool average ins(%{{.*}} : tensor<1x1x4x4xi8>) {{.*}}scales = #sinter.pool_scales<x_scale = 2.500000e-01 : f64, x_zero = -3, y_scale = 2.500000e-01 : f64, y_zero = -3, integer_sums = false>
  %2 = sinter.node "QLinearAveragePool"(%m, %c, %k, %c, %k) {attrs = {kernel_shape = array<i64: 2, 2>}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x4x4xsi8>, tensor<f32>, tensor<si8>, tensor<f32>, tensor<si8>) -> tensor<1x1x3x3xsi8>
  // CHECK: sinter.pool average {{.*}}y_zero = 0, integer_sums = true>, {{.*}}window = array<i64: 4, 4>
  %3 = sinter.node "QLinearGlobalAveragePool"(%m, %c, %k, %c, %zs) {domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x4x4xsi8>, tensor<f32>, tensor<si8>, tensor<f32>, tensor<si8>) -> tensor<1x1x1x1xsi8>
  // CHECK: sinter.kernel "quantized_softmax" {{.*}}steps = 4.000000e+00 : f64, x_scale = 2.500000e-01 : f64, y_zero = 0 : i64}, signedness = "uu"
  %4 = sinter.node "QLinearSoftmax"(%x, %c, %none, %c, %zu) {attrs = {opset = 13 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<4xui8>, tensor<f32>, !sinter.absent, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  return %0, %1, %2, %3, %4 : tensor<1x1x3x3xsi8>, tensor<4xui8>, tensor<1x1x3x3xsi8>, tensor<1x1x1x1xsi8>, tensor<4xui8>
}

// -----

// Zero points of unsigned bytes are not negative.
func.func @main(%x: tensor<4xui8> {sinter.name = "x"}, %m: tensor<1x1x4x4xui8> {sinter.name = "m"})
    -> (tensor<4xui8> {sinter.name = "shares"}, tensor<1x1x3x3xui8> {sinter.name = "mean"}, tensor<1x1x1x1xui8> {sinter.name = "whole"}) {
  %c = sinter.weight dense<0.25> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<200> : tensor<ui8> : tensor<ui8>
  // CHECK: sinter.kernel "quantized_softmax" {{.*}}y_zero = 200 : i64
  %0 = sinter.node "QLinearSoftmax"(%x, %c, %z, %c, %z) {attrs = {opset = 13 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  // CHECK: sinter.pool average {{.*}}is_unsigned{{.*}}x_zero = 200, {{.*}}y_zero = 200
  %1 = sinter.node "QLinearAveragePool"(%m, %c, %z, %c, %z) {attrs = {kernel_shape = array<i64: 2, 2>}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x4x4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x3x3xui8>
  // CHECK: sinter.pool average {{.*}}is_unsigned{{.*}}x_zero = 200, {{.*}}y_zero = 200
  %2 = sinter.node "QLinearGlobalAveragePool"(%m, %c, %z, %c, %z) {domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x4x4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x1x1xui8>
  return %0, %1, %2 : tensor<4xui8>, tensor<1x1x3x3xui8>, tensor<1x1x1x1xui8>
}
