// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Unsigned numbers have no sign to take away; they are 0 or 1.

// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %{{.*}}: i8)
// CHECK-NEXT: linalg.yield %[[X]]
// CHECK: arith.cmpi ugt
// CHECK-NOT: arith.cmpi
func.func @main(%x: tensor<4xui8> {sinter.name = "x"}) -> (tensor<4xui8> {sinter.name = "y0"}, tensor<4xui8> {sinter.name = "y1"}) {
  %0 = sinter.node "Abs"(%x) {since = 13 : i64} : (tensor<4xui8>) -> tensor<4xui8>
  %1 = sinter.node "Sign"(%x) {since = 13 : i64} : (tensor<4xui8>) -> tensor<4xui8>
  return %0, %1 : tensor<4xui8>, tensor<4xui8>
}
