// RUN: split-file %s %t
// RUN: not sinter-emit %t/range.mlir -o %t/out 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not sinter-emit %t/work.mlir -o %t/out 2>&1 | FileCheck %s --check-prefix=WORK
// RUN: not sinter-emit %t/unknown.mlir -o %t/out 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// A constant that has no contents is reported with its cause: an index of the model's, work without measure, or an op
// that the interpreter does not know, which is no fault of the model.

//--- range.mlir
// RANGE: error: an index or a size in a constant is out of range [E0302]
func.func @main() attributes {sinter.arena_bytes = 0 : i64,
    sinter.inputs = [], sinter.outputs = [{name = "y", element = 1 : i64, dims = [1]}]} {
  %c = sinter.constant {
    %data = sinter.weight dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
    %index = arith.constant 5 : index
    %picked = tensor.extract %data[%index] : tensor<2xf32>
    %result = tensor.from_elements %picked : tensor<1xf32>
    sinter.yield %result : tensor<1xf32>
  } : memref<1xf32>
  %y = sinter.output 0 "y" : memref<1xf32>
  memref.copy %c, %y : memref<1xf32> to memref<1xf32>
  return
}

//--- work.mlir
// WORK: error: a constant takes more than 8 GiB or 2^38 steps to compute [E0507]
// WORK: hint: compute it before, and store it in the model as an initializer
func.func @main() attributes {sinter.arena_bytes = 0 : i64,
    sinter.inputs = [], sinter.outputs = [{name = "y", element = 1 : i64, dims = [1]}]} {
  %c = sinter.constant {
    %data = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
    %wide = tensor.empty() : tensor<1048576x1048576xf32>
    %many = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%data : tensor<f32>) outs(%wide : tensor<1048576x1048576xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %in, %in : f32
      linalg.yield %sum : f32
    } -> tensor<1048576x1048576xf32>
    %result = tensor.extract_slice %many[0, 0] [1, 1] [1, 1] : tensor<1048576x1048576xf32> to tensor<1xf32>
    sinter.yield %result : tensor<1xf32>
  } : memref<1xf32>
  %y = sinter.output 0 "y" : memref<1xf32>
  memref.copy %c, %y : memref<1xf32> to memref<1xf32>
  return
}

//--- unknown.mlir
// UNKNOWN: error: a constant cannot be evaluated
func.func @main() attributes {sinter.arena_bytes = 0 : i64,
    sinter.inputs = [], sinter.outputs = [{name = "y", element = 1 : i64, dims = [1]}]} {
  %c = sinter.constant {
    %input = sinter.input 0 "x" : memref<1xf32>
    %data = bufferization.to_tensor %input : memref<1xf32>
    sinter.yield %data : tensor<1xf32>
  } : memref<1xf32>
  %y = sinter.output 0 "y" : memref<1xf32>
  memref.copy %c, %y : memref<1xf32> to memref<1xf32>
  return
}
