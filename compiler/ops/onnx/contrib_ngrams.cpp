// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's operators on runs of a tensor: NGramRepeatBlock, where tokens that would end a run which was there
// already score -infinity; UnfoldTensor, all windows along a dim.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {
constexpr const char *domain = "com.microsoft";

LogicalResult ngramRepeatBlock(Op &op) {
  Tensor ids = op.input(0), scores = op.input(1);
  int64_t size = op.integer("ngram_size");
  std::optional<int64_t> length = constantOf(op.size(ids, 1));
  if (length && *length < size)
    return op.result(scores);
  // Each run of the sequence: what stands behind it scores no more than this.
  Size last = op.size(ids, 1);
  Size count = maximum(op.b, op.loc, add(op.b, op.loc, last, sizeOf(op.b, 1 - size)), sizeOf(op.b, 0));
  Sizes sizes{op.size(ids, 0), count};
  auto at = [&](OpBuilder &b, Value row, Value place) -> Value {
    return b.create<tensor::ExtractOp>(op.loc, ids.value, ValueRange{row, place});
  };
  auto shifted = [&](OpBuilder &b, Value place, int64_t by) -> Value {
    return b.create<arith::AddIOp>(op.loc, place, b.create<arith::ConstantIndexOp>(op.loc, by));
  };
  auto isRepeated = [&](OpBuilder &b, ValueRange i) {
    Value same = b.create<arith::ConstantOp>(op.loc, b.getBoolAttr(true));
    for (int64_t j = 0; j < size - 1; ++j) {
      Value before = at(b, i[0], shifted(b, i[1], j));
      Value end = at(b, i[0], shifted(b, toValue(b, op.loc, last), 1 - size + j));
      same =
          b.create<arith::AndIOp>(op.loc, same, b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, before, end));
    }
    return same;
  };
  Tensor tokens = op.generate(sizes, ids.element, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ids.element};
    return s.select(isRepeated(b, i), at(b, i[0], shifted(b, i[1], size - 1)), s.constant(0));
  });
  Tensor most = op.generate(sizes, scores.element, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, scores.element};
    return s.select(isRepeated(b, i), s.lowest(), s.highest());
  });
  NamedAttribute attributes[] = {op.param("axis", int64_t(1)),
                                 op.b.getNamedAttr("reduction", op.b.getStringAttr("min"))};
  auto y = op.call("ScatterElements", 18, {scores, tokens, most}, attributes);
  return failed(y) ? failure() : op.result((*y)[0]);
}

LogicalResult unfold(Op &op) {
  Tensor x = op.input(0);
  FailureOr<int64_t> axis = op.axis(op.integer("dim", -1), x.rank());
  if (failed(axis))
    return failure();
  int64_t size = op.integer("size"), step = op.integer("step", 1);
  Sizes sizes = op.sizes(x);
  Size room = sub(op.b, op.loc, sizes[size_t(*axis)], sizeOf(op.b, size));
  sizes[size_t(*axis)] = add(op.b, op.loc, floorDiv(op.b, op.loc, room, step), sizeOf(op.b, 1));
  sizes.push_back(sizeOf(op.b, size));
  return op.result(op.generate(sizes, x.element, [&](OpBuilder &b, ValueRange i) -> Value {
    SmallVector<Value> place(i.drop_back());
    Value stride = b.create<arith::ConstantIndexOp>(op.loc, step);
    place[size_t(*axis)] =
        b.create<arith::AddIOp>(op.loc, b.create<arith::MulIOp>(op.loc, place[size_t(*axis)], stride), i.back());
    return b.create<tensor::ExtractOp>(op.loc, x.value, place);
  }));
}
} // namespace

void register_contrib_ngrams(Registry &registry) {
  registry.onOp("NGramRepeatBlock", {1}, "input_ids[N,_] scores[N,_] ngram_size>=1", ngramRepeatBlock, domain);
  registry.onOp("UnfoldTensor", {1}, "input[_+] dim@input 1<=size<=dim(input,dim) step>=1", unfold, domain);
}

} // namespace sinter
