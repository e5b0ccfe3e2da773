// RUN: sinter-opt %s --expand-requantize --split-input-file | FileCheck %s
// What a quantization is in scalar operations; and what a kernel takes as an object.

#flat = affine_map<(d) -> (d)>

// Two terms in order, an unsigned byte and a float; biases of 0 and factors of 1 are nothing.
// CHECK-LABEL: @terms
// CHECK: ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: f32, %{{.*}}: i8):
// CHECK-NEXT: %[[REAL:.*]] = arith.uitofp %[[X]] : i8 to f32
// CHECK-NEXT: %[[CENTRED:.*]] = arith.addf %[[REAL]], %[[BIAS:.*]] : f32
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[CENTRED]], %[[FACTOR:.*]] : f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[SCALED]], %[[Y]] : f32
// CHECK-NEXT: %[[ALL:.*]] = arith.addf %[[SUM]], %[[FACTOR]] : f32
// CHECK-NEXT: %[[ROUND:.*]] = math.roundeven %[[ALL]] : f32
// CHECK: %[[L:.*]] = arith.maximumf %[[ROUND]], %cst{{.*}} : f32
// CHECK: %[[H:.*]] = arith.minimumf %[[L]], %cst{{.*}} : f32
// CHECK-NEXT: %[[I:.*]] = arith.fptosi %[[H]] : f32 to i32
// CHECK: %[[Z:.*]] = arith.addi %[[I]], %c{{.*}} : i32
// CHECK-NEXT: %[[T:.*]] = arith.trunci %[[Z]] : i32 to i8
// CHECK-NEXT: linalg.yield %[[T]]
module attributes {sinter.target = "x86-64-v3"} {
func.func @terms(%x: tensor<8xi8>, %y: tensor<8xf32>) -> tensor<8xi8> {
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %bias = arith.constant -3.0 : f32
  %factor = arith.constant 0.3 : f32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi8>, tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i8, %b: f32, %out: i8):
    %t = sinter.requantize %a, %b bias(%bias, %none) factor(%factor, %one) plus(%factor) zero -5 in [-123, 132] {signs = "us"}
        : (i8, f32, f32, f32, f32, f32, f32) -> i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// A sum of 32 bits takes its bias as an integer; a float stays one.
// CHECK-LABEL: @float
// CHECK: ^bb0(%[[X:.*]]: i32, %{{.*}}: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[X]], %{{.*}} : i32
// CHECK-NEXT: arith.sitofp %[[SUM]] : i32 to f32
// CHECK-NEXT: math.roundeven
// CHECK: arith.maximumf
// CHECK: %[[H:.*]] = arith.minimumf
// CHECK-NEXT: linalg.yield %[[H]] : f32
module attributes {sinter.target = "x86-64-v3"} {
func.func @float(%x: tensor<8xi32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %bias = arith.constant 7 : i32
  %o = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: i32, %out: f32):
    %t = sinter.requantize %a bias(%bias) factor(%one) zero 0 in [-128, 127] : (i32, i32, f32) -> f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
}

// -----

// Kernels of im2col rows with vectors take the whole epilogue, not a part of one.
// CHECK-LABEL: @object
// CHECK: sinter.requantize
// CHECK: sinter.matmul
// CHECK-NOT: sinter.requantize
// CHECK: math.roundeven
#channel = affine_map<(i, j) -> (j)>
module attributes {sinter.target = "cortex-m55"} {
func.func @object(%x: tensor<4x16xi8>, %w: tensor<16x4xi8>, %bias: tensor<4xi32>) -> (tensor<4x4xi8>, tensor<4x4xi8>) {
  %factor = arith.constant 0.01 : f32
  %y = tensor.empty() : tensor<4x4xi8>
  %0 = sinter.matmul ins(%x, %w, %bias : tensor<4x16xi8>, tensor<16x4xi8>, tensor<4xi32>) outs(%y : tensor<4x4xi8>)
    attributes {epilogue_maps = [#channel], kernel = #sinter.kernel<"gemm_im2col", {}>} {
  ^bb0(%acc: i32, %b: i32):
    %q = sinter.requantize %acc bias(%b) factor(%factor) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  } -> tensor<4x4xi8>
  %1 = sinter.matmul ins(%x, %w, %bias : tensor<4x16xi8>, tensor<16x4xi8>, tensor<4xi32>) outs(%y : tensor<4x4xi8>)
    attributes {epilogue_maps = [#channel], kernel = #sinter.kernel<"gemm_im2col", {}>} {
  ^bb0(%acc: i32, %b: i32):
    %q = sinter.requantize %acc bias(%b) factor(%factor) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
    %n = arith.xori %q, %q : i8
    sinter.yield %n : i8
  } -> tensor<4x4xi8>
  return %0, %1 : tensor<4x4xi8>, tensor<4x4xi8>
}
}
