// RUN: sinter-opt %s --check-strides --verify-diagnostics
#id = affine_map<(m, n) -> (m, n)>
// A column of one element for each row is no gap in a row; rows may lie apart.
func.func @rows(%a: memref<3x4xf32>, %b: memref<4x1xf32>, %c: memref<4x2xf32>, %y: memref<3x1xf32, strided<[5, 5]>>, %z: memref<3x2xf32, strided<[5, 1]>>) {
  sinter.matmul ins(%a, %b : memref<3x4xf32>, memref<4x1xf32>) outs(%y : memref<3x1xf32, strided<[5, 5]>>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.matmul ins(%a, %c : memref<3x4xf32>, memref<4x2xf32>) outs(%z : memref<3x2xf32, strided<[5, 1]>>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

func.func @gaps(%a: memref<3x4xf32>, %b: memref<4x2xf32>, %y: memref<3x2xf32, strided<[2, 6]>>) {
  // expected-error @below {{a product is to write with gaps}}
  sinter.matmul ins(%a, %b : memref<3x4xf32>, memref<4x2xf32>) outs(%y : memref<3x2xf32, strided<[2, 6]>>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}
