// RUN: sinter-opt %s --split-input-file --plan-memory --check-plan | FileCheck %s

// The smaller buffer is read three times, so it has the fast region; the other one lies behind, in the slow one.
// CHECK-LABEL: func.func @hot
// CHECK-SAME: sinter.arena_bytes = 320
// CHECK-SAME: sinter.ram = [{begin = 0 : i64, bytes = 64 : i64, limit = 64 : i64, name = "fast"}, {begin = 64 : i64, bytes = 256 : i64, name = "slow"}]
// CHECK: sinter.arena 64 for 256 {sinter.accesses = 512 : i64}
// CHECK: sinter.arena 0 for 64 {sinter.accesses = 256 : i64}
module attributes {sinter.ram = [{name = "fast", limit = 64 : i64}, {name = "slow"}]} {
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
// CHECK-SAME: bytes = 256 : i64, limit = 256 : i64, name = "fast"
// CHECK-SAME: bytes = 64 : i64, limit = 64 : i64, name = "slow"
// CHECK: sinter.arena 0 for 256
// CHECK: sinter.arena 256 for 64
module attributes {sinter.ram = [{name = "fast", limit = 256 : i64}, {name = "slow", limit = 64 : i64}]} {
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
// CHECK-SAME: bytes = 64 : i64, limit = 64 : i64, name = "fast"
// CHECK-SAME: bytes = 64 : i64, name = "slow"
// CHECK: sinter.arena 64 for 64 {sinter.accesses = 128 : i64}
// CHECK: sinter.arena 0 for 64 {sinter.accesses = 1280 : i64}
// CHECK: sinter.arena 0 for 64 {sinter.accesses = 128 : i64}
module attributes {sinter.ram = [{name = "fast", limit = 64 : i64}, {name = "slow"}]} {
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
