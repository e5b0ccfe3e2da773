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

// Two sizes of one known at run time only.
// CHECK-LABEL: func.func @expand
// CHECK: memref.expand_shape %{{.*}} output_shape [%{{.*}}, %{{.*}}, 4]
func.func @expand() {
  %n = sinter.dim "n"[1, 8]
  %k = sinter.dim "k"[1, 8]
  %nk = arith.muli %n, %k : index
  %m = sinter.input 0 "x"[%nk] : memref<?x4xf32>
  %x = bufferization.to_tensor %m restrict : memref<?x4xf32>
  %o = sinter.output 0 "y"[%n, %k] : memref<?x?x4xf32>
  %wide = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, %k, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %e = tensor.empty(%n, %k) : tensor<?x?x4xf32>
  %y = sinter.kernel "f" ins(%wide : tensor<?x?x4xf32>) outs(%e : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<?x?x4xf32>, memref<?x?x4xf32>) -> ()
  return
}

// What is put into its place may be read there while updates go to other places.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: %[[EVEN:.*]] = memref.subview %{{.*}}[0] [2] [2]
// CHECK: sinter.kernel "f" ins(%{{.*}} outs(%[[EVEN]]
// CHECK: %[[ODD:.*]] = memref.subview %{{.*}}[1] [2] [2]
// CHECK: sinter.kernel "f" ins(%[[EVEN]] {{.*}} outs(%[[ODD]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @columns() {
  %i = sinter.input 0 "x" : memref<2xf32>
  %x = bufferization.to_tensor %i restrict : memref<2xf32>
  %s = sinter.input 1 "h" {state = true} : memref<4xf32>
  %h = bufferization.to_tensor %s restrict writable : memref<4xf32>
  %e = tensor.extract_slice %h[0] [2] [2] : tensor<4xf32> to tensor<2xf32>
  %a = sinter.kernel "f" ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %h1 = tensor.insert_slice %a into %h[0] [2] [2] : tensor<2xf32> into tensor<4xf32>
  %o = tensor.extract_slice %h1[1] [2] [2] : tensor<4xf32> to tensor<2xf32>
  %b = sinter.kernel "f" ins(%a : tensor<2xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  %h2 = tensor.insert_slice %b into %h1[1] [2] [2] : tensor<2xf32> into tensor<4xf32>
  bufferization.materialize_in_destination %h2 in restrict writable %s : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Not while one goes to this place.
// CHECK-LABEL: func.func @columns_overwritten
// CHECK: %[[OTHER:.*]] = memref.alloc
// CHECK: memref.copy
// CHECK: return
func.func @columns_overwritten() {
  %i = sinter.input 0 "x" : memref<2xf32>
  %x = bufferization.to_tensor %i restrict : memref<2xf32>
  %s = sinter.input 1 "h" {state = true} : memref<4xf32>
  %h = bufferization.to_tensor %s restrict writable : memref<4xf32>
  %p = sinter.output 0 "y" : memref<2xf32>
  %y = bufferization.to_tensor %p restrict writable : memref<2xf32>
  %e = tensor.extract_slice %h[0] [2] [2] : tensor<4xf32> to tensor<2xf32>
  %a = sinter.kernel "f" ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %h1 = tensor.insert_slice %a into %h[0] [2] [2] : tensor<2xf32> into tensor<4xf32>
  %o = tensor.extract_slice %h1[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %b = sinter.kernel "f" ins(%x : tensor<2xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  %h2 = tensor.insert_slice %b into %h1[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %z = sinter.kernel "f" ins(%a : tensor<2xf32>) outs(%y : tensor<2xf32>) -> tensor<2xf32>
  bufferization.materialize_in_destination %z in restrict writable %p : (tensor<2xf32>, memref<2xf32>) -> ()
  bufferization.materialize_in_destination %h2 in restrict writable %s : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
