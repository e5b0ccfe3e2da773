// RUN: split-file %s %t
// RUN: sinter-opt %t/forms.mlir | sinter-opt | FileCheck %s
// RUN: sinter-opt %t/forms.mlir --simplify | FileCheck %s --check-prefix=CANONICAL
// RUN: sinter-opt %t/errors.mlir --split-input-file --verify-diagnostics
// What sinter.requantize looks like, and what it does not take.

//--- forms.mlir
// CHECK-LABEL: @forms
// CHECK: %[[A:.*]] = sinter.requantize %arg0 bias(%arg2) factor(%arg3) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
// CHECK: %[[B:.*]] = sinter.requantize %arg0 bias(%arg2) factor(%arg3) plus(%arg3) zero 0 in [-128, 127] : (i32, i32, f32, f32) -> f32
// CHECK: %[[C:.*]] = sinter.requantize %arg1, %[[B]] bias(%arg3, %arg3) factor(%arg3, %arg3) zero 128 in [-128, 127] {signs = "us"} : (i8, f32, f32, f32, f32, f32) -> i8
// The same twice is once; signs that are the default vanish.
// CANONICAL: %[[A:.*]] = sinter.requantize
// CANONICAL-NEXT: %[[B:.*]] = sinter.requantize
// CANONICAL-NEXT: %[[C:.*]] = sinter.requantize
// CANONICAL-NEXT: return %[[A]], %[[C]], %[[A]] : i8, i8, i8
func.func @forms(%acc: i32, %x: i8, %bias: i32, %factor: f32) -> (i8, i8, i8) {
  %a = sinter.requantize %acc bias(%bias) factor(%factor) zero -5 in [-123, 132] : (i32, i32, f32) -> i8
  %b = sinter.requantize %acc bias(%bias) factor(%factor) plus(%factor) zero 0 in [-128, 127] : (i32, i32, f32, f32) -> f32
  %c = sinter.requantize %x, %b bias(%factor, %factor) factor(%factor, %factor) zero 128 in [-128, 127] {signs = "us"} : (i8, f32, f32, f32, f32, f32) -> i8
  %d = sinter.requantize %acc bias(%bias) factor(%factor) zero -5 in [-123, 132] {signs = ""} : (i32, i32, f32) -> i8
  return %a, %c, %d : i8, i8, i8
}

//--- errors.mlir
func.func @counts(%acc: i32, %bias: i32, %factor: f32) -> i8 {
  // expected-error @+1 {{'sinter.requantize' op needs values, with a bias and a factor for each}}
  %a = sinter.requantize %acc bias(%bias, %bias) factor(%factor) zero 0 in [-128, 127] : (i32, i32, i32, f32) -> i8
  return %a : i8
}

// -----

func.func @signs(%acc: i32, %bias: i32, %factor: f32) -> i8 {
  // expected-error @+1 {{'sinter.requantize' op signs has one letter, s or u, for each value, or none}}
  %a = sinter.requantize %acc bias(%bias) factor(%factor) zero 0 in [-128, 127] {signs = "su"} : (i32, i32, f32) -> i8
  return %a : i8
}

// -----

func.func @values(%x: f64, %bias: f32, %factor: f32) -> i8 {
  // expected-error @+1 {{'sinter.requantize' op values are integers or f32}}
  %a = sinter.requantize %x bias(%bias) factor(%factor) zero 0 in [-128, 127] : (f64, f32, f32) -> i8
  return %a : i8
}

// -----

func.func @biases(%x: i8, %bias: i8, %factor: f32) -> i8 {
  // expected-error @+1 {{'sinter.requantize' op a bias is an f32, or of its value's type if that is an integer of 32 bits or more}}
  %a = sinter.requantize %x bias(%bias) factor(%factor) zero 0 in [-128, 127] : (i8, i8, f32) -> i8
  return %a : i8
}

// -----

func.func @limits(%acc: i32, %bias: i32, %factor: f32) -> i8 {
  // expected-error @+1 {{'sinter.requantize' op limits are in order and whole numbers that f32 holds}}
  %a = sinter.requantize %acc bias(%bias) factor(%factor) zero 0 in [127, -128] : (i32, i32, f32) -> i8
  return %a : i8
}

// -----

func.func @float(%acc: i32, %bias: i32, %factor: f32) -> f32 {
  // expected-error @+1 {{'sinter.requantize' op an f32 has no zero point}}
  %a = sinter.requantize %acc bias(%bias) factor(%factor) zero 1 in [-128, 127] : (i32, i32, f32) -> f32
  return %a : f32
}

// -----

func.func @wide(%acc: i32, %bias: i32, %factor: f32) -> i64 {
  // expected-error @+1 {{'sinter.requantize' op the result is an integer of at most 32 bits, or an f32}}
  %a = sinter.requantize %acc bias(%bias) factor(%factor) zero 1 in [-128, 127] : (i32, i32, f32) -> i64
  return %a : i64
}

// -----

func.func @range(%acc: i32, %bias: i32, %factor: f32) -> i8 {
  // expected-error @+1 {{'sinter.requantize' op the result's type does not hold low + zero .. high + zero}}
  %a = sinter.requantize %acc bias(%bias) factor(%factor) zero 1 in [-128, 127] : (i32, i32, f32) -> i8
  %b = sinter.requantize %acc bias(%bias) factor(%factor) zero 1 in [-129, 127] : (i32, i32, f32) -> i8
  return %b : i8
}
