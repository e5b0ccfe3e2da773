// RUN: sinter-opt --fold-constants %s | FileCheck %s
// Small results of constants and weights become constants; weights, fills, large and run-time values stay.

// CHECK-LABEL: @main
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, index, tensor<512xf32>, tensor<4xf32>, index) {
  // CHECK: sinter.weight dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  %w = sinter.weight dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  // CHECK-DAG: arith.constant dense<[2.000000e+00, 4.000000e+00, 6.000000e+00, 8.000000e+00]> : tensor<4xf32>
  %double = linalg.map { arith.addf } ins(%w, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
  // CHECK-DAG: arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %size = arith.addi %c4, %c4 : index
  // CHECK: linalg.fill
  %one = arith.constant 1.0 : f32
  %be = tensor.empty() : tensor<512xf32>
  %filled = linalg.fill ins(%one : f32) outs(%be : tensor<512xf32>) -> tensor<512xf32>
  // CHECK: linalg.map
  %large = linalg.map { math.absf } ins(%filled : tensor<512xf32>) outs(%be : tensor<512xf32>)
  // CHECK: linalg.map
  %runtime = linalg.map { arith.addf } ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
  // CHECK: %[[n:.*]] = sinter.dim
  // CHECK: arith.addi %[[n]]
  %n = sinter.dim "n" [1, 8]
  %sum = arith.addi %n, %c4 : index
  return %double, %size, %large, %runtime, %sum : tensor<4xf32>, index, tensor<512xf32>, tensor<4xf32>, index
}

// What is written where the branches of a choice meet stays written there, constant or not: one buffer holds both.
// CHECK-LABEL: @choice
func.func @choice(%c: i1) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %into = tensor.empty() : tensor<4xf32>
  // CHECK: scf.if
  %r = scf.if %c -> tensor<4xf32> {
    // CHECK: bufferization.materialize_in_destination
    %x = bufferization.materialize_in_destination %one in %into : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  } else {
    // CHECK: bufferization.materialize_in_destination
    %y = bufferization.materialize_in_destination %two in %into : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
