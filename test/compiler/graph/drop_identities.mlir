// RUN: sinter-opt %s --drop-identities | FileCheck %s
// RUN: sinter-opt %s --drop-identities --recognize-norms | FileCheck %s --check-prefix=NORM

// Types that no value states follow from the operators: a sum of floats is one.
// CHECK-LABEL: @casts
// CHECK: %[[SUM:.*]] = sinter.node "Add"
// CHECK-NEXT: %[[SAME:.*]] = sinter.node "Sqrt"(%[[SUM]])
// CHECK-NEXT: %[[HALF:.*]] = sinter.node "Cast"(%[[SAME]]) {attrs = {to = 10 : i64}
// CHECK-NEXT: %[[ROOT:.*]] = sinter.node "Sqrt"(%[[HALF]])
// CHECK-NEXT: sinter.node "Cast"(%[[ROOT]]) {attrs = {to = 1 : i64}
func.func @casts(%x: tensor<2xf32>) -> !sinter.any {
  %0 = sinter.node "Add"(%x, %x) {since = 14 : i64} : (tensor<2xf32>, tensor<2xf32>) -> !sinter.any
  %1 = sinter.node "Cast"(%0) {attrs = {to = 1 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %2 = sinter.node "Sqrt"(%1) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %3 = sinter.node "Identity"(%2) {since = 16 : i64} : (!sinter.any) -> !sinter.any
  %4 = sinter.node "Cast"(%3) {attrs = {to = 10 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %5 = sinter.node "Sqrt"(%4) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %6 = sinter.node "Cast"(%5) {attrs = {to = 1 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %7 = sinter.node "Sqrt"(%6) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  return %7 : !sinter.any
}

// A mask that is read, and a Dropout that may train, stay; so does what is an output by itself.
// CHECK-LABEL: @dropout
// CHECK: sinter.node "Sqrt"(%arg0)
// CHECK: "Dropout"
// CHECK: %[[TRAINED:.*]] = sinter.node "Dropout"
// CHECK: sinter.node "Sqrt"(%[[TRAINED]])
// CHECK: "Identity"
func.func @dropout(%x: tensor<2xf32>, %training: tensor<i1>) -> (!sinter.any, !sinter.any, !sinter.any) {
  %0, %m0 = sinter.node "Dropout"(%x) {since = 10 : i64} : (tensor<2xf32>) -> (!sinter.any, !sinter.any)
  %1 = sinter.node "Sqrt"(%0) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %2, %m2 = sinter.node "Dropout"(%1) {since = 10 : i64} : (!sinter.any) -> (!sinter.any, !sinter.any)
  %3 = sinter.node "Sqrt"(%2) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %none = sinter.absent
  %4 = sinter.node "Dropout"(%3, %none, %training) {since = 13 : i64} : (!sinter.any, !sinter.absent, tensor<i1>) -> !sinter.any
  %never = sinter.weight dense<false> : tensor<i1> : tensor<i1>
  %inference = sinter.node "Dropout"(%4, %none, %never) {since = 13 : i64} : (!sinter.any, !sinter.absent, tensor<i1>) -> !sinter.any
  %5 = sinter.node "Sqrt"(%inference) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %6 = sinter.node "Identity"(%5) {since = 16 : i64} : (!sinter.any) -> !sinter.any
  return %m2, %5, %6 : !sinter.any, !sinter.any, !sinter.any
}

// RMSNorm as TorchScript exports it.
// NORM-LABEL: @rms
// NORM: sinter.node "FusedNormalization"
func.func @rms(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>) -> !sinter.any {
  %two = sinter.weight dense<2.0> : tensor<f32> : tensor<f32>
  %eps = sinter.weight dense<1.0e-5> : tensor<f32> : tensor<f32>
  %one = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %c = sinter.node "Cast"(%x) {attrs = {to = 1 : i64}, since = 13 : i64} : (tensor<2x3x8xf32>) -> !sinter.any
  %sq = sinter.node "Pow"(%c, %two) {since = 15 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %mean = sinter.node "ReduceMean"(%sq) {attrs = {axes = array<i64: -1>, keepdims = 1 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %sum = sinter.node "Add"(%mean, %eps) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %root = sinter.node "Sqrt"(%sum) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %inv = sinter.node "Div"(%one, %root) {since = 14 : i64} : (tensor<f32>, !sinter.any) -> !sinter.any
  %n = sinter.node "Mul"(%c, %inv) {since = 14 : i64} : (!sinter.any, !sinter.any) -> !sinter.any
  %d = sinter.node "Cast"(%n) {attrs = {to = 1 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %y = sinter.node "Mul"(%g, %d) {since = 14 : i64} : (tensor<8xf32>, !sinter.any) -> !sinter.any
  return %y : !sinter.any
}
