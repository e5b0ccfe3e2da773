// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Sizes from a constant, filled with the value in storage form.

// CHECK: %[[VALUE:.*]] = arith.constant -1 : i8
// CHECK: linalg.fill ins(%[[VALUE]] : i8) outs(%{{.*}} : tensor<2x3xi8>)
func.func @main() -> (tensor<2x3xui8> {sinter.name = "y"}) {
  %sizes = sinter.weight dense<[2, 3]> : tensor<2xsi64> : tensor<2xsi64>
  %y = sinter.node "ConstantOfShape"(%sizes) {attrs = {value = dense<255> : tensor<1xui8>}, since = 25 : i64} : (tensor<2xsi64>) -> tensor<2x3xui8>
  return %y : tensor<2x3xui8>
}
