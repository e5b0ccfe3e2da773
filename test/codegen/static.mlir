// Elementwise with a broadcast, reductions over either dim, copies whole and by rows: printed, compiled without a warning, run.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix kws
// RUN: FileCheck %s < %t/kws.cpp
// RUN: FileCheck %s --check-prefix=HEADER < %t/kws.h
// RUN: %cxx -std=c++17 -O0 -march=x86-64-v2 -Wall -Wextra -Wconversion -pedantic -Werror -fno-exceptions -fno-rtti -I%t -c %t/kws.cpp -o %t/kws.o
// RUN: %cxx -std=c++17 -I%t %S/Inputs/static.cpp %t/kws.o -o %t/run && %t/run
// RUN: sinter-emit %s -o %t --prefix kws --weights=cpp
// RUN: %cxx -std=c++17 -O0 -march=x86-64-v2 -Wall -Wextra -Wconversion -pedantic -Werror -I%t %t/kws.cpp %S/Inputs/static.cpp -o %t/run && %t/run

// RUN: FileCheck %s --check-prefix=REPORT < %t/kws_report.txt
// RUN: %python -m json.tool %t/kws_report.json > %t/again.json
// RUN: sinter-emit %s -o %t/file --prefix kws --weights=file && FileCheck %s --check-prefix=FILE < %t/file/kws.cpp
// RUN: sinter-emit %s -o %t/section --prefix kws --weights=section:.flash && FileCheck %s --check-prefix=SECTION < %t/section/kws.cpp
// RUN: sinter-emit %s -o %t/again --prefix kws --weights=cpp && diff %t/again/kws.cpp %t/kws.cpp
// Global symbols carry the prefix and none is weak; from outside come only memcpy and the CPU's features.
// RUN: llvm-nm --extern-only %t/kws.o | FileCheck %s --check-prefix=SYMBOLS

// REPORT: arena 1.0 KiB (at most 0.6 KiB in use
// FILE: if (!env.weights)
// SECTION: .pushsection " ".flash" "
// SYMBOLS-NOT: {{ [WVw] }}
// SYMBOLS-NOT: {{[0-9a-f]+ [TDRB] }}{{[^k]}}
// SYMBOLS-DAG: {{[0-9a-f]+}} R kws_weights
// SYMBOLS-DAG: {{[0-9a-f]+}} T kws_run_with

// HEADER: #define KWS_ARENA_BYTES 1024
// HEADER: const float *x; /* float[4, 37] */

// A name from the model stays inside its comment.
// CHECK: // call 0: {{.*}}/block/Relu* /: 4x37xf32, 37xf32 -> 4x37xf32
// CHECK: void k0_block_add(const float *a, const float *b, float *y) {
// CHECK: map<float>(Fixed<37>{}, [&](auto tag, int64_t i1) {
// CHECK: load<V>(b + i1)
// CHECK: exp(
// CHECK: reduceLanes<float>(37,
// The row loop of a reduction over rows is inside the lanes.
// CHECK: void k4_reducecols
// CHECK-NEXT: map<float>(Fixed<37>{}
// CHECK: for (int64_t i1 = 0; i1 < 4; ++i1)
// CHECK: memcpy(y, a, 592);
// CHECK: memcpy(y + 10 * i0, a + 37 * i0, 40);
// CHECK: k0_block_add(in.x, at<const float>(weights, 0), at<float>(arena, 0)); // /block/Add

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#col = affine_map<(d0, d1) -> (d0)>
module attributes {sinter.model_sha256 = "abc"} {
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [4 : i64, 37 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [4 : i64, 37 : i64]}, {name = "sum", element = 1 : i64, dims = [4 : i64]}, {name = "cols", element = 1 : i64, dims = [37 : i64]}, {name="half", element = 1:i64, dims=[4:i64, 10:i64]}],
  sinter.arena_bytes = 1024 : i64} {
  %x = sinter.input 0 "x" : memref<4x37xf32>
  %y = sinter.output 0 "y" : memref<4x37xf32>
  %s = sinter.output 1 "sum" : memref<4xf32>
  %c = sinter.output 2 "cols" : memref<37xf32>
  %h = sinter.output 3 "half" : memref<4x10xf32>
  %bias = sinter.constant attributes {} {
    %v = arith.constant dense<0.5> : tensor<37xf32>
    sinter.yield %v : tensor<37xf32>
  } : memref<37xf32>
  %t = sinter.arena 0 for 592 : memref<4x37xf32>
  linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]} ins(%x, %bias : memref<4x37xf32>, memref<37xf32>) outs(%t : memref<4x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %0 = arith.addf %a, %b : f32
    %1 = arith.maximumf %0, %z : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } loc(fused["/block/Add", "/block/Relu*/"])
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<4xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<37xf32>)
  linalg.generic {indexing_maps = [#id2, #col], iterator_types = ["parallel", "reduction"]} ins(%t : memref<4x37xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } loc("ReduceSum")
  linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d1,d0)>, affine_map<(d0,d1)->(d0)>], iterator_types = ["parallel", "reduction"]} ins(%t : memref<4x37xf32>) outs(%c : memref<37xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } loc("ReduceCols")
  memref.copy %t, %y : memref<4x37xf32> to memref<4x37xf32>
  %sub = memref.subview %t[0, 5] [4, 10] [1, 1] : memref<4x37xf32> to memref<4x10xf32, strided<[37, 1], offset: 5>>
  memref.copy %sub, %h : memref<4x10xf32, strided<[37, 1], offset: 5>> to memref<4x10xf32>
  return
}
}
