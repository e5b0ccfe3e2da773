// RUN: sinter-opt %s --interpret -o /dev/null > %t.plain
// RUN: sinter-opt %s --simplify --fold-constants --interpret -o /dev/null | diff %t.plain -
// RUN: sinter-opt %s --simplify --choose-layouts --simplify --lower-layouts --interpret -o /dev/null | diff %t.plain -
// RUN: sinter-opt %s --simplify --fuse-epilogues --pack-weights --lower-layouts --interpret -o /dev/null | diff %t.plain -
// RUN: sinter-opt %s --simplify --fuse-elementwise --transposes-as-views --interpret -o /dev/null | diff %t.plain -
// RUN: sinter-opt %s --simplify --fold-constants --fold-pads --fold-scales --interpret -o /dev/null | diff %t.plain -
// RUN: sinter-opt %s --simplify --fold-constants --fold-pads --fold-scales --choose-layouts --simplify --fuse-epilogues --pack-weights --lower-layouts --transposes-as-views \
// RUN:   --fuse-elementwise --simplify --outline-constants --simplify --place-outputs --place-concats --unshare-inits --interpret -o /dev/null | diff %t.plain -
// RUN: FileCheck %s < %t.plain
// Passes change how a model is computed, not what: the interpreter's outputs before and after are the same text. Values are small multiples of
// powers of two, so that sums in another order are equal.

// CHECK: output 0: tensor<2x5xf32>
// CHECK: output 1: tensor<2x6x3x64xf32>
// CHECK: output 2: tensor<2x64x6x3xf32>
#nchw = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#pooled = affine_map<(n, c, h, w) -> (n, c)>
module {
func.func @main() attributes {sinter.inputs = [], sinter.outputs = []} {
  %m = sinter.input 0 "x" : memref<2x16x6x5xf32>
  %x = bufferization.to_tensor %m restrict : memref<2x16x6x5xf32>
  %zero = arith.constant 0.0 : f32

  // weights with a pattern in every dim
  %fe = tensor.empty() : tensor<64x16x3x3xf32>
  %f = linalg.generic {indexing_maps = [#nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%fe : tensor<64x16x3x3xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %v = affine.apply affine_map<(a, b, c, d) -> ((a * 3 + b * 5 + c * 7 + d * 2) mod 9 - 4)>(%i0, %i1, %i2, %i3)
    %i = arith.index_cast %v : index to i32
    %s = arith.sitofp %i : i32 to f32
    linalg.yield %s : f32
  } -> tensor<64x16x3x3xf32>
  %d = tensor.extract_slice %f[0, 2, 0, 0] [64, 1, 3, 3] [1, 1, 1, 1] : tensor<64x16x3x3xf32> to tensor<64x1x3x3xf32>
  %b = tensor.extract_slice %f[0, 1, 1, 1] [64, 1, 1, 1] [1, 1, 1, 1] : tensor<64x16x3x3xf32> to tensor<64xf32>
  %w = tensor.extract_slice %f[0, 3, 0, 0] [64, 5, 1, 1] [1, 1, 1, 1] : tensor<64x16x3x3xf32> to tensor<64x5xf32>

  %e = tensor.empty() : tensor<2x64x6x3xf32>
  %y = sinter.conv ins(%x, %f : tensor<2x16x6x5xf32>, tensor<64x16x3x3xf32>) outs(%e : tensor<2x64x6x3xf32>)
    attributes {strides = array<i64: 1, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%a: f32): sinter.yield %a : f32
  } -> tensor<2x64x6x3xf32>
  %z = linalg.generic {indexing_maps = [#nchw, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %b : tensor<2x64x6x3xf32>, tensor<64xf32>) outs(%e : tensor<2x64x6x3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x64x6x3xf32>
  %dw = sinter.conv ins(%z, %d : tensor<2x64x6x3xf32>, tensor<64x1x3x3xf32>) outs(%e : tensor<2x64x6x3xf32>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 64 : i64, epilogue_maps = []} {
  ^bb0(%a: f32): sinter.yield %a : f32
  } -> tensor<2x64x6x3xf32>
  %res = linalg.map { arith.addf } ins(%dw, %z : tensor<2x64x6x3xf32>, tensor<2x64x6x3xf32>) outs(%e : tensor<2x64x6x3xf32>)

  %ge = tensor.empty() : tensor<2x64xf32>
  %gz = linalg.fill ins(%zero : f32) outs(%ge : tensor<2x64xf32>) -> tensor<2x64xf32>
  %g = linalg.generic {indexing_maps = [#nchw, #pooled], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%res : tensor<2x64x6x3xf32>) outs(%gz : tensor<2x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  %me = tensor.empty() : tensor<2x5xf32>
  %logits = sinter.matmul ins(%g, %w : tensor<2x64xf32>, tensor<64x5xf32>) outs(%me : tensor<2x5xf32>) attributes {epilogue_maps = []} {
  ^bb0(%a: f32): sinter.yield %a : f32
  } -> tensor<2x5xf32>
  %te = tensor.empty() : tensor<2x6x3x64xf32>
  %t = linalg.transpose ins(%res : tensor<2x64x6x3xf32>) outs(%te : tensor<2x6x3x64xf32>) permutation = [0, 2, 3, 1]

  // a feature map read by coordinates, mirrored, in front of a convolution
  %mirrored = linalg.generic {indexing_maps = [#nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x64x6x3xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %back = affine.apply affine_map<(d) -> (5 - d)>(%i2)
    %v = tensor.extract %res[%i0, %i1, %back, %i3] : tensor<2x64x6x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x64x6x3xf32>
  // zeros around it, a factor per channel behind it
  %pe = tensor.empty() : tensor<2x64x8x5xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<2x64x8x5xf32>) -> tensor<2x64x8x5xf32>
  %padded = tensor.insert_slice %mirrored into %pz[0, 0, 1, 1] [2, 64, 6, 3] [1, 1, 1, 1] : tensor<2x64x6x3xf32> into tensor<2x64x8x5xf32>
  %convolved = sinter.conv ins(%padded, %d : tensor<2x64x8x5xf32>, tensor<64x1x3x3xf32>) outs(%e : tensor<2x64x6x3xf32>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 64 : i64, epilogue_maps = []} {
  ^bb0(%a: f32): sinter.yield %a : f32
  } -> tensor<2x64x6x3xf32>
  %quarter = arith.constant 0.25 : f32
  %last = linalg.generic {indexing_maps = [#nchw, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%convolved, %b : tensor<2x64x6x3xf32>, tensor<64xf32>) outs(%e : tensor<2x64x6x3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    %f1 = arith.mulf %s, %q : f32
    %f2 = arith.divf %f1, %quarter : f32
    %r = arith.addf %f2, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x64x6x3xf32>

  %o0 = sinter.output 0 "logits" : memref<2x5xf32>
  bufferization.materialize_in_destination %logits in restrict writable %o0 : (tensor<2x5xf32>, memref<2x5xf32>) -> ()
  %o1 = sinter.output 1 "features" : memref<2x6x3x64xf32>
  bufferization.materialize_in_destination %t in restrict writable %o1 : (tensor<2x6x3x64xf32>, memref<2x6x3x64xf32>) -> ()
  %o2 = sinter.output 2 "last" : memref<2x64x6x3xf32>
  bufferization.materialize_in_destination %last in restrict writable %o2 : (tensor<2x64x6x3xf32>, memref<2x64x6x3xf32>) -> ()
  return
}
}
