// RUN: sinter-opt %s --fuse-quantized --simplify | FileCheck %s
// A dequantization is done where it is read, by both readers; a quantization where its operand is made: no float tensor between.

// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8xi8>, tensor<8xi8>) outs(%{{.*}} : tensor<8xi8>)
// CHECK: arith.sitofp
// CHECK: arith.addf
// CHECK: arith.fptosi
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<8xi8>) outs(%{{.*}} : tensor<8xi8>)
// CHECK-NOT: tensor<8xf32>
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xi8>, %y: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>) {
  %scale = arith.constant 0.5 : f32
  %real = tensor.empty() : tensor<8xf32>
  %byte = tensor.empty() : tensor<8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%real : tensor<8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.sitofp %in : i8 to f32
    %b = arith.mulf %a, %scale : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<8xi8>) outs(%real : tensor<8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.sitofp %in : i8 to f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%real : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %a = arith.addf %p, %q : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%byte : tensor<8xi8>) {
  ^bb0(%in: f32, %out: i8):
    %a = arith.fptosi %in : f32 to i8
    linalg.yield %a : i8
  } -> tensor<8xi8>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%byte : tensor<8xi8>) {
  ^bb0(%in: f32, %out: i8):
    %e = math.exp %in : f32
    %a = arith.fptosi %e : f32 to i8
    linalg.yield %a : i8
  } -> tensor<8xi8>
  return %3, %4 : tensor<8xi8>, tensor<8xi8>
}
