// RUN: sinter-opt %s --round-to-integers --split-input-file | FileCheck %s

#flat = affine_map<(d) -> (d)>

// CHECK-LABEL: @bytes
// CHECK: %[[Q:.*]] = arith.divf
// CHECK: %[[ZERO:.*]] = arith.constant -15 : i32
// CHECK: %[[Y:.*]] = sinter.apply "round_to_int8"(%[[Q]], %[[ZERO]]) : (f32, i32) -> i32
// CHECK: arith.trunci %[[Y]] : i32 to i8
module attributes {sinter.target = "cortex-m4"} {
func.func @bytes(%x: tensor<8xf32>) -> tensor<8xi8> {
  %scale = arith.constant 0.016 : f32
  %low = arith.constant -113.0 : f32
  %high = arith.constant 142.0 : f32
  %zero = arith.constant -15 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: f32, %out: i8):
    %q = arith.divf %a, %scale : f32
    %round = math.roundeven %q : f32
    %l = arith.maximumf %round, %low : f32
    %h = arith.minimumf %l, %high : f32
    %i = arith.fptosi %h : f32 to i32
    %s = arith.addi %i, %zero : i32
    %t = arith.trunci %s : i32 to i8
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
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: f32, %out: i8):
    %round = math.roundeven %a : f32
    %l = arith.maximumf %round, %low : f32
    %h = arith.minimumf %l, %high : f32
    %i = arith.fptosi %h : f32 to i32
    %t = arith.trunci %i : i32 to i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Limits of a Relu, which are not those of the byte.
// CHECK-LABEL: @narrower
// CHECK: math.roundeven
module attributes {sinter.target = "cortex-m4"} {
func.func @narrower(%x: tensor<8xf32>) -> tensor<8xi8> {
  %low = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: f32, %out: i8):
    %round = math.roundeven %a : f32
    %l = arith.maximumf %round, %low : f32
    %h = arith.minimumf %l, %high : f32
    %i = arith.fptosi %h : f32 to i32
    %t = arith.trunci %i : i32 to i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Without an FPU: requantize-fixed's matter.
// CHECK-LABEL: @fixed
// CHECK: math.roundeven
module attributes {sinter.target = "cortex-m4", sinter.requant = "fixed"} {
func.func @fixed(%x: tensor<8xf32>) -> tensor<8xi8> {
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: f32, %out: i8):
    %round = math.roundeven %a : f32
    %l = arith.maximumf %round, %low : f32
    %h = arith.minimumf %l, %high : f32
    %i = arith.fptosi %h : f32 to i32
    %t = arith.trunci %i : i32 to i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// Vectors of floats: limits first, then rounding and conversion in one.
// CHECK-LABEL: @vectors
// CHECK: %[[F:.*]] = arith.sitofp
// CHECK: %[[X:.*]] = arith.mulf %[[F]]
// CHECK: %[[L:.*]] = arith.maximumf %[[X]]
// CHECK: %[[H:.*]] = arith.minimumf %[[L]]
// CHECK: sinter.apply "nearest_int"(%[[H]]) : (f32) -> i32
// CHECK-NOT: math.roundeven
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @vectors(%x: tensor<8xi32>) -> tensor<8xi8> {
  %scale = arith.constant 0.016 : f32
  %low = arith.constant -113.0 : f32
  %high = arith.constant 142.0 : f32
  %zero = arith.constant -15 : i32
  %o = tensor.empty() : tensor<8xi8>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%o : tensor<8xi8>) {
  ^bb0(%a: i32, %out: i8):
    %f = arith.sitofp %a : i32 to f32
    %q = arith.mulf %f, %scale : f32
    %round = math.roundeven %q : f32
    %l = arith.maximumf %round, %low : f32
    %h = arith.minimumf %l, %high : f32
    %i = arith.fptosi %h : f32 to i32
    %s = arith.addi %i, %zero : i32
    %t = arith.trunci %s : i32 to i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// A limit that is no whole number, and one that is too far: each stays behind the rounding.
// CHECK-LABEL: @fraction
// CHECK-COUNT-2: arith.fptosi
module attributes {sinter.target = "x86-64-v4+vnni"} {
func.func @fraction(%x: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %low = arith.constant -113.5 : f32
  %high = arith.constant 142.0 : f32
  %whole = arith.constant -113.0 : f32
  %far = arith.constant 8388608.0 : f32
  %o = tensor.empty() : tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%o, %o : tensor<8xi32>, tensor<8xi32>) {
  ^bb0(%a: i32, %out: i32, %other: i32):
    %f = arith.sitofp %a : i32 to f32
    %round = math.roundeven %f : f32
    %l = arith.maximumf %round, %low : f32
    %h = arith.minimumf %l, %high : f32
    %i = arith.fptosi %h : f32 to i32
    %l2 = arith.maximumf %round, %whole : f32
    %h2 = arith.minimumf %l2, %far : f32
    %i2 = arith.fptosi %h2 : f32 to i32
    linalg.yield %i, %i2 : i32, i32
  } -> (tensor<8xi32>, tensor<8xi32>)
  return %r#0, %r#1 : tensor<8xi32>, tensor<8xi32>
}
}

// -----

#flat = affine_map<(d) -> (d)>

// A float of the model's may be NaN, which the conversion has to know; a known factor of an integer may not.
// CHECK-LABEL: @may_be_nan
// CHECK-NOT: nearest_int
// CHECK: arith.fptosi
// CHECK: linalg.yield
// CHECK: sinter.apply "nearest_int"
module attributes {sinter.target = "x86-64-v3"} {
func.func @may_be_nan(%x: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %scale = arith.constant 0.016 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %o = tensor.empty() : tensor<8xi32>
  %factors = sinter.weight dense<0.5> : tensor<8xf32> : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o : tensor<8xi32>) {
  ^bb0(%a: f32, %out: i32):
    %q = arith.mulf %a, %scale : f32
    %round = math.roundeven %q : f32
    %l = arith.maximumf %round, %low : f32
    %h = arith.minimumf %l, %high : f32
    %t = arith.fptosi %h : f32 to i32
    linalg.yield %t : i32
  } -> tensor<8xi32>
  %s = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%i, %factors : tensor<8xi32>, tensor<8xf32>) outs(%o : tensor<8xi32>) {
  ^bb0(%a: i32, %factor: f32, %out: i32):
    %f = arith.sitofp %a : i32 to f32
    %q = arith.mulf %f, %factor : f32
    %round = math.roundeven %q : f32
    %l = arith.maximumf %round, %low : f32
    %h = arith.minimumf %l, %high : f32
    %t = arith.fptosi %h : f32 to i32
    linalg.yield %t : i32
  } -> tensor<8xi32>
  return %r, %s : tensor<8xi32>, tensor<8xi32>
}
}
