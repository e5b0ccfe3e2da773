// RUN: sinter-opt %s --convert-nodes --simplify | FileCheck %s
// A condition that is known gives a size that is known: Squeeze without axes sees which dims are 1.

// CHECK-NOT: sinter.kernel "non_zero"
// CHECK: sinter.output 0 "{{.*}}" : memref<3xf32>
func.func @main(%x: tensor<4x3xf32> {sinter.name = "x"}) -> !sinter.any {
  %c = sinter.weight dense<[false, true, false, false]> : tensor<4xi1> : tensor<4xi1>
  %r = sinter.node "Compress"(%x, %c) {since = 11 : i64, attrs = {axis = 0 : i64}} : (tensor<4x3xf32>, tensor<4xi1>) -> !sinter.any
  %y = sinter.node "Squeeze"(%r) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  return %y : !sinter.any
}
