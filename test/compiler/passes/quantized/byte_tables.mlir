// RUN: sinter-opt %s --byte-tables --split-input-file | FileCheck %s
// A function of one byte that is rounded is a table, indexed by the byte's bits: -1 is entry 255.

// CHECK-LABEL: @halves
// CHECK: %[[TABLE:.*]] = arith.constant dense<"0x00000102020203{{.*}}020100"> : tensor<256xi8>
// CHECK: ^bb0(%[[X:.*]]: i8, %{{.*}}: i8):
// CHECK: %[[BITS:.*]] = arith.extui %[[X]] : i8 to i32
// CHECK: %[[INDEX:.*]] = arith.index_castui %[[BITS]] : i32 to index
// CHECK: %[[Y:.*]] = tensor.extract %[[TABLE]][%[[INDEX]]]
// CHECK: linalg.yield %[[Y]]
#id = affine_map<(i) -> (i)>
module attributes {sinter.target = "cortex-m3"} {
func.func @halves(%x: tensor<8xi8>) -> tensor<8xi8> {
  %y = tensor.empty() : tensor<8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %half = arith.constant 0.5 : f32
    %1 = arith.sitofp %a : i8 to f32
    %2 = math.absf %1 : f32
    %3 = arith.mulf %2, %half : f32
    %7 = math.roundeven %3 : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<8xi8>
  return %0 : tensor<8xi8>
}
}

// -----

// Behind a contraction two roundings are one table; its input is the contraction's, which becomes an integer from 0 on.
// CHECK-LABEL: @epilogue
// CHECK: sinter.matmul
// CHECK: %[[FROM0:.*]] = sinter.requantize {{.*}} zero 100 in [-100, 130] : (i32, i32, f32) -> i32
// CHECK: %[[INDEX:.*]] = arith.index_castui %[[FROM0]]
// CHECK: tensor.extract %{{.*}}[%[[INDEX]]] : tensor<231xi8>
// CHECK-NOT: math
// CHECK: sinter.yield
module attributes {sinter.target = "cortex-m4"} {
func.func @epilogue(%x: tensor<4x3xi8>, %w: tensor<3x2xi8>) -> tensor<4x2xi8> {
  %y = tensor.empty() : tensor<4x2xi8>
  %0 = sinter.matmul ins(%x, %w : tensor<4x3xi8>, tensor<3x2xi8>) outs(%y : tensor<4x2xi8>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    %factor = arith.constant 0.0123 : f32
    %scale = arith.constant 0.05 : f32
    %none = arith.constant 0 : i32
    %none_f = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %5 = sinter.requantize %acc bias(%none) factor(%factor) zero 0 in [-100, 130] : (i32, i32, f32) -> f32
    %6 = arith.mulf %5, %scale : f32
    %7 = math.tanh %6 : f32
    %8 = arith.divf %7, %scale : f32
    %11 = sinter.requantize %8 bias(%none_f) factor(%one) zero 0 in [-128, 127] : (f32, f32, f32) -> f32
    %12 = arith.mulf %11, %scale : f32
    %13 = math.exp %12 : f32
    %16 = sinter.requantize %13 bias(%none_f) factor(%one) zero 0 in [0, 127] : (f32, f32, f32) -> i8
    sinter.yield %16 : i8
  } -> tensor<4x2xi8>
  return %0 : tensor<4x2xi8>
}
}

// -----

// Two bytes, and results of 16 bits, have no table.
// CHECK-LABEL: @none
// CHECK-NOT: tensor.extract
#id = affine_map<(i) -> (i)>
module attributes {sinter.target = "cortex-m4"} {
func.func @none(%x: tensor<8xi8>, %y: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi16>) {
  %e = tensor.empty() : tensor<8xi8>
  %f = tensor.empty() : tensor<8xi16>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi8>, tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8, %c: i8):
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<8xi8>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%f : tensor<8xi16>) {
  ^bb0(%a: i8, %c: i16):
    %1 = arith.sitofp %a : i8 to f32
    %3 = arith.mulf %1, %1 : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.fptosi %4 : f32 to i16
    linalg.yield %5 : i16
  } -> tensor<8xi16>
  return %0, %1 : tensor<8xi8>, tensor<8xi16>
}
}

// -----

// Where vectors shuffle bytes any map of bytes is looked up; elsewhere only what takes many operations. What reads floats stays.
// CHECK-LABEL: @on_vectors
// CHECK-COUNT-2: tensor.extract
// CHECK-NOT: tensor.extract
// CHECK: math.roundeven
// CHECK: return
#line = affine_map<(i) -> (i)>
module attributes {sinter.target = "x86-64-v3"} {
func.func @on_vectors(%x: tensor<8xi8>, %f: tensor<8xf32>) -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %y = tensor.empty() : tensor<8xi8>
  %0 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %half = arith.constant 0.5 : f32
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.mulf %1, %half : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<8xi8>
  %5 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %six = arith.constant 6.0 : f32
    %6 = arith.sitofp %a : i8 to f32
    %7 = math.tanh %6 : f32
    %8 = arith.mulf %7, %six : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.fptosi %9 : f32 to i8
    linalg.yield %10 : i8
  } -> tensor<8xi8>
  %11 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%f : tensor<8xf32>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: f32, %b: i8):
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %12 = math.roundeven %a : f32
    %13 = arith.maximumf %12, %low : f32
    %14 = arith.minimumf %13, %high : f32
    %15 = arith.fptosi %14 : f32 to i8
    linalg.yield %15 : i8
  } -> tensor<8xi8>
  return %0, %5, %11 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}
}

// -----

// CHECK-LABEL: @without_shuffles
// CHECK: math.roundeven
// CHECK: tensor.extract
// CHECK-NOT: tensor.extract
// CHECK: return
#line = affine_map<(i) -> (i)>
module attributes {sinter.target = "aarch64"} {
func.func @without_shuffles(%x: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>) {
  %y = tensor.empty() : tensor<8xi8>
  %0 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %half = arith.constant 0.5 : f32
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.mulf %1, %half : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<8xi8>
  %5 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%y : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %six = arith.constant 6.0 : f32
    %6 = arith.sitofp %a : i8 to f32
    %7 = math.tanh %6 : f32
    %8 = arith.mulf %7, %six : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.fptosi %9 : f32 to i8
    linalg.yield %10 : i8
  } -> tensor<8xi8>
  return %0, %5 : tensor<8xi8>, tensor<8xi8>
}
}
