// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Three 4-bit numbers come in two bytes, and are sign-extended; they leave packed, with zeros behind the last.

// CHECK: sinter.input 0 "x" : memref<2xi8>
// CHECK: arith.divui
// CHECK: arith.shli
// CHECK: arith.shrsi
// CHECK: tensor<3xi8>
// CHECK: arith.cmpi ult
// CHECK: arith.ori
// CHECK: sinter.output 0 "y" : memref<2xi8>
func.func @main(%x: tensor<3xsi4> {sinter.name = "x"}) -> (tensor<3xsi4> {sinter.name = "y"}) {
  return %x : tensor<3xsi4>
}
