// RUN: sinter-opt %s --buffers-of-bands --split-input-file --verify-diagnostics | FileCheck %s
// RUN: sinter-opt %s --buffers-of-bands --plan-memory --check-plan --split-input-file --verify-diagnostics -o /dev/null
// Each band has a part of one block, in whole cache lines, for what its tiles work in.
// CHECK-DAG: #[[AT:.*]] = affine_map<(d0) -> (d0 * 192)>

// CHECK-LABEL: func.func @main
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<576xi8>
// CHECK: scf.for %[[BAND:.*]] = %c0 to %c3 step
// CHECK: %[[BEGIN:.*]] = affine.apply #[[AT]](%[[BAND]])
// CHECK: memref.view %[[ALL]][%[[BEGIN]]][] : memref<576xi8> to memref<5x8xf32>
// CHECK-NOT: memref.alloc
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %in = sinter.input 0 "x" : memref<3x5x8xf32>
  %out = sinter.output 0 "y" : memref<3x5x8xf32>
  scf.for %band = %c0 to %c3 step %c1 {
    %window = memref.alloc() : memref<5x8xf32>
    %from = memref.subview %in[%band, 0, 0] [1, 5, 8] [1, 1, 1] : memref<3x5x8xf32> to memref<5x8xf32, strided<[8, 1], offset: ?>>
    %to = memref.subview %out[%band, 0, 0] [1, 5, 8] [1, 1, 1] : memref<3x5x8xf32> to memref<5x8xf32, strided<[8, 1], offset: ?>>
    memref.copy %from, %window : memref<5x8xf32, strided<[8, 1], offset: ?>> to memref<5x8xf32>
    memref.copy %window, %to : memref<5x8xf32> to memref<5x8xf32, strided<[8, 1], offset: ?>>
  } {sinter.bands}
  return
}

// -----

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %out = sinter.output 0 "y" : memref<8xf32>
  // expected-error @below {{internal error: bands hand something on to each other}}
  %last = scf.for %band = %c0 to %c3 step %c1 iter_args(%at = %out) -> (memref<8xf32>) {
    scf.yield %at : memref<8xf32>
  } {sinter.bands}
  return
}
