// RUN: sinter-opt %s --scatter-in-place | FileCheck %s

// Rows that are scattered behind a transposition are scattered along their own dim; other readers turn the result.
// CHECK-LABEL: @main
// CHECK: %[[UPDATES:.*]] = sinter.node "Transpose"(%arg2) {attrs = {perm = array<i64: 1, 2, 0, 3>}
// CHECK: %[[ROWS:.*]] = sinter.node "Reshape"(%arg1,
// CHECK: %[[ALL:.*]] = sinter.node "Expand"(%[[ROWS]],
// CHECK: %[[MADE:.*]] = sinter.node "ScatterElements"(%arg0, %[[ALL]], %[[UPDATES]]) {attrs = {axis = 2 : i64
// CHECK: %[[TURNED:.*]] = sinter.node "Transpose"(%[[MADE]])
// CHECK: %[[READ:.*]] = sinter.node "Relu"(%[[TURNED]])
func.func @main(%cache: tensor<1x2x32x8xf32>, %indices: tensor<?x1xsi64>, %new: !sinter.any, %other: tensor<1x2x32x8xf32>, %pairs: tensor<?x2xsi64>) -> (tensor<1x2x32x8xf32>, !sinter.any, !sinter.any) {
  %t = sinter.node "Transpose"(%cache) {attrs = {perm = array<i64: 2, 0, 1, 3>}, since = 13 : i64} : (tensor<1x2x32x8xf32>) -> !sinter.any
  %s = sinter.node "ScatterND"(%t, %indices, %new) {attrs = {reduction = "none"}, since = 18 : i64} : (!sinter.any, tensor<?x1xsi64>, !sinter.any) -> !sinter.any
  %b = sinter.node "Transpose"(%s) {attrs = {perm = array<i64: 1, 2, 0, 3>}, since = 13 : i64} : (!sinter.any) -> tensor<1x2x32x8xf32>
  %r = sinter.node "Relu"(%s) {since = 14 : i64} : (!sinter.any) -> !sinter.any
  // What scatters to pairs of places stays.
  // CHECK: sinter.node "ScatterND"
  // CHECK: return %[[MADE]], %[[READ]],
  %t2 = sinter.node "Transpose"(%other) {attrs = {perm = array<i64: 2, 0, 1, 3>}, since = 13 : i64} : (tensor<1x2x32x8xf32>) -> !sinter.any
  %s2 = sinter.node "ScatterND"(%t2, %pairs, %new) {attrs = {reduction = "none"}, since = 18 : i64} : (!sinter.any, tensor<?x2xsi64>, !sinter.any) -> !sinter.any
  %b2 = sinter.node "Transpose"(%s2) {attrs = {perm = array<i64: 1, 2, 0, 3>}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  return %b, %r, %b2 : tensor<1x2x32x8xf32>, !sinter.any, !sinter.any
}
