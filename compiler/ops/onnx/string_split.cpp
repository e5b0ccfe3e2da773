// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StringSplit: the parts of each string as a new last dim, as long as the most that a string has, which is what
// maxsplit allows, or a bound. Parts are Python's str.split's; white space is ASCII's.
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerStringSplit(Op &op) {
  Tensor x = op.input(0);
  StringRef delimiter = op.string("delimiter");
  bool isLimited = op.hasAttribute("maxsplit");
  int64_t most = op.integer("maxsplit", -1);
  NamedAttribute params[] = {op.b.getNamedAttr("delimiter", op.b.getStringAttr(delimiter)),
                             op.param("delimiter_size", static_cast<int64_t>(delimiter.size())),
                             op.param("most_splits", most)};
  Sizes sizes = op.sizes(x);
  Size all = product(op.b, op.loc, sizes);
  Tensor line = op.reshape(x, {all});
  constexpr ElementType index = ElementType::Int64;
  SmallVector<Tensor> counted = op.kernel("count_words", {line}, {{{all}, index}, {{}, index}}, params);
  Value read = op.b.create<tensor::ExtractOp>(op.loc, counted[1].value, ValueRange());
  Size parts = op.b.create<arith::IndexCastOp>(op.loc, op.b.getIndexType(), read).getResult();
  if (constantOf(all) == 0)
    parts = sizeOf(op.b, 0);
  else if (isLimited && most >= 0 && most < (int64_t(1) << 32))
    parts = within(op, parts, sizeOf(op.b, most + 1));
  sizes.push_back(parts);
  FailureOr<Sizes> bounded = boundedSizes(op, sizes);
  if (failed(bounded))
    return failure();
  Tensor y = op.kernel("split_words", {line}, {{{all, bounded->back()}, ElementType::String}}, params)[0];
  return op.results({op.reshape(y, *bounded), op.reshape(counted[0], op.sizes(x))});
}
} // namespace

void register_string_split(Registry &registry) { registry.onOp("StringSplit", {20}, "X[_*]", lowerStringSplit); }

} // namespace sinter
