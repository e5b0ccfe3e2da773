// RUN: sinter-opt %s --split-input-file --check-plan --verify-diagnostics
// The ops of a launch run side by side: what one writes lies over nothing that another has read, though in turn it might.
func.func @over_its_input(%x: memref<8xf32>, %y: memref<8xf32>) attributes {sinter.arena_bytes = 128 : i64} {
  %a = sinter.arena 0 for 32 : memref<8xf32>
  %t = sinter.arena 64 for 32 : memref<8xf32>
  %b = sinter.arena 0 for 32 : memref<8xf32>
  sinter.kernel "f" ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  // expected-error @below {{internal error: a launch writes over what its other blocks read or write}}
  sinter.launch "f" ins(%a : memref<8xf32>) outs(%t, %b : memref<8xf32>, memref<8xf32>) {
    sinter.kernel "f" ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
    sinter.kernel "f" ins(%t : memref<8xf32>) outs(%b : memref<8xf32>)
    sinter.yield
  }
  sinter.kernel "f" ins(%b : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
