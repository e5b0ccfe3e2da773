// Products and convolutions of 16-bit integers are the same as sums of those of bytes: of signed words and unsigned ones, by bytes and by
// words, with zero points of which both bytes are something, and pads, which are the zero point. Where there are no kernels of bytes nothing happens.
// RUN: sinter-opt %s --interpret -o /dev/null > %t.whole
// RUN: sinter-opt %s --split-words --interpret -o %t.mlir > %t.split
// RUN: diff %t.whole %t.split
// RUN: FileCheck %s < %t.mlir
// RUN: sed 's/x86-64-v3/generic64/' %s | sinter-opt --split-words | FileCheck %s --check-prefix=PLAIN
// CHECK-COUNT-2: sinter.matmul ins({{.*}} : tensor<5x9xi8>, tensor<9x7xi8>)
// CHECK-COUNT-4: sinter.matmul ins({{.*}} : tensor<2x5x9xi8>, tensor<2x7x9xi8>)
// CHECK-COUNT-2: sinter.conv ins({{.*}} : tensor<1x3x6x7xi8>, tensor<4x3x3x3xi8>)
// CHECK-NOT: sinter.conv
// PLAIN: sinter.matmul ins({{.*}} : tensor<5x9xi16>, tensor<9x7xi8>)
// PLAIN: sinter.matmul ins({{.*}} : tensor<2x5x9xi16>, tensor<2x7x9xi16>)
// PLAIN: sinter.conv ins({{.*}} : tensor<1x3x6x7xi16>, tensor<4x3x3x3xi8>)
module attributes {sinter.target = "x86-64-v3"} {
func.func @main(%a: tensor<5x9xi16>, %b: tensor<9x7xi8>, %c: tensor<2x5x9xi16>, %d: tensor<2x7x9xi16>, %x: tensor<1x3x6x7xi16>)
    -> (tensor<5x7xi64>, tensor<2x5x7xi64>, tensor<1x4x4x7xi64>) {
  %e0 = tensor.empty() : tensor<5x7xi64>
  %y0 = sinter.matmul ins(%a, %b : tensor<5x9xi16>, tensor<9x7xi8>) outs(%e0 : tensor<5x7xi64>)
      attributes {epilogue_maps = [], signs = "us", lhs_zero = 33000 : i64, rhs_zero = 3 : i64} {
  ^bb0(%s: i64):
    sinter.yield %s : i64
  } -> tensor<5x7xi64>
  %e1 = tensor.empty() : tensor<2x5x7xi64>
  %y1 = sinter.matmul ins(%c, %d : tensor<2x5x9xi16>, tensor<2x7x9xi16>) outs(%e1 : tensor<2x5x7xi64>)
      attributes {epilogue_maps = [], transpose_rhs, signs = "su", lhs_zero = -700 : i64, rhs_zero = 5 : i64} {
  ^bb0(%s: i64):
    sinter.yield %s : i64
  } -> tensor<2x5x7xi64>
  %w = arith.constant dense<-77> : tensor<4x3x3x3xi8>
  %e2 = tensor.empty() : tensor<1x4x4x7xi64>
  %y2 = sinter.conv ins(%x, %w : tensor<1x3x6x7xi16>, tensor<4x3x3x3xi8>) outs(%e2 : tensor<1x4x4x7xi64>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1>, group = 1 : i64, epilogue_maps = [], signs = "ss", input_zero = -300 : i64} {
  ^bb0(%s: i64):
    sinter.yield %s : i64
  } -> tensor<1x4x4x7xi64>
  return %y0, %y1, %y2 : tensor<5x7xi64>, tensor<2x5x7xi64>, tensor<1x4x4x7xi64>
}
}
