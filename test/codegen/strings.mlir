// RUN: rm -rf %t && sinter-emit %s -o %t --prefix w && FileCheck %s --input-file=%t/w.cpp
// RUN: %cxx -std=c++17 -Wall -Wextra -Wconversion -pedantic -Werror @%t/w.flags -I %t -c %t/w.cpp -o %t/w.o
// Constant strings stand in the source, escaped and each table once: their addresses are known to nobody earlier.
// How large a string is, the C++ compiler says: 8 bytes where pointers have 4.
// CHECK: memcpy({{.*}}, 2 * sizeof(sinter_string));
// CHECK: const sinter_string strings[] = {
// CHECK-NEXT: {"a\"b\\\012\000c", 7},
// CHECK-NEXT: {"", 0},
// CHECK-NEXT: };
// CHECK-NOT: sinter_string strings_2
// CHECK: (at<sinter_string>(arena, 64) + 1, 
func.func @main() attributes {sinter.arena_bytes = 128 : i64,
    sinter.inputs = [], sinter.outputs = [{name = "y", element = 8 : i64, dims = [2]}, {name = "z", element = 8 : i64, dims = [2]}]} {
  %text = sinter.constant {
    %a = sinter.weight dense<["a\22b\5C\0A\00c", ""]> : tensor<2x!sinter.string> : tensor<2x!sinter.string>
    sinter.yield %a : tensor<2x!sinter.string>
  } : memref<2x!sinter.string>
  %same = sinter.constant {
    %a = sinter.weight dense<["a\22b\5C\0A\00c", ""]> : tensor<2x!sinter.string> : tensor<2x!sinter.string>
    sinter.yield %a : tensor<2x!sinter.string>
  } : memref<2x!sinter.string>
  %y = sinter.output 0 "y" : memref<2x!sinter.string>
  %z = sinter.output 1 "z" : memref<2x!sinter.string>
  memref.copy %text, %y : memref<2x!sinter.string> to memref<2x!sinter.string>
  %room = sinter.arena 64 for 48 : memref<3x!sinter.string>
  %part = memref.subview %room[1] [2] [1] : memref<3x!sinter.string> to memref<2x!sinter.string, strided<[1], offset: 1>>
  memref.copy %same, %part : memref<2x!sinter.string> to memref<2x!sinter.string, strided<[1], offset: 1>>
  memref.copy %part, %z : memref<2x!sinter.string, strided<[1], offset: 1>> to memref<2x!sinter.string>
  return
}
