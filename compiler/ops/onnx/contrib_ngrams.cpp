// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's operators on runs of a tensor: NGramRepeatBlock, where tokens that would end a run which was there
// already score -infinity; UnfoldTensor, all windows along a dim.
#include "ops/domains.h"
#include "ops/repeated_runs.h"

using namespace mlir;

namespace sinter {
namespace {
LogicalResult ngramRepeatBlock(Op &op) {
  Tensor scores = op.input(1);
  double lowest = -std::numeric_limits<double>::infinity();
  return op.result(withoutRepeatedRuns(op, op.input(0), scores, op.integer("ngram_size"), lowest));
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
  registry.onOp("NGramRepeatBlock", {1}, "input_ids[N,_] scores[N,_] ngram_size>=1", ngramRepeatBlock, microsoftDomain);
  registry.onOp("UnfoldTensor", {1}, "input[_+] dim@input 1<=size<=dim(input,dim) step>=1", unfold, microsoftDomain);
}

} // namespace sinter
