// RUN: sinter-opt --interpret %s -o /dev/null | FileCheck %s
// The oracle runs a function at its edges' form: inputs read, outputs materialized, sizes from symbolic dims.

// CHECK: output 0: tensor<4x3xf32> [-16, -14, -12,
// CHECK: output 1: tensor<4xi64> [-3, -2, -1, 0]
func.func @main() {
  %n = sinter.dim "batch" [1, 4]
  %in = sinter.input 0 "x"[%n] : memref<?x3xf32>
  %x = bufferization.to_tensor %in restrict : memref<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %y = linalg.map { arith.addf } ins(%x, %x : tensor<?x3xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>)
  %w = sinter.weight dense<4.0> : tensor<1xf32> : tensor<1xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} ins(%y, %w : tensor<?x3xf32>, tensor<1xf32>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<?x3xf32>
  %out = sinter.output 0 "y"[%n] : memref<?x3xf32>
  bufferization.materialize_in_destination %z in restrict writable %out : (tensor<?x3xf32>, memref<?x3xf32>) -> ()
  %in1 = sinter.input 1 "i"[%n] : memref<?xi64>
  %i = bufferization.to_tensor %in1 restrict : memref<?xi64>
  %out1 = sinter.output 1 "j"[%n] : memref<?xi64>
  bufferization.materialize_in_destination %i in restrict writable %out1 : (tensor<?xi64>, memref<?xi64>) -> ()
  return
}
