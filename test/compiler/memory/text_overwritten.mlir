// RUN: not sinter-opt %s --check-plan -o /dev/null 2>&1 | FileCheck %s
// A plan that gives the bytes of text to another buffer is found out.

// CHECK: error: internal error: an output, or text, is overwritten before the call ends
func.func @text() attributes {sinter.arena_bytes = 128 : i64} {
  %x = sinter.input 0 "x" : memref<16xf32>
  %y = sinter.output 0 "y" : memref<16xf32>
  %text = sinter.arena 0 for 64 {sinter.text} : memref<64xi8>
  %a = sinter.arena 64 for 64 : memref<16xf32>
  sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a, %text : memref<16xf32>, memref<64xi8>)
  %b = sinter.arena 0 for 64 : memref<16xf32>
  sinter.kernel "f" ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  sinter.kernel "f" ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
