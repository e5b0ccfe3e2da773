// RUN: sinter-opt %s --unshare-inits | FileCheck %s
// Each op gets an empty and a fill of its own.
// CHECK-LABEL: func.func @main
// CHECK: %[[E1:.*]] = tensor.empty
// CHECK: %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]]
// CHECK: sinter.kernel "a" {{.*}} outs(%[[F1]]
// CHECK: %[[E2:.*]] = tensor.empty
// CHECK: %[[F2:.*]] = linalg.fill {{.*}} outs(%[[E2]]
// CHECK: sinter.kernel "b" {{.*}} outs(%[[F2]]
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %a = sinter.kernel "a" ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %b = sinter.kernel "b" ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// An empty that came to stand outside of a branch goes back to where it is used.
// CHECK-LABEL: func.func @branches
// CHECK: scf.if
// CHECK-NEXT: %[[E3:.*]] = tensor.empty
// CHECK-NEXT: sinter.kernel "a" {{.*}} outs(%[[E3]]
// CHECK: else
// CHECK-NEXT: %[[E4:.*]] = tensor.empty
// CHECK-NEXT: sinter.kernel "b" {{.*}} outs(%[[E4]]
func.func @branches(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %a = sinter.kernel "a" ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = sinter.kernel "b" ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// What is computed in a part of an empty and put back there stays in it; two such parts that were one value do not share.
// CHECK-LABEL: func.func @parts
// CHECK: %[[P6:[a-z_0-9]+]] = tensor.extract_slice %[[E6:[0-9]+]][0, 0]
// CHECK: %[[P5:[a-z_0-9]+]] = tensor.extract_slice %[[E5:[0-9]+]][0, 0]
// CHECK: %[[A:.*]] = sinter.kernel "a" {{.*}} outs(%[[P5]] :
// CHECK: tensor.insert_slice %[[A]] into %[[E5]][
// CHECK: %[[B:.*]] = sinter.kernel "b" {{.*}} outs(%[[P6]] :
// CHECK: tensor.insert_slice %[[B]] into %[[E6]][
func.func @parts(%x: tensor<?x4xf32>, %n: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %p = tensor.extract_slice %e[0, 0] [%n, 4] [1, 1] : tensor<4x4xf32> to tensor<?x4xf32>
  %a = sinter.kernel "a" ins(%x : tensor<?x4xf32>) outs(%p : tensor<?x4xf32>) -> tensor<?x4xf32>
  %wa = tensor.insert_slice %a into %e[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<4x4xf32>
  %b = sinter.kernel "b" ins(%a : tensor<?x4xf32>) outs(%p : tensor<?x4xf32>) -> tensor<?x4xf32>
  %wb = tensor.insert_slice %b into %e[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<4x4xf32>
  return %wa, %wb : tensor<4x4xf32>, tensor<4x4xf32>
}

// Such an empty goes back in front of the part, though the part is not its first use.
// CHECK-LABEL: func.func @part_in_branch
// CHECK: scf.if
// CHECK-NEXT: %[[E7:.*]] = tensor.empty
// CHECK-NEXT: tensor.extract_slice %[[E7]]
// CHECK: tensor.insert_slice {{.*}} into %[[E7]]
func.func @part_in_branch(%x: tensor<2x4xf32>, %y: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = scf.if %c -> tensor<4x4xf32> {
    %p = tensor.extract_slice %e[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
    %a = sinter.kernel "a" ins(%x : tensor<2x4xf32>) outs(%p : tensor<2x4xf32>) -> tensor<2x4xf32>
    %w = tensor.insert_slice %a into %e[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
    scf.yield %w : tensor<4x4xf32>
  } else {
    scf.yield %y : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
