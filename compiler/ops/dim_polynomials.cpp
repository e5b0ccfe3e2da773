// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dim_polynomials.h"

#include "builders/sizes.h"
#include "ir/dim_bounds.h"

using namespace mlir;

namespace sinter {

static DictionaryAttr polynomialsOf(Operation *function) {
  return function->getAttrOfType<DictionaryAttr>("sinter.dim_polynomials");
}

std::optional<NamedPolynomial> polynomialOf(Operation *function, StringAttr dim) {
  DictionaryAttr polynomials = polynomialsOf(function);
  auto text = polynomials ? polynomials.getAs<StringAttr>(dim) : StringAttr();
  return text ? parseNamedPolynomial(text.getValue()) : std::nullopt;
}

Value sizeOfPolynomial(const NamedPolynomial &polynomial, OpBuilder &builder, Location loc,
                       const Conversion &conversion) {
  Size sum = sizeOf(builder, 0);
  for (const auto &[product, factor] : polynomial.getTerms()) {
    Size term = sizeOf(builder, factor);
    for (const std::string &dim : product)
      term = mul(builder, loc, conversion.symbol(dim), term);
    sum = add(builder, loc, sum, term);
  }
  return toValue(builder, loc, sum);
}

StringRef dimNameOf(Operation *function, Value size, const Conversion &conversion) {
  if (auto symbol = size.getDefiningOp<DimOp>())
    return symbol.getName();
  DictionaryAttr polynomials = polynomialsOf(function);
  if (!polynomials)
    return "";
  DimBounds bounds;
  DimAlgebra &algebra = bounds.getAlgebra();
  for (NamedAttribute each : polynomials)
    if (algebra.of(SizeKey(size, -1)) == algebra.of(SizeKey(conversion.symbol(each.getName()), -1)))
      return each.getName();
  return "";
}

} // namespace sinter
