// Each copy that is left has a reason: what a pass that gave up has said, else what the copy itself tells.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s --check-prefix=JSON < %t/net_report.json
// JSON:      "copies": [
// JSON:      "said"
// JSON-NEXT: ],
// JSON-NEXT: "reason": "a pass gave up"
// JSON:      "own"
// JSON-NEXT: ],
// JSON-NEXT: "reason": "the caller's input is an output as it is"
// JSON:      "turned"
// JSON-NEXT: ],
// JSON-NEXT: "reason": "dims change their order, and who reads the result takes only the new one"
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "z", element = 1 : i64, dims = [4 : i64, 8 : i64]}, {name = "t", element = 1 : i64, dims = [8 : i64, 4 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<4x8xf32>
  %y = sinter.output 0 "y" : memref<4x8xf32>
  %z = sinter.output 1 "z" : memref<4x8xf32>
  %t = sinter.output 2 "t" : memref<8x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) attrs = {sinter.reason = "a pass gave up"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } loc("said")
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x8xf32>) outs(%z : memref<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } loc("own")
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x8xf32>) outs(%t : memref<8x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } loc("turned")
  return
}
