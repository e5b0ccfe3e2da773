// RUN: sinter-opt %s --last-rows | FileCheck %s

// What reads the product besides, or mixes its rows, keeps all of them: only the output is sliced.
// CHECK: %[[PRODUCT:.*]] = sinter.node "MatMul"(%arg0,
// CHECK-NEXT: %[[MEAN:.*]] = sinter.node "CumSum"(%[[PRODUCT]],
// CHECK: sinter.node "Slice"(%[[MEAN]],
// CHECK: return
func.func @main(%x: tensor<1x?x8xf32>) -> (!sinter.any {sinter.last_rows = 1 : i64, sinter.name = "logits"}) {
  %w = sinter.weight dense<2.0> : tensor<8x16xf32> : tensor<8x16xf32>
  %axis = sinter.weight dense<1> : tensor<si64> : tensor<si64>
  %p = sinter.node "MatMul"(%x, %w) {since = 13 : i64} : (tensor<1x?x8xf32>, tensor<8x16xf32>) -> tensor<1x?x16xf32>
  %t = sinter.node "CumSum"(%p, %axis) {since = 14 : i64} : (tensor<1x?x16xf32>, tensor<si64>) -> !sinter.any
  return %t : !sinter.any
}
