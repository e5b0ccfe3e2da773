// RUN: sinter-opt %s --split-input-file --fuse-elementwise | FileCheck %s
#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
#vector = affine_map<(a) -> (a)>

// One use, same index space: one loop nest.
// CHECK-LABEL: func.func @chain
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: math.sqrt
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.sqrt %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// -----

// Read once per column: the exponentials are not repeated.
#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
#vector = affine_map<(a) -> (a)>
// CHECK-LABEL: func.func @broadcast
// CHECK: math.exp
// CHECK: linalg.yield
// CHECK: linalg.generic
// CHECK: arith.mulf
func.func @broadcast(%x: tensor<4xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %y : tensor<4xf32>, tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %v = arith.mulf %in, %in2 : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// -----

// A transpose of what arithmetic makes is made with it, in one pass over memory.
#id = affine_map<(a, b) -> (a, b)>
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @transposed_heavy
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.transpose
func.func @transposed(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.mulf %in, %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%e2 : tensor<8x4xf32>) permutation = [1, 0]
  return %t : tensor<8x4xf32>
}
func.func @transposed_heavy(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%e2 : tensor<8x4xf32>) permutation = [1, 0]
  return %t : tensor<8x4xf32>
}

// -----

// What a loop of the producer shares with another, a reduction within both would make again: 28 steps for each row of
// @shared, whose rows are what the reduction leaves. Those of @summed are what it adds up, and it takes them out itself.
#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @shared
// CHECK: linalg.generic
// CHECK-SAME: ["parallel", "parallel"]
// CHECK: linalg.generic
// CHECK-SAME: ["parallel", "reduction"]
// CHECK-LABEL: func.func @summed
// CHECK: linalg.generic
// CHECK-SAME: ["parallel", "reduction"]
// CHECK-NOT: linalg.generic
func.func @shared(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i32
    %s0 = arith.sitofp %c : i32 to f32
    %s1 = arith.mulf %s0, %s0 : f32
    %s2 = arith.mulf %s1, %s1 : f32
    %s3 = arith.mulf %s2, %s2 : f32
    %s4 = arith.mulf %s3, %s3 : f32
    %s5 = arith.mulf %s4, %s4 : f32
    %s6 = arith.mulf %s5, %s5 : f32
    %s7 = arith.mulf %s6, %s6 : f32
    %s8 = arith.mulf %s7, %s7 : f32
    %s9 = arith.mulf %s8, %s8 : f32
    %s10 = arith.mulf %s9, %s9 : f32
    %s11 = arith.mulf %s10, %s10 : f32
    %s12 = arith.mulf %s11, %s11 : f32
    %s13 = arith.mulf %s12, %s12 : f32
    %s14 = arith.mulf %s13, %s13 : f32
    %s15 = arith.mulf %s14, %s14 : f32
    %s16 = arith.mulf %s15, %s15 : f32
    %s17 = arith.mulf %s16, %s16 : f32
    %s18 = arith.mulf %s17, %s17 : f32
    %s19 = arith.mulf %s18, %s18 : f32
    %s20 = arith.mulf %s19, %s19 : f32
    %s21 = arith.mulf %s20, %s20 : f32
    %s22 = arith.mulf %s21, %s21 : f32
    %s23 = arith.mulf %s22, %s22 : f32
    %s24 = arith.mulf %s23, %s23 : f32
    %s25 = arith.mulf %s24, %s24 : f32
    %v = arith.addf %s25, %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %w = arith.addf %in, %sum : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @summed(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i32
    %s0 = arith.sitofp %c : i32 to f32
    %s1 = arith.mulf %s0, %s0 : f32
    %s2 = arith.mulf %s1, %s1 : f32
    %s3 = arith.mulf %s2, %s2 : f32
    %s4 = arith.mulf %s3, %s3 : f32
    %s5 = arith.mulf %s4, %s4 : f32
    %s6 = arith.mulf %s5, %s5 : f32
    %s7 = arith.mulf %s6, %s6 : f32
    %s8 = arith.mulf %s7, %s7 : f32
    %s9 = arith.mulf %s8, %s8 : f32
    %s10 = arith.mulf %s9, %s9 : f32
    %s11 = arith.mulf %s10, %s10 : f32
    %s12 = arith.mulf %s11, %s11 : f32
    %s13 = arith.mulf %s12, %s12 : f32
    %s14 = arith.mulf %s13, %s13 : f32
    %s15 = arith.mulf %s14, %s14 : f32
    %s16 = arith.mulf %s15, %s15 : f32
    %s17 = arith.mulf %s16, %s16 : f32
    %s18 = arith.mulf %s17, %s17 : f32
    %s19 = arith.mulf %s18, %s18 : f32
    %s20 = arith.mulf %s19, %s19 : f32
    %s21 = arith.mulf %s20, %s20 : f32
    %s22 = arith.mulf %s21, %s21 : f32
    %s23 = arith.mulf %s22, %s22 : f32
    %s24 = arith.mulf %s23, %s23 : f32
    %s25 = arith.mulf %s24, %s24 : f32
    %v = arith.addf %s25, %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#turned, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %w = arith.addf %in, %sum : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
