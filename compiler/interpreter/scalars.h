// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the interpreter's register programs: each works on n lanes. The table of scalar ops is
// scalar_ops.def.
#pragma once

#include "element_kind.h"

#include "mlir/Support/TypeID.h"
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
const ScalarOp *findScalarOp(mlir::TypeID op);

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
