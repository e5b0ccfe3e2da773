// RUN: sinter-opt %s --choose-kernels --launch-side-by-side | FileCheck %s
// On a GPU products of one input are one launch; what reads a result of the group is not in it.
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
// CHECK-LABEL: @one_input
// CHECK: sinter.launch "side_by_side" {{.*}} outs(%{{.*}}, %{{.*}} : memref<8x8xf32>, memref<8x8xf32>)
// CHECK-NEXT: sinter.matmul ins(%[[X:.*]], %[[A:.*]] :
// CHECK: sinter.matmul ins(%[[X]], 
// CHECK: sinter.yield
// CHECK: sinter.yield
// CHECK: sinter.matmul ins(%alloc, %alloc_0
func.func @one_input() {
  %x = sinter.input 0 "x" : memref<8x8xf32>
  %a = sinter.input 1 "a" : memref<8x8xf32>
  %b = sinter.input 2 "b" : memref<8x8xf32>
  %y = sinter.output 0 "y" : memref<8x8xf32>
  %q = memref.alloc() : memref<8x8xf32>
  sinter.matmul ins(%x, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%q : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %k = memref.alloc() : memref<8x8xf32>
  sinter.matmul ins(%x, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%k : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  sinter.matmul ins(%q, %k : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return
}

// The first writes what stands between reads: it cannot wait.
// CHECK-LABEL: @read_between
// CHECK-NOT: sinter.launch
func.func @read_between() -> f32 {
  %x = sinter.input 0 "x" : memref<8x8xf32>
  %a = sinter.input 1 "a" : memref<8x8xf32>
  %b = sinter.input 2 "b" : memref<8x8xf32>
  %y = sinter.output 0 "y" : memref<8x8xf32>
  %zero = arith.constant 0 : index
  %q = memref.alloc() : memref<8x8xf32>
  sinter.matmul ins(%x, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%q : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  %0 = memref.load %q[%zero, %zero] : memref<8x8xf32>
  sinter.matmul ins(%x, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  return %0 : f32
}

// A mask that only reads inputs is done earlier, beside the nest in front of a product that it has nothing to do with;
// a nest that reads the product's result is not.
// CHECK-LABEL: @mask_behind
// CHECK: sinter.launch "side_by_side"
// CHECK: math.exp
// CHECK: math.absf
// CHECK: sinter.matmul
// CHECK-NOT: sinter.launch
// CHECK: math.floor
func.func @mask_behind() {
  %x = sinter.input 0 "x" : memref<8x8xf32>
  %m = sinter.input 1 "m" : memref<64xf32>
  %y = sinter.output 0 "y" : memref<8x8xf32>
  %z = sinter.output 1 "z" : memref<64xf32>
  %e = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x8xf32>) outs(%e : memref<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  %q = memref.alloc() : memref<8x8xf32>
  sinter.matmul ins(%e, %e : memref<8x8xf32>, memref<8x8xf32>) outs(%q : memref<8x8xf32>) attributes {epilogue_maps = []} {
  ^bb0(%sum: f32):
    sinter.yield %sum : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%m : memref<64xf32>) outs(%z : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.absf %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%q : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.floor %in : f32
    linalg.yield %0 : f32
  }
  return
}
// Nor one of the host.
// CHECK-LABEL: @texts_beside
// CHECK-NOT: sinter.launch
// CHECK: return
func.func @texts_beside() {
  %x = sinter.input 0 "x" : memref<64xf32>
  %t = sinter.input 1 "t" : memref<64x!sinter.string>
  %y = sinter.output 0 "y" : memref<64xf32>
  %u = sinter.output 1 "u" : memref<64x!sinter.string>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.absf %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%u : memref<64x!sinter.string>) {
  ^bb0(%out: !sinter.string):
    %i = linalg.index 0 : index
    %text = memref.load %t[%i] : memref<64x!sinter.string>
    linalg.yield %text : !sinter.string
  }
  return
}
}
