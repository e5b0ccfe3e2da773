// RUN: sinter-opt %s --choose-layouts --simplify --split-input-file | FileCheck %s
// Cores with dual multiply-adds weave the planes of a few channels while they widen them: no copy with channels last is
// made of what the model is given, nor of what is made of it element by element.

// CHECK-LABEL: @given
// CHECK-NOT: linalg
// CHECK: sinter.conv ins(%arg0, %{{.*}} : tensor<1x3x8x8xi8>, tensor<8x3x3x3xi8>) outs(%{{.*}} : tensor<1x1x6x6x8xi8>)
// CHECK-SAME: layout = "nchw->nchwc"
module attributes {sinter.target = "cortex-m4"} {
func.func @given(%x: tensor<1x3x8x8xi8>) -> tensor<1x8x6x6xi8> {
  %v = sinter.weight dense<1> : tensor<8x3x3x3xi8> : tensor<8x3x3x3xi8>
  %0 = tensor.empty() : tensor<1x8x6x6xi8>
  %1 = sinter.conv ins(%x, %v : tensor<1x3x8x8xi8>, tensor<8x3x3x3xi8>) outs(%0 : tensor<1x8x6x6xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x8x6x6xi8>
  return %1 : tensor<1x8x6x6xi8>
}
}

// -----

// CHECK-LABEL: @quantized
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<1x3x8x8xf32>) outs(%{{.*}} : tensor<1x3x8x8xi8>)
// CHECK: sinter.conv ins(%{{.*}} : tensor<1x3x8x8xi8>, tensor<8x3x3x3xi8>)
// CHECK-SAME: layout = "nchw->nchwc"
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
module attributes {sinter.target = "cortex-m4"} {
func.func @quantized(%x: tensor<1x3x8x8xf32>) -> tensor<1x8x6x6xi8> {
  %v = sinter.weight dense<1> : tensor<8x3x3x3xi8> : tensor<8x3x3x3xi8>
  %e = tensor.empty() : tensor<1x3x8x8xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x3x8x8xf32>) outs(%e : tensor<1x3x8x8xi8>) {
  ^bb0(%a: f32, %o: i8):
    %i = arith.fptosi %a : f32 to i8
    linalg.yield %i : i8
  } -> tensor<1x3x8x8xi8>
  %0 = tensor.empty() : tensor<1x8x6x6xi8>
  %1 = sinter.conv ins(%q, %v : tensor<1x3x8x8xi8>, tensor<8x3x3x3xi8>) outs(%0 : tensor<1x8x6x6xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x8x6x6xi8>
  return %1 : tensor<1x8x6x6xi8>
}
}

// -----

// What a convolution makes comes channels-last; so does the input of many channels, and that of other cores.
// CHECK-LABEL: @made
// CHECK: sinter.conv {{.*}}layout = "nchw->nchwc"
// CHECK: sinter.conv {{.*}}layout = "nchwc"
module attributes {sinter.target = "cortex-m4"} {
func.func @made(%x: tensor<1x3x8x8xi8>) -> tensor<1x8x8x8xi8> {
  %v = sinter.weight dense<1> : tensor<4x3x1x1xi8> : tensor<4x3x1x1xi8>
  %w = sinter.weight dense<1> : tensor<8x4x1x1xi8> : tensor<8x4x1x1xi8>
  %0 = tensor.empty() : tensor<1x4x8x8xi8>
  %1 = sinter.conv ins(%x, %v : tensor<1x3x8x8xi8>, tensor<4x3x1x1xi8>) outs(%0 : tensor<1x4x8x8xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x4x8x8xi8>
  %2 = tensor.empty() : tensor<1x8x8x8xi8>
  %3 = sinter.conv ins(%1, %w : tensor<1x4x8x8xi8>, tensor<8x4x1x1xi8>) outs(%2 : tensor<1x8x8x8xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x8x8x8xi8>
  return %3 : tensor<1x8x8x8xi8>
}
}

// -----

// CHECK-LABEL: @many
// CHECK: sinter.conv {{.*}}layout = "nchwc"
module attributes {sinter.target = "cortex-m4"} {
func.func @many(%x: tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> {
  %v = sinter.weight dense<1> : tensor<8x8x1x1xi8> : tensor<8x8x1x1xi8>
  %0 = tensor.empty() : tensor<1x8x8x8xi8>
  %1 = sinter.conv ins(%x, %v : tensor<1x8x8x8xi8>, tensor<8x8x1x1xi8>) outs(%0 : tensor<1x8x8x8xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x8x8x8xi8>
  return %1 : tensor<1x8x8x8xi8>
}
}

// -----

// CHECK-LABEL: @other
// CHECK: sinter.conv {{.*}}layout = "nchwc"
module attributes {sinter.target = "cortex-m3"} {
func.func @other(%x: tensor<1x3x8x8xi8>) -> tensor<1x8x8x8xi8> {
  %v = sinter.weight dense<1> : tensor<8x3x1x1xi8> : tensor<8x3x1x1xi8>
  %0 = tensor.empty() : tensor<1x8x8x8xi8>
  %1 = sinter.conv ins(%x, %v : tensor<1x3x8x8xi8>, tensor<8x3x1x1xi8>) outs(%0 : tensor<1x8x8x8xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x8x8x8xi8>
  return %1 : tensor<1x8x8x8xi8>
}
}
