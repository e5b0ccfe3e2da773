// The report for people says the same in a table, and what it lacks is said, too.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s --check-prefix=TXT < %t/net_report.txt
// TXT:      target  x86-64-v2   compiler sinter-emit
// TXT:      flash   weights 0.0 KiB
// TXT-SAME: code not measured
// TXT-NEXT: ram     arena 4.0 KiB
// TXT:      2 kernel calls (2 functions), 1 of them copies
// TXT:      copies that are left:
// TXT-NEXT: 1 turn: dims change their order
// TXT:      call function {{.*}} why; nodes
// TXT-NEXT: 0 k0_product {{ *}}matmul {{ *}}192 {{ *}}0 {{ *}}0 right-hand side made at run time: gemmRows; about {{[0-9.]+ us [a-zA-Z0-9]+}}; product
// TXT-NEXT: 1 k1_turn {{ *}}copy {{ *}}0 {{ *}}0 {{ *}}0 squares are turned in registers; about {{[0-9.]+ us [a-zA-Z0-9]+}}; turn
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
