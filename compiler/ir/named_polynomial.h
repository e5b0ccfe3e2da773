// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A size as users write it of other dims: --dim total=past+seq. As text it is what attributes hold
// (`sinter.dim_polynomials`) between the importer, which reads it, conversion, which writes it as ops, and generated
// code, which checks that calls keep to it.
#pragma once

#include "polynomial.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace sinter {

/// Over names of dims.
using NamedPolynomial = Polynomial<std::string>;

/// "past+seq", "2*heads*seq + 1", "seq-1": sums of products of names and numbers; a `-` stands before a number. Nothing
/// if it is none, or its numbers are too large.
std::optional<NamedPolynomial> parseNamedPolynomial(llvm::StringRef text);
/// Which reads back as the same.
std::string textOf(const NamedPolynomial &polynomial);
/// Its least and largest value where each dim is between these, which are not negative; nothing where 64 bits do not
/// hold them.
std::optional<std::pair<int64_t, int64_t>>
rangeOf(const NamedPolynomial &polynomial, llvm::function_ref<std::pair<int64_t, int64_t>(const std::string &)> range);

} // namespace sinter
