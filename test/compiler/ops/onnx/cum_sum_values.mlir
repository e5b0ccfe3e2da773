// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<4xf32> [-1.5, -1.75, -1.25, 0.75]
// CHECK: output 1: tensor<4xf32> [-1.5, 0.375, 0.1875, 0.375]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<0> : tensor<si64> : tensor<si64>
  %2 = sinter.node "CumSum"(%0, %1) {attrs = {exclusive = 0 : i64, reverse = 0 : i64}, since = 14 : i64} : (tensor<4xf32>, tensor<si64>) -> tensor<4xf32>
  %3 = sinter.node "CumProd"(%0, %1) {attrs = {exclusive = 0 : i64, reverse = 0 : i64}, since = 26 : i64} : (tensor<4xf32>, tensor<si64>) -> tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}
