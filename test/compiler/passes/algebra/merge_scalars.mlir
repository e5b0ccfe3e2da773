// RUN: sinter-opt %s --merge-scalars | FileCheck %s
// Activations in several steps are one function, in either order of the factors.

#flat = affine_map<(d) -> (d)>

// CHECK-LABEL: @activations
// CHECK: ^bb0(%[[A:[a-z0-9_]*]]: f32
// CHECK-DAG: %[[SILU:.*]] = sinter.apply "silu"(%[[A]]) : (f32) -> f32
// CHECK-DAG: %[[MISH:.*]] = sinter.apply "mish"(%[[A]]) : (f32) -> f32
// CHECK: linalg.yield %[[SILU]], %[[MISH]]
func.func @activations(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %o = tensor.empty() : tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o, %o : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32, %second: f32):
    %share = sinter.apply "sigmoid"(%a) : (f32) -> f32
    %silu = arith.mulf %share, %a : f32
    %log = sinter.apply "softplus"(%a) : (f32) -> f32
    %tanh = math.tanh %log : f32
    %mish = arith.mulf %a, %tanh : f32
    linalg.yield %silu, %mish : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// Another factor, and a sigmoid that something else reads, stay.
// CHECK-LABEL: @others
// CHECK: sinter.apply "sigmoid"
// CHECK: arith.mulf
// CHECK: sinter.apply "sigmoid"
// CHECK: arith.mulf
func.func @others(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %o = tensor.empty() : tensor<8xf32>
  %r:3 = linalg.generic {indexing_maps = [#flat, #flat, #flat, #flat], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%o, %o, %o : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32, %second: f32, %third: f32):
    %twice = arith.addf %a, %a : f32
    %of_twice = sinter.apply "sigmoid"(%twice) : (f32) -> f32
    %quick = arith.mulf %a, %of_twice : f32
    %share = sinter.apply "sigmoid"(%a) : (f32) -> f32
    %swished = arith.mulf %a, %share : f32
    linalg.yield %quick, %swished, %share : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
