// RUN: sinter-opt %s --requantize-fixed --split-input-file | FileCheck %s

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#flat = affine_map<(d) -> (d)>
#one = affine_map<(d) -> ()>

// The epilogue of a quantized convolution: 0.00390625 = 2^-8 is 2^30 / 2^38, and the smaller factor has the same shift.
// CHECK-LABEL: @convolution
// CHECK: %[[M:.*]] = arith.constant dense<[1073741824, 536870912]> : tensor<2xi32>
// CHECK: sinter.conv ins(%{{.*}}, %{{.*}}, %{{[^,]*}}, %[[M]] : {{.*}}tensor<2xi32>, tensor<2xi32>)
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: i32, %[[BIAS:.*]]: i32, %[[FACTOR:.*]]: i32):
// CHECK: %[[SUM:.*]] = arith.addi %[[ACC]], %[[BIAS]]
// CHECK-DAG: %[[S:.*]] = arith.constant 38 : i32
// CHECK: %[[R:.*]] = sinter.apply "rescale"(%[[SUM]], %[[FACTOR]], %[[S]])
// CHECK: %[[LOW:.*]] = arith.maxsi %[[R]]
// CHECK: %[[HIGH:.*]] = arith.minsi %[[LOW]]
// CHECK: arith.addi %[[HIGH]]
// CHECK: arith.trunci
// CHECK-NOT: f32
module attributes {sinter.requant = "fixed"} {
func.func @convolution(%x: tensor<1x8x5x5xi8>, %w: tensor<2x8x1x1xi8>) -> tensor<1x2x5x5xi8> {
  %bias = sinter.weight dense<[7, -7]> : tensor<2xi32> : tensor<2xi32>
  %f = sinter.weight dense<[0.00390625, 0.001953125]> : tensor<2xf32> : tensor<2xf32>
  %o = tensor.empty() : tensor<1x2x5x5xi8>
  %y = sinter.conv ins(%x, %w, %bias, %f : tensor<1x8x5x5xi8>, tensor<2x8x1x1xi8>, tensor<2xi32>, tensor<2xf32>) outs(%o : tensor<1x2x5x5xi8>) attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, epilogue_maps = [#channel, #channel]} {
  ^bb0(%acc: i32, %b: i32, %m: f32):
    %t = sinter.requantize %acc bias(%b) factor(%m) zero 3 in [-131, 124] : (i32, i32, f32) -> i8
    sinter.yield %t : i8
  } -> tensor<1x2x5x5xi8>
  return %y : tensor<1x2x5x5xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// A residual add of two scales: one sum of bytes times constants.
// CHECK-LABEL: @add
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i8,
// CHECK: arith.extsi %[[X]]
// CHECK: arith.muli
// CHECK: arith.extsi %[[Y]]
// CHECK: arith.muli
// CHECK: arith.shrsi
// CHECK-NOT: f32
module attributes {sinter.requant = "fixed"} {
func.func @add(%x: tensor<8xi8>, %y: tensor<8xi8>) -> tensor<8xi8> {
  %sx = arith.constant 0.833 : f32
  %sy = arith.constant 0.57 : f32
  %zx = arith.constant -5.0 : f32
  %none = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %i = sinter.requantize %a, %b bias(%zx, %none) factor(%sx, %sy) zero -3 in [-125, 130] : (i8, i8, f32, f32, f32, f32) -> i8
    linalg.yield %i : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// A residual on the sum: the parts meet with 12 more bits, and are rounded once.
// CHECK-LABEL: @residual
// CHECK: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i8,
// CHECK: %[[A:.*]] = sinter.apply "rescale"
// CHECK: arith.extsi %[[Y]]
// CHECK: %[[B:.*]] = arith.shrsi
// CHECK: arith.addi %[[A]], %[[B]]
// CHECK: arith.constant 2048
// CHECK: arith.shrsi
// CHECK-NOT: f32
module attributes {sinter.requant = "fixed"} {
func.func @residual(%x: tensor<8xi32>, %y: tensor<8xi8>) -> tensor<8xi8> {
  %f = arith.constant 0.0039 : f32
  %g = arith.constant 0.71 : f32
  %offset = arith.constant 128.0 : f32
  %none = arith.constant 0 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi32>, tensor<8xi8>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i32, %b: i8, %out: i8):
    %t = sinter.requantize %a, %b bias(%none, %offset) factor(%f, %g) zero 0 in [0, 255] : (i32, i8, i32, f32, f32, f32) -> i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// What was quantized before in the same body, and stays a float there, is an integer again.
// CHECK-LABEL: @quantized_twice
// CHECK: %[[A:.*]] = sinter.apply "rescale"
// CHECK: %[[L:.*]] = arith.maxsi %[[A]]
// CHECK: %[[H:.*]] = arith.minsi %[[L]]
// CHECK: arith.muli %[[H]]
// CHECK-NOT: f32
module attributes {sinter.requant = "fixed"} {
func.func @quantized_twice(%x: tensor<8xi32>, %y: tensor<8xi8>) -> tensor<8xi8> {
  %f = arith.constant 0.0039 : f32
  %g = arith.constant 0.71 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0 : i32
  %none_f = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi32>, tensor<8xi8>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i32, %b: i8, %out: i8):
    %q = sinter.requantize %a bias(%none) factor(%f) zero 0 in [-128, 127] : (i32, i32, f32) -> f32
    %i = sinter.requantize %b, %q bias(%none_f, %none_f) factor(%one, %g) zero 0 in [-128, 127] : (i8, f32, f32, f32, f32, f32) -> i8
    linalg.yield %i : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Factors above 1/4 shift first, and saturate.
// CHECK-LABEL: @large_factor
// CHECK: %[[L:.*]] = arith.maxsi
// CHECK: %[[H:.*]] = arith.minsi %[[L]]
// CHECK: %[[U:.*]] = arith.shli %[[H]]
// CHECK: %[[R:.*]] = sinter.apply "rescale"(%[[U]],
// CHECK: arith.maxsi %[[R]]
module attributes {sinter.requant = "fixed"} {
func.func @large_factor(%x: tensor<8xi32>) -> tensor<8xi8> {
  %k = arith.constant 1.14 : f32
  %none = arith.constant 0 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i32, %out: i8):
    %i = sinter.requantize %a bias(%none) factor(%k) zero 0 in [0, 127] : (i32, i32, f32) -> i8
    linalg.yield %i : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>
#one = affine_map<(d) -> ()>

// A factor that is known at run time only stays float.
// CHECK-LABEL: @unknown_factor
// CHECK: sinter.requantize
// CHECK-NOT: rescale
module attributes {sinter.requant = "fixed"} {
func.func @unknown_factor(%x: tensor<8xi32>, %f: tensor<f32>) -> tensor<8xi8> {
  %none = arith.constant 0 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #one, #flat], iterator_types = ["parallel"]} ins(%x, %f : tensor<8xi32>, tensor<f32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i32, %m: f32, %out: i8):
    %i = sinter.requantize %a bias(%none) factor(%m) zero 0 in [-128, 127] : (i32, i32, f32) -> i8
    linalg.yield %i : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Not asked for: nothing changes.
// CHECK-LABEL: @float
// CHECK: sinter.requantize
func.func @float(%x: tensor<8xi32>) -> tensor<8xi8> {
  %k = arith.constant 0.01 : f32
  %none = arith.constant 0 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i32, %out: i8):
    %i = sinter.requantize %a bias(%none) factor(%k) zero 0 in [-128, 127] : (i32, i32, f32) -> i8
    linalg.yield %i : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}

// -----

// A quantized average over a whole map: a sum in integers, then one factor: 0.5 / (0.25 * 48) = 0.0416.. = 1431655765 / 2^35.
// CHECK-LABEL: @average
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x1x8x6x4xi8>) outs(%{{.*}} : tensor<1x1x4xi32>)
// CHECK: arith.addi
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x1x1x4xi8>)
// CHECK-DAG: arith.constant 1431655{{[0-9]+}} : i32
// CHECK-DAG: arith.constant 35 : i32
// CHECK: sinter.apply "rescale"
// CHECK-NOT: f32
module attributes {sinter.requant = "fixed"} {
func.func @average(%x: tensor<1x1x8x6x4xi8>) -> tensor<1x1x1x1x4xi8> {
  %o = tensor.empty() : tensor<1x1x1x1x4xi8>
  %y = sinter.pool average ins(%x : tensor<1x1x8x6x4xi8>) outs(%o : tensor<1x1x1x1x4xi8>) {window = array<i64: 8, 6>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, layout = "nchwc", scales = #sinter.pool_scales<x_scale = 0.5 : f64, x_zero = 3, y_scale = 0.25 : f64, y_zero = -5, integer_sums = false>} -> tensor<1x1x1x1x4xi8>
  return %y : tensor<1x1x1x1x4xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// The same as onnxruntime rounds it: products fused with their sums, the zero point inside the rounding.
// CHECK-LABEL: @fused_add
// CHECK-COUNT-2: arith.muli
// CHECK: arith.shrsi
// CHECK-NOT: f32
module attributes {sinter.requant = "fixed"} {
func.func @fused_add(%x: tensor<8xi8>, %y: tensor<8xi8>) -> tensor<8xi8> {
  %sx = arith.constant 0.75 : f32
  %sy = arith.constant 0.6 : f32
  %k = arith.constant 31.5 : f32
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi8>, tensor<8xi8>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %fa = arith.sitofp %a : i8 to f32
    %fb = arith.uitofp %b : i8 to f32
    %right = math.fma %fb, %sy, %k : f32
    %sum = math.fma %sx, %fa, %right : f32
    %i = sinter.requantize %sum bias(%none) factor(%one) zero 0 in [-128, 127] : (f32, f32, f32) -> i8
    linalg.yield %i : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}
