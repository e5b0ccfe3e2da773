// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// What a sequence is made of, and what is asked of it.

// CHECK: output 0: tensor<2x2xf32> [1, 2, 3, 4]
// CHECK: output 1: tensor<i64> [2]
// CHECK: output 2: tensor<3x2xf32> [3, 4, 1, 2, 3, 4]
// CHECK: output 3: tensor<i64> [2]
// CHECK: output 4: tensor<2x2xf32> [1, 2, 3, 4]
// CHECK: output 5: tensor<i1> [1]
// CHECK: output 6: tensor<2xf32> [1, 2]
// CHECK: output 7: tensor<2x2xf32> [-1, -2, -3, -4]
func.func @main() -> (tensor<2x2xf32> {sinter.name = "y0"}, tensor<si64> {sinter.name = "y1"}, tensor<3x2xf32> {sinter.name = "y2"}, tensor<si64> {sinter.name = "y3"}, tensor<2x2xf32> {sinter.name = "y4"}, tensor<i1> {sinter.name = "y5"}, tensor<2xf32> {sinter.name = "y6"}, tensor<2x2xf32> {sinter.name = "y7"}) {
  %0 = sinter.weight dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> : tensor<2xf32>
  %1 = sinter.weight dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32> : tensor<2xf32>
  %2 = sinter.weight dense<0> : tensor<si64> : tensor<si64>
  %3 = sinter.node "SequenceConstruct"(%0, %1) {since = 11 : i64} : (tensor<2xf32>, tensor<2xf32>) -> !sinter.any
  %4 = sinter.node "ConcatFromSequence"(%3) {attrs = {axis = 0 : i64, new_axis = 1 : i64}, since = 11 : i64} : (!sinter.any) -> tensor<2x2xf32>
  %5 = sinter.node "SequenceEmpty"() {since = 11 : i64} : () -> !sinter.any
  %6 = sinter.node "SequenceInsert"(%5, %0) {since = 11 : i64} : (!sinter.any, tensor<2xf32>) -> !sinter.any
  %7 = sinter.node "SequenceInsert"(%6, %1, %2) {since = 11 : i64} : (!sinter.any, tensor<2xf32>, tensor<si64>) -> !sinter.any
  %8 = sinter.node "SequenceLength"(%7) {since = 11 : i64} : (!sinter.any) -> tensor<si64>
  %9 = sinter.node "SequenceInsert"(%3, %1, %2) {since = 11 : i64} : (!sinter.any, tensor<2xf32>, tensor<si64>) -> !sinter.any
  %10 = sinter.node "ConcatFromSequence"(%9) {attrs = {axis = 0 : i64, new_axis = 1 : i64}, since = 11 : i64} : (!sinter.any) -> tensor<3x2xf32>
  %11 = sinter.node "SequenceErase"(%9, %2) {since = 11 : i64} : (!sinter.any, tensor<si64>) -> !sinter.any
  %12 = sinter.node "SequenceLength"(%11) {since = 11 : i64} : (!sinter.any) -> tensor<si64>
  %13 = sinter.node "ConcatFromSequence"(%11) {attrs = {axis = 0 : i64, new_axis = 1 : i64}, since = 11 : i64} : (!sinter.any) -> tensor<2x2xf32>
  %14 = sinter.node "Optional"(%0) {since = 15 : i64} : (tensor<2xf32>) -> !sinter.any
  %15 = sinter.node "OptionalHasElement"(%14) {since = 18 : i64} : (!sinter.any) -> tensor<i1>
  %16 = sinter.node "OptionalGetElement"(%14) {since = 18 : i64} : (!sinter.any) -> tensor<2xf32>
  %17 = sinter.node "SequenceMap"(%3) {graphs = ["body"], since = 17 : i64} : (!sinter.any) -> !sinter.any {
  ^bb0(%arg0: tensor<2xf32>):
    %19 = sinter.node "Neg"(%arg0) {since = 13 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    sinter.yield %19 : tensor<2xf32>
  }
  %18 = sinter.node "ConcatFromSequence"(%17) {attrs = {axis = 0 : i64, new_axis = 1 : i64}, since = 11 : i64} : (!sinter.any) -> tensor<2x2xf32>
  return %4, %8, %10, %12, %13, %15, %16, %18 : tensor<2x2xf32>, tensor<si64>, tensor<3x2xf32>, tensor<si64>, tensor<2x2xf32>, tensor<i1>, tensor<2xf32>, tensor<2x2xf32>
}
