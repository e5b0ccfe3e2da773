// A convolution's sizes are a type where they are known; the kernel gets the rows of outputs that it makes, all of them with one thread.
// RUN: rm -rf %t && sinter-emit %s -o %t --prefix net
// RUN: FileCheck %s < %t/net.cpp
// CHECK:      struct ConvSizes {
// CHECK-DAG:  channels = 16
// CHECK-DAG:  height = 6
// CHECK-DAG:  width = 5
// CHECK-DAG:  kernelH = 3
// CHECK-DAG:  padLeft = 1
// CHECK-DAG:  outHeight = 4
// CHECK:      conv<{{[0-9]+, [0-9]+}}>(ConvSizes{}, a, w, y, Fixed<0>{}, Fixed<4>{}, Identity{});
// CHECK:      conv(in.x, in.f, out.y);
func.func @main() attributes {
  sinter.inputs = [{name = "x", element = 1 : i64, dims = [1 : i64, 1 : i64, 6 : i64, 5 : i64, 16 : i64]}, {name = "f", element = 1 : i64, dims = [1 : i64, 3 : i64, 3 : i64, 16 : i64, 16 : i64]}],
  sinter.outputs = [{name = "y", element = 1 : i64, dims = [1 : i64, 1 : i64, 4 : i64, 5 : i64, 16 : i64]}],
  sinter.arena_bytes = 4096 : i64} {
  %x = sinter.input 0 "x" : memref<1x1x6x5x16xf32>
  %f = sinter.input 1 "f" : memref<1x3x3x16x16xf32>
  %y = sinter.output 0 "y" : memref<1x1x4x5x16xf32>
  sinter.conv ins(%x, %f : memref<1x1x6x5x16xf32>, memref<1x3x3x16x16xf32>) outs(%y : memref<1x1x4x5x16xf32>)
      attributes {dilations = array<i64: 1, 1>, epilogue_maps = [], group = 1 : i64, layout = "nchwc", kernel = #sinter.kernel<"conv", {dims = [array<i64: 0, 4>, array<i64: 3>, array<i64: 1>, array<i64: 2>]}>,
                  pads = array<i64: 0, 1>, strides = array<i64: 1, 1>} {
  ^bb0(%s: f32):
    sinter.yield %s : f32
  }
  return
}
