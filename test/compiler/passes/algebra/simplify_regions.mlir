// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop nests that read what is outside of them are one where they compute the same, also where what they read is the same only once that has been merged.
// RUN: sinter-opt %s --simplify | FileCheck %s
// CHECK-LABEL: func.func @chains
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return %[[A:.*]], %[[A]], %{{.*}} :
func.func @chains(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %c3, %i : index
    %v = tensor.extract %x[%j] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %c3, %i : index
    %v = tensor.extract %x[%j] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %a2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.remui %i, %c2 : index
    %v = tensor.extract %a[%j] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %b2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.remui %i, %c2 : index
    %v = tensor.extract %b[%j] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %other = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.remui %i, %c3 : index
    %v = tensor.extract %b[%j] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %a2, %b2, %other : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
