// RUN: rm -rf %t && sinter-emit %s -o %t --prefix w
// RUN: od -A d -t f4 %t/w_weights.bin | FileCheck %s
// Constants are evaluated; equal ones are stored once.
// CHECK: 0000000 {{ *}}11 {{ *}}22 {{ *}}33 {{ *}}44
// CHECK: 0000064 {{ *}}1 {{ *}}3 {{ *}}2 {{ *}}4
// CHECK-NEXT: 0000080
// CHECK-NOT: 0000128
func.func @main() attributes {sinter.arena_bytes = 0 : i64,
    sinter.inputs = [], sinter.outputs = [{name = "y", element = 1 : i64, dims = [4]}, {name = "z", element = 1 : i64, dims = [2, 2]}, {name = "z2", element = 1 : i64, dims = [4]}]} {
  %sum = sinter.constant {
    %a = sinter.weight dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
    %b = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
    %s = arith.addf %a, %b : tensor<4xf32>
    sinter.yield %s : tensor<4xf32>
  } : memref<4xf32>
  %transposed = sinter.constant {
    %a = sinter.weight dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> : tensor<2x2xf32>
    %e = tensor.empty() : tensor<2x2xf32>
    %t = linalg.transpose ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
    sinter.yield %t : tensor<2x2xf32>
  } : memref<2x2xf32>
  %same = sinter.constant {
    %a = sinter.weight dense<[1.0, 3.0, 2.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
    sinter.yield %a : tensor<4xf32>
  } : memref<4xf32>
  %y = sinter.output 0 "y" : memref<4xf32>
  %z = sinter.output 1 "z" : memref<2x2xf32>
  %z2 = sinter.output 2 "z2" : memref<4xf32>
  memref.copy %sum, %y : memref<4xf32> to memref<4xf32>
  memref.copy %transposed, %z : memref<2x2xf32> to memref<2x2xf32>
  memref.copy %same, %z2 : memref<4xf32> to memref<4xf32>
  return
}
