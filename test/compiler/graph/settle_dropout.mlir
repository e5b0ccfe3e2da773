// RUN: sinter-opt %s --settle-dropout | FileCheck %s
// RUN: sinter-opt %s --settle-dropout --drop-identities | FileCheck %s --check-prefix=DROPPED

// Training mode that the model states is inference, whatever states it; one that the caller gives stays.
// CHECK: %[[STATED:.*]] = sinter.absent
// CHECK-NEXT: "Dropout"(%arg0, %{{.*}}, %[[STATED]])
// CHECK: %[[MADE:.*]] = sinter.absent
// CHECK-NEXT: "Dropout"(%{{.*}}, %{{.*}}, %[[MADE]])
// CHECK: "Dropout"(%{{.*}}, %{{.*}}, %arg1)
// DROPPED: %[[ROOT:.*]] = sinter.node "Sqrt"(%arg0)
// DROPPED: sinter.node "Dropout"(%[[ROOT]], %{{.*}}, %arg1)
func.func @main(%x: tensor<2xf32>, %training: tensor<i1>) -> (!sinter.any, !sinter.any) {
  %half = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %always = sinter.weight dense<true> : tensor<i1> : tensor<i1>
  %0 = sinter.node "Dropout"(%x, %half, %always) {since = 13 : i64} : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> !sinter.any
  %made = sinter.node "Not"(%training) {since = 1 : i64} : (tensor<i1>) -> !sinter.any
  %1 = sinter.node "Dropout"(%0, %half, %made) {since = 22 : i64} : (!sinter.any, tensor<f32>, !sinter.any) -> !sinter.any
  %2 = sinter.node "Sqrt"(%1) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %3, %mask = sinter.node "Dropout"(%2, %half, %training) {since = 22 : i64} : (!sinter.any, tensor<f32>, tensor<i1>) -> (!sinter.any, !sinter.any)
  return %3, %mask : !sinter.any, !sinter.any
}
