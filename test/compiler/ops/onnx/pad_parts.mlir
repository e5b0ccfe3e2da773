// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s --check-prefix=PARTS
// Rows of many elements: what is before, of, and behind the kept ones has loops of its own, the kept ones' a plain copy. A negative pad crops first.

// PARTS-COUNT-3: linalg.generic
// CHECK: output 0: tensor<20xf32> [-1.5, -1.75, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 1.75]
func.func @main(%x: tensor<17xf32>) -> !sinter.any {
  %p = sinter.weight dense<[2, 1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "reflect"}} : (tensor<17xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<20xf32> [-2, -2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2]
func.func @main(%x: tensor<17xf32>) -> !sinter.any {
  %p = sinter.weight dense<[2, 1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "edge"}} : (tensor<17xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<20xf32> [1.75, 2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, -2]
func.func @main(%x: tensor<17xf32>) -> !sinter.any {
  %p = sinter.weight dense<[2, 1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "wrap"}} : (tensor<17xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<33xf32> [-2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 1.75, 1.5, 1.25, 1, 0.75, 0.5, 0.25, 0, -0.25, -0.5, -0.75, -1, -1.25, -1.5, -1.75, -2]
func.func @main(%x: tensor<17xf32>) -> !sinter.any {
  %p = sinter.weight dense<[0, 16]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "reflect"}} : (tensor<17xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<33xf32> [-1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
func.func @main(%x: tensor<17xf32>) -> !sinter.any {
  %p = sinter.weight dense<[16, 0]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "wrap"}} : (tensor<17xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<19xf32> [-1.25, -1.5, -1.75, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]
func.func @main(%x: tensor<17xf32>) -> !sinter.any {
  %p = sinter.weight dense<[3, -1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "reflect"}} : (tensor<17xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<19xf32> [-1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2, 2, 2]
func.func @main(%x: tensor<17xf32>) -> !sinter.any {
  %p = sinter.weight dense<[-1, 3]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "edge"}} : (tensor<17xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<34xf32> [-2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
func.func @main(%x: tensor<17xf32>) -> !sinter.any {
  %p = sinter.weight dense<[0, 17]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "wrap"}} : (tensor<17xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<3x19xf32> [-1.75, -2, 2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.25, -1.5, -1.75, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.5, -1.75, -2, 2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.25]
func.func @main(%x: tensor<2x16xf32>) -> !sinter.any {
  %p = sinter.weight dense<[1, 2, 0, 1]> : tensor<4xi64> : tensor<4xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "reflect"}} : (tensor<2x16xf32>, tensor<4xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<4x18xf32> [2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, -2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, -2, -1.75, 2, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, -2, -2, -1.75, -1.5, -1.25, -1, -0.75, {{.*}} weighted sum -103.75
func.func @main(%x: tensor<2x16xf32>) -> !sinter.any {
  %p = sinter.weight dense<[1, 0, 1, 2]> : tensor<4xi64> : tensor<4xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 19 : i64, attrs = {mode = "wrap"}} : (tensor<2x16xf32>, tensor<4xsi64>) -> !sinter.any
  return %r : !sinter.any
}
