// RUN: sinter-opt %s --raise-slices --simplify --split-input-file | FileCheck %s

// The last position of a decoder's last layer: its query, its row of the mask, its norm, its products and residual sums.
// Two heads of queries share one of keys: rows of heads and positions are one dim. Keys are of all positions.
// CHECK-LABEL: @layer
// CHECK: %[[ALL:.*]] = tensor.expand_shape %arg0
// CHECK: %[[LAST:.*]] = affine.apply {{.*}}()[%{{.*}}]
// CHECK-DAG: sinter.matmul ins(%[[ALL]], %arg2 : tensor<1x?x8xf32>, tensor<8x4xf32>)
// CHECK-DAG: %[[X:.*]] = tensor.extract_slice %[[ALL]][0, %[[LAST]], 0] [1, 1, 8]
// CHECK-DAG: sinter.matmul ins(%[[X]], %arg1 : tensor<1x1x8xf32>, tensor<8x8xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x1x32xf32>)
// CHECK: %[[ROW:.*]] = linalg.index 2
// CHECK: %[[POSITION:.*]] = arith.addi %[[ROW]], %[[LAST]]
// CHECK: arith.cmpi sle, %{{.*}}, %[[POSITION]]
// CHECK: sinter.kernel "attention_heads" ins({{.*}} : tensor<1x1x2x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x2x32xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]], {{.*}} : tensor<1x1x8xf32>, tensor<1x1x8xf32>)
// CHECK: sinter.kernel "layer_norm" ins({{.*}} : tensor<1x8xf32>, tensor<8xf32>)
// CHECK: return {{.*}} : tensor<1x1x8xf32>
#p = affine_map<(a, b, c) -> (a, b, c)>
#q = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @layer(%rowsOfX: tensor<?x8xf32>, %wq: tensor<8x8xf32>, %wk: tensor<8x4xf32>, %k: tensor<1x1x?x4xf32>, %s: tensor<8xf32>) -> (tensor<1x1x8xf32>, tensor<1x?x4xf32>) {
  %n = sinter.dim "n"[1, 32]
  %x = tensor.expand_shape %rowsOfX [[0, 1], [2]] output_shape [1, %n, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
  %last = affine.apply affine_map<()[n] -> (n - 1)>()[%n]
  %twice = affine.apply affine_map<()[n] -> (n * 2)>()[%n]
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty(%n) : tensor<1x?x4xf32>
  %keys = sinter.matmul ins(%x, %wk : tensor<1x?x8xf32>, tensor<8x4xf32>) outs(%e0 : tensor<1x?x4xf32>) attributes {epilogue_maps = []} {
  ^bb0(%v: f32):
    sinter.yield %v : f32
  } -> tensor<1x?x4xf32>
  %e1 = tensor.empty(%n) : tensor<1x?x8xf32>
  %product = sinter.matmul ins(%x, %wq : tensor<1x?x8xf32>, tensor<8x8xf32>) outs(%e1 : tensor<1x?x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%v: f32):
    sinter.yield %v : f32
  } -> tensor<1x?x8xf32>
  %split = tensor.expand_shape %product [[0], [1], [2, 3]] output_shape [1, %n, 2, 4] : tensor<1x?x8xf32> into tensor<1x?x2x4xf32>
  %e2 = tensor.empty(%n) : tensor<1x2x?x4xf32>
  %heads = linalg.transpose ins(%split : tensor<1x?x2x4xf32>) outs(%e2 : tensor<1x2x?x4xf32>) permutation = [0, 2, 1, 3]
  %flat = tensor.collapse_shape %heads [[0, 1, 2, 3]] : tensor<1x2x?x4xf32> into tensor<?xf32>
  %rows = tensor.expand_shape %flat [[0, 1, 2, 3]] output_shape [1, 1, %twice, 4] : tensor<?xf32> into tensor<1x1x?x4xf32>
  %e3 = tensor.empty(%n) : tensor<1x2x?x32xf32>
  %mask = linalg.generic {indexing_maps = [#q], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e3 : tensor<1x2x?x32xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %seen = arith.cmpi sle, %j, %i : index
    %v = arith.select %seen, %zero, %hidden : f32
    linalg.yield %v : f32
  } -> tensor<1x2x?x32xf32>
  %flatMask = tensor.collapse_shape %mask [[0, 1, 2, 3]] : tensor<1x2x?x32xf32> into tensor<?xf32>
  %maskRows = tensor.expand_shape %flatMask [[0, 1, 2, 3]] output_shape [1, 1, %twice, 32] : tensor<?xf32> into tensor<1x1x?x32xf32>
  %e4 = tensor.empty(%twice) : tensor<1x1x?x4xf32>
  %e5 = tensor.empty(%n) : tensor<?xf32>
  %attended:2 = sinter.kernel "attention_heads" ins(%rows, %k, %k, %maskRows : tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x32xf32>) outs(%e4, %e5 : tensor<1x1x?x4xf32>, tensor<?xf32>) {params = {scale = 5.000000e-01 : f64, zero_masked_rows = true}, signedness = "ssssss"} -> tensor<1x1x?x4xf32>, tensor<?xf32>
  %flatOut = tensor.collapse_shape %attended#0 [[0, 1, 2, 3]] : tensor<1x1x?x4xf32> into tensor<?xf32>
  %headsOut = tensor.expand_shape %flatOut [[0, 1, 2, 3]] output_shape [1, 2, %n, 4] : tensor<?xf32> into tensor<1x2x?x4xf32>
  %e6 = tensor.empty(%n) : tensor<1x?x2x4xf32>
  %back = linalg.transpose ins(%headsOut : tensor<1x2x?x4xf32>) outs(%e6 : tensor<1x?x2x4xf32>) permutation = [0, 2, 1, 3]
  %joined = tensor.collapse_shape %back [[0], [1], [2, 3]] : tensor<1x?x2x4xf32> into tensor<1x?x8xf32>
  %sum = linalg.generic {indexing_maps = [#p, #p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %joined : tensor<1x?x8xf32>, tensor<1x?x8xf32>) outs(%e1 : tensor<1x?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<1x?x8xf32>
  %matrix = tensor.collapse_shape %sum [[0, 1], [2]] : tensor<1x?x8xf32> into tensor<?x8xf32>
  %e7 = tensor.empty(%n) : tensor<?x8xf32>
  %normed = sinter.kernel "layer_norm" ins(%matrix, %s : tensor<?x8xf32>, tensor<8xf32>) outs(%e7 : tensor<?x8xf32>) {params = {centered = false, epsilon = 1.0e-5 : f64}, signedness = "sss"} -> tensor<?x8xf32>
  %shaped = tensor.expand_shape %normed [[0, 1], [2]] output_shape [1, %n, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
  %result = tensor.extract_slice %shaped[0, %last, 0] [1, 1, 8] [1, 1, 1] : tensor<1x?x8xf32> to tensor<1x1x8xf32>
  return %result, %keys : tensor<1x1x8xf32>, tensor<1x?x4xf32>
}

// -----
// A vector per position is squeezed out of four; heads of a position are rows of the norm: positions are not alone in their dim.
// CHECK-LABEL: @token
// CHECK: tensor.extract_slice %arg0[0, 1, 0] [2, 1, 6]
// CHECK: sinter.matmul ins({{.*}} : tensor<2x1x6xf32>, tensor<6x6xf32>)
// CHECK: sinter.kernel "layer_norm" ins({{.*}} : tensor<4x3xf32>, tensor<3xf32>)
// CHECK: return {{.*}} : tensor<2x6xf32>
func.func @token(%x: tensor<2x4x6xf32>, %w: tensor<6x6xf32>, %s: tensor<3xf32>) -> tensor<2x6xf32> {
  %e0 = tensor.empty() : tensor<2x4x6xf32>
  %y = sinter.matmul ins(%x, %w : tensor<2x4x6xf32>, tensor<6x6xf32>) outs(%e0 : tensor<2x4x6xf32>) attributes {epilogue_maps = []} {
  ^bb0(%v: f32):
    sinter.yield %v : f32
  } -> tensor<2x4x6xf32>
  %split = tensor.expand_shape %y [[0], [1], [2, 3]] output_shape [2, 4, 2, 3] : tensor<2x4x6xf32> into tensor<2x4x2x3xf32>
  %rows = tensor.collapse_shape %split [[0, 1, 2], [3]] : tensor<2x4x2x3xf32> into tensor<16x3xf32>
  %e1 = tensor.empty() : tensor<16x3xf32>
  %normed = sinter.kernel "layer_norm" ins(%rows, %s : tensor<16x3xf32>, tensor<3xf32>) outs(%e1 : tensor<16x3xf32>) {params = {centered = true, epsilon = 1.0e-5 : f64}, signedness = "sss"} -> tensor<16x3xf32>
  %whole = tensor.expand_shape %normed [[0, 1, 2], [3]] output_shape [2, 4, 2, 3] : tensor<16x3xf32> into tensor<2x4x2x3xf32>
  %back = tensor.collapse_shape %whole [[0], [1], [2, 3]] : tensor<2x4x2x3xf32> into tensor<2x4x6xf32>
  %result = tensor.extract_slice %back[0, 1, 0] [2, 1, 6] [1, 1, 1] : tensor<2x4x6xf32> to tensor<2x6xf32>
  return %result : tensor<2x6xf32>
}

// -----
// What mixes positions, as a norm over them, or what others read too, is of all of them.
// CHECK-LABEL: @mixed
// CHECK: sinter.matmul ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<6x6xf32>)
// CHECK: %[[SUMS:.*]] = sinter.kernel "softmax"
// CHECK: tensor.extract_slice %[[SUMS]]
// CHECK: %[[OTHER:.*]] = sinter.matmul ins(%arg0, %arg2 : tensor<4x6xf32>, tensor<6x6xf32>)
// CHECK: tensor.extract_slice %[[OTHER]]
func.func @mixed(%x: tensor<4x6xf32>, %w: tensor<6x6xf32>, %u: tensor<6x6xf32>) -> (tensor<1x4x1xf32>, tensor<1x6xf32>, tensor<4x6xf32>) {
  %e0 = tensor.empty() : tensor<4x6xf32>
  %y = sinter.matmul ins(%x, %w : tensor<4x6xf32>, tensor<6x6xf32>) outs(%e0 : tensor<4x6xf32>) attributes {epilogue_maps = []} {
  ^bb0(%v: f32):
    sinter.yield %v : f32
  } -> tensor<4x6xf32>
  %shaped = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 4, 6] : tensor<4x6xf32> into tensor<1x4x6xf32>
  %e1 = tensor.empty() : tensor<1x4x6xf32>
  %mixed = sinter.kernel "softmax" ins(%shaped : tensor<1x4x6xf32>) outs(%e1 : tensor<1x4x6xf32>) {params = {logarithm = false}, signedness = "ss"} -> tensor<1x4x6xf32>
  %one = tensor.extract_slice %mixed[0, 0, 2] [1, 4, 1] [1, 1, 1] : tensor<1x4x6xf32> to tensor<1x4x1xf32>
  %z = sinter.matmul ins(%x, %u : tensor<4x6xf32>, tensor<6x6xf32>) outs(%e0 : tensor<4x6xf32>) attributes {epilogue_maps = []} {
  ^bb0(%v: f32):
    sinter.yield %v : f32
  } -> tensor<4x6xf32>
  %two = tensor.extract_slice %z[3, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
  return %one, %two, %z : tensor<1x4x1xf32>, tensor<1x6xf32>, tensor<4x6xf32>
}
