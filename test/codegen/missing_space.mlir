// Memory that a CPU does not have, and a region that nobody states, end with a message, not with code.
// RUN: split-file %s %t
// RUN: not sinter-emit %t/device.mlir -o %t/out 2>&1 | FileCheck %s --check-prefix=DEVICE --implicit-check-not=error:
// DEVICE: error: a buffer lies in the memory space device, which x86-64-v2 does not have [E0509]
// DEVICE: note: node "up"
// DEVICE-NEXT: hint: name a target with such memory, or place the buffer in the host's
// RUN: not sinter-emit %t/region.mlir -o %t/out 2>&1 | FileCheck %s --check-prefix=REGION --implicit-check-not=error:
// REGION: error: a buffer lies in the region ccm of the memory space host, which the plan does not have [E0509]
// REGION-NEXT: hint: --ram states the regions
// RUN: not ls %t/out

//--- device.mlir
func.func @main() attributes {sinter.arena_bytes = 0 : i64, sinter.arenas = [{space = #sinter.space<device>, bytes = 128 : i64}],
    sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64]}], sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64]}]} {
  %x = sinter.input 0 "x" : memref<4xf32>
  %y = sinter.output 0 "y" : memref<4xf32>
  %a = sinter.arena 0 for 16 : memref<4xf32, #sinter.space<device>> loc("up")
  %b = sinter.arena 64 for 16 : memref<2x2xf32, #sinter.space<device>> loc("back")
  memref.copy %x, %a : memref<4xf32> to memref<4xf32, #sinter.space<device>>
  memref.copy %a, %y : memref<4xf32, #sinter.space<device>> to memref<4xf32>
  return
}

//--- region.mlir
func.func @main() attributes {sinter.arena_bytes = 64 : i64,
    sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64]}], sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64]}]} {
  %x = sinter.input 0 "x" : memref<4xf32>
  %y = sinter.output 0 "y" : memref<4xf32>
  %a = sinter.arena 0 for 16 : memref<4xf32, #sinter.space<host, "ccm">>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32, #sinter.space<host, "ccm">>
  memref.copy %a, %y : memref<4xf32, #sinter.space<host, "ccm">> to memref<4xf32>
  return
}
