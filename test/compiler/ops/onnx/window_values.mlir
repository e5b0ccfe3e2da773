// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<5xf32> [0, 0.5, 1, 0.5, 0]
// CHECK: output 1: tensor<5xf32> [0.0869565, 0.543478, 1, 0.543478, 0.0869565]
// CHECK: output 2: tensor<5xf32> [-1.38778e-17, 0.34, 1, 0.34, -1.38778e-17]
func.func @main() -> (tensor<5xf32> {sinter.name = "y0"}, tensor<5xf32> {sinter.name = "y1"}, tensor<5xf32> {sinter.name = "y2"}) {
  %0 = sinter.weight dense<5> : tensor<si64> : tensor<si64>
  %1 = sinter.node "HannWindow"(%0) {attrs = {output_datatype = 1 : i64, periodic = 0 : i64}, since = 17 : i64} : (tensor<si64>) -> tensor<5xf32>
  %2 = sinter.node "HammingWindow"(%0) {attrs = {output_datatype = 1 : i64, periodic = 0 : i64}, since = 17 : i64} : (tensor<si64>) -> tensor<5xf32>
  %3 = sinter.node "BlackmanWindow"(%0) {attrs = {output_datatype = 1 : i64, periodic = 0 : i64}, since = 17 : i64} : (tensor<si64>) -> tensor<5xf32>
  return %1, %2, %3 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}
