// RUN: sinter-opt --scatters-as-inserts %s | FileCheck %s
// Scatters to known places that lie as a grid, in any order of dims, with strides, counted from the end; and what is none.

// x[:, 2:4, 1::2] = y, with an index for each element.
// CHECK-LABEL: @grid
func.func @grid(%x: tensor<2x4x5x1xf32>, %y: tensor<8x1xf32>) -> tensor<2x4x5x1xf32> {
  %i = arith.constant dense<[[0, 2, 1], [0, 2, 3], [0, 3, 1], [0, 3, 3], [1, 2, 1], [1, -2, 3], [1, -1, 1], [-1, 3, -2]]> : tensor<8x3xi64>
  %e = tensor.empty() : tensor<2x4x5x1xf32>
  // CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} output_shape [2, 2, 2, 1] : tensor<8x1xf32> into tensor<2x2x2x1xf32>
  // CHECK: tensor.insert_slice %[[ROWS]] into %{{.*}}[0, 2, 1, 0] [2, 2, 2, 1] [1, 1, 2, 1]
  %z = sinter.kernel "scatter_nd" ins(%x, %i, %y : tensor<2x4x5x1xf32>, tensor<8x3xi64>, tensor<8x1xf32>) outs(%e : tensor<2x4x5x1xf32>)
    {params = {reduction = 0 : i64}, signedness = "ssss"} -> tensor<2x4x5x1xf32>
  return %z : tensor<2x4x5x1xf32>
}

// The second dim is the slower one; slices have as many elements as a call says.
// CHECK-LABEL: @turned
func.func @turned(%x: tensor<4x5x?xi8>, %y: tensor<6x?xi8>, %e: tensor<4x5x?xi8>) -> tensor<4x5x?xi8> {
  %i = arith.constant dense<[[1, 0], [2, 0], [3, 0], [1, 4], [2, 4], [3, 4]]> : tensor<6x2xi32>
  // CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} output_shape [2, 3, %{{.*}}] : tensor<6x?xi8> into tensor<2x3x?xi8>
  // CHECK: %[[TURNED:.*]] = linalg.transpose ins(%[[ROWS]] : tensor<2x3x?xi8>) outs(%{{.*}} : tensor<3x2x?xi8>) permutation = [1, 0, 2]
  // CHECK: tensor.insert_slice %[[TURNED]] into %{{.*}}[1, 0, 0] [3, 2, %{{.*}}] [1, 4, 1]
  %z = sinter.kernel "scatter_nd" ins(%x, %i, %y : tensor<4x5x?xi8>, tensor<6x2xi32>, tensor<6x?xi8>) outs(%e : tensor<4x5x?xi8>)
    {params = {reduction = 0 : i64}, signedness = "ssss"} -> tensor<4x5x?xi8>
  return %z : tensor<4x5x?xi8>
}

// CHECK-LABEL: @elements
func.func @elements(%x: tensor<3x6xf32>, %y: tensor<2x3xf32>) -> tensor<3x6xf32> {
  %i = arith.constant dense<[[1, 3, 5], [1, -3, -1]]> : tensor<2x3xi64>
  %e = tensor.empty() : tensor<3x6xf32>
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1] [2, 3] [1, 2]
  %z = sinter.kernel "scatter_elements" ins(%x, %i, %y : tensor<3x6xf32>, tensor<2x3xi64>, tensor<2x3xf32>) outs(%e : tensor<3x6xf32>)
    {params = {axis = 1 : i64, reduction = 0 : i64}, signedness = "ssss"} -> tensor<3x6xf32>
  return %z : tensor<3x6xf32>
}

// Indices are known, how many updates there are a call says: as many.
// CHECK-LABEL: @open
func.func @open(%x: tensor<3x6xf32>, %y: tensor<?x3xf32>) -> tensor<3x6xf32> {
  %i = arith.constant dense<[[1, 3, 5], [1, 3, 5]]> : tensor<2x3xi64>
  %e = tensor.empty() : tensor<3x6xf32>
  // CHECK: %[[ROWS:.*]] = tensor.dim
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1] [%[[ROWS]], 3] [1, 2]
  %z = sinter.kernel "scatter_elements" ins(%x, %i, %y : tensor<3x6xf32>, tensor<2x3xi64>, tensor<?x3xf32>) outs(%e : tensor<3x6xf32>)
    {params = {axis = 1 : i64, reduction = 0 : i64}, signedness = "ssss"} -> tensor<3x6xf32>
  return %z : tensor<3x6xf32>
}

// A diagonal, a place twice, places backwards, a sum, a size that a call says, an index outside, indices that a call says.
// CHECK-LABEL: @others
// CHECK-NOT: insert_slice
// CHECK: return
func.func @others(%x: tensor<4x4x1xf32>, %y: tensor<2x1xf32>, %open: tensor<?x4x1xf32>, %places: tensor<2x2xi64>, %v: tensor<3x6xf32>, %u: tensor<2x3xf32>)
    -> (tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<?x4x1xf32>, tensor<3x6xf32>) {
  %diagonal = arith.constant dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>
  %twice = arith.constant dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>
  %backwards = arith.constant dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>
  %row = arith.constant dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>
  %outside = arith.constant dense<[[0, 3], [0, 4]]> : tensor<2x2xi64>
  %uneven = arith.constant dense<[[1, 3, 5], [1, 3, 4]]> : tensor<2x3xi64>
  %e = tensor.empty() : tensor<4x4x1xf32>
  %f = tensor.empty() : tensor<3x6xf32>
  %0 = sinter.kernel "scatter_nd" ins(%x, %diagonal, %y : tensor<4x4x1xf32>, tensor<2x2xi64>, tensor<2x1xf32>) outs(%e : tensor<4x4x1xf32>)
    {params = {reduction = 0 : i64}, signedness = "ssss"} -> tensor<4x4x1xf32>
  %1 = sinter.kernel "scatter_nd" ins(%x, %twice, %y : tensor<4x4x1xf32>, tensor<2x2xi64>, tensor<2x1xf32>) outs(%e : tensor<4x4x1xf32>)
    {params = {reduction = 0 : i64}, signedness = "ssss"} -> tensor<4x4x1xf32>
  %2 = sinter.kernel "scatter_nd" ins(%x, %backwards, %y : tensor<4x4x1xf32>, tensor<2x2xi64>, tensor<2x1xf32>) outs(%e : tensor<4x4x1xf32>)
    {params = {reduction = 0 : i64}, signedness = "ssss"} -> tensor<4x4x1xf32>
  %3 = sinter.kernel "scatter_nd" ins(%x, %row, %y : tensor<4x4x1xf32>, tensor<2x2xi64>, tensor<2x1xf32>) outs(%e : tensor<4x4x1xf32>)
    {params = {reduction = 1 : i64}, signedness = "ssss"} -> tensor<4x4x1xf32>
  %4 = sinter.kernel "scatter_nd" ins(%x, %outside, %y : tensor<4x4x1xf32>, tensor<2x2xi64>, tensor<2x1xf32>) outs(%e : tensor<4x4x1xf32>)
    {params = {reduction = 0 : i64}, signedness = "ssss"} -> tensor<4x4x1xf32>
  %5 = sinter.kernel "scatter_nd" ins(%x, %places, %y : tensor<4x4x1xf32>, tensor<2x2xi64>, tensor<2x1xf32>) outs(%e : tensor<4x4x1xf32>)
    {params = {reduction = 0 : i64}, signedness = "ssss"} -> tensor<4x4x1xf32>
  %6 = sinter.kernel "scatter_nd" ins(%open, %row, %y : tensor<?x4x1xf32>, tensor<2x2xi64>, tensor<2x1xf32>) outs(%open : tensor<?x4x1xf32>)
    {params = {reduction = 0 : i64}, signedness = "ssss"} -> tensor<?x4x1xf32>
  %7 = sinter.kernel "scatter_elements" ins(%v, %uneven, %u : tensor<3x6xf32>, tensor<2x3xi64>, tensor<2x3xf32>) outs(%f : tensor<3x6xf32>)
    {params = {axis = 1 : i64, reduction = 0 : i64}, signedness = "ssss"} -> tensor<3x6xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<?x4x1xf32>, tensor<3x6xf32>
}
