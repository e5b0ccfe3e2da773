// RUN: sinter-opt %s --plan-memory --check-plan | FileCheck %s
// Text that strings point into has its place for the whole call: no later buffer lies over it, though nothing names it any more.

// CHECK-LABEL: func.func @text
// CHECK-SAME: sinter.arena_bytes = 192
// CHECK: sinter.arena {{[0-9]+}} for 64 {sinter.text}
module {
  func.func @text() {
    %x = sinter.input 0 "x" : memref<16xf32>
    %y = sinter.output 0 "y" : memref<16xf32>
    %text = memref.alloc() {sinter.text} : memref<64xi8>
    %a = memref.alloc() : memref<16xf32>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a, %text : memref<16xf32>, memref<64xi8>)
    %b = memref.alloc() : memref<16xf32>
    sinter.kernel "f" ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    %c = memref.alloc() : memref<16xf32>
    sinter.kernel "f" ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
    sinter.kernel "f" ins(%c : memref<16xf32>) outs(%y : memref<16xf32>)
    return
  }
}
