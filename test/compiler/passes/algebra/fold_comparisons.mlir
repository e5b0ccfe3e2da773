// RUN: sinter-opt --fold-comparisons %s | FileCheck %s
// Comparisons of indices and of what is made of them, where all that they can be decides; and nests that make one number.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: @main
func.func @main(%y: tensor<?xi64>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xf32>) {
  %n = sinter.dim "n" [1, 8]
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bits = tensor.empty(%n) : tensor<?xi1>
  %numbers = tensor.empty(%n) : tensor<?xi64>
  // CHECK: %[[RANGE:.*]] = linalg.generic
  %range = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%numbers : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.addi %j, %one : i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  // Behind a reshape too: all of the range is above 0.
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: linalg.fill ins(%[[TRUE]]
  %expanded = tensor.expand_shape %range [[0, 1]] output_shape [%n, 1] : tensor<?xi64> into tensor<?x1xi64>
  %collapsed = tensor.collapse_shape %expanded [[0, 1]] : tensor<?x1xi64> into tensor<?xi64>
  %all = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%collapsed : tensor<?xi64>) outs(%bits : tensor<?xi1>) {
  ^bb0(%x: i64, %o: i1):
    %c = arith.cmpi sgt, %x, %zero : i64
    linalg.yield %c : i1
  } -> tensor<?xi1>
  // Some of it is above 1, and of y nobody knows.
  // CHECK: arith.cmpi sgt
  %some = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%collapsed : tensor<?xi64>) outs(%bits : tensor<?xi1>) {
  ^bb0(%x: i64, %o: i1):
    %c = arith.cmpi sgt, %x, %one : i64
    linalg.yield %c : i1
  } -> tensor<?xi1>
  // CHECK: arith.cmpi sge
  %unknown = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<?xi64>) outs(%bits : tensor<?xi1>) {
  ^bb0(%x: i64, %o: i1):
    %c = arith.cmpi sge, %x, %zero : i64
    linalg.yield %c : i1
  } -> tensor<?xi1>
  // CHECK: linalg.fill
  %floats = tensor.empty(%n) : tensor<?xf32>
  %half = arith.constant 0.5 : f32
  %same = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%floats : tensor<?xf32>) {
  ^bb0(%o: f32):
    linalg.yield %half : f32
  } -> tensor<?xf32>
  return %all, %some, %unknown, %same : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xf32>
}

// Indices end where their loop does; what is cast to fewer bits may be anything.
// CHECK-LABEL: @sizes
func.func @sizes(%n: index) -> (tensor<8x4xi1>, tensor<8x4xi1>, tensor<?xi1>) {
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: linalg.fill ins(%[[TRUE]]
  %bits = tensor.empty() : tensor<8x4xi1>
  %below = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%bits : tensor<8x4xi1>) {
  ^bb0(%o: i1):
    %c29 = arith.constant 29 : index
    %c3 = arith.constant 3 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %i, %c3 : index
    %s = arith.addi %j, %k : index
    %c = arith.cmpi slt, %s, %c29 : index
    linalg.yield %c : i1
  } -> tensor<8x4xi1>
  // CHECK: arith.cmpi slt
  %some = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%bits : tensor<8x4xi1>) {
  ^bb0(%o: i1):
    %c3 = arith.constant 3 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi slt, %j, %c3 : index
    linalg.yield %c : i1
  } -> tensor<8x4xi1>
  // CHECK: arith.cmpi sge
  %more = tensor.empty(%n) : tensor<?xi1>
  %cast = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%more : tensor<?xi1>) {
  ^bb0(%o: i1):
    %zero = arith.constant 0 : i32
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpi sge, %j, %zero : i32
    linalg.yield %c : i1
  } -> tensor<?xi1>
  return %below, %some, %cast : tensor<8x4xi1>, tensor<8x4xi1>, tensor<?xi1>
}
