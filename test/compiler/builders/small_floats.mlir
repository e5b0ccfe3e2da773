// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// float8 is held by its bits; saturation is the last thing that narrowing looks at.

// CHECK: %[[MAGIC:.*]] = arith.bitcast {{.*}} : i32 to f32
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[MAGIC]]
// CHECK: arith.subf %[[SUM]], %[[MAGIC]]
// CHECK: arith.cmpi sgt
// CHECK: arith.trunci {{.*}} : i32 to i8
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK: arith.bitcast {{.*}} : i32 to f32
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y"}) {
  %0 = sinter.node "Cast"(%x) {attrs = {saturate = 1 : i64, to = 17 : i64}, since = 19 : i64} : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  %1 = sinter.node "Cast"(%0) {attrs = {saturate = 1 : i64, to = 1 : i64}, since = 19 : i64} : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
