// RUN: sinter-opt %s --split-input-file --quantize-io | FileCheck %s

// Q and DQ at the edges go, also behind a reshape.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<1x4xsi8> {sinter.name = "x", sinter.scale = 5.000000e-01 : f32, sinter.zero_point = -3 : i64}
// CHECK-SAME: -> (tensor<4xui8> {sinter.name = "y", sinter.scale = 2.500000e-01 : f32, sinter.zero_point = 128 : i64})
// CHECK: %[[R:.*]] = sinter.node "Reshape"(%[[X]], %{{.*}}) {{.*}} -> tensor<4xsi8>
// CHECK: %[[F:.*]] = sinter.node "F"(%[[R]])
// CHECK: %[[T:.*]] = sinter.node "Transpose"(%[[F]]) {{.*}} -> tensor<4xui8>
// CHECK: return %[[T]]
func.func @main(%x: tensor<1x4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y"}) {
  %sx = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %zx = sinter.weight dense<-3> : tensor<si8> : tensor<si8>
  %sy = sinter.weight dense<0.25> : tensor<1xf32> : tensor<1xf32>
  %zy = sinter.weight dense<128> : tensor<1xui8> : tensor<1xui8>
  %shape = sinter.weight dense<4> : tensor<1xsi64> : tensor<1xsi64>
  %r = sinter.node "Reshape"(%x, %shape) {since = 14 : i64} : (tensor<1x4xf32>, tensor<1xsi64>) -> tensor<4xf32>
  %q = sinter.node "QuantizeLinear"(%r, %sx, %zx) {since = 13 : i64} : (tensor<4xf32>, tensor<f32>, tensor<si8>) -> tensor<4xsi8>
  %f = sinter.node "F"(%q) {since = 1 : i64} : (tensor<4xsi8>) -> tensor<4xui8>
  %d = sinter.node "DequantizeLinear"(%f, %sy, %zy) {since = 13 : i64} : (tensor<4xui8>, tensor<1xf32>, tensor<1xui8>) -> tensor<4xf32>
  %y = sinter.node "Transpose"(%d) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// What reads an input as float too, several scales, a scale of a channel each, state, and an output that a float
// operator makes stay float, and the arguments say why.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<4xf32> {sinter.name = "both", sinter.stays_float = "node 'other' (F) reads it as float"}
// CHECK-SAME: tensor<4xf32> {sinter.name = "twice", sinter.stays_float = "it is quantized in several ways"}
// CHECK-SAME: tensor<4xf32> {sinter.name = "channels", sinter.stays_float = "a node (QuantizeLinear) has no single constant scale and zero point of 8 or 16 bits"}
// CHECK-SAME: tensor<4xf32> {sinter.name = "state", sinter.state, sinter.stays_float = "it is state"}
// CHECK-SAME: tensor<4xf32> {sinter.name = "through", sinter.stays_float = "it is an output too"}
// CHECK-SAME: tensor<4xsi32> {sinter.name = "integers"}
// CHECK-SAME: -> (tensor<4xf32> {sinter.name = "p", sinter.stays_float = "no node makes it"}, tensor<4xf32> {sinter.name = "q", sinter.stays_float = "node 'last' (G) makes it as float"}
// CHECK-COUNT-5: sinter.node "QuantizeLinear"
func.func @main(%a: tensor<4xf32> {sinter.name = "both"}, %b: tensor<4xf32> {sinter.name = "twice"}, %c: tensor<4xf32> {sinter.name = "channels"},
                %s: tensor<4xf32> {sinter.name = "state", sinter.state}, %t: tensor<4xf32> {sinter.name = "through"}, %i: tensor<4xsi32> {sinter.name = "integers"})
    -> (tensor<4xf32> {sinter.name = "p"}, tensor<4xf32> {sinter.name = "q"}) {
  %half = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %quarter = sinter.weight dense<0.25> : tensor<f32> : tensor<f32>
  %four = sinter.weight dense<0.25> : tensor<4xf32> : tensor<4xf32>
  %z = sinter.weight dense<0> : tensor<si8> : tensor<si8>
  %qa = sinter.node "QuantizeLinear"(%a, %half, %z) {since = 13 : i64} : (tensor<4xf32>, tensor<f32>, tensor<si8>) -> tensor<4xsi8>
  %fa = sinter.node "F"(%a) {since = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32> loc("other")
  %qb = sinter.node "QuantizeLinear"(%b, %half, %z) {since = 13 : i64} : (tensor<4xf32>, tensor<f32>, tensor<si8>) -> tensor<4xsi8>
  %qc = sinter.node "QuantizeLinear"(%b, %quarter, %z) {since = 13 : i64} : (tensor<4xf32>, tensor<f32>, tensor<si8>) -> tensor<4xsi8>
  %qd = sinter.node "QuantizeLinear"(%c, %four, %z) {since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<si8>) -> tensor<4xsi8>
  %qe = sinter.node "QuantizeLinear"(%s, %half, %z) {since = 13 : i64} : (tensor<4xf32>, tensor<f32>, tensor<si8>) -> tensor<4xsi8>
  %y = sinter.node "G"(%qa, %qb, %qc, %qd, %qe, %fa) {since = 1 : i64} : (tensor<4xsi8>, tensor<4xsi8>, tensor<4xsi8>, tensor<4xsi8>, tensor<4xsi8>, tensor<4xf32>) -> tensor<4xf32> loc("last")
  return %t, %y : tensor<4xf32>, tensor<4xf32>
}

// -----

// Probabilities of bytes become bytes, in steps of 1/256 from the least byte on; those of 16 bits stay floats.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<1x4xsi8> {sinter.name = "s", sinter.scale = 3.906250e-03 : f32, sinter.zero_point = -128 : i64}, tensor<1x4xui8> {sinter.name = "u", sinter.scale = 3.906250e-03 : f32, sinter.zero_point = 0 : i64}, tensor<1x4xf32> {sinter.name = "w", sinter.stays_float = "a node (Softmax) makes it as float"})
// CHECK: %[[S:.*]] = sinter.node "Softmax"
// CHECK: %[[U:.*]] = sinter.node "Softmax"
// CHECK: %[[W:.*]] = sinter.node "Softmax"
// CHECK: %[[QS:.*]] = sinter.node "QuantizeLinear"(%[[S]],
// CHECK: %[[QU:.*]] = sinter.node "QuantizeLinear"(%[[U]],
// CHECK: return %[[QS]], %[[QU]], %[[W]]
func.func @main(%x: tensor<1x4xsi8> {sinter.name = "x"}, %y: tensor<1x4xui8> {sinter.name = "y"}, %z: tensor<1x4xsi16> {sinter.name = "z"})
    -> (tensor<1x4xf32> {sinter.name = "s"}, tensor<1x4xf32> {sinter.name = "u"}, tensor<1x4xf32> {sinter.name = "w"}) {
  %scale = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %zx = sinter.weight dense<-3> : tensor<si8> : tensor<si8>
  %zy = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %zz = sinter.weight dense<0> : tensor<si16> : tensor<si16>
  %dx = sinter.node "DequantizeLinear"(%x, %scale, %zx) {since = 13 : i64} : (tensor<1x4xsi8>, tensor<f32>, tensor<si8>) -> tensor<1x4xf32>
  %dy = sinter.node "DequantizeLinear"(%y, %scale, %zy) {since = 13 : i64} : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %dz = sinter.node "DequantizeLinear"(%z, %scale, %zz) {since = 21 : i64} : (tensor<1x4xsi16>, tensor<f32>, tensor<si16>) -> tensor<1x4xf32>
  %s = sinter.node "Softmax"(%dx) {since = 13 : i64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %u = sinter.node "Softmax"(%dy) {since = 13 : i64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %w = sinter.node "Softmax"(%dz) {since = 13 : i64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %s, %u, %w : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}
