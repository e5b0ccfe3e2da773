// RUN: sinter-opt %s --split-input-file --check-plan --verify-diagnostics
// A loop's output over its input: fine where each row is read before its bytes are written, and no nearer.
func.func @fine(%x: memref<8x16xi8>, %y: memref<8x16xi8>) attributes {sinter.arena_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = sinter.arena 0 for 128 : memref<8x16xi8>
  %b = sinter.arena 0 for 128 : memref<8x16xi8>
  sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
  scf.for %i = %c0 to %c8 step %c1 {
    %row = sinter.arena 128 for 16 : memref<1x16xi8>
    %in = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
    %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
    sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
    sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
  }
  sinter.kernel "f" ins(%b : memref<8x16xi8>) outs(%y : memref<8x16xi8>)
  return
}

// -----

// The next row is read together with each: its bytes are the output's by then.
#next = affine_map<(i) -> (i - 1, 0)>
module attributes {sinter.target = "cortex-m3"} {
  func.func @too_near(%x: memref<8x16xi8>, %y: memref<8x16xi8>) attributes {sinter.arena_bytes = 256 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-note @below {{the buffer at 8}}
    %a = sinter.arena 8 for 128 : memref<8x16xi8>
    %b = sinter.arena 0 for 128 : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = sinter.arena 192 for 16 : memref<1x16xi8>
      %before = affine.max #next(%i)
      %in = memref.subview %a[%before, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      // expected-error @below {{a buffer is overwritten before it is read}}
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    }
    sinter.kernel "f" ins(%b : memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
}

// -----

// 16 bytes further down it is fine. What reads the input after the loop finds the output there.
#next = affine_map<(i) -> (i - 1, 0)>
module attributes {sinter.target = "cortex-m3"} {
  func.func @read_after(%x: memref<8x16xi8>, %y: memref<8x16xi8>) attributes {sinter.arena_bytes = 256 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-note @below {{the buffer at 16}}
    %a = sinter.arena 16 for 128 : memref<8x16xi8>
    %b = sinter.arena 0 for 128 : memref<8x16xi8>
    sinter.kernel "f" ins(%x : memref<8x16xi8>) outs(%a : memref<8x16xi8>)
    scf.for %i = %c0 to %c8 step %c1 {
      %row = sinter.arena 192 for 16 : memref<1x16xi8>
      %before = affine.max #next(%i)
      %in = memref.subview %a[%before, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      %out = memref.subview %b[%i, 0] [1, 16] [1, 1] : memref<8x16xi8> to memref<1x16xi8, strided<[16, 1], offset: ?>>
      sinter.kernel "f" ins(%in : memref<1x16xi8, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi8>)
      sinter.kernel "f" ins(%row : memref<1x16xi8>) outs(%out : memref<1x16xi8, strided<[16, 1], offset: ?>>)
    }
    // expected-error @below {{a buffer is overwritten before it is read}}
    sinter.kernel "g" ins(%b, %a : memref<8x16xi8>, memref<8x16xi8>) outs(%y : memref<8x16xi8>)
    return
  }
}

// -----

// On a GPU no order saves what is read.
#id = affine_map<(a) -> (a)>
module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
  func.func @side_by_side(%x: memref<1024xi8>, %y: memref<1024xf32>) attributes {sinter.arena_bytes = 4096 : i64} {
    %a = sinter.arena 3072 for 1024 : memref<1024xi8>
    %b = sinter.arena 0 for 4096 : memref<1024xf32>
    sinter.kernel "f" ins(%x : memref<1024xi8>) outs(%a : memref<1024xi8>)
    // expected-error@+1 {{writes over its own input}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<1024xi8>) outs(%b : memref<1024xf32>) {
    ^bb0(%in: i8, %out: f32):
      %v = arith.sitofp %in : i8 to f32
      linalg.yield %v : f32
    }
    sinter.kernel "f" ins(%b : memref<1024xf32>) outs(%y : memref<1024xf32>)
    return
  }
}
