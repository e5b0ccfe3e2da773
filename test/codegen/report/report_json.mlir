// The report for scripts: calls with their nodes, kernel, shapes, places and work; of a contraction the kernels that were asked; copies with a reason.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s --check-prefix=JSON < %t/net_report.json
// JSON:      "copies": [
// JSON:      "call": 1,
// JSON-NEXT: "nodes": [
// JSON-NEXT: "turn"
// JSON-NEXT: ],
// JSON-NEXT: "reason": "dims change their order,
// JSON:      "kernels": [
// JSON:      "function": "k0_product",
// JSON-NEXT: "nodes": [
// JSON-NEXT: "product"
// JSON-NEXT: ],
// JSON-NEXT: "kernel": "matmul",
// JSON-NEXT: "why": "right-hand side made at run time: gemmRows",
// JSON-NEXT: "candidates": [
// JSON-NEXT: {
// JSON-NEXT: "kernel": "gemm",
// JSON-NEXT: "answer": "its constant operand is not packed for it"
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "kernel": "gemm_rows",
// JSON-NEXT: "answer": "taken",
// JSON-NEXT: "estimate": 12.5
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "shapes": "6x4xf32, 4x8xf32 -> 6x8xf32",
// JSON-NEXT: "macs": 192,
// JSON:      "kernel": "copy",
// JSON-NEXT: "why": "squares are turned in registers",
// JSON-NEXT: "shapes": "6x8xf32 -> 8x6xf32",
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
func.func @main() attributes {
  sinter.inputs = [{name = "a", element = 1 : i64, dims = [6 : i64, 4 : i64]}, {name = "b", element = 1 : i64, dims = [4 : i64, 8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [6 : i64, 8 : i64]}, {name = "z", element = 1 : i64, dims = [8 : i64, 6 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %a = sinter.input 0 "a" : memref<6x4xf32>
  %b = sinter.input 1 "b" : memref<4x8xf32>
  %y = sinter.output 0 "y" : memref<6x8xf32>
  %z = sinter.output 1 "z" : memref<8x6xf32>
  sinter.matmul ins(%a, %b : memref<6x4xf32>, memref<4x8xf32>) outs(%y : memref<6x8xf32>)
      attributes {epilogue_maps = [], kernel = #sinter.kernel<"gemm_rows", {}>, candidates = #sinter.candidates<#sinter.candidate<"gemm", "its constant operand is not packed for it">, #sinter.candidate<"gemm_rows", "taken", 12.5 : f64>>} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  } loc("product")
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<6x8xf32>) outs(%z : memref<8x6xf32>) {
  ^bb0(%a_: f32, %o: f32):
    linalg.yield %a_ : f32
  } loc("turn")
  return
}
