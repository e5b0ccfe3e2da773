// Transposed convolutions whose windows do not overlap, as convolutions of zeros between elements: single taps and a shuffle, with the same results.
// RUN: sinter-opt %s --choose-layouts --split-input-file | FileCheck %s
// RUN: sinter-opt %s --split-input-file --interpret -o /dev/null > %t.before
// RUN: sinter-opt %s --split-input-file --choose-layouts --simplify --pack-weights --lower-layouts --interpret -o /dev/null > %t.after
// RUN: cmp %t.before %t.after
module attributes {sinter.target = "x86-64-v3"} {

// Two taps beside two: as many filters for each of the three as taps.
// CHECK-LABEL: @main
// CHECK-NOT: spreads
// CHECK: sinter.conv {{.*}} tensor<12x8x1x1xf32>)
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 4, 2, 5, 3]
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x3x10x12xf32>
func.func @main(%x: tensor<1x8x5x6xf32>) -> tensor<1x3x10x12xf32> {
  %w = sinter.weight dense<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]], [[[-1.0, -2.0], [-3.0, -4.0]]]]> : tensor<3x1x2x2xf32> : tensor<3x1x2x2xf32>
  %e8 = tensor.empty() : tensor<3x8x2x2xf32>
  %f8 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, 0, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<3x1x2x2xf32>) outs(%e8 : tensor<3x8x2x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x8x2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x9x11xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x9x11xf32>) -> tensor<1x8x9x11xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 0, 0] [1, 8, 5, 6] [1, 1, 2, 2] : tensor<1x8x5x6xf32> into tensor<1x8x9x11xf32>
  %o = tensor.empty() : tensor<1x3x10x12xf32>
  %y = sinter.conv ins(%p, %f8 : tensor<1x8x9x11xf32>, tensor<3x8x2x2xf32>) outs(%o : tensor<1x3x10x12xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x3x10x12xf32>
  return %y : tensor<1x3x10x12xf32>
}
}

// -----

// Two taps at every third place, in two groups: zeros between the windows, and one place of the first is cut off.
module attributes {sinter.target = "x86-64-v3"} {
// CHECK-LABEL: @main
// CHECK: sinter.conv {{.*}} tensor<8x2x1xf32>) {{.*}} group = 2
// CHECK: tensor.insert_slice
// CHECK: tensor.extract_slice {{.*}}[0, 0, 1] [1, 4, 12] [1, 1, 1]
func.func @main(%x: tensor<1x4x5xf32>) -> tensor<1x4x12xf32> {
  %w = sinter.weight dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[1.5, 2.5], [3.5, 4.5]], [[-1.0, -2.0], [-3.0, -4.0]]]> : tensor<4x2x2xf32> : tensor<4x2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x13xf32>) -> tensor<1x4x13xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 0] [1, 4, 5] [1, 1, 3] : tensor<1x4x5xf32> into tensor<1x4x13xf32>
  %o = tensor.empty() : tensor<1x4x12xf32>
  %y = sinter.conv ins(%p, %w : tensor<1x4x13xf32>, tensor<4x2x2xf32>) outs(%o : tensor<1x4x12xf32>) attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>, group = 2 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x4x12xf32>
  return %y : tensor<1x4x12xf32>
}
}

// -----

// Filters that fill vectors stay with the kernel that leaves zeros out.
module attributes {sinter.target = "x86-64-v3"} {
// CHECK-LABEL: @main
// CHECK: sinter.conv {{.*}} spreads = array<i64: 2>
func.func @main(%x: tensor<1x8x5xf32>) -> tensor<1x8x10xf32> {
  %w = sinter.weight dense<1.0> : tensor<8x8x2xf32> : tensor<8x8x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x9xf32>) -> tensor<1x8x9xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 0] [1, 8, 5] [1, 1, 2] : tensor<1x8x5xf32> into tensor<1x8x9xf32>
  %o = tensor.empty() : tensor<1x8x10xf32>
  %y = sinter.conv ins(%p, %w : tensor<1x8x9xf32>, tensor<8x8x2xf32>) outs(%o : tensor<1x8x10xf32>) attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32):
    sinter.yield %a : f32
  } -> tensor<1x8x10xf32>
  return %y : tensor<1x8x10xf32>
}
}
