// RUN: sinter-opt %s --split-input-file --narrow-caches | FileCheck %s

// New rows are converted where they are put in; attention reads the cache as it is, who needs numbers reads it widened.
// CHECK: sinter.widened_caches = ["past"]
// CHECK-LABEL: @main
// CHECK: sinter.inputs = [{dims = [1, 2, 16, 12], element = 3 : i64, name = "past"}]
// CHECK: sinter.input 0 "past" : memref<1x2x16x12xi8>
// CHECK: sinter.output 0 "present" {sinter.state = 0 : i64} : memref<1x2x16x12xi8>
// CHECK: %[[ROWS:.*]] = sinter.kernel "quantize_rows" ins(%arg0 : tensor<1x2x1x8xf32>) outs(%{{.*}} : tensor<1x2x1x12xi8>)
// CHECK: tensor.insert_slice %[[ROWS]] into %{{.*}}[0, 0, 5, 0] [1, 2, 1, 12] [1, 1, 1, 1]
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 2, 6, 12] [1, 1, 1, 1]
// CHECK: sinter.kernel "widen_rows" ins(%[[PART]] : tensor<1x2x6x12xi8>) outs(%{{.*}} : tensor<1x2x6x8xf32>)
// Its scratch has room for packed rows, and for queries and weights as bytes.
// CHECK: %[[SCRATCH:.*]] = tensor.empty() : tensor<1542xf32>
// CHECK: sinter.kernel "attention_heads" ins(%arg1, %[[PART]], %[[PART]] : {{.*}}) outs(%{{.*}}, %[[SCRATCH]] :
module attributes {sinter.cache = "int8", sinter.caches = ["past"]} {
  func.func @main(%new: tensor<1x2x1x8xf32>, %q: tensor<1x2x1x8xf32>) -> (tensor<1x2x1x8xf32>, tensor<1x2x6x8xf32>)
      attributes {sinter.inputs = [{dims = [1, 2, 16, 8], element = 1 : i64, name = "past"}], sinter.outputs = [{dims = [1, 2, 16, 8], element = 1 : i64, name = "present"}]} {
    %m = sinter.input 0 "past" : memref<1x2x16x8xf32>
    %o = sinter.output 0 "present" {sinter.state = 0 : i64} : memref<1x2x16x8xf32>
    %cache = bufferization.to_tensor %m restrict : memref<1x2x16x8xf32>
    %then = tensor.insert_slice %new into %cache[0, 0, 5, 0] [1, 2, 1, 8] [1, 1, 1, 1] : tensor<1x2x1x8xf32> into tensor<1x2x16x8xf32>
    %part = tensor.extract_slice %then[0, 0, 0, 0] [1, 2, 6, 8] [1, 1, 1, 1] : tensor<1x2x16x8xf32> to tensor<1x2x6x8xf32>
    %e = tensor.empty() : tensor<1x2x1x8xf32>
    %scratch = tensor.empty() : tensor<300xf32>
    %y, %s = sinter.kernel "attention_heads" ins(%q, %part, %part : tensor<1x2x1x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) outs(%e, %scratch : tensor<1x2x1x8xf32>, tensor<300xf32>) -> tensor<1x2x1x8xf32>, tensor<300xf32>
    %d = tensor.empty() : tensor<1x2x6x8xf32>
    %twice = linalg.add ins(%part, %part : tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) outs(%d : tensor<1x2x6x8xf32>) -> tensor<1x2x6x8xf32>
    bufferization.materialize_in_destination %then in restrict writable %o : (tensor<1x2x16x8xf32>, memref<1x2x16x8xf32>) -> ()
    return %y, %twice : tensor<1x2x1x8xf32>, tensor<1x2x6x8xf32>
  }
}

// -----

// What is made anew whole stays as it is, and is named.
// CHECK: sinter.wide_caches = ["past"]
// CHECK-LABEL: @main
// CHECK: sinter.input 0 "past" : memref<1x2x16x8xf32>
// CHECK-NOT: quantize_rows
module attributes {sinter.cache = "int8", sinter.caches = ["past"]} {
  func.func @main() {
    %m = sinter.input 0 "past" : memref<1x2x16x8xf32>
    %o = sinter.output 0 "present" {sinter.state = 0 : i64} : memref<1x2x16x8xf32>
    %cache = bufferization.to_tensor %m restrict : memref<1x2x16x8xf32>
    %d = tensor.empty() : tensor<1x2x16x8xf32>
    %then = linalg.add ins(%cache, %cache : tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>) outs(%d : tensor<1x2x16x8xf32>) -> tensor<1x2x16x8xf32>
    bufferization.materialize_in_destination %then in restrict writable %o : (tensor<1x2x16x8xf32>, memref<1x2x16x8xf32>) -> ()
    return
  }
}

// -----

// Halves: one conversion of the new rows. What a loop over a batch carries is the cache.
// CHECK-LABEL: @main
// CHECK: scf.for {{.*}} -> (tensor<2x2x16x8xf16>)
// CHECK: arith.truncf
// CHECK: tensor.insert_slice {{.*}} : tensor<1x2x1x8xf16> into tensor<2x2x16x8xf16>
module attributes {sinter.cache = "fp16", sinter.caches = ["past"]} {
  func.func @main(%new: tensor<1x2x1x8xf32>) {
    %m = sinter.input 0 "past" : memref<2x2x16x8xf32>
    %o = sinter.output 0 "present" {sinter.state = 0 : i64} : memref<2x2x16x8xf32>
    %cache = bufferization.to_tensor %m restrict : memref<2x2x16x8xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %then = scf.for %i = %c0 to %c2 step %c1 iter_args(%into = %cache) -> (tensor<2x2x16x8xf32>) {
      %put = tensor.insert_slice %new into %into[%i, 0, 5, 0] [1, 2, 1, 8] [1, 1, 1, 1] : tensor<1x2x1x8xf32> into tensor<2x2x16x8xf32>
      scf.yield %put : tensor<2x2x16x8xf32>
    }
    bufferization.materialize_in_destination %then in restrict writable %o : (tensor<2x2x16x8xf32>, memref<2x2x16x8xf32>) -> ()
    return
  }
}
