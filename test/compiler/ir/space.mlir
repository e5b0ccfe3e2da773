// RUN: sinter-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// The text of memory spaces, and that views keep them.

// CHECK-LABEL: func.func @text
func.func @text() {
  // CHECK: sinter.input 0 "x" : memref<4x4xf32, #sinter.space<device>>
  %x = sinter.input 0 "x" : memref<4x4xf32, #sinter.space<device>>
  // CHECK: sinter.output 0 "y" : memref<16xf32, #sinter.space<host, "ccm">>
  %y = sinter.output 0 "y" : memref<16xf32, #sinter.space<host, "ccm">>
  // CHECK: sinter.arena 0 for 64 : memref<16xf32, #sinter.space<shared>>
  %s = sinter.arena 0 for 64 : memref<16xf32, #sinter.space<shared>>
  // CHECK: : memref<4xf32, #sinter.space<device>>
  %c = sinter.constant attributes {} {
    %v = arith.constant dense<0.5> : tensor<4xf32>
    sinter.yield %v : tensor<4xf32>
  } : memref<4xf32, #sinter.space<device>>
  return
}

// -----

func.func @input() {
  // expected-error @below {{a memory space other than #sinter.space}}
  %x = sinter.input 0 "x" : memref<4xf32, 1>
  return
}

// -----

func.func @arena() {
  // expected-error @below {{a memory space other than #sinter.space}}
  %x = sinter.arena 0 for 16 : memref<4xf32, "device">
  return
}

// -----

// expected-error @below {{expected ::sinter::MemoryKind to be one of: host, device, shared}}
// expected-error @below {{failed to parse Sinter_SpaceAttr parameter 'kind'}}
func.func @unknown(%x: memref<4xf32, #sinter.space<near>>)

// -----

func.func @subview(%x: memref<4x4xf32, #sinter.space<device>>) {
  // expected-error @below {{different memory spaces}}
  %v = memref.subview %x[0, 0] [1, 4] [1, 1] : memref<4x4xf32, #sinter.space<device>> to memref<4xf32, strided<[1]>>
  return
}

// -----

func.func @cast(%x: memref<4x4xf32, #sinter.space<device>>) {
  // expected-error @below {{are cast incompatible}}
  %v = memref.cast %x : memref<4x4xf32, #sinter.space<device>> to memref<?x4xf32>
  return
}

// -----

func.func @reinterpret(%x: memref<4x4xf32, #sinter.space<device>>) {
  // expected-error @below {{different memory spaces}}
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [16], strides: [1] : memref<4x4xf32, #sinter.space<device>> to memref<16xf32>
  return
}

// -----

func.func @collapse(%x: memref<4x4xf32, #sinter.space<device>>) {
  // expected-error @below {{expected collapsed type to be 'memref<16xf32, #sinter.space<device>>'}}
  %v = memref.collapse_shape %x [[0, 1]] : memref<4x4xf32, #sinter.space<device>> into memref<16xf32>
  return
}

// -----

func.func @expand(%x: memref<16xf32, #sinter.space<device>>) {
  // expected-error @below {{expected expanded type to be 'memref<4x4xf32, #sinter.space<device>>'}}
  %v = memref.expand_shape %x [[0, 1]] output_shape [4, 4] : memref<16xf32, #sinter.space<device>> into memref<4x4xf32>
  return
}

// -----

func.func @transpose(%x: memref<4x4xf32, #sinter.space<device>>) {
  // expected-error @below {{result type 'memref<4x4xf32, strided<[1, 4]>>' is not equivalent to the canonical transposed input type}}
  %v = memref.transpose %x (i, j) -> (j, i) : memref<4x4xf32, #sinter.space<device>> to memref<4x4xf32, strided<[1, 4]>>
  return
}
