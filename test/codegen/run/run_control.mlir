// Control flow of run: an if that gives a buffer leaves a pointer, what a for carries is a variable, a while tests in its middle.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      const bool v = *(in.c) != 0;
// CHECK-NEXT: const float *buffer{};
// CHECK-NEXT: if (v) {
// CHECK-NEXT: buffer = at<float>(arena, 0);
// CHECK-NEXT: }
// CHECK-NEXT: else {
// CHECK-NEXT: buffer = at<float>(arena, 64);
// CHECK:      int64_t v_3 = v_2;
// CHECK-NEXT: for (int64_t i = 0; i < 3; i += 1) {
// CHECK-NEXT: const int64_t v_4 = add(v_3, v_3);
// CHECK-NEXT: v_3 = v_4;
// CHECK-NEXT: }
// CHECK-NEXT: int64_t v_5 = v_3;
// CHECK-NEXT: int64_t v_6{};
// CHECK-NEXT: for (;;) {
// CHECK-NEXT: const bool v_7 = v_5 > int64_t(2);
// CHECK-NEXT: v_6 = v_5;
// CHECK-NEXT: if (!(v_7))
// CHECK-NEXT: break;
// CHECK-NEXT: const int64_t v_8 = div(v_6, int64_t(2));
// CHECK-NEXT: v_5 = v_8;
// CHECK-NEXT: }
// CHECK-NEXT: *(out.steps) = v_6;
func.func @main() attributes {
  sinter.inputs = [{name = "c", element = 9 : i64, dims = []}, {name = "count", element = 7 : i64, dims = []}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [8 : i64]}, {name = "steps", element = 7 : i64, dims = []}],
  sinter.arena_bytes = 4096 : i64} {
  %c = sinter.input 0 "c" : memref<i1>
  %count = sinter.input 1 "count" : memref<i64>
  %y = sinter.output 0 "y" : memref<8xf32>
  %steps = sinter.output 1 "steps" : memref<i64>
  %a = sinter.arena 0 for 32 : memref<8xf32>
  %b = sinter.arena 64 for 32 : memref<8xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)
  %cond = memref.load %c[] : memref<i1>
  %either = scf.if %cond -> (memref<8xf32>) {
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %b : memref<8xf32>
  }
  memref.copy %either, %y : memref<8xf32> to memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %wide = memref.load %count[] : memref<i64>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %wide) -> (i64) {
    %t = arith.addi %s, %s : i64
    scf.yield %t : i64
  }
  %end = scf.while (%v = %sum) : (i64) -> (i64) {
    %go = arith.cmpi sgt, %v, %two : i64
    scf.condition(%go) %v : i64
  } do {
  ^bb0(%v: i64):
    %h = arith.divsi %v, %two : i64
    scf.yield %h : i64
  }
  memref.store %end, %steps[] : memref<i64>
  return
}
