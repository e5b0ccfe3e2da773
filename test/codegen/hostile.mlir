// Text of a model cannot leave its comment, string or identifier, in C99 with trigraphs too; equal-looking names stay apart.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix "9-kws" --weights=cpp
// RUN: FileCheck %s < %t/x_9_kws.h
// RUN: FileCheck %s --check-prefix=SOURCE < %t/x_9_kws.cpp
// RUN: %cxx -x c -std=c99 -trigraphs -Wall -Wextra -pedantic -Werror -fsyntax-only %t/x_9_kws.h
// RUN: %cxx -std=c++17 -march=x86-64-v2 -trigraphs -Wall -Wextra -Wconversion -pedantic -Werror -c %t/x_9_kws.cpp -o %t/a.o
// RUN: %cxx -std=c++17 -fsyntax-only -Wall -Wextra -Werror -x c++ %t/x_9_kws.hpp
// RUN: %python -m json.tool %t/x_9_kws_report.json > %t/again.json

// CHECK: #define X_9_KWS_ARENA_BYTES 64
// CHECK: const float *x_int;
// CHECK: const float *a__int_x; /* float[4] */
// CHECK: const float *a__int_x_2;
// CHECK: const float *x_X_9_KWS_ARENA_BYTES;
// CHECK: const float *x___include__x_;
// CHECK: const float *x___LINE__;
// SOURCE: // call 0: * / int x; / * ? ?/ #include <x>%5c%e2%80%ae
// SOURCE: void k0_int_x_include_x(
// SOURCE: "*/\012#include \"x\"\\n\?\?/"
#id = affine_map<(d0) -> (d0)>
func.func @main() attributes {
  sinter.inputs = [{name = "int", element = 1 : i64, dims = [4 : i64]}, {name = "a;\nint x", element = 1 : i64, dims = [4 : i64]},
                   {name = "a*/int x", element = 1 : i64, dims = [4 : i64]}, {name = "X_9_KWS_ARENA_BYTES", element = 1 : i64, dims = [4 : i64]},
                   {name = "\0A#include <x>", element = 1 : i64, dims = [4 : i64]}, {name = "__LINE__", element = 1 : i64, dims = [4 : i64]},
                   {name = "*/\0A#include \22x\22\\n??/", element = 1 : i64, dims = [4 : i64]}],
  sinter.outputs = [{name = "main", element = 1 : i64, dims = [4 : i64]}],
  sinter.arena_bytes = 64 : i64} {
  %x = sinter.input 0 "int" : memref<4xf32>
  %y = sinter.output 0 "main" : memref<4xf32>
  %w = sinter.constant attributes {} {
    %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    sinter.yield %v : tensor<4xf32>
  } : memref<4xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } loc("*/ int x; /* ??/\0A#include <x>\5C\E2\80\AE")
  return
}
