// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// The kernel where it suits: as many dims of one size. Else the operators one by one: doubles, batches that broadcast,
// five dims, a mask that has more dims than the scores.

// CHECK-LABEL: func.func @main
// CHECK: sinter.kernel "attention_heads"
func.func @main(%q: tensor<2x3x4xf32>, %k: tensor<2x4x5xf32>, %v: tensor<2x5x4xf32>, %m: tensor<3x1xf32>) -> !sinter.any {
  %r = sinter.node "FusedAttention"(%q, %k, %v, %m) {domain = "sinter", since = 1 : i64, attrs = {scale = 0.5 : f64, zero_masked_rows = 0 : i64}} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<2x5x4xf32>, tensor<3x1xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-NOT: attention_heads
// CHECK: sinter.output 0 {{.*}} : memref<2x3x4xf64>
func.func @main(%q: tensor<2x3x4xf64>, %k: tensor<2x4x5xf64>, %v: tensor<2x5x4xf64>) -> !sinter.any {
  %n = sinter.absent
  %r = sinter.node "FusedAttention"(%q, %k, %v, %n) {domain = "sinter", since = 1 : i64, attrs = {scale = 0.5 : f64, zero_masked_rows = 1 : i64}} : (tensor<2x3x4xf64>, tensor<2x4x5xf64>, tensor<2x5x4xf64>, !sinter.absent) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-NOT: attention_heads
// CHECK: sinter.output 0 {{.*}} : memref<2x3x4xf32>
func.func @main(%q: tensor<1x3x4xf32>, %k: tensor<2x4x5xf32>, %v: tensor<2x5x4xf32>) -> !sinter.any {
  %n = sinter.absent
  %r = sinter.node "FusedAttention"(%q, %k, %v, %n) {domain = "sinter", since = 1 : i64, attrs = {scale = 0.5 : f64, zero_masked_rows = 0 : i64}} : (tensor<1x3x4xf32>, tensor<2x4x5xf32>, tensor<2x5x4xf32>, !sinter.absent) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-NOT: attention_heads
// CHECK: sinter.output 0 {{.*}} : memref<1x1x2x3x4xf32>
func.func @main(%q: tensor<1x1x2x3x4xf32>, %k: tensor<1x1x2x4x5xf32>, %v: tensor<1x1x2x5x4xf32>) -> !sinter.any {
  %n = sinter.absent
  %r = sinter.node "FusedAttention"(%q, %k, %v, %n) {domain = "sinter", since = 1 : i64, attrs = {scale = 0.5 : f64, zero_masked_rows = 0 : i64}} : (tensor<1x1x2x3x4xf32>, tensor<1x1x2x4x5xf32>, tensor<1x1x2x5x4xf32>, !sinter.absent) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-NOT: attention_heads
// CHECK: sinter.output 0 {{.*}} : memref<7x3x4xf32>
func.func @main(%q: tensor<3x4xf32>, %k: tensor<4x5xf32>, %v: tensor<5x4xf32>, %m: tensor<7x1x5xf32>) -> !sinter.any {
  %r = sinter.node "FusedAttention"(%q, %k, %v, %m) {domain = "sinter", since = 1 : i64, attrs = {scale = 0.5 : f64, zero_masked_rows = 0 : i64}} : (tensor<3x4xf32>, tensor<4x5xf32>, tensor<5x4xf32>, tensor<7x1x5xf32>) -> !sinter.any
  return %r : !sinter.any
}
