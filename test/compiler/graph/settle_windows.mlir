// RUN: sinter-opt %s --settle-windows | FileCheck %s

// A cache that would lose rows keeps them; what else the operator is told stays.
// CHECK: "GroupQueryAttention"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) {attrs = {kv_num_heads = 1 : i64, local_window_size = 2 : i64, num_heads = 1 : i64, sliding_window_cache = 0 : i64}
// CHECK: "GroupQueryAttention"
// CHECK-NOT: sliding_window_cache = 1
func.func @main(%q: tensor<1x1x8xf32>, %k: tensor<1x1x8xf32>, %v: tensor<1x1x8xf32>, %pastK: tensor<1x1x?x8xf32>, %pastV: tensor<1x1x?x8xf32>, %last: tensor<1xi32>, %all: tensor<i32>) -> (!sinter.any, !sinter.any) {
  %0:3 = sinter.node "GroupQueryAttention"(%q, %k, %v, %pastK, %pastV, %last, %all) {attrs = {kv_num_heads = 1 : i64, local_window_size = 2 : i64, num_heads = 1 : i64, sliding_window_cache = 1 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1xi32>, tensor<i32>) -> (!sinter.any, !sinter.any, !sinter.any)
  %1:3 = sinter.node "GroupQueryAttention"(%q, %k, %v, %pastK, %pastV, %last, %all) {attrs = {kv_num_heads = 1 : i64, num_heads = 1 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1xi32>, tensor<i32>) -> (!sinter.any, !sinter.any, !sinter.any)
  return %0#0, %1#0 : !sinter.any, !sinter.any
}
