// The head of a source asks for C++17 before all includes, then for what its arithmetic and the target need, and says with which flags it is built; products
// and sums stay apart, and matters of style are silent.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net --target x86-64-v3
// RUN: FileCheck %s < %t/net.cpp
// RUN: sinter-emit %s -o %t/macos --prefix net --target aarch64-macos
// RUN: FileCheck %s --check-prefix=MACOS < %t/macos/net.cpp
// MACOS:      #error "made for aarch64-macos: build for arm64-apple-macos"
// CHECK:      #if __cplusplus < 201703L
// CHECK-NEXT: #error "this source needs C++17: build it with -std=c++17"
// CHECK-NEXT: #endif
// CHECK-NEXT: #include "{{.*}}"
// CHECK:      #if !defined(__GNUC__)
// CHECK-NEXT: #error "this source needs GCC or Clang"
// CHECK:      #ifdef __FAST_MATH__
// CHECK-NEXT: #error "this source needs IEEE arithmetic: build it without -ffast-math"
// CHECK:      #if !defined({{.*}}) || \
// CHECK:          !defined(__AVX2__)
// CHECK:      #error "made for x86-64-v3: build with -march=x86-64-v3"
// CHECK-NEXT: #endif
// CHECK-NOT:  #error "made for
// CHECK:      #ifdef __clang__
// CHECK-NEXT: #pragma STDC FP_CONTRACT OFF
// CHECK-NEXT: #else
// CHECK-NEXT: #pragma GCC optimize("fp-contract=off")
// CHECK-NEXT: #endif
// CHECK:      #pragma GCC diagnostic ignored "-Wshadow"
#id = affine_map<(i) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<8xf32>
  %y = sinter.output 0 "y" : memref<8xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
