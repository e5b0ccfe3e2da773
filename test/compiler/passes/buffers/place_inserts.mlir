// RUN: sinter-opt %s --unshare-inits --place-inserts --place-destinations --bufferize | FileCheck %s
// The padded tensor is filled first; the kernel then writes into its middle.
// CHECK-LABEL: func.func @main
// CHECK: %[[WHOLE:.*]] = memref.alloc() {{.*}} : memref<10xf32>
// CHECK: linalg.fill {{.*}} outs(%[[WHOLE]]
// CHECK: %[[MIDDLE:.*]] = memref.subview %[[WHOLE]][1]
// CHECK: sinter.kernel "f" {{.*}} outs(%[[MIDDLE]]
// CHECK-NOT: memref.copy
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %o = sinter.output 0 "y" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = sinter.kernel "f" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %e10 = tensor.empty() : tensor<10xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%e10 : tensor<10xf32>) -> tensor<10xf32>
  %padded = tensor.insert_slice %f into %filled[1] [8] [1] : tensor<8xf32> into tensor<10xf32>
  %y = sinter.kernel "window" ins(%padded : tensor<10xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
