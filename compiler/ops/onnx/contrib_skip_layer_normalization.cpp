// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: SkipLayerNormalization, SkipSimplifiedLayerNormalization (a sum, then LayerNormalization or
// RMSNormalization), EmbedLayerNormalization (the sum is of embeddings).
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {

namespace {
constexpr const char *domain = "com.microsoft";

NamedAttribute epsilonOf(Op &op) { return op.b.getNamedAttr("epsilon", op.b.getF32FloatAttr(op.real("epsilon"))); }

/// LayerNormalization of x over its last dim; beta may be null.
FailureOr<SmallVector<Tensor>> normalized(Op &op, Tensor x, Tensor gamma, Tensor beta, bool simplified,
                                          unsigned outputs) {
  SmallVector<NamedAttribute> attributes{op.param("axis", int64_t(-1)), epsilonOf(op),
                                         op.param("stash_type", int64_t(1))};
  SmallVector<Tensor> operands{x, gamma};
  if (beta)
    operands.push_back(beta);
  return simplified ? op.call("RMSNormalization", 23, operands, attributes)
                    : op.call("LayerNormalization", 17, operands, attributes, outputs);
}

template <bool simplified>
LogicalResult skipLayerNormalization(Op &op) {
  constexpr unsigned bias = simplified ? 3 : 4;
  SmallVector<Tensor> terms{op.input(0), op.input(1)};
  if (op.has(bias))
    terms.push_back(op.input(bias));
  if (failed(op.checkBroadcast(terms)))
    return failure();
  Tensor sum = sumOf(op, terms), beta = !simplified && op.has(3) ? op.input(3) : Tensor();
  bool statistics = op.wants(1) || op.wants(2);
  if (statistics && simplified)
    return op.unsupported("the statistics of SkipSimplifiedLayerNormalization", "only training needs them");
  auto y = normalized(op, sum, op.input(2), beta, simplified, statistics ? 3 : 1);
  if (failed(y))
    return failure();
  return op.results({(*y)[0], statistics ? (*y)[1] : Tensor(), statistics ? (*y)[2] : Tensor(), sum});
}

/// Rows of a table by ids that come from data.
Tensor embedded(Op &op, Tensor table, Tensor ids) {
  Sizes sizes = op.sizes(ids);
  sizes.push_back(op.size(table, 1));
  Size rows = op.size(table, 0);
  return op.generate(sizes, table.element, [&](OpBuilder &b, ValueRange at) -> Value {
    Value id = b.create<tensor::ExtractOp>(op.loc, ids.value, at.drop_back());
    Value row = b.create<CheckIndexOp>(op.loc, b.getIndexType(), id, toValue(b, op.loc, rows), b.getBoolAttr(false));
    return b.create<tensor::ExtractOp>(op.loc, table.value, ValueRange{row, at.back()});
  });
}

LogicalResult embedLayerNormalization(Op &op) {
  Tensor ids = op.input(0), positions = op.input(3);
  if (ids.rank() != 2)
    return op.fail(Code::ShapeMismatch, "'input_ids' has the dims [batch, sequence]");
  SmallVector<Tensor> terms{embedded(op, op.input(2), ids)};
  if (op.has(8)) {
    terms.push_back(embedded(op, positions, op.input(8)));
  } else {
    Sizes sizes{op.size(ids, 1), op.size(positions, 1)};
    SmallVector<Size> zeros(2, sizeOf(op.b, 0)), ones(2, sizeOf(op.b, 1));
    terms.push_back(op.slice(positions, zeros, sizes, ones));
  }
  if (op.has(1) && op.has(4))
    terms.push_back(embedded(op, op.input(4), op.input(1)));
  Tensor sum = sumOf(op, terms);
  auto y = normalized(op, sum, op.input(5), op.input(6), false, 1);
  if (failed(y))
    return failure();
  Tensor lengths;
  if (op.wants(1)) {
    auto zero = [](const Scalars &s) { return s.constant(0); };
    lengths = op.has(7) ? op.reduce(op.input(7), 1, false, ElementType::Int32, zero,
                                    [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); })
                        : op.filled(op.size(ids, 0), ElementType::Int32,
                                    Scalars{op.b, op.loc, ElementType::Int32}.constant(0));
  }
  return op.results({(*y)[0], lengths, sum});
}
} // namespace

void register_contrib_skip_layer_normalization(Registry &registry) {
  registry.onOp("SkipLayerNormalization", {1},
                "input[N,S,C]|[S,C] skip[N|1,S,C]|[S,C] rank(skip)<=rank(input) gamma[C] beta[C] bias[C]",
                skipLayerNormalization<false>, domain);
  registry.onOp("SkipSimplifiedLayerNormalization", {1},
                "input[N,S,C]|[S,C] skip[N|1,S,C]|[S,C] rank(skip)<=rank(input) gamma[C] bias[C]",
                skipLayerNormalization<true>, domain);
  registry.onOp("EmbedLayerNormalization", {1},
                "input_ids[N,S] segment_ids[N,S] word_embedding[_,H] position_embedding[P,H] segment_embedding[_,H] "
                "gamma[H] beta[H] mask[N,S] position_ids[N|1,S] {has(position_ids)=0}S<=P",
                embedLayerNormalization, domain);
}

} // namespace sinter
