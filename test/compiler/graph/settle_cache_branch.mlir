// RUN: sinter-opt %s --settle-cache-branch | FileCheck %s

// The branch that reads the caches takes the place of the choice, and the input that chose is gone.
// CHECK: func.func @main(%arg0: tensor<1x?xf32> {sinter.name = "x"}, %arg1: tensor<1x?xf32> {sinter.name = "past"})
// CHECK-NOT: "If"
// CHECK: %[[Y:.*]] = sinter.node "Concat"(%arg1, %arg0)
// CHECK: return %[[Y]]
func.func @main(%x: tensor<1x?xf32> {sinter.name = "x"}, %past: tensor<1x?xf32> {sinter.name = "past"}, %use: tensor<1xi1> {sinter.name = "use_cache_branch"}) -> (!sinter.any {sinter.name = "present"}) {
  %y = sinter.node "If"(%use) {graphs = ["else_branch", "then_branch"], since = 16 : i64} : (tensor<1xi1>) -> !sinter.any {
    %a = sinter.node "Identity"(%x) {since = 14 : i64} : (tensor<1x?xf32>) -> tensor<1x?xf32>
    sinter.yield %a : tensor<1x?xf32>
  }, {
    %b = sinter.node "Concat"(%past, %x) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
    sinter.yield %b : tensor<1x?xf32>
  }
  return %y : !sinter.any
}
