// RUN: sinter-opt %s | sinter-opt | FileCheck %s
// The textual form of node IR and of payload ops survives printing and parsing.

// CHECK-LABEL: func.func @nodes
func.func @nodes(%x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  // CHECK: sinter.absent
  %none = sinter.absent
  // CHECK: sinter.node "Clip"(%{{.*}}, %{{.*}}) {{.*}}since = 13
  %y = sinter.node "Clip"(%x, %none) {since = 13 : i64} : (tensor<1x3xf32>, !sinter.absent) -> tensor<1x3xf32>
  // CHECK: sinter.weight dense<1.000000e+00> : tensor<3xf32> {name = "w"} : tensor<3xf32>
  %w = sinter.weight dense<1.0> : tensor<3xf32> {name = "w"} : tensor<3xf32>
  return %y : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @sizes
func.func @sizes() -> index {
  // CHECK: sinter.dim "seq"[1, 128]
  %n = sinter.dim "seq"[1, 128]
  return %n : index
}
