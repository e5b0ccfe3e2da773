// RUN: sinter-opt %s --intform --split-input-file | FileCheck %s
// Contractions: the bias in the accumulator's steps, one factor, a clamp that holds Relu, the zero point last.

// CHECK-DAG: %[[FACTOR:.*]] = arith.constant dense<[1.000000e-01, 2.000000e-01]> : tensor<2xf32>
// CHECK-DAG: %[[BIAS:.*]] = arith.constant dense<[20, -30]> : tensor<2xi32>
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}}, %[[BIAS]], %[[FACTOR]] : tensor<4x3xi8>, tensor<3x2xi8>, tensor<2xi32>, tensor<2xf32>)
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: i32, %[[B:.*]]: i32, %[[F:.*]]: f32):
// CHECK-NEXT: %[[Q:.*]] = sinter.requantize %[[ACC]] bias(%[[B]]) factor(%[[F]]) zero -128 in [0, 255] : (i32, i32, f32) -> i8
// CHECK-NEXT: sinter.yield %[[Q]]
func.func @main(%x: tensor<4x3xi8>, %w: tensor<3x2xi8>, %y: tensor<4x2xi8>) -> tensor<4x2xi8> {
  %scale = arith.constant dense<[0.05, 0.1]> : tensor<2xf32>
  %bias = arith.constant dense<[1.0, -3.0]> : tensor<2xf32>
  %over = arith.constant dense<0.5> : tensor<f32>
  %zero = arith.constant dense<-128> : tensor<i8>
  %c0 = arith.constant 0.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %0 = sinter.matmul ins(%x, %w, %scale, %bias, %over, %zero : tensor<4x3xi8>, tensor<3x2xi8>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i8>)
    outs(%y : tensor<4x2xi8>)
    attributes {epilogue_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> ()>]} {
  ^bb0(%acc: i32, %s: f32, %b: f32, %o: f32, %z: i8):
    %1 = arith.sitofp %acc : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = arith.addf %2, %b : f32
    %4 = arith.maximumf %3, %c0 : f32
    %5 = arith.divf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.sitofp %z : i8 to f32
    %8 = arith.addf %6, %7 : f32
    %9 = arith.maximumf %8, %low : f32
    %10 = arith.minimumf %9, %high : f32
    %11 = arith.fptosi %10 : f32 to i8
    sinter.yield %11 : i8
  } -> tensor<4x2xi8>
  return %0 : tensor<4x2xi8>
}

// -----

// A zero point of 16 bits stays where its sum is exact: times its factor it would take the digits of what is added.
// CHECK: ^bb0(%[[X:.*]]: i16, %{{.*}}: i8):
// CHECK: %[[ZERO:.*]] = arith.constant -3.208400e+04 : f32
// CHECK: sinter.requantize %[[X]] bias(%[[ZERO]]) factor(%{{.*}}) plus(%{{.*}}) zero 0 in [-128, 127] {signs = "u"} : (i16, f32, f32, f32) -> i8
func.func @main(%x: tensor<8xi16>, %y: tensor<8xi8>) -> tensor<8xi8> {
  %zero = arith.constant 32084.0 : f32
  %scale = arith.constant 0.032 : f32
  %other = arith.constant 0.9 : f32
  %over = arith.constant 0.053 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi16>) outs(%y : tensor<8xi8>) {
  ^bb0(%in: i16, %out: i8):
    %1 = arith.uitofp %in : i16 to f32
    %2 = arith.subf %1, %zero : f32
    %3 = arith.mulf %2, %scale : f32
    %4 = arith.subf %3, %other : f32
    %5 = arith.divf %4, %over : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %low : f32
    %8 = arith.minimumf %7, %high : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<8xi8>
  return %0 : tensor<8xi8>
}
