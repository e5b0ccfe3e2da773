// RUN: sinter-opt %s --simplify | FileCheck %s
// An If that hands on one of two constants is no choice between buffers, but a loop over elements. Sizes are chosen as they are.

// CHECK-LABEL: func.func @main
// CHECK-NOT: scf.if
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3xf32>, tensor<3xf32>)
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: arith.select %{{.*}}, %c2, %c3 : index
func.func @main(%condition: i1) -> (tensor<3xf32>, index) {
  %short = arith.constant dense<[1.0, 2.0, 0.0]> : tensor<3xf32>
  %long = arith.constant dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %chosen:2 = scf.if %condition -> (tensor<3xf32>, index) {
    scf.yield %short, %2 : tensor<3xf32>, index
  } else {
    scf.yield %long, %3 : tensor<3xf32>, index
  }
  return %chosen#0, %chosen#1 : tensor<3xf32>, index
}
