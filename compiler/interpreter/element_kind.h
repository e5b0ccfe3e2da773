// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the interpreter holds one element of each type. What it computes with them: scalar_ops.def; converting:
// convert.cpp.
#pragma once

#include "mlir/IR/Types.h"
#include <cstdint>
#include <optional>

namespace sinter {

/// Storage of an element. i1 is a byte 0 or 1; 2- to 7-bit integers are held sign (ui: zero) extended in a byte;
/// `index` is an I64.
enum class ElementKind : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F8E4M3FN,
  F8E4M3FNUZ,
  F8E5M2,
  F8E5M2FNUZ,
  F16,
  BF16,
  F32,
  F64,
  C64,  ///< complex<f32>
  C128, ///< complex<f64>
  String
};

/// Nothing for types that the interpreter does not know.
std::optional<ElementKind> elementKind(mlir::Type type);
/// Bytes of one element; sizeof(std::string) for strings.
size_t elementBytes(ElementKind kind);

inline bool isIntegerKind(ElementKind kind) { return kind <= ElementKind::I64; }
inline bool isFloatKind(ElementKind kind) { return kind >= ElementKind::F8E4M3FN && kind <= ElementKind::F64; }
inline bool isComplexKind(ElementKind kind) { return kind == ElementKind::C64 || kind == ElementKind::C128; }

/// The kind that arithmetic on `kind` runs in: small floats in f32 (then rounded), i1 in a byte.
ElementKind computeKind(ElementKind kind);

/// Converts n elements. Integers read as signed or unsigned; floats to integers saturate with NaN -> 0; floats round to
/// nearest even, once.
using ConvertFn = void (*)(const char *from, char *to, size_t n);
ConvertFn findConversion(ElementKind from, ElementKind to, bool isSigned);

} // namespace sinter
