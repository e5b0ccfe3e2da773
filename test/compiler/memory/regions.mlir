// RUN: sinter-opt %s --split-input-file --plan-memory --check-plan | FileCheck %s

// The smaller buffer is read three times, so it has the fast region; the other one lies behind, in the slow one.
// CHECK-LABEL: func.func @hot
// CHECK-SAME: sinter.arena_bytes = 320
// CHECK-SAME: sinter.arenas = [{bytes = 64 : i64, limit = 64 : i64, needed = 64 : i64, space = #sinter.space<host, "fast">}, {begin = 64 : i64, bytes = 256 : i64, needed = 256 : i64, space = #sinter.space<host, "slow">}]
// CHECK: sinter.arena 0 for 256 {sinter.accesses = 512 : i64} : memref<64xf32, #sinter.space<host, "slow">>
// CHECK: sinter.arena 0 for 64 {sinter.accesses = 256 : i64} : memref<16xf32>
module attributes {sinter.arenas = [{space = #sinter.space<host, "fast">, limit = 64 : i64}, {space = #sinter.space<host, "slow">}]} {
  func.func @hot(%x: memref<16xf32>, %y: memref<16xf32>) {
    %cold = memref.alloc() : memref<64xf32>
    %hot = memref.alloc() : memref<16xf32>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%cold : memref<64xf32>)
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%hot : memref<16xf32>)
    sinter.kernel "f" ins(%cold, %hot : memref<64xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
    sinter.kernel "f" ins(%hot : memref<16xf32>) outs(%y : memref<16xf32>)
    sinter.kernel "f" ins(%hot : memref<16xf32>) outs(%y : memref<16xf32>)
    return
  }
}

// -----

// The hot buffer would fill the fast region, but the other one does not fit into the slow region: it goes before.
// CHECK-LABEL: func.func @tight
// CHECK-SAME: bytes = 256 : i64, limit = 256 : i64, needed = 256 : i64, space = #sinter.space<host, "fast">
// CHECK-SAME: bytes = 64 : i64, limit = 64 : i64, needed = 64 : i64, space = #sinter.space<host, "slow">
// CHECK: sinter.arena 0 for 256 {{.*}} : memref<64xf32>
// CHECK: sinter.arena 0 for 64 {{.*}} : memref<16xf32, #sinter.space<host, "slow">>
module attributes {sinter.arenas = [{space = #sinter.space<host, "fast">, limit = 256 : i64}, {space = #sinter.space<host, "slow">, limit = 64 : i64}]} {
  func.func @tight(%x: memref<16xf32>, %y: memref<16xf32>) {
    %cold = memref.alloc() : memref<64xf32>
    %hot = memref.alloc() : memref<16xf32>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%cold : memref<64xf32>)
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%hot : memref<16xf32>)
    sinter.kernel "f" ins(%cold, %hot : memref<64xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
    sinter.kernel "f" ins(%hot : memref<16xf32>) outs(%y : memref<16xf32>)
    return
  }
}

// -----

// What a loop uses is as hot as the loop is long; what is never needed at the same time shares bytes in each region.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: bytes = 64 : i64, limit = 64 : i64, needed = 64 : i64, space = #sinter.space<host, "fast">
// CHECK-SAME: bytes = 64 : i64, needed = 64 : i64, space = #sinter.space<host, "slow">
// CHECK: sinter.arena 0 for 64 {sinter.accesses = 128 : i64} : memref<16xf32, #sinter.space<host, "slow">>
// CHECK: sinter.arena 0 for 64 {sinter.accesses = 1280 : i64} : memref<16xf32>
// CHECK: sinter.arena 0 for 64 {sinter.accesses = 128 : i64} : memref<16xf32>
module attributes {sinter.arenas = [{space = #sinter.space<host, "fast">, limit = 64 : i64}, {space = #sinter.space<host, "slow">}]} {
  func.func @loop(%x: memref<16xf32>, %y: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %before = memref.alloc() : memref<16xf32>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%before : memref<16xf32>)
    scf.for %i = %c0 to %c10 step %c1 {
      %inside = memref.alloc() : memref<16xf32>
      sinter.kernel "f" ins(%x : memref<16xf32>) outs(%inside : memref<16xf32>)
      sinter.kernel "f" ins(%inside : memref<16xf32>) outs(%y : memref<16xf32>)
    }
    %after = memref.alloc() : memref<16xf32>
    sinter.kernel "f" ins(%before : memref<16xf32>) outs(%after : memref<16xf32>)
    sinter.kernel "f" ins(%after : memref<16xf32>) outs(%y : memref<16xf32>)
    return
  }
}

// -----

// Views are where their buffer is. What a choice gives may be in either region: the host's, whichever it was.
// CHECK-LABEL: func.func @views
// CHECK: %[[A:.*]] = sinter.arena 0 for 256 {{.*}} : memref<4x16xf32, #sinter.space<host, "slow">>
// CHECK: %[[ROW:.*]] = memref.subview %[[A]]{{.*}} : memref<4x16xf32, #sinter.space<host, "slow">> to memref<16xf32, strided<[1], offset: 16>, #sinter.space<host, "slow">>
// CHECK: memref.collapse_shape %[[A]] {{.*}} : memref<4x16xf32, #sinter.space<host, "slow">> into memref<64xf32, #sinter.space<host, "slow">>
// CHECK: memref.reinterpret_cast %[[A]] {{.*}} : memref<4x16xf32, #sinter.space<host, "slow">> to memref<16xf32, strided<[1]>, #sinter.space<host, "slow">>
// CHECK: scf.if {{.*}} -> (memref<4x16xf32>)
// CHECK: %[[CAST:.*]] = memref.memory_space_cast %[[A]] : memref<4x16xf32, #sinter.space<host, "slow">> to memref<4x16xf32>
// CHECK-NEXT: scf.yield %[[CAST]]
// CHECK: else
// CHECK: sinter.arena 0 for 256 {{.*}} : memref<4x16xf32>
module attributes {sinter.arenas = [{space = #sinter.space<host, "fast">, limit = 256 : i64}, {space = #sinter.space<host, "slow">}]} {
  func.func @views(%x: memref<16xf32>, %y: memref<16xf32>, %cond: i1) {
    %a = memref.alloc() : memref<4x16xf32>
    %row = memref.subview %a[1, 0] [1, 16] [1, 1] : memref<4x16xf32> to memref<16xf32, strided<[1], offset: 16>>
    %flat = memref.collapse_shape %a [[0, 1]] : memref<4x16xf32> into memref<64xf32>
    %first = memref.reinterpret_cast %a to offset: [0], sizes: [16], strides: [1] : memref<4x16xf32> to memref<16xf32, strided<[1]>>
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%row : memref<16xf32, strided<[1], offset: 16>>)
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%first : memref<16xf32, strided<[1]>>)
    sinter.kernel "f" ins(%x : memref<16xf32>) outs(%flat : memref<64xf32>)
    %either = scf.if %cond -> (memref<4x16xf32>) {
      scf.yield %a : memref<4x16xf32>
    } else {
      %hot = memref.alloc() : memref<4x16xf32>
      sinter.kernel "f" ins(%x : memref<16xf32>) outs(%hot : memref<4x16xf32>)
      sinter.kernel "f" ins(%hot : memref<4x16xf32>) outs(%y : memref<16xf32>)
      sinter.kernel "f" ins(%hot : memref<4x16xf32>) outs(%y : memref<16xf32>)
      scf.yield %hot : memref<4x16xf32>
    }
    sinter.kernel "f" ins(%either : memref<4x16xf32>) outs(%y : memref<16xf32>)
    return
  }
}
