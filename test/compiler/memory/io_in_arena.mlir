// RUN: sinter-opt %s --split-input-file --io-in-arena --plan-memory --check-plan | FileCheck %s

// The input's bytes are the output's: the first kernel reads the input for the last time.
// CHECK-LABEL: func.func @reused
// CHECK-SAME: sinter.arena_bytes = 96
// CHECK-SAME: sinter.inputs = [{arena_offset = [[X:[0-9]+]] : i64, name = "x"}]
// CHECK-SAME: sinter.outputs = [{arena_offset = [[Y:[0-9]+]] : i64, name = "y"}]
// CHECK-DAG: sinter.arena [[X]] for 64 {sinter.input = 0 : i64}
// CHECK-DAG: sinter.arena [[Y]] for 40 {sinter.output = 0 : i64}
module attributes {sinter.io_in_arena, sinter.target = "cortex-m3"} {
  func.func @reused() attributes {sinter.inputs = [{name = "x"}], sinter.outputs = [{name = "y"}]} {
    %y = sinter.output 0 "y" : memref<10xf32>
    %x = sinter.input 0 "x" : memref<16xf32>
    %a = memref.alloc() : memref<8xf32>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%a : memref<8xf32>)
    sinter.kernel "f" ins(%a : memref<8xf32>) outs(%y : memref<10xf32>)
    return
  }
}

// -----

// An input that is read late and an output that is written early live with all that is between; state is the caller's.
// CHECK-LABEL: func.func @pinned
// CHECK-SAME: sinter.arena_bytes = 192
// CHECK: sinter.input 1 "s" {state = true}
// CHECK-NOT: = sinter.input
module attributes {sinter.io_in_arena} {
  func.func @pinned() attributes {sinter.inputs = [{name = "x"}, {name = "s"}], sinter.outputs = [{name = "y"}]} {
    %y = sinter.output 0 "y" : memref<16xf32>
    %s = sinter.input 1 "s" {state = true} : memref<16xf32>
    sinter.kernel "f" ins(%s : memref<16xf32>) outs(%y : memref<16xf32>)
    %a = memref.alloc() : memref<16xf32>
    sinter.kernel "f" ins(%s : memref<16xf32>) outs(%a : memref<16xf32>)
    %x = sinter.input 0 "x" : memref<16xf32>
    sinter.kernel "g" ins(%a, %x : memref<16xf32>, memref<16xf32>) outs(%s : memref<16xf32>)
    return
  }
}

// -----

// An input that nothing reads has a place at the call's begin, beside the other inputs: callers write them all.
// CHECK-LABEL: func.func @unread
// CHECK-SAME: sinter.arena_bytes = 192
// CHECK-SAME: sinter.inputs = [{arena_offset = [[X:[0-9]+]] : i64, {{.*}}name = "x"}, {arena_offset = [[U:[0-9]+]] : i64, {{.*}}name = "u"}]
// CHECK-DAG: sinter.arena [[X]] for 64 {sinter.input = 0 : i64}
// CHECK-DAG: sinter.arena [[U]] for 96 {sinter.input = 1 : i64}
module attributes {sinter.io_in_arena} {
  func.func @unread() attributes {sinter.dim_bounds = {n = array<i64: 1, 8>}, sinter.inputs = [{dims = [16], element = 1 : i64, name = "x"}, {dims = [3, "n"], element = 1 : i64, name = "u"}], sinter.outputs = [{name = "y"}]} {
    %y = sinter.output 0 "y" : memref<16xf32>
    %x = sinter.input 0 "x" : memref<16xf32>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
    return
  }
}

// -----

// Without --io-in-arena they are the caller's.
// CHECK-LABEL: func.func @callers
// CHECK: sinter.output 0
func.func @callers() {
  %y = sinter.output 0 "y" : memref<16xf32>
  sinter.kernel "f" ins() outs(%y : memref<16xf32>)
  return
}
