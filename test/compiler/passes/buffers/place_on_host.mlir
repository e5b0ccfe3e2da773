// RUN: sinter-opt %s --place-on-host | FileCheck %s
// What ops of the host touch lies in memory that it reaches: buffers are allocated there, and what is elsewhere is copied, also what a body
// gathers. An op that only gathers strings is one of the host too.

module attributes {sinter.target = "cuda-x86-64-v2-sm_80"} {
// CHECK-LABEL: @gather
// CHECK-SAME: %[[TEXTS:[a-z0-9]+]]: memref<?x!sinter.string>, %[[PLACES:[a-z0-9]+]]: memref<2xi64>
// CHECK: %[[HERE:.*]] = memref.alloc() {{.*}}: memref<2xi64, #sinter.space<shared>>
// CHECK: memref.copy %[[PLACES]], %[[HERE]] {sinter.reason = "an op on the host needs it"}
// CHECK: linalg.generic
// CHECK: memref.load %[[HERE]]
// CHECK: memref.load %[[TEXTS]]
func.func @gather(%texts: memref<?x!sinter.string>, %places: memref<2xi64>, %y: memref<2x!sinter.string>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<2x!sinter.string>) {
  ^bb0(%before: !sinter.string):
    %i = linalg.index 0 : index
    %place = memref.load %places[%i] : memref<2xi64>
    %at = arith.index_cast %place : i64 to index
    %text = memref.load %texts[%at] : memref<?x!sinter.string>
    linalg.yield %text : !sinter.string
  }
  return
}

// CHECK-LABEL: @numbers_of_texts
// CHECK: %[[PLACES:.*]] = memref.alloc() : memref<2xi64, #sinter.space<shared>>
// CHECK-NOT: memref.copy
// CHECK: %[[SAME:.*]] = memref.alloc() {{.*}}: memref<2xi1, #sinter.space<shared>>
// CHECK: outs(%[[SAME]] :
// CHECK: memref.copy %[[SAME]], %{{.*}} {sinter.reason = "an op on the host needs it"}
func.func @numbers_of_texts(%texts: memref<?x!sinter.string>, %y: memref<2xi1>) {
  %places = memref.alloc() : memref<2xi64>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<2xi1>) {
  ^bb0(%before: i1):
    %i = linalg.index 0 : index
    %place = memref.load %places[%i] : memref<2xi64>
    %at = arith.index_cast %place : i64 to index
    %text = memref.load %texts[%at] : memref<?x!sinter.string>
    %other = memref.load %texts[%i] : memref<?x!sinter.string>
    %same = sinter.apply "string_equal"(%text, %other) : (!sinter.string, !sinter.string) -> i1
    linalg.yield %same : i1
  }
  return
}
}
