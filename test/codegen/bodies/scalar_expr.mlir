// Scalar operations as C++: unsigned ones on unsigned numbers, comparisons and choices, functions of runtime-lite by name; integers wrap.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      const auto v_3 = add(v, v_2);
// CHECK-NEXT: const auto v_4 = toSigned(div(toUnsigned(v_3), toUnsigned(v_2)));
// CHECK-NEXT: const auto v_5 = toUnsigned(v_4) < toUnsigned(v);
// CHECK-NEXT: const auto v_6 = select(v_5, v_4, v);
// CHECK-NEXT: const auto v_7 = toSigned(shiftRight(toUnsigned(v_6), toUnsigned(v_2)));
// CHECK:      const auto v_2 = exp(v);
// CHECK-NEXT: const auto v_3 = roundTo<f16>(convert<V>(v_2));
// CHECK-NEXT: const auto v_4 = convert<V>(v_3);
// CHECK-NEXT: const auto v_5 = noMore(v_4, splat<V>(1.5f));
// CHECK-NEXT: const auto v_6 = noLess(v_5, splat<V>(-2.0f));
// CHECK-NEXT: const auto v_7 = convert<V>(v_6);
// CHECK-NEXT: const auto v_8 = convert<V>(v_7);
// CHECK-NEXT: const auto v_9 = max(v_8, v);
#id = affine_map<(i) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "a", element = 6 : i64, dims = [9 : i64]}, {name = "b", element = 6 : i64, dims = [9 : i64]}, {name = "f", element = 1 : i64, dims = [9 : i64]}],
  sinter.outputs = [{name = "y", element = 6 : i64, dims = [9 : i64]}, {name = "z", element = 1 : i64, dims = [9 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %a = sinter.input 0 "a" : memref<9xi32>
  %b = sinter.input 1 "b" : memref<9xi32>
  %f = sinter.input 2 "f" : memref<9xf32>
  %y = sinter.output 0 "y" : memref<9xi32>
  %z = sinter.output 1 "z" : memref<9xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : memref<9xi32>, memref<9xi32>) outs(%y : memref<9xi32>) {
  ^bb0(%l: i32, %r: i32, %o: i32):
    %0 = arith.addi %l, %r : i32
    %1 = arith.divui %0, %r : i32
    %2 = arith.cmpi ult, %1, %l : i32
    %3 = arith.select %2, %1, %l : i32
    %4 = arith.shrui %3, %r : i32
    linalg.yield %4 : i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%f : memref<9xf32>) outs(%z : memref<9xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = math.exp %x : f32
    %1 = arith.truncf %0 : f32 to f16
    %2 = arith.extf %1 : f16 to f32
    %c = arith.constant 1.5 : f32
    %3 = arith.minimumf %2, %c : f32
    %d = arith.constant -2.0 : f32
    %4 = arith.maximumf %d, %3 : f32
    %e = arith.truncf %4 : f32 to f16 // a half already, so not rounded again
    %g = arith.extf %e : f16 to f32
    %5 = arith.maximumf %g, %x : f32
    linalg.yield %5 : f32
  }
  return
}
