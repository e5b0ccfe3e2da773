// RUN: sinter-opt %s --simplify --split-input-file | FileCheck %s
// Reshapes one after the other become one where the types say which dims belong together. Of sizes that are known at run time only they do not:
// [a, b, c] as [a*b, c] looks like [a, b*c].

// CHECK-LABEL: func.func @main
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2]]
// CHECK: tensor.expand_shape %[[FLAT]] {{\[}}[0, 1]] output_shape
func.func @main(%x: tensor<?x?x?xf32>, %ab: index, %c: index) -> tensor<?x?xf32> {
  %flat = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x?x?xf32> into tensor<?xf32>
  %matrix = tensor.expand_shape %flat [[0, 1]] output_shape [%ab, %c] : tensor<?xf32> into tensor<?x?xf32>
  return %matrix : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: %[[CUBE:.*]] = tensor.expand_shape
// CHECK: tensor.collapse_shape %[[CUBE]] {{\[}}[0], [1, 2]]
func.func @main(%x: tensor<?xf32>, %a: index, %b: index, %c: index) -> tensor<?x?xf32> {
  %cube = tensor.expand_shape %x [[0, 1, 2]] output_shape [%a, %b, %c] : tensor<?xf32> into tensor<?x?x?xf32>
  %matrix = tensor.collapse_shape %cube [[0], [1, 2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
  return %matrix : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor.expand_shape
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<2x3x?xf32> into tensor<6x?xf32>
func.func @main(%x: tensor<2x3x?xf32>, %c: index) -> tensor<6x?xf32> {
  %flat = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x3x?xf32> into tensor<?xf32>
  %matrix = tensor.expand_shape %flat [[0, 1]] output_shape [6, %c] : tensor<?xf32> into tensor<6x?xf32>
  return %matrix : tensor<6x?xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0, 1, 2]]
// CHECK: memref.expand_shape %[[FLAT]] {{\[}}[0, 1]] output_shape
func.func @main(%x: memref<?x?x?xf32>, %ab: index, %c: index) -> memref<?x?xf32> {
  %flat = memref.collapse_shape %x [[0, 1, 2]] : memref<?x?x?xf32> into memref<?xf32>
  %matrix = memref.expand_shape %flat [[0, 1]] output_shape [%ab, %c] : memref<?xf32> into memref<?x?xf32>
  return %matrix : memref<?x?xf32>
}
