// RUN: sinter-opt %s --fit-integers --split-input-file | FileCheck %s
// What is rounded and reads one or two bytes is integer arithmetic where that is the same for all of them.

// A residual: the product's rounding becomes an integer with its zero point, the sum reads no float.
// CHECK-LABEL: @residual
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[R:.*]]: i8):
// CHECK: %[[OTHER:.*]] = arith.extsi %[[R]]
// CHECK: %[[E:.*]] = sinter.requantize %[[ACC]] bias(%{{.*}}) factor(%{{.*}}) zero 14 in [-142, 113] : (i32, i32, f32) -> i32
// CHECK: %[[P:.*]] = arith.muli %[[OTHER]], %{{.*}} : i32
// CHECK: %[[PC:.*]] = arith.addi %[[P]], %{{.*}} : i32
// CHECK: %[[Q:.*]] = arith.muli %[[E]], %{{.*}} : i32
// CHECK: %[[SUM:.*]] = arith.addi %[[PC]], %[[Q]]
// CHECK: %[[LIMITED:.*]] = sinter.apply "shift_to_int8"(%[[SUM]], %{{.*}})
// CHECK: %[[BYTE:.*]] = arith.trunci %[[LIMITED]] : i32 to i8
// CHECK-NOT: f32
// CHECK: sinter.yield %[[BYTE]]
#id = affine_map<(i, j) -> (i, j)>
module attributes {sinter.target = "cortex-m3"} {
func.func @residual(%x: tensor<4x3xi8>, %w: tensor<3x2xi8>, %r: tensor<4x2xi8>) -> tensor<4x2xi8> {
  %y = tensor.empty() : tensor<4x2xi8>
  %0 = sinter.matmul ins(%x, %w, %r : tensor<4x3xi8>, tensor<3x2xi8>, tensor<4x2xi8>) outs(%y : tensor<4x2xi8>)
    attributes {epilogue_maps = [#id]} {
  ^bb0(%acc: i32, %b: i8):
    %factor = arith.constant 0.0123 : f32
    %none = arith.constant 0 : i32
    %none_f = arith.constant 0.0 : f32
    %c26 = arith.constant 26.0 : f32
    %s1 = arith.constant 0.724985 : f32
    %s2 = arith.constant 1.68940151 : f32
    %1 = sinter.requantize %acc bias(%none) factor(%factor) zero 0 in [-142, 113] : (i32, i32, f32) -> f32
    %2 = sinter.requantize %b, %1 bias(%c26, %none_f) factor(%s1, %s2) zero -128 in [0, 255] : (i8, f32, f32, f32, f32, f32) -> i8
    sinter.yield %2 : i8
  } -> tensor<4x2xi8>
  return %0 : tensor<4x2xi8>
}
}

// -----

// One unsigned byte to another scale. 0.4 x is never out of reach.
// CHECK-LABEL: @unary
// CHECK: ^bb0(%[[X:.*]]: i8, %{{.*}}: i8):
// CHECK: %[[WIDE:.*]] = arith.extui %[[X]] : i8 to i32
// CHECK: arith.muli %[[WIDE]]
// CHECK-NOT: arith.muli
// CHECK-NOT: {{max|min|requantize}}
// CHECK: arith.shrsi
// CHECK: linalg.yield
#id = affine_map<(i) -> (i)>
module attributes {sinter.target = "cortex-m4"} {
func.func @unary(%x: tensor<8xi8>) -> tensor<8xi8> {
  %y = tensor.empty() : tensor<8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %scale = arith.constant 0.4 : f32
    %c0 = arith.constant 0.0 : f32
    %1 = sinter.requantize %a bias(%c0) factor(%scale) zero 0 in [0, 255] {signs = "u"} : (i8, f32, f32) -> i8
    linalg.yield %1 : i8
  } -> tensor<8xi8>
  return %0 : tensor<8xi8>
}
}

// -----

// No integers do the same as a square root.
// CHECK-LABEL: @curved
// CHECK: math.sqrt
// CHECK: sinter.requantize
// CHECK-NOT: arith.muli
#id = affine_map<(i) -> (i)>
module attributes {sinter.target = "cortex-m4"} {
func.func @curved(%x: tensor<8xi8>) -> tensor<8xi8> {
  %y = tensor.empty() : tensor<8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %none = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %1 = arith.uitofp %a : i8 to f32
    %2 = math.sqrt %1 : f32
    %3 = sinter.requantize %2 bias(%none) factor(%one) zero 0 in [-128, 127] : (f32, f32, f32) -> i8
    linalg.yield %3 : i8
  } -> tensor<8xi8>
  return %0 : tensor<8xi8>
}
}

// -----

// Three bytes are too many to try; so are two of 16 bits; a float is none.
// CHECK-LABEL: @three
// CHECK-COUNT-3: sinter.requantize
// CHECK-NOT: arith.muli
#id = affine_map<(i) -> (i)>
module attributes {sinter.target = "cortex-m4"} {
func.func @three(%x: tensor<8xi8>, %y: tensor<8xi8>, %z: tensor<8xi8>, %u: tensor<8xi16>, %v: tensor<8xi16>, %f: tensor<8xf32>)
    -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %e = tensor.empty() : tensor<8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y, %z : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8, %c: i8, %d: i8):
    %scale = arith.constant 0.3 : f32
    %none = arith.constant 0.0 : f32
    %8 = sinter.requantize %a, %b, %c bias(%none, %none, %none) factor(%scale, %scale, %scale) zero 0 in [-128, 127]
        : (i8, i8, i8, f32, f32, f32, f32, f32, f32) -> i8
    linalg.yield %8 : i8
  } -> tensor<8xi8>
  %9 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%u, %v : tensor<8xi16>, tensor<8xi16>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i16, %b: i16, %d: i8):
    %scale = arith.constant 0.001 : f32
    %none = arith.constant 0.0 : f32
    %8 = sinter.requantize %a, %b bias(%none, %none) factor(%scale, %scale) zero 0 in [-128, 127] : (i16, i16, f32, f32, f32, f32) -> i8
    linalg.yield %8 : i8
  } -> tensor<8xi8>
  %10 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %f : tensor<8xi8>, tensor<8xf32>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %b: f32, %d: i8):
    %none = arith.constant 0.0 : f32
    %8 = sinter.requantize %a bias(%none) factor(%b) zero 0 in [-128, 127] : (i8, f32, f32) -> i8
    linalg.yield %8 : i8
  } -> tensor<8xi8>
  return %0, %9, %10 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}
}

// -----

// A sum whose products would not fit 32 bits: 16 bits times 1.5 leave 15 bits for the factor, too few for all steps.
// CHECK-LABEL: @overflow
// CHECK: sinter.requantize
// CHECK-NOT: arith.muli
#id = affine_map<(i) -> (i)>
module attributes {sinter.target = "cortex-m4"} {
func.func @overflow(%x: tensor<8xi16>) -> tensor<8xi16> {
  %e = tensor.empty() : tensor<8xi16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi16>) outs(%e : tensor<8xi16>) {
  ^bb0(%a: i16, %b: i16):
    %scale = arith.constant 0.76543217 : f32
    %none = arith.constant 0.0 : f32
    %6 = sinter.requantize %a bias(%none) factor(%scale) zero 0 in [-32768, 32767] : (i16, f32, f32) -> i16
    linalg.yield %6 : i16
  } -> tensor<8xi16>
  return %0 : tensor<8xi16>
}
}

// -----

// Targets with vectors of floats keep them.
// CHECK-LABEL: @vectors
// CHECK: sinter.requantize
#id = affine_map<(i) -> (i)>
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @vectors(%x: tensor<8xi8>) -> tensor<8xi8> {
  %y = tensor.empty() : tensor<8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %scale = arith.constant 0.4 : f32
    %none = arith.constant 0.0 : f32
    %6 = sinter.requantize %a bias(%none) factor(%scale) zero 0 in [-128, 127] : (i8, f32, f32) -> i8
    linalg.yield %6 : i8
  } -> tensor<8xi8>
  return %0 : tensor<8xi8>
}
}
