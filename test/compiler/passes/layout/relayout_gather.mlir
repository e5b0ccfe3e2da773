// RUN: sinter-opt %s --split-input-file --choose-layouts --simplify | FileCheck %s
// RUN: sinter-opt %s --split-input-file --interpret -o /dev/null > %t.before
// RUN: sinter-opt %s --split-input-file --choose-layouts --simplify --lower-layouts --interpret -o /dev/null > %t.after
// RUN: diff %t.before %t.after

// Picked channels of a map in blocks of 8 are made in blocks of 8: one table says which block, one where in it.
// CHECK-LABEL: @main
// CHECK-DAG: arith.constant dense<{{\[\[}}7, 5, 3, 1, 6, 4, 2, 0]]> : tensor<1x8xi64>
// CHECK-DAG: arith.constant dense<{{\[\[}}1, 1, 1, 1, 0, 0, 0, 0]]> : tensor<1x8xi64>
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : tensor<1x2x1x2x8xf32>
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
module attributes {sinter.target = "x86-64-v3"} {
func.func @main(%x: tensor<1x16x1x2xf32>) -> tensor<1x8x1x2xf32> {
  %w = arith.constant dense<0.5> : tensor<16x16x1x1xf32>
  %table = arith.constant dense<[15, 13, 11, 9, 6, 4, 2, 0]> : tensor<8xi64>
  %o = tensor.empty() : tensor<1x16x1x2xf32>
  %p = tensor.empty() : tensor<1x8x1x2xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x16x1x2xf32>, tensor<16x16x1x1xf32>) outs(%o : tensor<1x16x1x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x16x1x2xf32>
  %g = linalg.generic {indexing_maps = [#channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%table : tensor<8xi64>) outs(%p : tensor<1x8x1x2xf32>) {
  ^bb0(%c: i64, %out: f32):
    %i0 = linalg.index 0 : index
    %i1 = arith.index_cast %c : i64 to index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %v = tensor.extract %y[%i0, %i1, %i2, %i3] : tensor<1x16x1x2xf32>
    linalg.yield %v : f32
  } -> tensor<1x8x1x2xf32>
  return %g : tensor<1x8x1x2xf32>
}
}

// -----

// Parts that have no whole blocks of 8 (12), and what is joined of them, are in one block of all channels: so is what is picked of it.
// CHECK-LABEL: @main
// CHECK: [[JOINED:%.*]] = tensor.concat dim(4) %{{.*}} : (tensor<1x1x1x2x12xf32>, tensor<1x1x1x2x12xf32>) -> tensor<1x1x1x2x24xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x6xi64>) outs(%{{.*}} : tensor<1x1x1x2x6xf32>)
// CHECK: tensor.extract [[JOINED]][%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}]
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
module attributes {sinter.target = "x86-64-v3"} {
func.func @main(%x: tensor<1x12x1x2xf32>) -> tensor<1x6x1x2xf32> {
  %w = arith.constant dense<0.5> : tensor<12x12x1x3xf32>
  %v = arith.constant dense<0.25> : tensor<12x12x1x3xf32>
  %table = arith.constant dense<[23, 0, 5, 12, 11, 3]> : tensor<6xi64>
  %o = tensor.empty() : tensor<1x12x1x2xf32>
  %p = tensor.empty() : tensor<1x6x1x2xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x12x1x2xf32>, tensor<12x12x1x3xf32>) outs(%o : tensor<1x12x1x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x12x1x2xf32>
  %z = sinter.conv ins(%x, %v : tensor<1x12x1x2xf32>, tensor<12x12x1x3xf32>) outs(%o : tensor<1x12x1x2xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x12x1x2xf32>
  %joined = tensor.concat dim(1) %y, %z : (tensor<1x12x1x2xf32>, tensor<1x12x1x2xf32>) -> tensor<1x24x1x2xf32>
  %g = linalg.generic {indexing_maps = [#channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%table : tensor<6xi64>) outs(%p : tensor<1x6x1x2xf32>) {
  ^bb0(%c: i64, %out: f32):
    %i0 = linalg.index 0 : index
    %i1 = arith.index_cast %c : i64 to index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %e = tensor.extract %joined[%i0, %i1, %i2, %i3] : tensor<1x24x1x2xf32>
    linalg.yield %e : f32
  } -> tensor<1x6x1x2xf32>
  return %g : tensor<1x6x1x2xf32>
}
}
