// RUN: sinter-opt %s --simplify --choose-layouts --simplify --fuse-epilogues --pack-weights --lower-layouts | FileCheck %s
// RUN: sinter-opt %s --choose-layouts --lower-layouts --simplify | FileCheck %s --check-prefix=LAYOUT

// A blocked chain: convolution with bias and activation, depthwise, pointwise with the residual added, global sum. Only the input is moved;
// filters are packed in panels of 32 and, depthwise, as taps.
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x2x16x14x14xf32>) outs(%{{.*}} : tensor<1x2x14x14x16xf32>)
// CHECK: %[[FIRST:.*]] = sinter.conv ins(%{{.*}} : tensor<1x2x14x14x16xf32>, tensor<2x4x6x32x32xf32>, tensor<4x16xf32>) {{.*}}kernel = #sinter.kernel<"conv_winograd", {{.*}}layout = "nchwc"
// CHECK: sinter.conv ins(%[[FIRST]], %{{.*}} : tensor<1x4x14x14x16xf32>, tensor<3x3x64xf32>) {{.*}}kernel = #sinter.kernel<"depthwise"
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}}, %[[FIRST]] : tensor<1x4x14x14x16xf32>, tensor<2x1x1x64x32xf32>, tensor<1x4x14x14x16xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x4x16xf32> into tensor<1x64xf32>

// LAYOUT-COUNT-1: linalg.transpose
// LAYOUT: tensor<1x4x14x14x16xf32>
// LAYOUT-NOT: linalg.transpose
module {
func.func @main() attributes {sinter.inputs = [], sinter.outputs = []} {
  %m = sinter.input 0 "x" : memref<1x32x14x14xf32>
  %x = bufferization.to_tensor %m restrict : memref<1x32x14x14xf32>
  %w = sinter.weight dense<1.0> : tensor<64x32x3x3xf32> : tensor<64x32x3x3xf32>
  %w2 = sinter.weight dense<1.0> : tensor<64x64x1x1xf32> : tensor<64x64x1x1xf32>
  %wd = sinter.weight dense<1.0> : tensor<64x1x3x3xf32> : tensor<64x1x3x3xf32>
  %b = sinter.weight dense<1.0> : tensor<64xf32> : tensor<64xf32>
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x14x14xf32>
  %y = sinter.conv ins(%x, %w : tensor<1x32x14x14xf32>, tensor<64x32x3x3xf32>) outs(%e : tensor<1x64x14x14xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
    ^bb0(%a: f32):
      sinter.yield %a : f32
  } -> tensor<1x64x14x14xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(n,c,h,w)->(n,c,h,w)>, affine_map<(n,c,h,w)->(c)>, affine_map<(n,c,h,w)->(n,c,h,w)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%y, %b : tensor<1x64x14x14xf32>, tensor<64xf32>) outs(%e : tensor<1x64x14x14xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      %r = arith.maximumf %s, %c0 : f32
      linalg.yield %r : f32
  } -> tensor<1x64x14x14xf32>
  %d = sinter.conv ins(%z, %wd : tensor<1x64x14x14xf32>, tensor<64x1x3x3xf32>) outs(%e : tensor<1x64x14x14xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 64 : i64, epilogue_maps = []} {
    ^bb0(%a: f32):
      sinter.yield %a : f32
  } -> tensor<1x64x14x14xf32>
  %y2 = sinter.conv ins(%d, %w2 : tensor<1x64x14x14xf32>, tensor<64x64x1x1xf32>) outs(%e : tensor<1x64x14x14xf32>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
    ^bb0(%a: f32):
      sinter.yield %a : f32
  } -> tensor<1x64x14x14xf32>
  %res = linalg.generic {indexing_maps = [affine_map<(n,c,h,w)->(n,c,h,w)>, affine_map<(n,c,h,w)->(n,c,h,w)>, affine_map<(n,c,h,w)->(n,c,h,w)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%y2, %z : tensor<1x64x14x14xf32>, tensor<1x64x14x14xf32>) outs(%e : tensor<1x64x14x14xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
  } -> tensor<1x64x14x14xf32>
  %g0 = tensor.empty() : tensor<1x64xf32>
  %gf = linalg.fill ins(%c0 : f32) outs(%g0 : tensor<1x64xf32>) -> tensor<1x64xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(n,c,h,w)->(n,c,h,w)>, affine_map<(n,c,h,w)->(n,c)>], iterator_types = ["parallel","parallel","reduction","reduction"]} ins(%res : tensor<1x64x14x14xf32>) outs(%gf : tensor<1x64xf32>) {
    ^bb0(%p: f32, %o: f32):
      %s = arith.addf %p, %o : f32
      linalg.yield %s : f32
  } -> tensor<1x64xf32>
  %o = sinter.output 0 "y" : memref<1x64xf32>
  bufferization.materialize_in_destination %g in restrict writable %o : (tensor<1x64xf32>, memref<1x64xf32>) -> ()
  return
}
}
