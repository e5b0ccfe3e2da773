// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attribute_or_operand.h"

using namespace mlir;

namespace sinter {

FailureOr<std::optional<SmallVector<int64_t>>> integersFrom(const Op &op, StringRef name, unsigned i) {
  if (op.hasAttribute(name))
    return std::optional(op.integers(name));
  if (!op.has(i))
    return std::optional<SmallVector<int64_t>>();
  std::optional<SmallVector<int64_t>> values = op.constantIntegers(i);
  if (!values)
    return op.fail(Code::ShapeNotConstant, "'" + name + "' is not constant",
                   "give the dims that it depends on: --dim NAME=N");
  return values;
}

FailureOr<std::optional<Sizes>> sizesFrom(const Op &op, StringRef name, unsigned i) {
  if (op.hasAttribute(name))
    return std::optional(sizesOf(op.b, op.integers(name)));
  if (!op.has(i))
    return std::optional<Sizes>();
  FailureOr<Sizes> values = op.elements(i, name);
  if (failed(values))
    return failure();
  return std::optional(*values);
}

} // namespace sinter
