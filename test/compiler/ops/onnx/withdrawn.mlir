// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Operators that ONNX withdrew and that have a lowering; those that a function says: withdrawn_functions.test.

// CHECK: output 0: tensor<1x1x2x2xf32>
// CHECK: output 1: tensor<1x1x1x2xf32>
// CHECK: output 2: tensor<2x3xi32> [7, 7, 7, 7, 7, 7]
// CHECK: output 3: tensor<1x2xf32> [0.5, 1.5]
func.func @main(%x: tensor<1x1x4x4xf32>) -> (!sinter.any, !sinter.any, !sinter.any, !sinter.any) {
  %absent = sinter.absent
  %0 = sinter.node "Crop"(%x) {attrs = {border = array<i64: 1, 1, 1, 1>}, since = 1 : i64} : (tensor<1x1x4x4xf32>) -> !sinter.any
  %1 = sinter.node "Crop"(%x) {attrs = {border = array<i64: 1, 2, 0, 0>, scale = array<i64: 1, 2>}, since = 1 : i64} : (tensor<1x1x4x4xf32>) -> !sinter.any
  %2 = sinter.node "ConstantFill"(%absent) {attrs = {dtype = 6 : i64, shape = array<i64: 2>, extra_shape = array<i64: 3>, value = 7.0 : f32}, since = 1 : i64} : (!sinter.absent) -> !sinter.any
  %3 = sinter.node "GivenTensorFill"(%absent) {attrs = {shape = array<i64: 1, 2>, values = array<f32: 0.5, 1.5>}, since = 1 : i64} : (!sinter.absent) -> !sinter.any
  return %0, %1, %2, %3 : !sinter.any, !sinter.any, !sinter.any, !sinter.any
}
