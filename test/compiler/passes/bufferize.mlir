// RUN: sinter-opt %s --unshare-inits --bufferize | FileCheck %s
// An input is never written over; state is. A constant keeps its tensor body.
// CHECK-LABEL: func.func @main
// CHECK: %[[C:.*]] = sinter.constant
// CHECK: sinter.weight
// CHECK: : memref<4xf32>
// CHECK: %[[STATE:.*]] = sinter.input 1 "h" {state = true} : memref<4xf32>
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: sinter.kernel "update" ins(%[[C]] {{.*}} outs(%[[COPY]]
// CHECK-NOT: memref.copy
// CHECK: sinter.kernel "update" ins(%[[COPY]] {{.*}} outs(%[[STATE]]
func.func @main() {
  %c = sinter.constant {
    %w = sinter.weight dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
    sinter.yield %w : tensor<4xf32>
  } : tensor<4xf32>
  %m = sinter.input 0 "x" : memref<4xf32>
  %x = bufferization.to_tensor %m restrict : memref<4xf32>
  %s = sinter.input 1 "h" {state = true} : memref<4xf32>
  %h = bufferization.to_tensor %s restrict writable : memref<4xf32>
  %a = sinter.kernel "update" ins(%c : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %b = sinter.kernel "update" ins(%a : tensor<4xf32>) outs(%h : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %b in restrict writable %s : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
