// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the interpreter's register programs: each works on n lanes. The table of scalar ops is
// scalar_ops.def.
#pragma once

#include "element_kind.h"

#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>

namespace sinter {

struct Instruction {
  using Run = void (*)(const Instruction &, size_t n);
  Run run = nullptr;
  char *out = nullptr;
  const char *in[3] = {};
  int64_t immediate = 0;
  void *extra = nullptr;
};

/// An op of scalar_ops.def: what it runs for each kind that it has.
struct ScalarOp {
  enum Family { Int, Float, Complex } family;
  bool isSigned;
  unsigned arity;
  Instruction::Run runs[4]; ///< Int: I8..I64; Float: F32, F64; Complex: C64, C128
  Instruction::Run runFor(ElementKind kind) const;
};
/// A function that sinter.apply names (ir/scalar_functions.def), as an op; null when the interpreter has none of
/// that name.
const ScalarOp *findScalarFunction(llvm::StringRef name);
/// What generated code calls for an op of the math dialect (ir/scalar_functions.def).
const ScalarOp *findMathFunction(llvm::StringRef op);
/// A function that sinter.apply names between f32 and a type held in one byte (float8_functions.cpp).
struct NamedConversion {
  bool decodes; ///< byte to f32; else f32 to byte
  ConvertFn run;
};
std::optional<NamedConversion> findNamedConversion(llvm::StringRef name);
/// A function that sinter.apply names from an F32, and for bytes an I32 that is added, to an I32: nearest_int,
/// round_to_int8, round_to_uint8; null for others.
Instruction::Run findRounding(llvm::StringRef name);
/// By the op's full name; null for ops that are not one of the list.
const ScalarOp *findScalarOp(llvm::StringRef op);

/// arith.cmpi, cmpf; complex.eq, neq as predicates 0 and 1. Results are i1. Nothing for kinds that do not compare.
Instruction::Run findComparison(ElementKind kind, int64_t predicate);
/// in[0] ? in[1] : in[2] on elements of `bytes` bytes.
Instruction::Run findSelect(size_t bytes);
/// Parts of complex numbers and back: "create", "re", "im", "abs", "angle".
enum class ComplexPart { Create, Re, Im, Abs, Angle };
Instruction::Run findComplexPart(ElementKind complexKind, ComplexPart part);
/// High half of a product of I32 or I64 (mulsi_extended, mului_extended), carry of a sum (addui_extended; an i1).
Instruction::Run findHighProduct(ElementKind kind, bool isSigned);
Instruction::Run findCarry(ElementKind kind);

} // namespace sinter
