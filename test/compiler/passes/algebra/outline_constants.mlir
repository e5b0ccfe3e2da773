// RUN: sinter-opt %s --outline-constants | FileCheck %s
// What depends on weights only becomes sinter.constant; what is cheaper made at run time stays.
#row = affine_map<(a) -> (a)>

// CHECK-LABEL: func.func @main
// CHECK-DAG: sinter.constant attributes {name = "small", number = {{[0-9]+}} : i64}
// CHECK-DAG: sinter.yield %{{.*}} : tensor<4x4096xf32>
func.func @main(%x: tensor<4x4096xf32>, %row: tensor<4xf32>) -> (tensor<4x4096xf32>, tensor<4x4096xf32>, tensor<4xf32>, tensor<4xf32>) {
  %big = sinter.weight dense_resource<blob> : tensor<4x4096xf32> : tensor<4x4096xf32>
  %other = sinter.weight dense_resource<blob> : tensor<4x4096xf32> {name = "other"} : tensor<4x4096xf32>
  %small = sinter.weight dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> {name = "small"} : tensor<4xf32>
  // Both weights and their product go into one region.
  %product = arith.mulf %big, %other : tensor<4x4096xf32>
  %y = arith.addf %x, %product : tensor<4x4096xf32>
  // A repetition of 16 bytes to 64 KB stays.
  // CHECK: tensor.empty() : tensor<4x4096xf32>
  // CHECK: %[[WIDE:.*]] = linalg.broadcast ins(%{{.*}} : tensor<4xf32>)
  %empty = tensor.empty() : tensor<4x4096xf32>
  %wide = linalg.broadcast ins(%small : tensor<4xf32>) outs(%empty : tensor<4x4096xf32>) dimensions = [1]
  // CHECK: arith.addf %{{.*}}, %[[WIDE]]
  %z = arith.addf %x, %wide : tensor<4x4096xf32>
  // A splat is a fill; other dense constants are constants like weights.
  // CHECK: linalg.fill
  %splat = arith.constant dense<2.0> : tensor<4xf32>
  %a = arith.mulf %row, %splat : tensor<4xf32>
  // CHECK-NOT: arith.constant dense<[
  %dense = arith.constant dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
  %b = arith.mulf %row, %dense : tensor<4xf32>
  return %y, %z, %a, %b : tensor<4x4096xf32>, tensor<4x4096xf32>, tensor<4xf32>, tensor<4xf32>
}

// A loop that makes much of little stays, with weights of its own outside.
// CHECK-LABEL: func.func @kept_loop
// CHECK: %[[W:.*]] = sinter.constant attributes {name = "inner"
// CHECK: scf.for
// CHECK-NEXT: tensor.insert_slice %[[W]]
func.func @kept_loop(%x: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %empty = tensor.empty() : tensor<8x1024xf32>
  %rows = scf.for %i = %c0 to %c8 step %c1 iter_args(%all = %empty) -> tensor<8x1024xf32> {
    %row = sinter.weight dense_resource<row> : tensor<1024xf32> {name = "inner"} : tensor<1024xf32>
    %more = tensor.insert_slice %row into %all[%i, 0] [1, 1024] [1, 1] : tensor<1024xf32> into tensor<8x1024xf32>
    scf.yield %more : tensor<8x1024xf32>
  }
  %y = arith.addf %x, %rows : tensor<8x1024xf32>
  return %y : tensor<8x1024xf32>
}
