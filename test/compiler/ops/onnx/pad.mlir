// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each mode; a negative pad crops.

// CHECK: output 0: tensor<6xf32> [0, -2, -1.75, -1.5, 0, 0]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[1, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "constant"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<3xf32> [-1.75, -1.5, 0]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[-1, 1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "constant"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<6xf32> [-1.5, -1.75, -2, -1.75, -1.5, -1.75]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[2, 1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "reflect"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<6xf32> [-2, -2, -1.75, -1.5, -1.5, -1.5]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[1, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "edge"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<6xf32> [-1.5, -2, -1.75, -1.5, -2, -1.75]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[1, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "wrap"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// What a negative pad takes from: the dim has no element, so it takes the other side's. The result has 0 - 1 + 3 elements.
// CHECK: output 0: tensor<2xf32> [0, 0]
func.func @main(%x: tensor<0xf32>) -> !sinter.any {
  %p = sinter.weight dense<[-1, 3]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "constant"}} : (tensor<0xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1xf32> [0]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[4, -6]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "constant"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// The other modes repeat what is left.
// CHECK: output 0: tensor<4xf32> [-1.75, -1.5, -1.75, -1.5]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[-1, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "wrap"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<4xf32> [-2, -1.75, -2, -1.75]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[2, -1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "reflect"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<3xf32> [-1.5, -1.5, -1.5]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[-2, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "edge"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
