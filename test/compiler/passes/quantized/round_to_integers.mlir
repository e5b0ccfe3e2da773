// RUN: sinter-opt %s --round-to-integers --split-input-file | FileCheck %s

#flat = affine_map<(d) -> (d)>

// CHECK-LABEL: @bytes
// CHECK: %[[ZERO:.*]] = arith.constant -15 : i32
// CHECK: %[[Q:.*]] = arith.mulf
// CHECK: %[[Y:.*]] = sinter.apply "round_to_int8"(%[[Q]], %[[ZERO]]) : (f32, i32) -> i32
// CHECK: arith.trunci %[[Y]] : i32 to i8
module attributes {sinter.target = "cortex-m4"} {
func.func @bytes(%x: tensor<8xf32>) -> tensor<8xi8> {
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.016 : f32
  %bias = arith.constant 7 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: f32, %out: i8):
    %t = sinter.requantize %a bias(%none) factor(%scale) zero -15 in [-113, 142] : (f32, f32, f32) -> i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Without a zero point, of unsigned bytes.
// CHECK-LABEL: @unsigned
// CHECK: sinter.apply "round_to_uint8"
module attributes {sinter.target = "cortex-m4"} {
func.func @unsigned(%x: tensor<8xf32>) -> tensor<8xi8> {
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.016 : f32
  %bias = arith.constant 7 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: f32, %out: i8):
    %t = sinter.requantize %a bias(%none) factor(%one) zero 0 in [0, 255] : (f32, f32, f32) -> i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Limits of a Relu, which are not those of the byte.
// CHECK-LABEL: @narrower
// CHECK: sinter.requantize
module attributes {sinter.target = "cortex-m4"} {
func.func @narrower(%x: tensor<8xf32>) -> tensor<8xi8> {
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.016 : f32
  %bias = arith.constant 7 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: f32, %out: i8):
    %t = sinter.requantize %a bias(%none) factor(%one) zero 0 in [0, 127] : (f32, f32, f32) -> i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Without an FPU: requantize-fixed's matter.
// CHECK-LABEL: @fixed
// CHECK: sinter.requantize
module attributes {sinter.target = "cortex-m4", sinter.requant = "fixed"} {
func.func @fixed(%x: tensor<8xf32>) -> tensor<8xi8> {
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.016 : f32
  %bias = arith.constant 7 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: f32, %out: i8):
    %t = sinter.requantize %a bias(%none) factor(%one) zero 0 in [-128, 127] : (f32, f32, f32) -> i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Vectors of floats: limits first, then rounding and conversion in one.
// CHECK-LABEL: @vectors
// CHECK: %[[I:.*]] = arith.addi
// CHECK: %[[F:.*]] = arith.sitofp %[[I]]
// CHECK: %[[X:.*]] = arith.mulf %[[F]]
// CHECK: %[[L:.*]] = arith.maximumf %[[X]]
// CHECK: %[[H:.*]] = arith.minimumf %[[L]]
// CHECK: %[[W:.*]] = sinter.apply "nearest_int"(%[[H]]) : (f32) -> i32
// CHECK: arith.addi %[[W]]
// CHECK: arith.trunci
// CHECK-NOT: {{requantize|roundeven}}
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @vectors(%x: tensor<8xi32>) -> tensor<8xi8> {
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.016 : f32
  %bias = arith.constant 7 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i32, %out: i8):
    %t = sinter.requantize %a bias(%bias) factor(%scale) zero -15 in [-113, 142] : (i32, i32, f32) -> i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// A limit that is too far stays behind the rounding.
// CHECK-LABEL: @far
// CHECK: sinter.requantize
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @far(%x: tensor<8xi32>) -> tensor<8xi32> {
  %none = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %o = tensor.empty() : tensor<8xi32>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%o : tensor<8xi32>) {
  ^bb0(%a: i32, %out: i32):
    %t = sinter.requantize %a bias(%none) factor(%one) zero 0 in [-113, 8388608] : (i32, i32, f32) -> i32
    linalg.yield %t : i32
  } -> tensor<8xi32>
  return %r : tensor<8xi32>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// A float of the model's may be NaN, which the conversion has to know; a known factor of an integer may not.
// CHECK-LABEL: @may_be_nan
// CHECK-NOT: nearest_int
// CHECK: sinter.requantize
// CHECK: linalg.yield
// CHECK: sinter.apply "nearest_int"
module attributes {sinter.target = "x86-64-v3"} {
func.func @may_be_nan(%x: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %scale = arith.constant 0.016 : f32
  %none = arith.constant 0 : i32
  %none_f = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<8xi32>
  %factors = sinter.weight dense<0.5> : tensor<8xf32> : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi32>) {
  ^bb0(%a: f32, %out: i32):
    %t = sinter.requantize %a bias(%none_f) factor(%scale) zero 0 in [-128, 127] : (f32, f32, f32) -> i32
    linalg.yield %t : i32
  } -> tensor<8xi32>
  %s = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%i, %factors : tensor<8xi32>, tensor<8xf32>) outs(%o : tensor<8xi32>) {
  ^bb0(%a: i32, %factor: f32, %out: i32):
    %t = sinter.requantize %a bias(%none) factor(%factor) zero 0 in [-128, 127] : (i32, i32, f32) -> i32
    linalg.yield %t : i32
  } -> tensor<8xi32>
  return %r, %s : tensor<8xi32>, tensor<8xi32>
}
}
