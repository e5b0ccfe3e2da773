// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net --target x86-64-v3 && FileCheck %s < %t/net.cpp
// Limits keep NaN, which needs care that values made of integers and of known numbers do not.

// CHECK-LABEL: k0_given(
// CHECK: = noLess(
// CHECK: = noMore(
// CHECK-LABEL: k1_of_integers(
// CHECK: largerOf(
// CHECK: smallerOf(
// A factor that is infinite times 0 is none.
// CHECK-LABEL: k2_of_infinity(
// CHECK: = noLess(
// CHECK: = noMore(
#flat = affine_map<(d) -> (d)>
module {
func.func @main() attributes {sinter.arena_bytes = 0 : i64, sinter.inputs = [{name = "x", element = 1 : i64, dims = [8]}, {name = "i", element = 6 : i64, dims = [8]}],
    sinter.outputs = [{name = "y", element = 1 : i64, dims = [8]}, {name = "z", element = 1 : i64, dims = [8]}, {name = "w", element = 1 : i64, dims = [8]}]} {
  %x = sinter.input 0 "x" : memref<8xf32>
  %i = sinter.input 1 "i" : memref<8xi32>
  %y = sinter.output 0 "y" : memref<8xf32>
  %z = sinter.output 1 "z" : memref<8xf32>
  %w = sinter.output 2 "w" : memref<8xf32>
  %factors = sinter.constant {
    %c = sinter.weight dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32> : tensor<8xf32>
    sinter.yield %c : tensor<8xf32>
  } : memref<8xf32>
  %infinite = sinter.constant {
    %c = sinter.weight dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0x7F800000]> : tensor<8xf32> : tensor<8xf32>
    sinter.yield %c : tensor<8xf32>
  } : memref<8xf32>
  %scale = arith.constant 0.016 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %q = arith.mulf %a, %scale : f32
    %l = arith.maximumf %q, %low : f32
    %h = arith.minimumf %l, %high : f32
    linalg.yield %h : f32
  } loc("given")
  linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%i, %factors : memref<8xi32>, memref<8xf32>) outs(%z : memref<8xf32>) {
  ^bb0(%a: i32, %factor: f32, %out: f32):
    %f = arith.sitofp %a : i32 to f32
    %q = arith.mulf %f, %factor : f32
    %l = arith.maximumf %q, %low : f32
    %h = arith.minimumf %l, %high : f32
    linalg.yield %h : f32
  } loc("of_integers")
  linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%i, %infinite : memref<8xi32>, memref<8xf32>) outs(%w : memref<8xf32>) {
  ^bb0(%a: i32, %factor: f32, %out: f32):
    %f = arith.sitofp %a : i32 to f32
    %q = arith.mulf %f, %factor : f32
    %l = arith.maximumf %q, %low : f32
    %h = arith.minimumf %l, %high : f32
    linalg.yield %h : f32
  } loc("of_infinity")
  return
}
}
