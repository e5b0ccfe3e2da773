// RUN: sinter-opt %s --fuse-epilogues --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Bias and activation move into the contraction's epilogue.
// CHECK-LABEL: @bias_relu
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %[[B:.*]] : tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>)
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[ACC]], %[[BIAS]]
// CHECK-NEXT: %[[R:.*]] = arith.maximumf %[[S]]
// CHECK-NEXT: sinter.yield %[[R]]
// CHECK-NOT: linalg.generic
func.func @bias_relu(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %bias: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%e : tensor<4x16xf32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<4x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<4x16xf32>, tensor<16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %s = arith.addf %x, %z : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>

// Not through another order of dims: lanes of the accumulators would be scattered.
// CHECK-LABEL: @transposed
// CHECK: sinter.matmul
// CHECK: linalg.generic
func.func @transposed(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Not when the contraction itself is needed too.
// CHECK-LABEL: @second_user
// CHECK: sinter.matmul
// CHECK: linalg.generic
func.func @second_user(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %c, %y : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Not what asks for the element's place, beside arithmetic: an epilogue knows none.
// CHECK-LABEL: @reads_index
// CHECK: sinter.matmul
// CHECK: linalg.generic
func.func @reads_index(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.addf %x, %f : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Not what makes 16-bit integers wider: memory holds the narrow form.
// CHECK-LABEL: @widens
// CHECK: sinter.matmul
// CHECK: linalg.generic
func.func @widens(%a: tensor<4x8xi16>, %b: tensor<8x4xi16>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xi16>
  %f = tensor.empty() : tensor<4x4xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xi16>, tensor<8x4xi16>) outs(%e : tensor<4x4xi16>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    %n = arith.trunci %acc : i32 to i16
    sinter.yield %n : i16
  } -> tensor<4x4xi16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xi16>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%x: i16, %o: f32):
    %s = arith.sitofp %x : i16 to f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Not where two results come of it: the epilogue has one.
// CHECK-LABEL: @two_results
// CHECK: sinter.matmul
// CHECK: linalg.generic
func.func @two_results(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<4x4xf32>
  %y:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xf32>)
      outs(%e, %e : tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    %s = arith.negf %x : f32
    linalg.yield %s, %x : f32, f32
  } -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return %y#0, %y#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What widens floats moves: they are no quantized result.
// CHECK-LABEL: @widened_half
// CHECK: sinter.matmul
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f16):
// CHECK-NEXT: arith.extf %[[ACC]]
// CHECK-NOT: linalg.generic
func.func @widened_half(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf16>
  %f = tensor.empty() : tensor<4x4xf32>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x4xf16>) outs(%e : tensor<4x4xf16>) attributes {epilogue_maps = []} {
  ^bb0(%acc: f16):
    sinter.yield %acc : f16
  } -> tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xf16>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%x: f16, %o: f32):
    %s = arith.extf %x : f16 to f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What keeps the width of a quantized result moves, too.
// CHECK-LABEL: @same_width
// CHECK: sinter.matmul
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: i8):
// CHECK-NEXT: arith.maxsi %[[ACC]]
// CHECK-NOT: linalg.generic
func.func @same_width(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>) -> tensor<4x4xi8> {
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<4x4xi8>
  %c = sinter.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%e : tensor<4x4xi8>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i8):
    sinter.yield %acc : i8
  } -> tensor<4x4xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xi8>) outs(%e : tensor<4x4xi8>) {
  ^bb0(%x: i8, %o: i8):
    %s = arith.maxsi %x, %zero : i8
    linalg.yield %s : i8
  } -> tensor<4x4xi8>
  return %y : tensor<4x4xi8>
}
