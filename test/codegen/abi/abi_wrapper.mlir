// The C++ header: spans whose sizes are checked against the model's.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s --check-prefix=HPP < %t/net.hpp
// HPP:      namespace net {
// HPP:      span<const float> x; // float[n, 4]
// HPP-NEXT: span<const uint8_t> q; // uint8[3]
// HPP-NEXT: int64_t n = 1;
// HPP:      if (in.n < 1 || in.n > 64)
// HPP-NEXT: return 3;
// HPP:      if (in.x.size < static_cast<size_t>(4 * in.n))
// HPP-NEXT: return 4;
// HPP:      if (in.q.size < static_cast<size_t>(3))
// HPP-NEXT: return 4;
// HPP:      const int status = ::net_run_with(&i, &o, &env);
// HPP-NEXT: out.y_dims[0] = o.y_dims[0];
#id = affine_map<(i, j) -> (i, j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = ["n", 4 : i64]}, {name = "q", element = 2 : i64, dims = [3 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = ["n", 4 : i64]}],
  sinter.dim_bounds = {n = array<i64: 1, 64>},
  sinter.arena_bytes = 4096 : i64} {
  %n = sinter.dim "n" [1, 64]
  %x = sinter.input 0 "x" [%n] : memref<?x4xf32>
  %q = sinter.input 1 "q" : memref<3xi8>
  %y = sinter.output 0 "y" [%n] : memref<?x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x4xf32>) outs(%y : memref<?x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
