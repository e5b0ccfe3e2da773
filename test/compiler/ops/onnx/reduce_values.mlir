// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Along the rows of one matrix.

// CHECK: output 0: tensor<2xf32> [7, 5.5]
// CHECK: output 1: tensor<2xf32> [8, 3]
// CHECK: output 2: tensor<2xf32> [4, 3]
// CHECK: output 3: tensor<2xf32> [1, 0.5]
// CHECK: output 4: tensor<2xf32> [2.33333, 1.83333]
// CHECK: output 5: tensor<2xf32> [7, 5.5]
// CHECK: output 6: tensor<2xf32> [4.58258, 3.64005]
// CHECK: output 7: tensor<2xf32> [21, 13.25]
// CHECK: output 8: tensor<2xf32> [1.94591, 1.70475]
func.func @main() -> (tensor<2xf32> {sinter.name = "y0"}, tensor<2xf32> {sinter.name = "y1"}, tensor<2xf32> {sinter.name = "y2"}, tensor<2xf32> {sinter.name = "y3"}, tensor<2xf32> {sinter.name = "y4"}, tensor<2xf32> {sinter.name = "y5"}, tensor<2xf32> {sinter.name = "y6"}, tensor<2xf32> {sinter.name = "y7"}, tensor<2xf32> {sinter.name = "y8"}) {
  %0 = sinter.weight dense<[[1.000000e+00, 2.000000e+00, 4.000000e+00], [5.000000e-01, 3.000000e+00, 2.000000e+00]]> : tensor<2x3xf32> : tensor<2x3xf32>
  %1 = sinter.weight dense<1> : tensor<1xsi64> : tensor<1xsi64>
  %2 = sinter.node "ReduceSum"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 13 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  %3 = sinter.node "ReduceProd"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 18 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  %4 = sinter.node "ReduceMax"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 20 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  %5 = sinter.node "ReduceMin"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 20 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  %6 = sinter.node "ReduceMean"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 18 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  %7 = sinter.node "ReduceL1"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 18 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  %8 = sinter.node "ReduceL2"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 18 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  %9 = sinter.node "ReduceSumSquare"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 18 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  %10 = sinter.node "ReduceLogSum"(%0, %1) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 18 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<2xf32>
  return %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
