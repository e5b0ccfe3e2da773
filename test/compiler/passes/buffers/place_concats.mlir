// RUN: sinter-opt %s --split-input-file --place-concats --unshare-inits --place-destinations --bufferize | FileCheck %s
// Both parts are written straight into the whole.
// CHECK-LABEL: func.func @both
// CHECK-NOT: memref.copy
// CHECK: %[[WHOLE:.*]] = memref.alloc() {{.*}} : memref<2x8xf32>
// CHECK: %[[HIGH:.*]] = memref.subview %[[WHOLE]][1, 0]
// CHECK: math.exp{{.*}}
// CHECK: %[[LOW:.*]] = memref.subview %[[WHOLE]][0, 0]
// CHECK: linalg.generic {{.*}} outs(%[[LOW]]
// CHECK: sinter.kernel "use" ins(%[[WHOLE]]
#id = affine_map<(a, b) -> (a, b)>
func.func @both() {
  %m = sinter.input 0 "x" : memref<1x8xf32>
  %x = bufferization.to_tensor %m restrict : memref<1x8xf32>
  %e = tensor.empty() : tensor<1x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<1x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.sqrt %in : f32
    linalg.yield %v : f32
  } -> tensor<1x8xf32>
  %whole = tensor.concat dim(0) %b, %a : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
  %o = sinter.output 0 "y" : memref<2x8xf32>
  %e2 = tensor.empty() : tensor<2x8xf32>
  %y = sinter.kernel "use" ins(%whole : tensor<2x8xf32>) outs(%e2 : tensor<2x8xf32>) -> tensor<2x8xf32>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<2x8xf32>, memref<2x8xf32>) -> ()
  return
}

// A part whose size is a number that its type does not say yet.
// CHECK-LABEL: func.func @cast
// CHECK: %[[WHOLE:.*]] = memref.alloc({{.*}}) {{.*}} : memref<{{.*}}xf32>
// CHECK: memref.subview %[[WHOLE]][0]
// CHECK: memref.subview %[[WHOLE]][{{.*}}2
func.func @cast() {
  %m = sinter.input 0 "x" : memref<2xf32>
  %x = bufferization.to_tensor %m restrict : memref<2xf32>
  %part = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
  %whole = tensor.concat dim(0) %part, %part : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %made = tensor.cast %whole : tensor<?xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %y = sinter.kernel "use" ins(%made : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %o = sinter.output 0 "y" : memref<4xf32>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
