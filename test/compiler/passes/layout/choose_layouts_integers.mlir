// RUN: sinter-opt %s --choose-layouts --simplify --split-input-file | FileCheck %s
// Feature maps of integer convolutions are channels-last: one block of all channels, the first convolution's input too; pools and
// concatenations of channels keep it.

// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x3xi8>, tensor<32x3x3x3xi8>) outs(%{{.*}} : tensor<1x1x8x8x32xi8>)
// CHECK-SAME: layout = "nchwc"
// CHECK: sinter.pool max ins(%{{.*}} : tensor<1x1x8x8x32xi8>) outs(%{{.*}} : tensor<1x1x8x8x32xi8>) {{.*}}layout = "nchwc"
// CHECK: tensor.concat dim(4) %{{.*}}, %{{.*}} : (tensor<1x1x8x8x32xi8>, tensor<1x1x8x8x32xi8>) -> tensor<1x1x8x8x64xi8>
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x64xi8>, tensor<5x64x1x1xi8>) outs(%{{.*}} : tensor<1x1x8x8x5xi8>)
func.func @main(%x: tensor<1x3x8x8xi8>) -> tensor<1x5x8x8xi8> {
  %v = sinter.weight dense<1> : tensor<32x3x3x3xi8> : tensor<32x3x3x3xi8>
  %w = sinter.weight dense<1> : tensor<5x64x1x1xi8> : tensor<5x64x1x1xi8>
  %0 = tensor.empty() : tensor<1x32x8x8xi8>
  %1 = sinter.conv ins(%x, %v : tensor<1x3x8x8xi8>, tensor<32x3x3x3xi8>) outs(%0 : tensor<1x32x8x8xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x32x8x8xi8>
  %2 = sinter.pool max ins(%1 : tensor<1x32x8x8xi8>) outs(%0 : tensor<1x32x8x8xi8>) {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1, 0, 0>} -> tensor<1x32x8x8xi8>
  %3 = tensor.concat dim(1) %1, %2 : (tensor<1x32x8x8xi8>, tensor<1x32x8x8xi8>) -> tensor<1x64x8x8xi8>
  %4 = tensor.empty() : tensor<1x5x8x8xi8>
  %5 = sinter.conv ins(%3, %w : tensor<1x64x8x8xi8>, tensor<5x64x1x1xi8>) outs(%4 : tensor<1x5x8x8xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x5x8x8xi8>
  return %5 : tensor<1x5x8x8xi8>
}

// -----

// Groups of bytes, too, where vectors multiply bytes, and one volume; sums of 16-bit integers, volumes of several groups whose windows skip rows, and sizes of a call have
// no kernel that reads such maps, and keep ONNX's order.
// CHECK-LABEL: @kinds
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x16xi8>, tensor<16x4x3x3xi8>)
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x16x8x8xi16>, tensor<16x16x3x3xi8>)
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x4x8x8x16xi8>, tensor<16x16x1x3x3xi8>)
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x1x4x8x8x16xi8>, tensor<16x8x1x3x3xi8>)
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x16x4x8x8xi8>, tensor<16x8x1x3x3xi8>) {{.*}}dilations = array<i64: 1, 2, 1>
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x16x?x8xi8>, tensor<16x16x3x3xi8>)
module attributes {sinter.target = "x86-64-v3"} {
func.func @kinds(%x: tensor<1x16x8x8xi8>, %wide: tensor<1x16x8x8xi16>, %volume: tensor<1x16x4x8x8xi8>, %some: tensor<1x16x?x8xi8>, %to: tensor<1x16x?x8xi8>)
    -> (tensor<1x16x8x8xi8>, tensor<1x16x8x8xi16>, tensor<1x16x4x8x8xi8>, tensor<1x16x4x8x8xi8>, tensor<1x16x4x8x8xi8>, tensor<1x16x?x8xi8>) {
  %g = sinter.weight dense<1> : tensor<16x4x3x3xi8> : tensor<16x4x3x3xi8>
  %w = sinter.weight dense<1> : tensor<16x16x3x3xi8> : tensor<16x16x3x3xi8>
  %v = sinter.weight dense<1> : tensor<16x16x1x3x3xi8> : tensor<16x16x1x3x3xi8>
  %0 = tensor.empty() : tensor<1x16x8x8xi8>
  %1 = sinter.conv ins(%x, %g : tensor<1x16x8x8xi8>, tensor<16x4x3x3xi8>) outs(%0 : tensor<1x16x8x8xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 4 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x16x8x8xi8>
  %2 = tensor.empty() : tensor<1x16x8x8xi16>
  %3 = sinter.conv ins(%wide, %w : tensor<1x16x8x8xi16>, tensor<16x16x3x3xi8>) outs(%2 : tensor<1x16x8x8xi16>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i16
    sinter.yield %t : i16
  } -> tensor<1x16x8x8xi16>
  %4 = tensor.empty() : tensor<1x16x4x8x8xi8>
  %5 = sinter.conv ins(%volume, %v : tensor<1x16x4x8x8xi8>, tensor<16x16x1x3x3xi8>) outs(%4 : tensor<1x16x4x8x8xi8>)
    attributes {strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>, pads = array<i64: 0, 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x16x4x8x8xi8>
  %h = sinter.weight dense<1> : tensor<16x8x1x3x3xi8> : tensor<16x8x1x3x3xi8>
  %halves = sinter.conv ins(%volume, %h : tensor<1x16x4x8x8xi8>, tensor<16x8x1x3x3xi8>) outs(%4 : tensor<1x16x4x8x8xi8>)
    attributes {strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>, pads = array<i64: 0, 1, 1>, group = 2 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x16x4x8x8xi8>
  %apart = sinter.conv ins(%volume, %h : tensor<1x16x4x8x8xi8>, tensor<16x8x1x3x3xi8>) outs(%4 : tensor<1x16x4x8x8xi8>)
    attributes {strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 2, 1>, pads = array<i64: 0, 2, 1>, group = 2 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x16x4x8x8xi8>
  %6 = sinter.conv ins(%some, %w : tensor<1x16x?x8xi8>, tensor<16x16x3x3xi8>) outs(%to : tensor<1x16x?x8xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %t = arith.trunci %acc : i32 to i8
    sinter.yield %t : i8
  } -> tensor<1x16x?x8xi8>
  return %1, %3, %5, %halves, %apart, %6 : tensor<1x16x8x8xi8>, tensor<1x16x8x8xi16>, tensor<1x16x4x8x8xi8>, tensor<1x16x4x8x8xi8>, tensor<1x16x4x8x8xi8>, tensor<1x16x?x8xi8>
}
}
