// RUN: sinter-opt %s --place-outputs --unshare-inits --place-destinations --bufferize | FileCheck %s
// The kernel writes into the caller's buffer: no allocation, no copy, for fixed and for symbolic sizes.
// CHECK-LABEL: func.func @main
// CHECK-NOT: memref.alloc
// CHECK: %[[OUT:.*]] = sinter.output 0 "y"[%{{.*}}] : memref<?x4xf32>
// CHECK: sinter.kernel "f" {{.*}} outs(%[[OUT]]
// CHECK-NOT: memref.copy
func.func @main() {
  %n = sinter.dim "n"[1, 8]
  %m = sinter.input 0 "x"[%n] : memref<?x4xf32>
  %x = bufferization.to_tensor %m restrict : memref<?x4xf32>
  %two = arith.constant 2 : index
  %size = arith.muli %n, %two : index
  %e = tensor.empty(%size) : tensor<?x4xf32>
  %y = sinter.kernel "f" ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %size2 = arith.muli %n, %two : index
  %o = sinter.output 0 "y"[%size2] : memref<?x4xf32>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  return
}
