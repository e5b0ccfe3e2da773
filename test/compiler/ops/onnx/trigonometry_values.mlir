// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The whole family, by value: no two of them trade places.

// CHECK: output 0: tensor<3xf32> [-0.479426, 0.247404, 0.681639]
// CHECK: output 1: tensor<3xf32> [0.877583, 0.968912, 0.731689]
// CHECK: output 2: tensor<3xf32> [-0.546302, 0.255342, 0.931597]
// CHECK: output 3: tensor<3xf32> [-0.523599, 0.25268, 0.848062]
// CHECK: output 4: tensor<3xf32> [2.0944, 1.31812, 0.722734]
// CHECK: output 5: tensor<3xf32> [-0.463648, 0.244979, 0.643501]
// CHECK: output 6: tensor<3xf32> [-0.521095, 0.252612, 0.822317]
// CHECK: output 7: tensor<3xf32> [1.12763, 1.03141, 1.29468]
// CHECK: output 8: tensor<3xf32> [-0.462117, 0.244919, 0.635149]
// CHECK: output 9: tensor<3xf32> [-0.481212, 0.247466, 0.693147]
// CHECK: output 10: tensor<3xf32> [0, 0.693147, 1.31696]
// CHECK: output 11: tensor<3xf32> [-0.549306, 0.255413, 0.972955]
func.func @main() -> (tensor<3xf32> {sinter.name = "y0"}, tensor<3xf32> {sinter.name = "y1"}, tensor<3xf32> {sinter.name = "y2"}, tensor<3xf32> {sinter.name = "y3"}, tensor<3xf32> {sinter.name = "y4"}, tensor<3xf32> {sinter.name = "y5"}, tensor<3xf32> {sinter.name = "y6"}, tensor<3xf32> {sinter.name = "y7"}, tensor<3xf32> {sinter.name = "y8"}, tensor<3xf32> {sinter.name = "y9"}, tensor<3xf32> {sinter.name = "y10"}, tensor<3xf32> {sinter.name = "y11"}) {
  %0 = sinter.weight dense<[-5.000000e-01, 2.500000e-01, 7.500000e-01]> : tensor<3xf32> : tensor<3xf32>
  %1 = sinter.weight dense<[1.000000e+00, 1.250000e+00, 2.000000e+00]> : tensor<3xf32> : tensor<3xf32>
  %2 = sinter.node "Sin"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %3 = sinter.node "Cos"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %4 = sinter.node "Tan"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %5 = sinter.node "Asin"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %6 = sinter.node "Acos"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %7 = sinter.node "Atan"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %8 = sinter.node "Sinh"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %9 = sinter.node "Cosh"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %10 = sinter.node "Tanh"(%0) {since = 13 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %11 = sinter.node "Asinh"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %12 = sinter.node "Acosh"(%1) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %13 = sinter.node "Atanh"(%0) {since = 22 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
