// RUN: sinter-opt %s --last-rows | FileCheck %s

// The scores behind the last token alone: before the product with the vocabulary, behind which numbers are treated each by itself.
// CHECK-LABEL: @main
// CHECK: %[[HIDDEN:.*]] = sinter.node "Relu"
// CHECK: %[[LAST:.*]] = sinter.node "Slice"(%[[HIDDEN]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: %[[PRODUCT:.*]] = sinter.node "MatMul"(%[[LAST]], %{{.*}}) {{.*}} -> !sinter.any
// CHECK: %[[CAPPED:.*]] = sinter.node "Tanh"(%[[PRODUCT]])
// CHECK: %[[FLOATS:.*]] = sinter.node "Cast"(%[[CAPPED]]) {attrs = {to = 1 : i64}
// CHECK: return %[[FLOATS]], %[[HIDDEN]]
func.func @main(%x: tensor<1x?x8xf32>) -> (!sinter.any {sinter.last_rows = 1 : i64, sinter.name = "logits"}, tensor<1x?x8xf32> {sinter.name = "hidden"}) {
  %w = sinter.weight dense<2.0> : tensor<8x16xf32> : tensor<8x16xf32>
  %h = sinter.node "Relu"(%x) {since = 14 : i64} : (tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %p = sinter.node "MatMul"(%h, %w) {since = 13 : i64} : (tensor<1x?x8xf32>, tensor<8x16xf32>) -> tensor<1x?x16xf32>
  %t = sinter.node "Tanh"(%p) {since = 13 : i64} : (tensor<1x?x16xf32>) -> !sinter.any
  return %t, %h : !sinter.any, tensor<1x?x8xf32>
}
