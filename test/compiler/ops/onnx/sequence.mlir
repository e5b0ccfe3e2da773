// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Structure known at compile time leaves no code of its own.

// CHECK: output 0: tensor<f32> [-1.25]
func.func @main(%x: tensor<4xf32>) -> !sinter.any {
  %p = sinter.weight dense<-1> : tensor<i64> : tensor<si64>
  %q = sinter.node "SplitToSequence"(%x) {since = 11 : i64, attrs = {axis = 0 : i64, keepdims = 0 : i64}} : (tensor<4xf32>) -> !sinter.any
  %r = sinter.node "SequenceAt"(%q, %p) {since = 11 : i64} : (!sinter.any, tensor<si64>) -> !sinter.any
  return %r : !sinter.any
}
