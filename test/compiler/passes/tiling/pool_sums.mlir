// Averages over whole maps on a microcontroller: sums of integers where a float's rounding hardly ever decides on the result, and a kernel for them
// where the core has the instructions; of floats, as onnxruntime adds them, where means fall on halves.
// RUN: sinter-opt %s --tile-rows --pack-dual | FileCheck %s
// RUN: sed 's/x_scale = 0.1107/x_scale = 0.059/' %s | sinter-opt --tile-rows --pack-dual | FileCheck %s --check-prefix=HALVES
// RUN: sed 's/"cortex-m4"/"cortex-m3"/' %s | sinter-opt --tile-rows --pack-dual | FileCheck %s --check-prefix=NEST
// RUN: sed 's/"cortex-m4"/"{base: cortex-m4, l2_kbytes: 64}"/' %s | sinter-opt --tile-rows --pack-dual | FileCheck %s --check-prefix=WHOLE
// RUN: sinter-opt %s --interpret -o %t.whole > %t.whole.txt
// RUN: sinter-opt %s --tile-rows --pack-dual --interpret -o %t.sums > %t.sums.txt
// RUN: diff %t.whole.txt %t.sums.txt
// CHECK: sinter.kernel "channel_sums" ins(%{{.*}} : tensor<1x1x8x6x7xi8>) outs({{.*}} : tensor<1x1x7xi32>) {params = {zero = 3 : i64}, signedness = "ss", updates}
// CHECK: sinter.requantize %{{.*}} zero -5 in [-123, 132] : (i32, i32, f32) -> i8
// HALVES-NOT: channel_sums
// HALVES: linalg.generic {{.*}} outs({{.*}} : tensor<1x1x7xf32>)
// NEST: linalg.generic {{.*}} outs({{.*}} : tensor<1x1x7xi32>)
// WHOLE: sinter.pool average
module attributes {sinter.target = "cortex-m4"} {
func.func @main(%x: tensor<1x1x8x6x7xi8>) -> tensor<1x1x1x1x7xi8> {
  %e = tensor.empty() : tensor<1x1x1x1x7xi8>
  %pool = sinter.pool average ins(%x : tensor<1x1x8x6x7xi8>) outs(%e : tensor<1x1x1x1x7xi8>) {window = array<i64: 8, 6>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, layout = "nchwc", scales = #sinter.pool_scales<x_scale = 0.1107 : f64, x_zero = 3, y_scale = 0.0295 : f64, y_zero = -5, integer_sums = false>} -> tensor<1x1x1x1x7xi8>
  return %pool : tensor<1x1x1x1x7xi8>
}
}
