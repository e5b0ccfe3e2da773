// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Of equal ones the first, or the last.

// CHECK: output 0: tensor<2xi64> [1, 1]
// CHECK: output 1: tensor<2xi64> [0, 0]
// CHECK: output 2: tensor<2xi64> [2, 1]
func.func @main() -> (tensor<2xsi64> {sinter.name = "y0"}, tensor<2xsi64> {sinter.name = "y1"}, tensor<2xsi64> {sinter.name = "y2"}) {
  %0 = sinter.weight dense<[[1.000000e+00, 4.000000e+00, 4.000000e+00], [0.000000e+00, 3.000000e+00, 0.000000e+00]]> : tensor<2x3xf32> : tensor<2x3xf32>
  %1 = sinter.node "ArgMax"(%0) {attrs = {axis = 1 : i64, keepdims = 0 : i64, select_last_index = 0 : i64}, since = 13 : i64} : (tensor<2x3xf32>) -> tensor<2xsi64>
  %2 = sinter.node "ArgMin"(%0) {attrs = {axis = 1 : i64, keepdims = 0 : i64, select_last_index = 0 : i64}, since = 13 : i64} : (tensor<2x3xf32>) -> tensor<2xsi64>
  %3 = sinter.node "ArgMax"(%0) {attrs = {axis = 1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64}, since = 13 : i64} : (tensor<2x3xf32>) -> tensor<2xsi64>
  return %1, %2, %3 : tensor<2xsi64>, tensor<2xsi64>, tensor<2xsi64>
}
