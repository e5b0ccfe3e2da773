// RUN: sinter-opt %s --pack-weights --split-input-file | FileCheck %s
// Convolutions are made of terms in tile registers where these are faster: of enough pixels, filters and channels, on
// channels in blocks, of several taps by whole sixteens of channels.

// CHECK-LABEL: @points
// CHECK: sinter.conv ins(%arg0, {{.*}}kernel = #sinter.kernel<"term_conv",
// CHECK: sinter.conv ins(%arg1, {{.*}}kernel = #sinter.kernel<"term_conv",
// CHECK: sinter.conv ins(%arg2, {{.*}}kernel = #sinter.kernel<"term_conv",
// CHECK: sinter.conv ins(%arg3, {{.*}}kernel = #sinter.kernel<"term_conv",
// CHECK: sinter.conv ins(%arg4, {{.*}}kernel = #sinter.kernel<"conv",
// CHECK: sinter.conv ins(%arg5, {{.*}}kernel = #sinter.kernel<"conv",
// CHECK: sinter.conv ins(%arg6, {{.*}}kernel = #sinter.kernel<"conv",
module attributes {sinter.target = "x86-64-v4+vnni+bf16+amx-bf16"} {
func.func @points(%x0: tensor<1x8x28x28x16xf32>, %x1: tensor<1x1x28x28x128xf32>, %x2: tensor<1x8x28x28x16xf32>, %x3: tensor<1x8x28x28x16xf32>, %x4: tensor<1x1x28x28x24xf32>, %x5: tensor<1x8x5x5x16xf32>, %x6: tensor<1x1x28x28x16xf32>) -> (tensor<1x8x28x28x16xf32>, tensor<1x8x14x14x16xf32>, tensor<1x8x28x28x16xf32>, tensor<1x8x14x14x16xf32>, tensor<1x8x14x14x16xf32>, tensor<1x8x5x5x16xf32>, tensor<1x8x28x28x16xf32>) {
  %w0 = arith.constant dense<1.0> : tensor<128x128x1x1xf32>
  %e0 = tensor.empty() : tensor<1x8x28x28x16xf32>
  %0 = sinter.conv ins(%x0, %w0 : tensor<1x8x28x28x16xf32>, tensor<128x128x1x1xf32>) outs(%e0 : tensor<1x8x28x28x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x28x28x16xf32>
  %w1 = arith.constant dense<1.0> : tensor<128x128x1x1xf32>
  %e1 = tensor.empty() : tensor<1x8x14x14x16xf32>
  %1 = sinter.conv ins(%x1, %w1 : tensor<1x1x28x28x128xf32>, tensor<128x128x1x1xf32>) outs(%e1 : tensor<1x8x14x14x16xf32>) attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x14x14x16xf32>
  %w2 = arith.constant dense<1.0> : tensor<128x64x1x1xf32>
  %e2 = tensor.empty() : tensor<1x8x28x28x16xf32>
  %2 = sinter.conv ins(%x2, %w2 : tensor<1x8x28x28x16xf32>, tensor<128x64x1x1xf32>) outs(%e2 : tensor<1x8x28x28x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 2 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x28x28x16xf32>
  %w3 = arith.constant dense<1.0> : tensor<128x128x3x3xf32>
  %e3 = tensor.empty() : tensor<1x8x14x14x16xf32>
  %3 = sinter.conv ins(%x3, %w3 : tensor<1x8x28x28x16xf32>, tensor<128x128x3x3xf32>) outs(%e3 : tensor<1x8x14x14x16xf32>) attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x14x14x16xf32>
  %w4 = arith.constant dense<1.0> : tensor<128x24x3x3xf32>
  %e4 = tensor.empty() : tensor<1x8x14x14x16xf32>
  %4 = sinter.conv ins(%x4, %w4 : tensor<1x1x28x28x24xf32>, tensor<128x24x3x3xf32>) outs(%e4 : tensor<1x8x14x14x16xf32>) attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x14x14x16xf32>
  %w5 = arith.constant dense<1.0> : tensor<128x128x1x1xf32>
  %e5 = tensor.empty() : tensor<1x8x5x5x16xf32>
  %5 = sinter.conv ins(%x5, %w5 : tensor<1x8x5x5x16xf32>, tensor<128x128x1x1xf32>) outs(%e5 : tensor<1x8x5x5x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x5x5x16xf32>
  %w6 = arith.constant dense<1.0> : tensor<128x16x1x1xf32>
  %e6 = tensor.empty() : tensor<1x8x28x28x16xf32>
  %6 = sinter.conv ins(%x6, %w6 : tensor<1x1x28x28x16xf32>, tensor<128x16x1x1xf32>) outs(%e6 : tensor<1x8x28x28x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x28x28x16xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x8x28x28x16xf32>, tensor<1x8x14x14x16xf32>, tensor<1x8x28x28x16xf32>, tensor<1x8x14x14x16xf32>, tensor<1x8x14x14x16xf32>, tensor<1x8x5x5x16xf32>, tensor<1x8x28x28x16xf32>
}
}

// -----

// A target without such registers has none.
// CHECK-LABEL: @none
// CHECK: kernel = #sinter.kernel<"conv",
module attributes {sinter.target = "x86-64-v4+vnni+bf16"} {
func.func @none(%x0: tensor<1x8x28x28x16xf32>) -> tensor<1x8x28x28x16xf32> {
  %w0 = arith.constant dense<1.0> : tensor<128x128x1x1xf32>
  %e0 = tensor.empty() : tensor<1x8x28x28x16xf32>
  %0 = sinter.conv ins(%x0, %w0 : tensor<1x8x28x28x16xf32>, tensor<128x128x1x1xf32>) outs(%e0 : tensor<1x8x28x28x16xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", epilogue_maps = []} {
  ^bb0(%acc: f32):
    sinter.yield %acc : f32
  } -> tensor<1x8x28x28x16xf32>
  return %0 : tensor<1x8x28x28x16xf32>
}
}
