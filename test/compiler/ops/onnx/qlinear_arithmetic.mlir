// RUN: sinter-opt %s --convert-nodes --fold-constants --simplify | FileCheck %s
// The order in which onnxruntime rounds: products fused with the sums that take them, the zero points inside the rounding.

// ra = 0.25 / 0.125, rb = 0.5 / 0.125, zc - (ra za + rb zb) = 5 - (2 * 3 + 4 * 1).
// CHECK-DAG: %[[RA:.*]] = arith.constant dense<2.000000e+00> : tensor<f32>
// CHECK-DAG: %[[RB:.*]] = arith.constant dense<4.000000e+00> : tensor<f32>
// CHECK-DAG: %[[FIXED:.*]] = arith.constant dense<-5.000000e+00> : tensor<f32>
// What is added first is the operand of which one element meets a row of the other; with zero points of 128:
// -5 + 128 - (4 * 128 + 2 * 128).
// CHECK-DAG: %[[LIFTED:.*]] = arith.constant dense<-6.450000e+02> : tensor<f32>
// CHECK-DAG: %[[LIFT:.*]] = arith.constant 1.280000e+02 : f32
// CHECK-DAG: %[[LOWER:.*]] = arith.constant -1.280000e+02 : f32

// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[RA]], %[[RB]], %[[FIXED]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %[[R:.*]]: f32, %[[S:.*]]: f32, %[[K:.*]]: f32, %{{.*}}: i8):
// CHECK-NEXT: %[[FB:.*]] = arith.uitofp %[[B]]
// CHECK-NEXT: %[[INNER:.*]] = math.fma %[[FB]], %[[S]], %[[K]]
// CHECK-NEXT: %[[FA:.*]] = arith.uitofp %[[A]]
// CHECK-NEXT: %[[SUM:.*]] = math.fma %[[FA]], %[[R]], %[[INNER]]
// CHECK-NEXT: math.roundeven %[[SUM]]
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: arith.minimumf
// CHECK-NEXT: arith.fptoui

// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[RB]], %[[RA]], %[[LIFTED]] : tensor<2x4xi8>, tensor<2x1xi8>
// CHECK: arith.addf %{{.*}}, %[[LIFT]]
// CHECK-NEXT: math.fma
// CHECK: arith.addf %{{.*}}, %[[LIFT]]
// CHECK-NEXT: math.fma
// CHECK-NEXT: math.roundeven
// CHECK-NEXT: arith.addf %{{.*}}, %[[LOWER]]

// Without `unsigned` the bytes stay signed: 5 - (2 * 0 + 4 * 0).
// CHECK: linalg.generic
// CHECK-NOT: arith.addf
// CHECK: math.roundeven

// round((a - za) (b - zb) (sa sb / sc) + zc)
// CHECK: linalg.generic
// CHECK: %[[X:.*]] = arith.subf
// CHECK: %[[Y:.*]] = arith.subf
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK: %[[SCALED:.*]] = arith.mulf %[[P]]
// CHECK: %[[MOVED:.*]] = arith.addf %[[SCALED]]
// CHECK: math.roundeven %[[MOVED]]
func.func @main(%x: tensor<4xui8> {sinter.name = "x"}, %y: tensor<4xui8> {sinter.name = "y"}, %i: tensor<2x4xsi8> {sinter.name = "i"}, %j: tensor<2x1xsi8> {sinter.name = "j"})
    -> (tensor<4xui8> {sinter.name = "sum"}, tensor<2x4xsi8> {sinter.name = "lifted"}, tensor<2x4xsi8> {sinter.name = "signed"}, tensor<4xui8> {sinter.name = "product"}) {
  %sa = sinter.weight dense<0.25> : tensor<f32> : tensor<f32>
  %sb = sinter.weight dense<0.5> : tensor<1xf32> : tensor<1xf32>
  %sc = sinter.weight dense<0.125> : tensor<f32> : tensor<f32>
  %za = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %zb = sinter.weight dense<1> : tensor<ui8> : tensor<ui8>
  %zc = sinter.weight dense<5> : tensor<ui8> : tensor<ui8>
  %ic = sinter.weight dense<-5> : tensor<si8> : tensor<si8>
  %none = sinter.absent
  %0 = sinter.node "QLinearAdd"(%x, %sa, %za, %y, %sb, %zb, %sc, %zc) {domain = "com.microsoft", since = 1 : i64} : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<4xui8>, tensor<1xf32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  %1 = sinter.node "QLinearAdd"(%j, %sa, %none, %i, %sb, %none, %sc, %ic) {attrs = {unsigned = 1 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<2x1xsi8>, tensor<f32>, !sinter.absent, tensor<2x4xsi8>, tensor<1xf32>, !sinter.absent, tensor<f32>, tensor<si8>) -> tensor<2x4xsi8>
  %2 = sinter.node "QLinearAdd"(%i, %sa, %none, %j, %sb, %none, %sc, %none) {domain = "com.microsoft", since = 1 : i64} : (tensor<2x4xsi8>, tensor<f32>, !sinter.absent, tensor<2x1xsi8>, tensor<1xf32>, !sinter.absent, tensor<f32>, !sinter.absent) -> tensor<2x4xsi8>
  %3 = sinter.node "QLinearMul"(%x, %sa, %za, %y, %sb, %zb, %sc, %zc) {domain = "com.microsoft", since = 1 : i64} : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<4xui8>, tensor<1xf32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  return %0, %1, %2, %3 : tensor<4xui8>, tensor<2x4xsi8>, tensor<2x4xsi8>, tensor<4xui8>
}
