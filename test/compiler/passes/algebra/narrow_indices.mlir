// RUN: sinter-opt --narrow-indices %s | FileCheck %s
// Indices that are compared or converted take the bits that loops' sizes ask for, at least those of the elements; what data is part of stays.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: @elements
func.func @elements(%x: tensor<40x48xf32>, %m: tensor<40x48xi1>, %d: tensor<40x48xf64>) -> (tensor<40x48xf32>, tensor<40x48xi1>, tensor<40x48xf64>) {
  %e = tensor.empty() : tensor<40x48xf32>
  %em = tensor.empty() : tensor<40x48xi1>
  %ed = tensor.empty() : tensor<40x48xf64>
  // CHECK: %[[I:.*]] = arith.index_cast %{{.*}} : index to i32
  // CHECK: %[[J:.*]] = arith.index_cast %{{.*}} : index to i32
  // CHECK: %[[D:.*]] = arith.subi %[[J]], %[[I]] : i32
  // CHECK: arith.cmpi sge, %[[D]], %{{.*}} : i32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %c3 = arith.constant 3 : i64
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.subi %j, %i : index
    %w = arith.index_cast %s : index to i64
    %c = arith.cmpi sge, %w, %c3 : i64
    %r = arith.select %c, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<40x48xf32>
  // 127 still is one byte, which 3 * 39 + 11 is not.
  // CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : i8
  // CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : i16
  %ym = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<40x48xi1>) outs(%em : tensor<40x48xi1>) {
  ^bb0(%a: i1, %o: i1):
    %c3 = arith.constant 3 : index
    %c10 = arith.constant 10 : index
    %c11 = arith.constant 11 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %i, %c3 : index
    %t = arith.addi %k, %c10 : index
    %c = arith.cmpi sge, %t, %j : index
    %u = arith.addi %k, %c11 : index
    %f = arith.cmpi sge, %u, %j : index
    %g = arith.andi %c, %f : i1
    %r = arith.andi %g, %a : i1
    linalg.yield %r : i1
  } -> tensor<40x48xi1>
  // CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : index
  %yd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<40x48xf64>) outs(%ed : tensor<40x48xf64>) {
  ^bb0(%a: f64, %o: f64):
    %zero = arith.constant 0.0 : f64
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    %r = arith.select %c, %a, %zero : f64
    linalg.yield %r : f64
  } -> tensor<40x48xf64>
  return %y, %ym, %yd : tensor<40x48xf32>, tensor<40x48xi1>, tensor<40x48xf64>
}

// CHECK-LABEL: @sizes
func.func @sizes(%k: tensor<i64>, %n: index) -> (tensor<70000x8xi1>, tensor<?x8xi1>, tensor<40x8xi1>, tensor<40x8xf32>) {
  %e = tensor.empty() : tensor<70000x8xi1>
  // CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : i32
  %long = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<70000x8xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    linalg.yield %c : i1
  } -> tensor<70000x8xi1>
  // CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : index
  %en = tensor.empty(%n) : tensor<?x8xi1>
  %unknown = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%en : tensor<?x8xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    linalg.yield %c : i1
  } -> tensor<?x8xi1>
  // CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : i64
  %es = tensor.empty() : tensor<40x8xi1>
  %data = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%k : tensor<i64>) outs(%es : tensor<40x8xi1>) {
  ^bb0(%a: i64, %o: i1):
    %i = linalg.index 0 : index
    %w = arith.index_cast %i : index to i64
    %c = arith.cmpi sge, %w, %a : i64
    linalg.yield %c : i1
  } -> tensor<40x8xi1>
  // CHECK: arith.sitofp %{{.*}} : i32 to f32
  %ef = tensor.empty() : tensor<40x8xf32>
  %float = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%ef : tensor<40x8xf32>) {
  ^bb0(%o: f32):
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i64
    %f = arith.sitofp %w : i64 to f32
    linalg.yield %f : f32
  } -> tensor<40x8xf32>
  return %long, %unknown, %data, %float : tensor<70000x8xi1>, tensor<?x8xi1>, tensor<40x8xi1>, tensor<40x8xf32>
}
