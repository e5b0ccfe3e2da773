// A template kernel is called with its parameters as a struct, then a view for each buffer and a number for each scalar; one that can fail returns a status.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      int k0_cumulate(const float *x, int64_t s, float *y) {
// CHECK-NEXT: CumulateParams params = {};
// CHECK-NEXT: params.exclusive = false;
// CHECK-NEXT: params.product = true;
// CHECK-NEXT: params.reverse = false;
// CHECK-NEXT: return cumulate(params, View<const float, 2>{x, {2, 8}, {8, 1}}, s, View<float, 2>{y, {2, 8}, {8, 1}});
// CHECK:      status = k0_cumulate(in.x, 1, out.y);
// CHECK-NEXT: if (status)
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [2 : i64, 8 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [2 : i64, 8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<2x8xf32>
  %y = sinter.output 0 "y" : memref<2x8xf32>
  %axis = arith.constant 1 : i64
  sinter.kernel "cumulate" ins(%x, %axis : memref<2x8xf32>, i64) outs(%y : memref<2x8xf32>) {params = {exclusive = false, product = true, reverse = false}}
  return
}
