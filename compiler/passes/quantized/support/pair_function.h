// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An integer of an epilogue or elementwise body as a function of at most two whole numbers of few values: elements of
// bytes, and what was rounded before in the same body. Whatever operations stand between, the interpreter runs them on
// all inputs that there are.
#pragma once

#include "integer_fit.h"
#include "known_factor.h"

namespace sinter {

/// A value of the body: an integer element, or a float that is rounded and limited.
struct PairSource {
  mlir::Value value;
  IntegerRange range;
  bool isUnsigned = false; ///< how an integer is extended
};

struct PairFunction {
  llvm::SmallVector<PairSource, 2> sources;
  PairTable table;
};

/// Which roundings the function holds: all on the way from elements of bytes, none but the last, or as many as it can,
/// where what is below them reads something else; the others are its sources.
enum class Roundings { All, Last, Most };

/// Nothing where `value` reads anything else, or does not come from floats.
std::optional<PairFunction> pairFunctionOf(mlir::Value value, const ElementBody &body, Roundings which);

} // namespace sinter
