// Packed filters keep what a convolution computes, whatever order their kernel reads them in: the oracle reads the order off #sinter.kernel.
// RUN: sinter-opt %s --interpret -o /dev/null > %t.whole
// RUN: sinter-opt %s --pack-weights --interpret -o %t.mlir > %t.packed
// RUN: diff %t.whole %t.packed
// RUN: FileCheck %s < %t.mlir
// CHECK: tensor<3x3x17xf32>) {{.*}}kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 2>, array<i64>, array<i64: 0>, array<i64: 1>]}>
// CHECK: tensor<3x3x1x3x17x1xf32>) {{.*}}kernel = #sinter.kernel<"depthwise", {dims = [array<i64: 4, 3, 5>, array<i64: 2>, array<i64: 0>, array<i64: 1>]}>
// CHECK: tensor<3x3x2x16xf32>) {{.*}}kernel = #sinter.kernel<"depthwise"
// CHECK: tensor<3x3x2x3x8x2xf32>) {{.*}}kernel = #sinter.kernel<"depthwise"
// CHECK: kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 1, 5>
// CHECK: kernel = #sinter.kernel<"conv
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#number = affine_map<(a, b, c, d) -> ((a * 37 + b * 11 + c * 3 + d) mod 19 - 7)>
module attributes {sinter.target = "x86-64-v3"} {
func.func @main(%per_channel: tensor<1x1x5x6x17xf32>,
                %several_per_channel: tensor<1x1x5x6x17xf32>,
                %groups_of_two: tensor<1x1x5x6x16xf32>,
                %several_in_groups: tensor<1x2x5x6x8xf32>,
                %large_groups: tensor<1x2x5x6x16xf32>,
                %one_group: tensor<1x1x5x6x16xf32>)
    -> (tensor<1x1x5x6x17xf32>, tensor<1x1x5x6x51xf32>, tensor<1x1x5x6x16xf32>, tensor<1x6x5x6x8xf32>, tensor<1x4x5x6x16xf32>, tensor<1x2x5x6x16xf32>) {
  %k0 = tensor.empty() : tensor<17x1x3x3xf32>
  %w0 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k0 : tensor<17x1x3x3xf32>) {
  ^bb0(%o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = affine.apply #number(%a, %b, %c, %d)
    %wide = arith.index_cast %number : index to i64
    %value = arith.sitofp %wide : i64 to f32
    linalg.yield %value : f32
  } -> tensor<17x1x3x3xf32>
  %e0 = tensor.empty() : tensor<1x1x5x6x17xf32>
  %y0 = sinter.conv ins(%per_channel, %w0 : tensor<1x1x5x6x17xf32>, tensor<17x1x3x3xf32>) outs(%e0 : tensor<1x1x5x6x17xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 17 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  } -> tensor<1x1x5x6x17xf32>
  %k1 = tensor.empty() : tensor<51x1x3x3xf32>
  %w1 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k1 : tensor<51x1x3x3xf32>) {
  ^bb0(%o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = affine.apply #number(%a, %b, %c, %d)
    %wide = arith.index_cast %number : index to i64
    %value = arith.sitofp %wide : i64 to f32
    linalg.yield %value : f32
  } -> tensor<51x1x3x3xf32>
  %e1 = tensor.empty() : tensor<1x1x5x6x51xf32>
  %y1 = sinter.conv ins(%several_per_channel, %w1 : tensor<1x1x5x6x17xf32>, tensor<51x1x3x3xf32>) outs(%e1 : tensor<1x1x5x6x51xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 17 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  } -> tensor<1x1x5x6x51xf32>
  %k2 = tensor.empty() : tensor<16x2x3x3xf32>
  %w2 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k2 : tensor<16x2x3x3xf32>) {
  ^bb0(%o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = affine.apply #number(%a, %b, %c, %d)
    %wide = arith.index_cast %number : index to i64
    %value = arith.sitofp %wide : i64 to f32
    linalg.yield %value : f32
  } -> tensor<16x2x3x3xf32>
  %e2 = tensor.empty() : tensor<1x1x5x6x16xf32>
  %y2 = sinter.conv ins(%groups_of_two, %w2 : tensor<1x1x5x6x16xf32>, tensor<16x2x3x3xf32>) outs(%e2 : tensor<1x1x5x6x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 8 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  } -> tensor<1x1x5x6x16xf32>
  %k3 = tensor.empty() : tensor<48x2x3x3xf32>
  %w3 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k3 : tensor<48x2x3x3xf32>) {
  ^bb0(%o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = affine.apply #number(%a, %b, %c, %d)
    %wide = arith.index_cast %number : index to i64
    %value = arith.sitofp %wide : i64 to f32
    linalg.yield %value : f32
  } -> tensor<48x2x3x3xf32>
  %e3 = tensor.empty() : tensor<1x6x5x6x8xf32>
  %y3 = sinter.conv ins(%several_in_groups, %w3 : tensor<1x2x5x6x8xf32>, tensor<48x2x3x3xf32>) outs(%e3 : tensor<1x6x5x6x8xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 8 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  } -> tensor<1x6x5x6x8xf32>
  %k4 = tensor.empty() : tensor<64x16x3x3xf32>
  %w4 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k4 : tensor<64x16x3x3xf32>) {
  ^bb0(%o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = affine.apply #number(%a, %b, %c, %d)
    %wide = arith.index_cast %number : index to i64
    %value = arith.sitofp %wide : i64 to f32
    linalg.yield %value : f32
  } -> tensor<64x16x3x3xf32>
  %e4 = tensor.empty() : tensor<1x4x5x6x16xf32>
  %y4 = sinter.conv ins(%large_groups, %w4 : tensor<1x2x5x6x16xf32>, tensor<64x16x3x3xf32>) outs(%e4 : tensor<1x4x5x6x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 2 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  } -> tensor<1x4x5x6x16xf32>
  %k5 = tensor.empty() : tensor<32x16x3x3xf32>
  %w5 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k5 : tensor<32x16x3x3xf32>) {
  ^bb0(%o: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = affine.apply #number(%a, %b, %c, %d)
    %wide = arith.index_cast %number : index to i64
    %value = arith.sitofp %wide : i64 to f32
    linalg.yield %value : f32
  } -> tensor<32x16x3x3xf32>
  %e5 = tensor.empty() : tensor<1x2x5x6x16xf32>
  %y5 = sinter.conv ins(%one_group, %w5 : tensor<1x1x5x6x16xf32>, tensor<32x16x3x3xf32>) outs(%e5 : tensor<1x2x5x6x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  } -> tensor<1x2x5x6x16xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5 : tensor<1x1x5x6x17xf32>, tensor<1x1x5x6x51xf32>, tensor<1x1x5x6x16xf32>, tensor<1x6x5x6x8xf32>, tensor<1x4x5x6x16xf32>, tensor<1x2x5x6x16xf32>
}
}
