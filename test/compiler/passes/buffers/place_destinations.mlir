// RUN: sinter-opt %s --split-input-file --place-destinations --bufferize | FileCheck %s

// What is inserted is made in its place.
// CHECK-LABEL: func.func @insert
// CHECK: %[[OUT:.*]] = sinter.output 0
// CHECK: %[[PART:.*]] = memref.subview %[[OUT]][0]
// CHECK: sinter.kernel "f" {{.*}} outs(%[[PART]]
// CHECK-NOT: memref.copy
func.func @insert() {
  %o = sinter.output 0 "y" : memref<16xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %whole = tensor.empty() : tensor<16xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = sinter.kernel "f" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %both = tensor.insert_slice %f into %whole[0] [8] [1] : tensor<8xf32> into tensor<16xf32>
  bufferization.materialize_in_destination %both in restrict writable %o : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// The destination is read while the part is made: the part has memory of its own.
// CHECK-LABEL: func.func @read_between
// CHECK: sinter.kernel "f" {{.*}} outs(%[[PART:.*]] :
// CHECK: sinter.kernel "look" ins(%[[WHOLE:.*]] :
// CHECK: memref.copy %[[PART]], %{{.*}}
func.func @read_between() {
  %o = sinter.output 0 "y" : memref<16xf32>
  %p = sinter.output 1 "z" : memref<16xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %we = tensor.empty() : tensor<16xf32>
  %whole = sinter.kernel "make" ins(%x : tensor<8xf32>) outs(%we : tensor<16xf32>) -> tensor<16xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = sinter.kernel "f" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %le = tensor.empty() : tensor<16xf32>
  %look = sinter.kernel "look" ins(%whole : tensor<16xf32>) outs(%le : tensor<16xf32>) -> tensor<16xf32>
  %both = tensor.insert_slice %f into %whole[0] [8] [1] : tensor<8xf32> into tensor<16xf32>
  bufferization.materialize_in_destination %both in restrict writable %o : (tensor<16xf32>, memref<16xf32>) -> ()
  bufferization.materialize_in_destination %look in restrict writable %p : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// A value between the first write and the last is read behind the next one: it stays as it is, in the output that it
// is too, and the update works on a copy.
// CHECK-LABEL: func.func @step_read_later
// CHECK: %[[OUT:.*]] = sinter.output 0
// CHECK: %[[OLD:.*]] = sinter.output 1
// CHECK: sinter.kernel "make" {{.*}} outs(%[[OLD]] :
// CHECK: memref.copy %[[OLD]], %[[NEW:.*]] :
// CHECK: sinter.kernel "add" {{.*}} outs(%[[NEW]] :
// CHECK: memref.copy %[[NEW]], %[[OUT]]
func.func @step_read_later() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %p = sinter.output 1 "z" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %one = sinter.kernel "make" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %two = sinter.kernel "add" ins(%x : tensor<8xf32>) outs(%one : tensor<8xf32>) {updates} -> tensor<8xf32>
  bufferization.materialize_in_destination %two in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %one in restrict writable %p : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// One value, two outputs: made in the first, copied into the second.
// CHECK-LABEL: func.func @two_outputs
// CHECK: %[[OUT:.*]] = sinter.output 0
// CHECK: %[[COPY:.*]] = sinter.output 1
// CHECK: sinter.kernel "make" {{.*}} outs(%[[OUT]] :
// CHECK: memref.copy %[[OUT]], %[[COPY]]
// CHECK-NOT: memref.copy
func.func @two_outputs() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %p = sinter.output 1 "z" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %one = sinter.kernel "make" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %one in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %one in restrict writable %p : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Zeros between the columns of a contraction: it is made by vectors, then copied.
// CHECK-LABEL: func.func @columns_apart
// CHECK: sinter.matmul {{.*}} outs(%[[OWN:.*]] : memref<4x8xf32>)
// CHECK: memref.copy %[[OWN]], %{{.*}} : memref<4x8xf32> to memref<4x8xf32, strided<[16, 2]>>
func.func @columns_apart(%x: memref<4x6xf32>, %w: memref<6x8xf32>) {
  %o = sinter.output 0 "y" : memref<4x16xf32>
  %a = bufferization.to_tensor %x restrict : memref<4x6xf32>
  %b = bufferization.to_tensor %w restrict : memref<6x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %y = sinter.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x8xf32>) outs(%e : tensor<4x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  } -> tensor<4x8xf32>
  %both = tensor.insert_slice %y into %zeros[0, 0] [4, 8] [1, 2] : tensor<4x8xf32> into tensor<4x16xf32>
  bufferization.materialize_in_destination %both in restrict writable %o : (tensor<4x16xf32>, memref<4x16xf32>) -> ()
  return
}

// -----

// So is what a kernel writes by rows.
// CHECK-LABEL: func.func @rows_apart
// CHECK: sinter.kernel "attention_heads" {{.*}} outs(%[[OWN:.*]], %{{.*}} : memref<1x1x3x4xf32>, memref<32xf32>)
// CHECK: memref.copy %[[OWN]], %{{.*}} : memref<1x1x3x4xf32> to memref<1x1x3x4xf32, strided<[24, 24, 8, 2]>>
func.func @rows_apart(%x: memref<1x1x3x4xf32>) {
  %o = sinter.output 0 "y" : memref<1x1x3x8xf32>
  %q = bufferization.to_tensor %x restrict : memref<1x1x3x4xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x1x3x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1x3x8xf32>) -> tensor<1x1x3x8xf32>
  %e = tensor.empty() : tensor<1x1x3x4xf32>
  %s = tensor.empty() : tensor<32xf32>
  %y, %t = sinter.kernel "attention_heads" ins(%q, %q, %q : tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>) outs(%e, %s : tensor<1x1x3x4xf32>, tensor<32xf32>) -> tensor<1x1x3x4xf32>, tensor<32xf32>
  %both = tensor.insert_slice %y into %zeros[0, 0, 0, 0] [1, 1, 3, 4] [1, 1, 1, 2] : tensor<1x1x3x4xf32> into tensor<1x1x3x8xf32>
  bufferization.materialize_in_destination %both in restrict writable %o : (tensor<1x1x3x8xf32>, memref<1x1x3x8xf32>) -> ()
  return
}
