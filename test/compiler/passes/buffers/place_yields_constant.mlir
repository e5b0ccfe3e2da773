// RUN: sinter-opt %s --place-yields | FileCheck %s
// A loop within a constant is the interpreter's, which could not run it if its values had places in memory, here those of values that swap.

// CHECK: sinter.constant
// CHECK-NOT: bufferization.materialize_in_destination
// CHECK: sinter.yield
func.func @main() -> tensor<4xf32> {
  %r = sinter.constant attributes {number = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %b = arith.constant dense<0.5> : tensor<4xf32>
    %s:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
      scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
    }
    sinter.yield %s#0 : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
