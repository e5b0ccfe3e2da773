// Packed right-hand sides of bf16 keep what a product computes: the oracle reads their order off #sinter.kernel, and cuts what fills up rows and columns.
// RUN: sinter-opt %s --interpret -o /dev/null > %t.whole
// RUN: sinter-opt %s --pack-weights --interpret -o %t.mlir > %t.packed
// RUN: diff %t.whole %t.packed
// RUN: FileCheck %s < %t.mlir
// CHECK: tensor<3x2x8x4xbf16>) {{.*}}kernel = #sinter.kernel<"bf16_gemm", {dims = [array<i64: 1, 3>, array<i64: 0, 2>]}>
#all = affine_map<(a, b) -> (a, b)>
#number = affine_map<(a, b) -> ((a * 37 + b * 11) mod 19 - 7)>
module attributes {sinter.target = "aarch64+bf16"} {
func.func @main(%a: tensor<5x6xbf16>) -> tensor<5x20xbf16> {
  %k = tensor.empty() : tensor<6x20xbf16>
  %w = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%k : tensor<6x20xbf16>) {
  ^bb0(%o: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %number = affine.apply #number(%i, %j)
    %wide = arith.index_cast %number : index to i64
    %value = arith.sitofp %wide : i64 to bf16
    linalg.yield %value : bf16
  } -> tensor<6x20xbf16>
  %e = tensor.empty() : tensor<5x20xbf16>
  %y = sinter.matmul ins(%a, %w : tensor<5x6xbf16>, tensor<6x20xbf16>) outs(%e : tensor<5x20xbf16>) attributes {epilogue_maps = []} {
  ^bb0(%s: f32):
    %r = arith.truncf %s : f32 to bf16
    sinter.yield %r : bf16
  } -> tensor<5x20xbf16>
  return %y : tensor<5x20xbf16>
}
}
