// Parallel dims are outermost. A sum along the last dim is one of lanes; of what is summed across rows, lanes are columns.
// What is summed may be an output too, which has an element for each step.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      void k0_reduce(
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT: auto sum = y[i0];
// CHECK-NEXT: sum = Sum{}(sum, reduceLanes<float>(64,
// CHECK:      }, 0.0f, Sum{}));
// CHECK-NEXT: y[i0] = sum;
// CHECK:      void k1_reduce(
// CHECK-NEXT: map<float>(Fixed<64>{},
// CHECK:      auto sum = load<V>(y + i1);
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT: const auto v = load<V>(a + 64 * i0 + i1);
// CHECK:      store(y + i1, sum);
// CHECK:      void k2_reduce(
// CHECK:      }, float(-SINTER_INFINITY), Largest{}));
// CHECK:      void k3_reduce(
// CHECK-NEXT: for (int64_t i0 = 0; i0 < 4; ++i0) {
// CHECK-NEXT:   auto sum = y_2[i0];
// CHECK-NEXT:   for (int64_t i1 = 0; i1 < 64; ++i1) {
// CHECK:          y[64 * i0 + i1] = [[KEPT:.*]];
// CHECK-NEXT:     sum = [[TOTAL:.*]];
// CHECK-NEXT:   }
// CHECK-NEXT:   y_2[i0] = sum;
// CHECK-NEXT: }
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 64 : i64]}],
  sinter.outputs = [{name = "rows", element = 1 : i64, dims = [4 : i64]}, {name = "columns", element = 1 : i64, dims = [64 : i64]}, {name = "most", element = 1 : i64, dims = [4 : i64]},
                    {name = "kept", element = 1 : i64, dims = [4 : i64, 64 : i64]}, {name = "sums", element = 1 : i64, dims = [4 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<4x64xf32>
  %rows = sinter.output 0 "rows" : memref<4xf32>
  %columns = sinter.output 1 "columns" : memref<64xf32>
  %most = sinter.output 2 "most" : memref<4xf32>
  %kept = sinter.output 3 "kept" : memref<4x64xf32>
  %sums = sinter.output 4 "sums" : memref<4xf32>
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x64xf32>) outs(%rows : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<4x64xf32>) outs(%columns : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x64xf32>) outs(%most : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x64xf32>) outs(%kept, %sums : memref<4x64xf32>, memref<4xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %0 = arith.negf %a : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %0, %1 : f32, f32
  }
  return
}
