// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --dim total=past+seq: the bounds of such a dim follow from those of the others, so the importer gets them as any; the
// program is told what the dim is made of (`sinter.dim_polynomials`), so that sizes that are equal are known to be so.
#pragma once

#include "driver/compile_model.h"

namespace sinter {

/// The job's polynomials, with numbers for dims that have one size.
llvm::StringMap<NamedPolynomial> knownPolynomials(const CompileJob &job);
/// Puts what follows from them into --dim's values; a problem, or nothing.
std::optional<Problem> resolvePolynomials(const CompileJob &job, llvm::StringMap<DimValue> &dims);
/// Notes them on the function of node IR, of whose inputs they name dims; a problem, or nothing.
std::optional<Problem> notePolynomials(const CompileJob &job, mlir::ModuleOp module);

} // namespace sinter
