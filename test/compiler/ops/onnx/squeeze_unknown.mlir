// RUN: not sinter-opt %s --convert-nodes 2>&1 | FileCheck %s
// Whether a dim goes must be known: a dim of 2 and more stays, one that may be 1 or more is a problem.

// CHECK-NOT: error: {{.*}}dim 1
// CHECK: without 'axes' the result's rank depends on dim 0, which may be 1 or more
// CHECK-NOT: error: {{.*}}dim 1
func.func @main(%x: tensor<?x4xf32> {sinter.name = "x", sinter.dims = ["n", ""]}, %z: tensor<?x4xf32> {sinter.name = "z", sinter.dims = ["m", ""]})
    -> (!sinter.any {sinter.name = "y"}, !sinter.any {sinter.name = "w"}) attributes {sinter.dim_bounds = {n = array<i64: 1, 8>, m = array<i64: 2, 8>}} {
  %w = sinter.node "Squeeze"(%z) {since = 11 : i64} : (tensor<?x4xf32>) -> !sinter.any
  %r = sinter.node "Squeeze"(%x) {since = 11 : i64} : (tensor<?x4xf32>) -> !sinter.any
  return %r, %w : !sinter.any, !sinter.any
}
