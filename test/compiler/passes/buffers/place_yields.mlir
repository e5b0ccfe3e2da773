// RUN: sinter-opt %s --split-input-file --unshare-inits --place-yields --place-destinations --bufferize --drop-copies | FileCheck %s

// What the loop carries lives in the output; one copy per round, because the kernel does not work in place.
// CHECK-LABEL: func.func @carried
// CHECK: %[[OUT:.*]] = sinter.output 0
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: sinter.kernel "f" ins(%[[OUT]] : memref<8xf32>) outs(%[[T:.*]] : memref<8xf32>)
// CHECK-NEXT: memref.copy %[[T]], %[[OUT]]
// CHECK: return
func.func @carried() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sinter.dim "n"[1, 16]
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %f = sinter.kernel "f" ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %f : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A buffer that rounds fill piece by piece: no copy at all.
// CHECK-LABEL: func.func @filled
// CHECK: %[[OUT:.*]] = sinter.output 0
// CHECK: scf.for
// CHECK: %[[PIECE:.*]] = memref.subview %[[OUT]]
// CHECK: sinter.kernel "f" {{.*}} outs(%[[PIECE]]
// CHECK-NOT: memref.copy
func.func @filled() {
  %o = sinter.output 0 "y" : memref<64xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %e = tensor.empty() : tensor<8xf32>
  %e64 = tensor.empty() : tensor<64xf32>
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %e64) -> tensor<64xf32> {
    %f = sinter.kernel "f" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = tensor.insert_slice %f into %a[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Two carried values change places: through a temporary.
// CHECK-LABEL: func.func @swapped
// CHECK: memref.copy %{{.*}}, %[[OUT:.*]] {
// CHECK: memref.copy %{{.*}}, %[[OTHER:.*]] {
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: memref.copy %[[OTHER]], %[[SAVED:.*]] {
// CHECK: memref.copy %[[OUT]], %[[OTHER]] {
// CHECK: memref.copy %[[SAVED]], %[[OUT]] {
// CHECK: return
func.func @swapped() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %m1 = sinter.input 1 "z" : memref<8xf32>
  %z = bufferization.to_tensor %m1 restrict : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sinter.dim "n"[1, 16]
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %b, %a : tensor<8xf32>, tensor<8xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @while
// CHECK: %[[OUT:.*]] = sinter.output 0
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (index) -> index
// CHECK: sinter.kernel "f" ins(%[[OUT]]
// CHECK: memref.copy %{{.*}}, %[[OUT]]
func.func @while() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sinter.dim "n"[1, 16]
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.while (%a = %x, %i = %c0) : (tensor<8xf32>, index) -> (tensor<8xf32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %a, %i : tensor<8xf32>, index
  } do {
  ^bb0(%a: tensor<8xf32>, %i: index):
    %f = sinter.kernel "f" ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %f, %next : tensor<8xf32>, index
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Both branches write into one buffer.
// CHECK-LABEL: func.func @choice
// CHECK: %[[PLACE:.*]] = memref.alloc
// CHECK: scf.if %{{.*}} {
// CHECK: sinter.kernel "f" {{.*}} outs(%[[PLACE]]
// CHECK: else
// CHECK: sinter.kernel "g" {{.*}} outs(%[[PLACE]]
// CHECK: sinter.kernel "h" ins(%[[PLACE]]
func.func @choice(%condition: i1) {
  %o = sinter.output 0 "y" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.if %condition -> tensor<8xf32> {
    %f = sinter.kernel "f" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %f : tensor<8xf32>
  } else {
    %g = sinter.kernel "g" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %g : tensor<8xf32>
  }
  %q = sinter.kernel "h" ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %q in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// One tensor starts two carried values: the one that changes has a copy of it, and whoever reads it behind the loop sees
// it as it was.
// CHECK-LABEL: func.func @one_start
// CHECK: %[[MADE:.*]] = memref.alloc
// CHECK: sinter.kernel "make" {{.*}} outs(%[[MADE]]
// CHECK: memref.copy %[[MADE]], %[[A:.*]] {
// CHECK: scf.for
// CHECK: sinter.kernel "f" ins(%[[A]], %[[MADE]]
// CHECK: sinter.kernel "use" ins(%[[MADE]]
func.func @one_start() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sinter.dim "n"[1, 16]
  %e = tensor.empty() : tensor<8xf32>
  %start = sinter.kernel "make" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start, %b = %start) -> (tensor<8xf32>, tensor<8xf32>) {
    %f = sinter.kernel "f" ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %f, %b : tensor<8xf32>, tensor<8xf32>
  }
  %u = sinter.kernel "use" ins(%start, %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %u in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A while loop whose condition hands its values on in another order, one of them twice and one not at all.
// CHECK-LABEL: func.func @reordered
// CHECK: scf.while
// CHECK: sinter.kernel "f"
// CHECK: return
func.func @reordered() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sinter.dim "n"[1, 16]
  %e = tensor.empty() : tensor<8xf32>
  %r:3 = scf.while (%a = %x, %b = %x, %i = %c0) : (tensor<8xf32>, tensor<8xf32>, index) -> (index, tensor<8xf32>, tensor<8xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %a, %a : index, tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%i: index, %a: tensor<8xf32>, %again: tensor<8xf32>):
    %f = sinter.kernel "f" ins(%a, %again : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %f, %again, %next : tensor<8xf32>, tensor<8xf32>, index
  }
  bufferization.materialize_in_destination %r#1 in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A loop in a loop works in the buffers of the one around it.
// CHECK-LABEL: func.func @nested
// CHECK: %[[OUT:.*]] = sinter.output 0
// CHECK: scf.for
// CHECK: scf.for
// CHECK: sinter.kernel "f" ins(%[[OUT]] : memref<8xf32>) outs(%[[T:.*]] : memref<8xf32>)
// CHECK-NEXT: memref.copy %[[T]], %[[OUT]]
// CHECK-NOT: memref.copy
func.func @nested() {
  %o = sinter.output 0 "y" : memref<8xf32>
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sinter.dim "n"[1, 16]
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<8xf32> {
      %f = sinter.kernel "f" ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %f : tensor<8xf32>
    }
    scf.yield %s : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Of one size, known in front of the choice, the branches write into one buffer; of two sizes the choice is between two;
// and each of several results is looked at.
// CHECK-LABEL: func.func @choice_of_sizes
// CHECK: %[[PLACE:.*]] = memref.alloc(%{{.*}}) {{.*}}: memref<?xf32>
// CHECK: %[[CHOSEN:.*]] = scf.if %{{.*}} -> (memref<?xf32>)
// CHECK: sinter.kernel "f" {{.*}} outs(%[[THEN:.*]] : memref<?xf32>
// CHECK: sinter.kernel "f" ins(%[[THEN]] {{.*}} outs(%[[PLACE]]
// CHECK: scf.yield %[[THEN]]
// CHECK: else
// CHECK: sinter.kernel "g" {{.*}} outs(%[[ELSE:.*]] : memref<?xf32>
// CHECK: sinter.kernel "g" ins(%[[ELSE]] {{.*}} outs(%[[PLACE]]
// CHECK: scf.yield %[[ELSE]]
// CHECK: sinter.kernel "h" ins(%[[CHOSEN]]
// CHECK: sinter.kernel "h" ins(%[[PLACE]]
func.func @choice_of_sizes(%condition: i1, %y: memref<8xf32>, %z: memref<8xf32>) {
  %m = sinter.input 0 "x" : memref<8xf32>
  %x = bufferization.to_tensor %m restrict : memref<8xf32>
  %n = sinter.dim "n"[1, 16]
  %k = sinter.dim "k"[1, 16]
  %r:2 = scf.if %condition -> (tensor<?xf32>, tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = sinter.kernel "f" ins(%x : tensor<8xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %f2 = sinter.kernel "f" ins(%f : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f, %f2 : tensor<?xf32>, tensor<?xf32>
  } else {
    %e = tensor.empty(%n) : tensor<?xf32>
    %d = tensor.empty(%k) : tensor<?xf32>
    %g = sinter.kernel "g" ins(%x : tensor<8xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    %g2 = sinter.kernel "g" ins(%g : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %g, %g2 : tensor<?xf32>, tensor<?xf32>
  }
  %e8 = tensor.empty() : tensor<8xf32>
  %q = sinter.kernel "h" ins(%r#0 : tensor<?xf32>) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  %q2 = sinter.kernel "h" ins(%r#1 : tensor<?xf32>) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %q in restrict writable %y : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %q2 in restrict writable %z : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
