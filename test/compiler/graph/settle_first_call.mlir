// RUN: sinter-opt %s --settle-first-call | FileCheck %s

// The branch that reads fewer inputs, those of a first call, takes the place of the choice; the input that chose and the caches that only later calls read
// are gone.
// CHECK: func.func @main(%arg0: tensor<1x?xf32> {sinter.name = "x"}, %arg1: tensor<1x?xf32> {sinter.name = "states"})
// CHECK-NOT: "If"
// CHECK-NOT: past
// CHECK: %[[Y:.*]] = sinter.node "Add"(%arg0, %arg1)
// CHECK: return %[[Y]]
func.func @main(%x: tensor<1x?xf32> {sinter.name = "x"}, %states: tensor<1x?xf32> {sinter.name = "states"}, %past: tensor<1x?xf32> {sinter.name = "past"}, %cross: tensor<1x?xf32> {sinter.name = "cross"}, %use: tensor<1xi1> {sinter.name = "use_cache_branch"}) -> (!sinter.any {sinter.name = "present"}) {
  %y = sinter.node "If"(%use) {graphs = ["else_branch", "then_branch"], since = 16 : i64} : (tensor<1xi1>) -> !sinter.any {
    %a = sinter.node "Add"(%x, %states) {since = 14 : i64} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
    sinter.yield %a : tensor<1x?xf32>
  }, {
    %b = sinter.node "Concat"(%past, %x, %cross) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
    sinter.yield %b : tensor<1x?xf32>
  }
  return %y : !sinter.any
}
