// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Zero points that are numbers are the product's; one known at run time is taken off the sums, with itself as padding; those per
// filter are taken off a filter of 16 bits.

// CHECK: %[[X:.*]] = bufferization.to_tensor
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x4x8xi8>, tensor<6x2x3xi8>) outs(%{{.*}} : tensor<1x6x4xi32>)
// CHECK-SAME: filter_zero = -2 : i64, group = 2 : i64, input_zero = 200 : i64, {{.*}}pads = array<i64: 1>, signs = "us"

// CHECK: tensor.insert_slice
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x4x10xi8>, tensor<6x2x3xi8>) outs(%{{.*}} : tensor<1x6x4xi32>)
// CHECK-NOT: input_zero
// CHECK-SAME: signs = "us"
// CHECK: arith.extui
// CHECK: arith.muli
// CHECK: arith.subi

// CHECK: arith.subi {{.*}} : i16
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}} : tensor<1x4x8xi8>, tensor<6x2x3xi16>) outs(%{{.*}} : tensor<1x6x4xi32>)
func.func @main(%x: tensor<1x4x8xui8> {sinter.name = "x"}, %w: tensor<6x2x3xsi8> {sinter.name = "w"}, %z: tensor<ui8> {sinter.name = "z"}) -> (tensor<1x6x4xsi32> {sinter.name = "y0"}, tensor<1x6x4xsi32> {sinter.name = "y1"}, tensor<1x6x4xsi32> {sinter.name = "y2"}) {
  %xz = sinter.weight dense<200> : tensor<ui8> : tensor<ui8>
  %wz = sinter.weight dense<-2> : tensor<6xsi8> : tensor<6xsi8>
  %each = sinter.weight dense<[0, 1, 2, 3, 4, 5]> : tensor<6xsi8> : tensor<6xsi8>
  %0 = sinter.node "ConvInteger"(%x, %w, %xz, %wz) {attrs = {auto_pad = "NOTSET", group = 2 : i64, pads = array<i64: 1, 1>, strides = array<i64: 2>}, since = 10 : i64} : (tensor<1x4x8xui8>, tensor<6x2x3xsi8>, tensor<ui8>, tensor<6xsi8>) -> tensor<1x6x4xsi32>
  %1 = sinter.node "ConvInteger"(%x, %w, %z) {attrs = {auto_pad = "NOTSET", group = 2 : i64, pads = array<i64: 1, 1>, strides = array<i64: 2>}, since = 10 : i64} : (tensor<1x4x8xui8>, tensor<6x2x3xsi8>, tensor<ui8>) -> tensor<1x6x4xsi32>
  %2 = sinter.node "ConvInteger"(%x, %w, %xz, %each) {attrs = {auto_pad = "NOTSET", group = 2 : i64, pads = array<i64: 1, 1>, strides = array<i64: 2>}, since = 10 : i64} : (tensor<1x4x8xui8>, tensor<6x2x3xsi8>, tensor<ui8>, tensor<6xsi8>) -> tensor<1x6x4xsi32>
  return %0, %1, %2 : tensor<1x6x4xsi32>, tensor<1x6x4xsi32>, tensor<1x6x4xsi32>
}
