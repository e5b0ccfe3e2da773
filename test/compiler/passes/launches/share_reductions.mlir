// RUN: sinter-opt %s --share-reductions | FileCheck %s
// On a GPU threads of a block share the elements of each of few results: as many columns as lie side by side, one where a
// result's own elements do.
#x = affine_map<(c, h, w) -> (h, w, c)>
#channel = affine_map<(c, h, w) -> (c)>
#row = affine_map<(n, k) -> (n, k)>
#first = affine_map<(n, k) -> (n)>
module attributes {sinter.target = "cuda-x86-64-v2-h200"} {
// Sums over all pixels.
// CHECK-LABEL: @pixels
// CHECK: linalg.generic {{.*}} attrs = {chosen = #sinter.kernel<"block_fold", {at_once = {{[1-8]}} : i64, choice = "[[C:[0-9]+]] x {{[0-9]+}} threads", columns = [[C]] : i64, slices = 1 : i64, threads = {{128|256|512|1024}} : i64}>}
func.func @pixels(%x: memref<112x112x32xf16>, %y: memref<32xf32>) {
  linalg.generic {indexing_maps = [#x, #channel], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : memref<112x112x32xf16>) outs(%y : memref<32xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
// Few long rows, of an operation that only chooses: halves, too.
// CHECK-LABEL: @rows
// CHECK: linalg.generic {{.*}} attrs = {chosen = #sinter.kernel<"block_fold", {{.*}} columns = 1 : i64, slices = 1 : i64, threads = 1024 : i64}>}
func.func @rows(%x: memref<4x100001xf16>, %y: memref<4xf16>) {
  linalg.generic {indexing_maps = [#row, #first], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x100001xf16>) outs(%y : memref<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = arith.maximumf %out, %in : f16
    linalg.yield %0 : f16
  }
  return
}
// Many rows fill the GPU by a warp each.
// CHECK-LABEL: @many
// CHECK-NOT: block_fold
func.func @many(%x: memref<50000x128xf32>, %y: memref<50000xf32>) {
  linalg.generic {indexing_maps = [#row, #first], iterator_types = ["parallel", "reduction"]} ins(%x : memref<50000x128xf32>) outs(%y : memref<50000xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}
// Rounded at each step, a sum has an order.
// CHECK-LABEL: @rounded
// CHECK-NOT: block_fold
func.func @rounded(%x: memref<4x100001xf16>, %y: memref<4xf16>) {
  linalg.generic {indexing_maps = [#row, #first], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x100001xf16>) outs(%y : memref<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = arith.addf %out, %in : f16
    linalg.yield %0 : f16
  }
  return
}
}
