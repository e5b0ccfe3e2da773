// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each pool over all of a map, and one by windows.

// CHECK: output 0: tensor<1x1x1x1xf32> [2.08333]
// CHECK: output 1: tensor<1x1x1x1xf32> [4]
// CHECK: output 2: tensor<1x1x1x1xf32> [12.5]
// CHECK: output 3: tensor<1x1x1x2xf32> [1.625, 2.75]
// CHECK: output 4: tensor<1x1x1x2xf32> [3.77492, 5.74456]
func.func @main() -> (tensor<1x1x1x1xf32> {sinter.name = "y0"}, tensor<1x1x1x1xf32> {sinter.name = "y1"}, tensor<1x1x1x1xf32> {sinter.name = "y2"}, tensor<1x1x1x2xf32> {sinter.name = "y3"}, tensor<1x1x1x2xf32> {sinter.name = "y4"}) {
  %0 = sinter.weight dense<[[[[1.000000e+00, 2.000000e+00, 4.000000e+00], [5.000000e-01, 3.000000e+00, 2.000000e+00]]]]> : tensor<1x1x2x3xf32> : tensor<1x1x2x3xf32>
  %1 = sinter.node "GlobalAveragePool"(%0) {since = 22 : i64} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x1xf32>
  %2 = sinter.node "GlobalMaxPool"(%0) {since = 22 : i64} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x1xf32>
  %3 = sinter.node "GlobalLpPool"(%0) {attrs = {p = 1 : i64}, since = 22 : i64} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x1xf32>
  %4 = sinter.node "AveragePool"(%0) {attrs = {auto_pad = "NOTSET", ceil_mode = 0 : i64, count_include_pad = 0 : i64, kernel_shape = array<i64: 2, 2>}, since = 22 : i64} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x2xf32>
  %5 = sinter.node "LpPool"(%0) {attrs = {auto_pad = "NOTSET", ceil_mode = 0 : i64, kernel_shape = array<i64: 2, 2>, p = 2 : i64}, since = 22 : i64} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x2xf32>
  return %1, %2, %3, %4, %5 : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>
}
