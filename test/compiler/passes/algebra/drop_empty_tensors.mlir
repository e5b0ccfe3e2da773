// RUN: sinter-opt %s --drop-empty-tensors | FileCheck %s

// A product of nothing is its epilogue on zeros.
// CHECK-LABEL: @product
// CHECK-NOT: sinter.conv
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x3x3xf32>)
// CHECK: arith.addf
func.func @product(%x: tensor<1x0x3x3xf32>, %w: tensor<4x0x1x1xf32>, %bias: tensor<4xf32>) -> tensor<1x4x3x3xf32> {
  %e = tensor.empty() : tensor<1x4x3x3xf32>
  %c = sinter.conv ins(%x, %w, %bias : tensor<1x0x3x3xf32>, tensor<4x0x1x1xf32>, tensor<4xf32>) outs(%e : tensor<1x4x3x3xf32>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [affine_map<(n, k, h, w) -> (k)>]} {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    sinter.yield %s : f32
  } -> tensor<1x4x3x3xf32>
  return %c : tensor<1x4x3x3xf32>
}

// A sum over nothing is what it starts from.
// CHECK-LABEL: @sum
// CHECK-SAME: %[[START:[a-z0-9]+]]: tensor<3xf32>)
// CHECK-NEXT: return %[[START]]
func.func @sum(%x: tensor<3x0xf32>, %start: tensor<3xf32>) -> tensor<3xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x0xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.addf %a, %acc : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// Parts without elements are left out; results without elements need no maker.
// CHECK-LABEL: @parts
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-NOT: sinter.kernel
// CHECK-NOT: tensor.concat
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x0xf32>
// CHECK: return %[[X]], %[[EMPTY]]
func.func @parts(%x: tensor<2x3xf32>, %y: tensor<2x0xf32>) -> (tensor<2x3xf32>, tensor<2x0xf32>) {
  %o = tensor.empty() : tensor<2x0xf32>
  %k = sinter.kernel "softmax" ins(%y : tensor<2x0xf32>) outs(%o : tensor<2x0xf32>) -> tensor<2x0xf32>
  %c = tensor.concat dim(1) %x, %k : (tensor<2x3xf32>, tensor<2x0xf32>) -> tensor<2x3xf32>
  return %c, %k : tensor<2x3xf32>, tensor<2x0xf32>
}

// What is read where there is nothing does not count.
// CHECK-LABEL: @read
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: return %[[ZERO]]
func.func @read(%x: tensor<0xf32>, %i: index) -> f32 {
  %e = tensor.extract %x[%i] : tensor<0xf32>
  return %e : f32
}

// A loop carries what has no elements unchanged.
// CHECK-LABEL: @carried
// CHECK: scf.for {{.*}} iter_args(%[[ARGUMENT:.*]] = %{{.*}}) -> (tensor<0xf32>)
// CHECK: scf.yield %[[ARGUMENT]]
func.func @carried(%x: tensor<0xf32>, %n: index, %into: memref<3xf32>, %zero: f32) -> tensor<0xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<0xf32>) {
    memref.store %zero, %into[%i] : memref<3xf32>
    %e = tensor.empty() : tensor<0xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<0xf32>) -> tensor<0xf32>
    scf.yield %f : tensor<0xf32>
  }
  return %r : tensor<0xf32>
}

// A condition that is carried does not go behind itself: what is there stands in other places than in front of it.
// CHECK-LABEL: @carried_while
// CHECK: scf.while (%{{.*}} = %{{.*}}, %[[EMPTY:.*]] = %{{.*}}, %[[NUMBER:.*]] = %{{.*}})
// CHECK: scf.condition(%{{.*}}) %[[EMPTY]], %[[NUMBER]] :
// CHECK: ^bb0(%[[BEHIND:.*]]: tensor<0xf32>, %{{.*}}: f32):
// CHECK: scf.yield %{{.*}}, %[[BEHIND]], %{{.*}} : i1, tensor<0xf32>, f32
func.func @carried_while(%x: tensor<0xf32>, %first: i1, %limit: f32) -> f32 {
  %e = tensor.empty() : tensor<0xf32>
  %r:2 = scf.while (%going = %first, %a = %x, %sum = %limit) : (i1, tensor<0xf32>, f32) -> (tensor<0xf32>, f32) {
    scf.condition(%going) %a, %sum : tensor<0xf32>, f32
  } do {
  ^bb0(%a: tensor<0xf32>, %sum: f32):
    %more = arith.addf %sum, %sum : f32
    %f = linalg.fill ins(%sum : f32) outs(%e : tensor<0xf32>) -> tensor<0xf32>
    %still = arith.cmpf olt, %more, %limit : f32
    scf.yield %still, %f, %more : i1, tensor<0xf32>, f32
  }
  return %r#1 : f32
}

// A reshape of nothing to sizes of run time is nothing of these sizes.
// CHECK-LABEL: @reshape
// CHECK-NOT: collapse_shape
// CHECK: return %{{.*}} : tensor<?x?x4xf32>
func.func @reshape(%x: tensor<0x?x4xf32>, %a: index, %b: index) -> tensor<?x?x4xf32> {
  %flat = tensor.collapse_shape %x [[0, 1, 2]] : tensor<0x?x4xf32> into tensor<?xf32>
  %y = tensor.expand_shape %flat [[0, 1, 2]] output_shape [%a, %b, 4] : tensor<?xf32> into tensor<?x?x4xf32>
  return %y : tensor<?x?x4xf32>
}
