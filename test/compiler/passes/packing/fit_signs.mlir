// RUN: sinter-opt %s --fit-signs --split-input-file | FileCheck %s
// RUN: sinter-opt %s --split-input-file --interpret -o /dev/null > %t.plain
// RUN: sinter-opt %s --fit-signs --split-input-file --interpret -o /dev/null | diff %t.plain -
// Bytes between contractions are stored as the dot product takes them: unsigned for x86, signed for Arm. All who make
// and read them say the same of x ^ 0x80.

// Fills, moves, bodies, pools and terms of sums go along.
// CHECK: sinter.requantize %{{.*}} zero 131 in [-131, 124] : (f32, f32, f32) -> i8
// CHECK: linalg.fill ins(%c-125_i8 : i8)
// CHECK: %[[CONV:.*]] = sinter.conv {{.*}}input_zero = 131 : i64, {{.*}}signs = "us"
// CHECK: sinter.requantize %{{.*}} zero 0 in [0, 255] : (i32, i32, f32) -> i8
// CHECK: %[[MAX:.*]] = sinter.pool max ins(%[[CONV]] : {{.*}}is_unsigned
// CHECK: sinter.pool average ins(%[[MAX]] : {{.*}}is_unsigned, {{.*}}x_zero = 0, {{.*}}y_zero = 133
// CHECK: tensor.yield %c7_i8
// CHECK: sinter.conv {{.*}}input_zero = 133 : i64, {{.*}}signs = "us"
// CHECK: ^bb0(%[[ACC:.*]]: i32, %[[A:.*]]: i8, %[[B:.*]]: i8):
// CHECK: %[[OTHER:.*]] = arith.xori %[[B]], %c-128_i8
// CHECK: %[[BIAS:.*]] = arith.constant -1.260000e+02 : f32
// CHECK: sinter.requantize %[[ACC]], %[[A]] bias(%{{.*}}, %[[BIAS]]) {{.*}}signs = "su"
// CHECK: %[[WIDE:.*]] = arith.extui %[[A]]
// CHECK: arith.addi %[[WIDE]], %c-128_i32
// CHECK: arith.subi %[[OTHER]], %[[OTHER]]
#id = affine_map<(n, c, h, w, b) -> (n, c, h, w, b)>
module attributes {sinter.target = "x86-64-v3"} {
func.func @main() -> tensor<1x1x6x6x4xf32> attributes {sinter.inputs = [], sinter.outputs = []} {
  %given = sinter.input 0 "m" : memref<1x1x6x6x4xf32>
  %m = bufferization.to_tensor %given restrict : memref<1x1x6x6x4xf32>
  %w = sinter.weight dense<3> : tensor<4x4x3x3xi8> : tensor<4x4x3x3xi8>
  %v = sinter.weight dense<2> : tensor<4x4x1x1xi8> : tensor<4x4x1x1xi8>
  %none_f = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : i8
  %c_121 = arith.constant -121 : i8
  %e = tensor.empty() : tensor<1x1x6x6x4xi8>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%m : tensor<1x1x6x6x4xf32>) outs(%e : tensor<1x1x6x6x4xi8>) {
  ^bb0(%a: f32, %o: i8):
    %factor = arith.constant 60.0 : f32
    %q = sinter.requantize %a bias(%none_f) factor(%factor) zero 3 in [-131, 124] : (f32, f32, f32) -> i8
    linalg.yield %q : i8
  } -> tensor<1x1x6x6x4xi8>
  %f = tensor.empty() : tensor<1x1x8x8x4xi8>
  %filled = linalg.fill ins(%c3 : i8) outs(%f : tensor<1x1x8x8x4xi8>) -> tensor<1x1x8x8x4xi8>
  %p = tensor.insert_slice %x into %filled[0, 0, 1, 1, 0] [1, 1, 6, 6, 4] [1, 1, 1, 1, 1] : tensor<1x1x6x6x4xi8> into tensor<1x1x8x8x4xi8>
  %y = sinter.conv ins(%p, %w : tensor<1x1x8x8x4xi8>, tensor<4x4x3x3xi8>) outs(%e : tensor<1x1x6x6x4xi8>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", input_zero = 3 : i64, epilogue_maps = []} {
  ^bb0(%acc: i32):
    %none = arith.constant 0 : i32
    %factor = arith.constant 0.0123 : f32
    %q = sinter.requantize %acc bias(%none) factor(%factor) zero -128 in [0, 255] : (i32, i32, f32) -> i8
    sinter.yield %q : i8
  } -> tensor<1x1x6x6x4xi8>
  %max = sinter.pool max ins(%y : tensor<1x1x6x6x4xi8>) outs(%e : tensor<1x1x6x6x4xi8>)
    {dilations = array<i64: 1, 1>, layout = "nchwc", pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, window = array<i64: 3, 3>} -> tensor<1x1x6x6x4xi8>
  %me = tensor.empty() : tensor<1x1x5x5x4xi8>
  %mean = sinter.pool average ins(%max : tensor<1x1x6x6x4xi8>) outs(%me : tensor<1x1x5x5x4xi8>)
    {dilations = array<i64: 1, 1>, layout = "nchwc", pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 2, 2>,
     scales = #sinter.pool_scales<x_scale = 0.5 : f64, x_zero = -128, y_scale = 0.25 : f64, y_zero = 5, integer_sums = false>} -> tensor<1x1x5x5x4xi8>
  %padded = tensor.pad %mean low[0, 0, 0, 1, 0] high[0, 0, 1, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %c_121 : i8
  } : tensor<1x1x5x5x4xi8> to tensor<1x1x6x6x4xi8>
  %z = tensor.empty() : tensor<1x1x6x6x4xf32>
  %r = sinter.conv ins(%padded, %v, %y, %max : tensor<1x1x6x6x4xi8>, tensor<4x4x1x1xi8>, tensor<1x1x6x6x4xi8>, tensor<1x1x6x6x4xi8>) outs(%z : tensor<1x1x6x6x4xf32>)
    attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, layout = "nchwc", input_zero = 5 : i64, epilogue_maps = [#id, #id]} {
  ^bb0(%acc: i32, %a: i8, %b: i8):
    %none = arith.constant 0 : i32
    %two = arith.constant 2.0 : f32
    %factor = arith.constant 0.25 : f32
    %q = sinter.requantize %acc, %a bias(%none, %two) factor(%factor, %factor) zero 0 in [-128, 127] : (i32, i8, i32, f32, f32, f32) -> f32
    %wide = arith.extsi %a : i8 to i32
    %float = arith.sitofp %wide : i32 to f32
    %low = arith.addf %q, %float : f32
    %diff = arith.subi %b, %b : i8
    %small = arith.sitofp %diff : i8 to f32
    %sum = arith.addf %low, %small : f32
    sinter.yield %sum : f32
  } -> tensor<1x1x6x6x4xf32>
  return %r : tensor<1x1x6x6x4xf32>
}
}

// -----

// Arm multiplies signed bytes. A float is off by 128; of what is added to a term only whole numbers can be.
// CHECK: @main
// CHECK: sinter.requantize %{{.*}} zero -128 in [0, 255] : (f32, f32, f32) -> i8
// CHECK: sinter.matmul {{.*}}attributes {epilogue_maps = [#{{.*}}], lhs_zero = -128 : i64}
// CHECK: %[[OTHER:.*]] = arith.xori %[[A:.*]], %c-128_i8
// CHECK: %[[FLOAT:.*]] = arith.sitofp %[[A]]
// CHECK: %[[C128:.*]] = arith.constant 1.280000e+02
// CHECK: arith.addf %[[FLOAT]], %[[C128]]
// CHECK: sinter.requantize %[[OTHER]] {{.*}}signs = "u"
#id = affine_map<(i, j) -> (i, j)>
module attributes {sinter.target = "aarch64"} {
func.func @main() -> tensor<4x8xf32> attributes {sinter.inputs = [], sinter.outputs = []} {
  %given = sinter.input 0 "m" : memref<4x8xf32>
  %m = bufferization.to_tensor %given restrict : memref<4x8xf32>
  %w = sinter.weight dense<3> : tensor<8x8xi8> : tensor<8x8xi8>
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %wide = arith.constant 120.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<4x8xi8>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x8xf32>) outs(%e : tensor<4x8xi8>) {
  ^bb0(%a: f32, %o: i8):
    %q = sinter.requantize %a bias(%none) factor(%wide) zero 0 in [0, 255] : (f32, f32, f32) -> i8
    linalg.yield %q : i8
  } -> tensor<4x8xi8>
  %y = tensor.empty() : tensor<4x8xf32>
  %r = sinter.matmul ins(%x, %w, %x : tensor<4x8xi8>, tensor<8x8xi8>, tensor<4x8xi8>) outs(%y : tensor<4x8xf32>)
    attributes {signs = "us", epilogue_maps = [#id]} {
  ^bb0(%acc: i32, %a: i8):
    %float = arith.uitofp %a : i8 to f32
    %q = sinter.requantize %a bias(%half) factor(%one) zero 0 in [0, 255] {signs = "u"} : (i8, f32, f32) -> f32
    %sum = arith.addf %float, %q : f32
    sinter.yield %sum : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
}

// -----

// What leaves the function, comes into it, is a constant or is read by a kernel lies as these say.
// CHECK: @main
// CHECK-NOT: signs = "us"
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @main() -> (tensor<4x8xi8>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<1x4x8xi8>) attributes {sinter.inputs = [], sinter.outputs = []} {
  %bytes = sinter.input 0 "x" : memref<4x8xi8>
  %x = bufferization.to_tensor %bytes restrict : memref<4x8xi8>
  %w = sinter.weight dense<3> : tensor<8x8xi8> : tensor<8x8xi8>
  %rows = sinter.weight dense<5> : tensor<2x8xi8> : tensor<2x8xi8>
  %e = tensor.empty() : tensor<4x8xi8>
  %y = tensor.empty() : tensor<4x8xi32>
  %given = sinter.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x8xi8>) outs(%e : tensor<4x8xi8>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<4x8xi8>
  %1 = sinter.matmul ins(%given, %w : tensor<4x8xi8>, tensor<8x8xi8>) outs(%y : tensor<4x8xi32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<4x8xi32>
  %read = sinter.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x8xi8>) outs(%e : tensor<4x8xi8>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<4x8xi8>
  %2 = sinter.matmul ins(%read, %w : tensor<4x8xi8>, tensor<8x8xi8>) outs(%y : tensor<4x8xi32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<4x8xi32>
  %ranked = tensor.expand_shape %read [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xi8> into tensor<1x4x8xi8>
  %g = tensor.empty() : tensor<1x4x8xi8>
  %k = sinter.kernel "quantized_softmax" ins(%ranked : tensor<1x4x8xi8>) outs(%g : tensor<1x4x8xi8>)
    {params = {steps = 256.0 : f64, x_scale = 0.1 : f64, y_zero = -128 : i64}, signedness = "ss"} -> tensor<1x4x8xi8>
  %part = sinter.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x8xi8>) outs(%e : tensor<4x8xi8>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<4x8xi8>
  %mixed = tensor.insert_slice %rows into %part[0, 0] [2, 8] [1, 1] : tensor<2x8xi8> into tensor<4x8xi8>
  %3 = sinter.matmul ins(%mixed, %w : tensor<4x8xi8>, tensor<8x8xi8>) outs(%y : tensor<4x8xi32>) attributes {epilogue_maps = []} {
  ^bb0(%acc: i32):
    sinter.yield %acc : i32
  } -> tensor<4x8xi32>
  return %given, %1, %2, %3, %k : tensor<4x8xi8>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<1x4x8xi8>
}
}
