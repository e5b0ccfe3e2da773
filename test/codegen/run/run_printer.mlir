// run is the calls in the order of the program; buffers are places of the arena, views and sizes vanish into arguments.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      int run(const net_inputs &in, net_outputs &out, const sinter_env &env) {
// CHECK:      void *const arena = env.arena;
// CHECK:      k0_map(in.x, at<float>(arena, 64));
// CHECK-NEXT: traced(trace, 0, at<float>(arena, 64));
// CHECK-NEXT: k1_map(at<float>(arena, 64), out.y);
// CHECK-NEXT: traced(trace, 1, out.y);
// CHECK-NEXT: return 0;
#id = affine_map<(i) -> (i)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [2 : i64, 8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [16 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<2x8xf32>
  %y = sinter.output 0 "y" : memref<16xf32>
  %flat = memref.collapse_shape %x [[0, 1]] : memref<2x8xf32> into memref<16xf32>
  %t = sinter.arena 64 for 64 : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%flat : memref<16xf32>) outs(%t : memref<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.absf %a : f32
    linalg.yield %0 : f32
  }
  return
}
