// RUN: sinter-opt %s --unshare-inits --reuse-inits --place-yields --bufferize --drop-copies | FileCheck %s
#id = affine_map<(a) -> (a)>
// The first update reads the state last, so it writes over it; nothing is copied in the loop. With a later reader it does not.
// CHECK-LABEL: func.func @main
// CHECK: %[[OUT:.*]] = sinter.output 0
// CHECK: %[[OUT1:.*]] = sinter.output 1
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} ins(%[[OUT]] : memref<8xf32>) outs(%[[OUT]] : memref<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[OUT1]] : memref<8xf32>) outs(%[[T:.*]] : memref<8xf32>)
// CHECK: sinter.kernel "use" ins(%[[OUT1]]
// CHECK: memref.copy %[[T]], %[[OUT1]]
// CHECK-NOT: memref.copy
func.func @main() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %o1 = sinter.output 1 "z" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %side = sinter.input 1 "side" {state = true} : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sinter.dim "n"[1, 16]
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<8xf32>, tensor<8xf32>) {
    %next = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = math.exp %in : f32
      linalg.yield %v : f32
    } -> tensor<8xf32>
    %next1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = math.sqrt %in : f32
      linalg.yield %v : f32
    } -> tensor<8xf32>
    %used = sinter.kernel "use" ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    bufferization.materialize_in_destination %used in restrict writable %side : (tensor<8xf32>, memref<8xf32>) -> ()
    scf.yield %next, %next1 : tensor<8xf32>, tensor<8xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %o1 : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
