// RUN: sinter-opt %s --split-input-file --bind-states | FileCheck %s
// RUN: sinter-opt %s --split-input-file --bind-states --plan-memory --check-plan -o /dev/null

// A new value made after all readers of the old one lies in the caller's buffer at once.
// CHECK-LABEL: func.func @made_last
// CHECK-DAG: %[[OLD:.*]] = sinter.input 0 "h" : memref<8xf32>
// CHECK-DAG: %[[NEW:.*]] = sinter.input 0 "h_out" {state = true} : memref<8xf32>
// CHECK: sinter.kernel "f" ins(%[[OLD]]
// CHECK: sinter.kernel "f" ins(%{{.*}}) outs(%[[NEW]]
// CHECK-NOT: memref.copy
func.func @made_last() {
  %h = sinter.input 0 "h" : memref<8xf32>
  %o = sinter.output 1 "h_out" {sinter.state = 0 : i64} : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  sinter.kernel "f" ins(%h : memref<8xf32>) outs(%a : memref<8xf32>)
  sinter.kernel "f" ins(%a : memref<8xf32>) outs(%o : memref<8xf32>)
  return
}

// -----

// The old value is read once more behind it: a buffer of its own, copied at the end.
// CHECK-LABEL: func.func @read_late
// CHECK: %[[NEW:.*]] = sinter.input 0 "h_out" {state = true}
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<8xf32>
// CHECK: sinter.kernel "f" ins(%{{.*}}) outs(%[[OWN]]
// CHECK: sinter.kernel "g"
// CHECK: memref.copy %[[OWN]], %[[NEW]] {sinter.reason = "the state's old value is still read when the new one is made"}
// CHECK-NEXT: return
func.func @read_late() {
  %h = sinter.input 0 "h" : memref<8xf32>
  %y = sinter.output 0 "y" : memref<8xf32>
  %o = sinter.output 1 "h_out" {sinter.state = 0 : i64} : memref<8xf32>
  sinter.kernel "f" ins(%h : memref<8xf32>) outs(%o : memref<8xf32>)
  sinter.kernel "g" ins(%h, %o : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

// Element by element, in place; reversed, not.
// CHECK-LABEL: func.func @elementwise
// CHECK: %[[A:.*]] = sinter.input 0 "a_out" {state = true}
// CHECK: %[[OWN:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} outs(%[[A]]
// CHECK: linalg.generic {{.*}} outs(%[[OWN]]
#id = affine_map<(i) -> (i)>
#reversed = affine_map<(i) -> (7 - i)>
func.func @elementwise() {
  %a = sinter.input 0 "a" : memref<8xf32>
  %b = sinter.input 1 "b" : memref<8xf32>
  %x = sinter.input 2 "x" : memref<8xf32>
  %ao = sinter.output 0 "a_out" {sinter.state = 0 : i64} : memref<8xf32>
  %bo = sinter.output 1 "b_out" {sinter.state = 1 : i64} : memref<8xf32>
  linalg.generic {indexing_maps = [#id, #reversed, #id], iterator_types = ["parallel"]} ins(%a, %x : memref<8xf32>, memref<8xf32>) outs(%ao : memref<8xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %v = arith.addf %in, %in2 : f32
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#reversed, #id, #id], iterator_types = ["parallel"]} ins(%b, %x : memref<8xf32>, memref<8xf32>) outs(%bo : memref<8xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %v = arith.addf %in, %in2 : f32
    linalg.yield %v : f32
  }
  return
}

// -----

// Two states that change places: one of them has to wait.
// CHECK-LABEL: func.func @swapped
// CHECK-DAG: %[[A:.*]] = sinter.input 0 "a" :
// CHECK-DAG: %[[B:.*]] = sinter.input 1 "b" :
// CHECK-DAG: %[[NEWA:.*]] = sinter.input 0 "a_out"
// CHECK-DAG: %[[NEWB:.*]] = sinter.input 1 "b_out"
// CHECK-DAG: %[[OWN:.*]] = memref.alloc
// CHECK: memref.copy %[[B]], %[[OWN]]
// CHECK-NEXT: memref.copy %[[A]], %[[NEWB]]
// CHECK-NEXT: memref.copy %[[OWN]], %[[NEWA]]
// CHECK-NEXT: return
func.func @swapped() {
  %a = sinter.input 0 "a" : memref<8xf32>
  %b = sinter.input 1 "b" : memref<8xf32>
  %ao = sinter.output 0 "a_out" {sinter.state = 0 : i64} : memref<8xf32>
  %bo = sinter.output 1 "b_out" {sinter.state = 1 : i64} : memref<8xf32>
  memref.copy %b, %ao : memref<8xf32> to memref<8xf32>
  memref.copy %a, %bo : memref<8xf32> to memref<8xf32>
  return
}

// -----

// What starts from the old value (a cache in which one row changes) has nothing to copy.
// CHECK-LABEL: func.func @one_row
// CHECK: %[[NEW:.*]] = sinter.input 0 "cache_out" {state = true}
// CHECK-NOT: memref.copy
// CHECK: memref.subview %[[NEW]]
// CHECK-NOT: memref.copy
func.func @one_row(%x: memref<1x8xf32>) {
  %cache = sinter.input 0 "cache" : memref<4x8xf32>
  %o = sinter.output 0 "cache_out" {sinter.state = 0 : i64} : memref<4x8xf32>
  memref.copy %cache, %o : memref<4x8xf32> to memref<4x8xf32>
  %row = memref.subview %o[2, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 16>>
  sinter.kernel "f" ins(%x : memref<1x8xf32>) outs(%row : memref<1x8xf32, strided<[8, 1], offset: 16>>)
  return
}
