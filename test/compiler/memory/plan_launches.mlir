// RUN: sinter-opt %s --plan-memory --check-plan | FileCheck %s
// What a launch reads and what it writes are needed together: three places, though in turn two would do.
// CHECK: sinter.arena_bytes = 192
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  sinter.kernel "f" ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  sinter.launch "f" ins(%a : memref<8xf32>) outs(%t, %b : memref<8xf32>, memref<8xf32>) {
    sinter.kernel "f" ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
    sinter.kernel "f" ins(%t : memref<8xf32>) outs(%b : memref<8xf32>)
    sinter.yield
  }
  sinter.kernel "f" ins(%b : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
