// RUN: sinter-opt --interpret %s -o /dev/null | FileCheck %s
// Into an output without elements nothing goes (drop-empty-tensors): it is an output all the same.

// CHECK: output 0: tensor<0x3xf32>
// CHECK: output 1: tensor<2xf32> [
// CHECK: output 2: tensor<4x0xf32> []
func.func @main() {
  %none = sinter.output 0 "y" : memref<0x3xf32>
  %in = sinter.input 0 "x" : memref<2xf32>
  %x = bufferization.to_tensor %in restrict : memref<2xf32>
  %out = sinter.output 1 "z" : memref<2xf32>
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<2xf32>, memref<2xf32>) -> ()
  %n = sinter.dim "n" [1, 4]
  %some = sinter.output 2 "w"[%n] : memref<?x0xf32>
  return
}
