// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: GroupNorm, GroupNormalization of maps whose channels are last (or second), and SiLU behind it where
// asked for; SkipGroupNorm, the same of a sum.
#include "ops/domains.h"
#include "ops/math.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {
FailureOr<Tensor> groupNormalized(Op &op, Tensor x) {
  bool isLast = op.integer("channels_last") != 0;
  SmallVector<int64_t> toSecond{0, x.rank() - 1}, toLast{0};
  for (int64_t d = 1; d < x.rank() - 1; ++d)
    toSecond.push_back(d);
  for (int64_t d = 2; d < x.rank(); ++d)
    toLast.push_back(d);
  toLast.push_back(1);
  ElementType type = x.element;
  SmallVector<Tensor> operands{isLast ? op.transpose(x, toSecond) : x, op.cast(op.input(1), type),
                               op.cast(op.input(2), type)};
  NamedAttribute attributes[] = {op.param("num_groups", op.integer("groups")), op.param("stash_type", int64_t(1)),
                                 op.b.getNamedAttr("epsilon", op.b.getF32FloatAttr(op.real("epsilon")))};
  auto made = op.call("GroupNormalization", 21, operands, attributes);
  if (failed(made))
    return failure();
  Tensor y = (*made)[0];
  if (op.integer("activation"))
    y = op.elementwise({y}, type, [](const Scalars &s, ValueRange v) {
      return s.div(v[0], s.add(s.constant(1), exp(s, s.neg(v[0]))));
    });
  return isLast ? op.transpose(y, toLast) : y;
}

LogicalResult groupNorm(Op &op) { return op.result(groupNormalized(op, op.input(0))); }

LogicalResult skipGroupNorm(Op &op) {
  SmallVector<Tensor> terms{op.input(0)};
  Tensor skip = op.input(3); // [n, h, w, c], [n, 1, 1, c] or [n, c]
  if (skip.rank() == 2)
    skip = op.integer("channels_last") ? op.unsqueeze(skip, {1, 2}) : op.unsqueeze(skip, {2, 3});
  terms.push_back(skip);
  if (op.has(4))
    terms.push_back(op.integer("channels_last") ? op.input(4) : op.unsqueeze(op.input(4), {1, 2}));
  if (failed(op.checkBroadcast(terms)))
    return failure();
  Tensor sum = sumOf(op, terms);
  FailureOr<Tensor> y = groupNormalized(op, sum);
  if (failed(y))
    return failure();
  SmallVector<Tensor> results{*y, sum};
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

void register_contrib_group_norm(Registry &registry) {
  registry.onOp("GroupNorm", {1},
                "X[N,D+,C]|{channels_last=0}[N,C,D+] gamma[C] beta[C] C%groups=0 groups>=1 activation=0|1 "
                "channels_last=0|1",
                groupNorm, microsoftDomain);
  registry.onOp("SkipGroupNorm", {1},
                "X[N,H,W,C]|{channels_last=0}[N,C,H,W] gamma[C] beta[C] skip[_,_,_,_]|[N,C] bias[C] C%groups=0 "
                "groups>=1 activation=0|1 channels_last=0|1",
                skipGroupNorm, microsoftDomain);
}

} // namespace sinter
