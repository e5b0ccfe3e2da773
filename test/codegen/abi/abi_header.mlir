// The C header: macros of what the caller must give, structs of inputs and outputs with types and shapes beside them, the functions.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s --check-prefix=H < %t/net.h
// H:      #define NET_ARENA_BYTES 4096
// H:      #define NET_ARENA_ALIGN 64
// H:      typedef struct net_inputs {
// H-NEXT: const float *x; /* float[n, 4] */
// H-NEXT: const uint8_t *q; /* uint8[3] */
// H-NEXT: int64_t n; /* n: 1 to 64 */
// H-NEXT: } net_inputs;
// H:      typedef struct net_outputs {
// H-NEXT: float *y; /* float[n, 4] */
// H-NEXT: int64_t y_dims[2]; /* written by the call */
// H-NEXT: } net_outputs;
// H:      int net_run(const net_inputs *inputs, net_outputs *outputs, void *arena);
// H-NEXT: int net_run_with(const net_inputs *inputs, net_outputs *outputs, const sinter_env *env);
// H-NEXT: const sinter_model_info *net_info(void);
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
