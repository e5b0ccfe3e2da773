// A function of the user's is called with a pointer and the dims of each buffer, then scratch, then the node's attributes; its header is included.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK: #include "{{swirl.h}}" // a custom operator's
// CHECK: // acme::swirl, a function of {{swirl.h}}
// CHECK: int k0_swirl(const int8_t *x, const float *one, int8_t *y, int8_t *scratch) {
// CHECK-NEXT: const int64_t x_dims[] = {2, 8};
// CHECK-NEXT: const int64_t y_dims[] = {2, 8};
// CHECK-NEXT: static const int64_t axes[] = {0, -1};
// CHECK-NEXT: static const float weights[] = {0.5f};
// CHECK-NEXT: return ::acme::swirl(at<const uint8_t>(x, 0), x_dims, static_cast<const uint16_t *>(nullptr), static_cast<const int64_t *>(nullptr), one,
// CHECK-NEXT:   static_cast<const int64_t *>(nullptr), at<uint8_t>(y, 0), y_dims, scratch, 3, -1.5f, "*/\" \012", axes, 2, weights, 1,
// CHECK-NEXT:   static_cast<const int64_t *>(nullptr), 0);
// CHECK:      status = k0_swirl({{.*}}in.x{{.*}}, in.one, {{.*}}out.y{{.*}}arena
// CHECK-NEXT: if (status)
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 2 : i64, dims = [2 : i64, 8 : i64]}, {name = "one", element = 1 : i64, dims = []}],
  sinter.outputs = [{name = "y", element = 2 : i64, dims = [2 : i64, 8 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<2x8xi8>
  %one = sinter.input 1 "one" : memref<f32>
  %y = sinter.output 0 "y" : memref<2x8xi8>
  %scratch = sinter.arena 0 for 64 : memref<64xi8>
  sinter.kernel "::acme::swirl" ins(%x, %one : memref<2x8xi8>, memref<f32>) outs(%y, %scratch : memref<2x8xi8>, memref<64xi8>) {header = "swirl.h", returns_status,
    signedness = "usus", arguments = [{name = "x"}, {name = "gain", absent = f16}, {name = "one"}, {name = "y"}, {name = "scratch", scratch},
      {name = "count", value = 3 : i64}, {name = "alpha", value = -1.5 : f32}, {name = "mode", value = "*/\22 \0A"}, {name = "axes", value = array<i64: 0, -1>},
      {name = "weights", value = array<f32: 0.5>}, {name = "none", value = array<i64>}]} loc("swirl")
  return
}
