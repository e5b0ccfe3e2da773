// Names of a model become members of C structs: what is no identifier is mapped, what is taken gets a number, a size by name is a member of its own.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s --check-prefix=H < %t/net.h
// H:      typedef struct net_inputs {
// H-NEXT: const float *x; /* float[n, 4] */
// H-NEXT: const float *n; /* float[4] */
// H-NEXT: int64_t n_2; /* n: 1 to 64 */
// H:      float *x_class; /* float[n, 4] */
// H-NEXT: int64_t class_dims[2]; /* written by the call */
#id = affine_map<(i, j) -> (i, j)>
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = ["n", 4 : i64]}, {name = "n", element = 1 : i64, dims = [4 : i64]}],
  sinter.outputs = [{name = "class", element = 1 : i64, dims = ["n", 4 : i64]}],
  sinter.dim_bounds = {n = array<i64: 1, 64>},
  sinter.arena_bytes = 4096 : i64} {
  %n = sinter.dim "n" [1, 64]
  %x = sinter.input 0 "x" [%n] : memref<?x4xf32>
  %n_ = sinter.input 1 "n" : memref<4xf32>
  %y = sinter.output 0 "class" [%n] : memref<?x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x4xf32>) outs(%y : memref<?x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
