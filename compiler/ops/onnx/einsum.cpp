// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Einsum, operand by operand: diagonals first, labels that nobody else has are summed out, then two operands become a
// product with broadcasting, or where a label is contracted, a batched matrix product.
#include "ops/contraction.h"
#include "ops/einsum_equation.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {

namespace {
/// A tensor whose dims carry labels, each once.
struct Term {
  Tensor x;
  Labels labels;
};

bool has(ArrayRef<int> labels, int label) { return llvm::is_contained(labels, label); }

/// x with each repeated label's dims replaced by their diagonal.
Term diagonal(Op &op, Tensor x, ArrayRef<int> labels) {
  Labels unique;
  Sizes sizes, all = op.sizes(x);
  SmallVector<AffineExpr> at;
  for (auto [d, label] : llvm::enumerate(labels)) {
    if (!has(unique, label)) {
      unique.push_back(label);
      sizes.push_back(all[d]);
    }
    at.push_back(op.b.getAffineDimExpr(llvm::find(unique, label) - unique.begin()));
  }
  if (unique.size() == labels.size())
    return {x, unique};
  return {op.generate(sizes, x.element,
                      [&](OpBuilder &b, ValueRange where) -> Value {
                        SmallVector<Value> index = llvm::map_to_vector(
                            at, [&](AffineExpr e) { return where[cast<AffineDimExpr>(e).getPosition()]; });
                        return b.create<tensor::ExtractOp>(op.loc, x.value, index);
                      }),
          unique};
}

/// Sums out the labels that are not in `kept`.
Term sumOut(Op &op, Term term, ArrayRef<int> kept) {
  SmallVector<int64_t> axes;
  Labels left;
  for (auto [d, label] : llvm::enumerate(term.labels))
    if (has(kept, label))
      left.push_back(label);
    else
      axes.push_back(d);
  if (axes.empty())
    return term;
  ElementType wide = isNarrowFloat(term.x.element) ? ElementType::Float : term.x.element;
  Tensor sum = op.reduce(
      term.x, axes, false, wide, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
  return {op.cast(sum, term.x.element), left};
}

/// Drops dims of size 1 where the other operand has the label with another size: the rest is broadcasting.
Term withoutBroadcast(Op &op, Term term, const Term &other) {
  SmallVector<int64_t> axes;
  Labels left;
  for (auto [d, label] : llvm::enumerate(term.labels)) {
    auto place = llvm::find(other.labels, label);
    bool one = constantOf(op.size(term.x, d)) == 1 && place != other.labels.end() &&
               constantOf(op.size(other.x, place - other.labels.begin())) != 1;
    if (one)
      axes.push_back(d);
    else
      left.push_back(label);
  }
  return axes.empty() ? term : Term{op.squeeze(term.x, axes), left};
}

/// The term's dims in the order of `order`, which has all of its labels; missing ones get size 1 when `fill`.
Tensor arranged(Op &op, const Term &term, ArrayRef<int> order, bool fill = false) {
  SmallVector<int64_t> permutation, missing;
  for (auto [i, label] : llvm::enumerate(order)) {
    auto place = llvm::find(term.labels, label);
    if (place != term.labels.end())
      permutation.push_back(place - term.labels.begin());
    else if (fill)
      missing.push_back(i);
  }
  Tensor moved = op.transpose(term.x, permutation);
  return missing.empty() ? moved : op.unsqueeze(moved, missing);
}

Labels operator+(ArrayRef<int> a, ArrayRef<int> b) {
  Labels all(a);
  all.append(b.begin(), b.end());
  return all;
}

/// The product of two terms with the labels of `kept` (what the result or later operands have) and no others.
FailureOr<Term> multiplyTerms(Op &op, Term lhs, Term rhs, ArrayRef<int> kept) {
  lhs = sumOut(op, lhs, Labels(kept) + rhs.labels);
  rhs = sumOut(op, rhs, Labels(kept) + lhs.labels);
  lhs = withoutBroadcast(op, lhs, rhs);
  rhs = withoutBroadcast(op, rhs, lhs);
  Labels batch, contracted, left, right;
  for (int label : lhs.labels)
    (!has(rhs.labels, label) ? left : has(kept, label) ? batch : contracted).push_back(label);
  for (int label : rhs.labels)
    if (!has(lhs.labels, label))
      right.push_back(label);
  Labels order = Labels(batch) + left + right;
  if (contracted.empty()) {
    SmallVector<Tensor> operands{arranged(op, lhs, order, true), arranged(op, rhs, order, true)};
    if (failed(op.checkBroadcast(operands)))
      return failure();
    return Term{
        op.elementwise(operands, lhs.x.element, [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); }),
        order};
  }
  Tensor a = arranged(op, lhs, Labels(batch) + left + contracted),
         b = arranged(op, rhs, Labels(batch) + contracted + right);
  Sizes aSizes = op.sizes(a), bSizes = op.sizes(b),
        sizes(ArrayRef<Size>(aSizes).take_front(batch.size() + left.size()));
  sizes.append(bSizes.begin() + batch.size() + contracted.size(), bSizes.end());
  auto folded = [&](Tensor x, ArrayRef<Size> all, size_t second) {
    Sizes view(all.take_front(batch.size()));
    view.push_back(product(op.b, op.loc, all.slice(batch.size(), second)));
    view.push_back(product(op.b, op.loc, all.drop_front(batch.size() + second)));
    return op.reshape(x, view);
  };
  FailureOr<Tensor> y = matmul(op, folded(a, aSizes, left.size()), folded(b, bSizes, contracted.size()));
  return failed(y) ? FailureOr<Term>(failure()) : Term{op.reshape(*y, sizes), order};
}

LogicalResult einsum(Op &op) {
  SmallVector<Tensor> inputs = op.inputs();
  std::string problem;
  auto equation =
      parseEinsum(op.string("equation"), llvm::map_to_vector(inputs, [](Tensor x) { return x.rank(); }), problem);
  if (!equation)
    return op.fail(Code::ShapeMismatch, problem);
  llvm::DenseMap<int, Size> sizes;
  for (auto [i, labels] : llvm::enumerate(equation->operands))
    for (auto [d, label] : llvm::enumerate(labels)) {
      Size size = op.size(inputs[i], d);
      auto [found, isNew] = sizes.try_emplace(label, size);
      bool isRepeated = has(ArrayRef(labels).take_front(d), label); // then both are one index
      Holds fits = isRepeated
                       ? relationHolds(op, "=", size, op.size(inputs[i], llvm::find(labels, label) - labels.begin()))
                       : broadcasts(op, found->second, size);
      if (failed(mustHold(op, fits,
                          "dim " + Twine(d) + " of operand " + Twine(i) +
                              " has another size than its label has elsewhere")))
        return failure();
      if (constantOf(found->second) == 1)
        found->second = size;
    }
  Term term = diagonal(op, inputs[0], equation->operands[0]);
  for (size_t i = 1; i < inputs.size(); ++i) {
    Labels kept = equation->result;
    for (const Labels &later : llvm::ArrayRef(equation->operands).drop_front(i + 1))
      kept.append(later);
    FailureOr<Term> next = multiplyTerms(op, term, diagonal(op, inputs[i], equation->operands[i]), kept);
    if (failed(next))
      return failure();
    term = *next;
  }
  return op.result(arranged(op, sumOut(op, term, equation->result), equation->result));
}
} // namespace

void register_einsum(Registry &registry) { registry.onOp("Einsum", {12, 28}, "Inputs[_*]", einsum); }

} // namespace sinter
