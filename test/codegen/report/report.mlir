// What is counted: work of one call, bytes of weights by type, where the arena's peak is and what lives there.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s --check-prefix=JSON < %t/net_report.json
// JSON:      "flash": {
// JSON:      "f32": 256
// JSON:      "by_node": [
// JSON:      "first"
// JSON-NEXT: ],
// JSON-NEXT: "bytes": 256
// JSON:      "peak": {
// JSON-NEXT: "call": 1,
// JSON-NEXT: "bytes": 512,
// JSON:      "offset": 0,
// JSON-NEXT: "bytes": 256,
// JSON-NEXT: "type": "64xf32",
// JSON:      "offset": 256,
// JSON:      "kernel_calls": 3,
#id = affine_map<(i) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [64 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [64 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<64xf32>
  %y = sinter.output 0 "y" : memref<64xf32>
  %w = sinter.constant attributes {offset = 0 : i64} {
    %v = arith.constant dense<2.0> : tensor<64xf32>
    sinter.yield %v : tensor<64xf32>
  } : memref<64xf32>
  %t = sinter.arena 0 for 256 : memref<64xf32>
  %u = sinter.arena 256 for 256 : memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %w : memref<64xf32>, memref<64xf32>) outs(%t : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } loc("first")
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : memref<64xf32>) outs(%u : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } loc("second")
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%u : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.absf %a : f32
    linalg.yield %0 : f32
  } loc("third")
  return
}
