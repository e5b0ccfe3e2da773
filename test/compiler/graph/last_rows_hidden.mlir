// RUN: sinter-opt %s --last-rows --split-input-file | FileCheck %s

// What the scores are made of is one more output, where it has a name: all rows of it, as float32. Biases of columns are no part of the product.
// CHECK-LABEL: @main
// CHECK-SAME: -> (!sinter.any {sinter.name = "logits"}, !sinter.any {sinter.name = "states"})
// CHECK: %[[HIDDEN:.*]] = sinter.node "Relu"
// CHECK: %[[LAST:.*]] = sinter.node "Slice"(%[[HIDDEN]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: sinter.node "MatMul"(%[[LAST]], %{{.*}})
// CHECK: %[[SUM:.*]] = sinter.node "Add"
// CHECK: %[[LOGITS:.*]] = sinter.node "Cast"(%[[SUM]])
// CHECK: %[[STATES:.*]] = sinter.node "Cast"(%[[HIDDEN]]) {attrs = {to = 1 : i64}
// CHECK: return %[[LOGITS]], %[[STATES]]
func.func @main(%x: tensor<1x?x8xf16>) -> (!sinter.any {sinter.hidden_states = "states", sinter.last_rows = 1 : i64, sinter.name = "logits"}) {
  %w = sinter.weight dense<2.0> : tensor<8x16xf16> : tensor<8x16xf16>
  %b = sinter.weight dense<1.0> : tensor<1x16xf16> : tensor<1x16xf16>
  %h = sinter.node "Relu"(%x) {since = 14 : i64} : (tensor<1x?x8xf16>) -> tensor<1x?x8xf16>
  %p = sinter.node "MatMul"(%h, %w) {since = 13 : i64} : (tensor<1x?x8xf16>, tensor<8x16xf16>) -> tensor<1x?x16xf16>
  %t = sinter.node "Add"(%p, %b) {since = 14 : i64} : (tensor<1x?x16xf16>, tensor<1x16xf16>) -> !sinter.any
  return %t : !sinter.any
}

// -----
// Scores that are no product of rows have none.
// CHECK-LABEL: @main
// CHECK-SAME: -> (!sinter.any {sinter.name = "logits"})
func.func @main(%x: tensor<1x?x16xf32>) -> (!sinter.any {sinter.hidden_states = "states", sinter.last_rows = 1 : i64, sinter.name = "logits"}) {
  %t = sinter.node "Relu"(%x) {since = 14 : i64} : (tensor<1x?x16xf32>) -> !sinter.any
  return %t : !sinter.any
}
