// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: SkipLayerNormalization, SkipSimplifiedLayerNormalization (a sum, then LayerNormalization or
// RMSNormalization), EmbedLayerNormalization and
// QEmbedLayerNormalization (the sum is of embeddings).
#include "ops/domains.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {

namespace {
NamedAttribute epsilonOf(Op &op) { return op.b.getNamedAttr("epsilon", op.b.getF32FloatAttr(op.real("epsilon"))); }

/// LayerNormalization of x over its last dim; beta may be null.
FailureOr<SmallVector<Tensor>> skipNormalized(Op &op, Tensor x, Tensor gamma, Tensor beta, bool simplified,
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
  Tensor sum = sumOf(op, terms), beta = simplified ? Tensor() : op.inputOrNone(3);
  bool statistics = op.wants(1) || op.wants(2);
  if (statistics && simplified)
    return op.unsupported("the statistics of SkipSimplifiedLayerNormalization", "only training needs them");
  auto y = skipNormalized(op, sum, op.input(2), beta, simplified, statistics ? 3 : 1);
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

/// The first rows of a table of positions, as many as the sequence has.
Tensor firstRows(Op &op, Tensor table, Tensor ids) {
  Sizes sizes{op.size(ids, 1), op.size(table, 1)};
  SmallVector<Size> zeros(2, sizeOf(op.b, 0)), ones(2, sizeOf(op.b, 1));
  return op.slice(table, zeros, sizes, ones);
}

/// How many elements of a mask [batch, sequence] are 1, of each member; 0 without one.
Tensor maskLengthsOf(Op &op, Tensor ids, Tensor mask) {
  auto zero = [](const Scalars &s) { return s.constant(0); };
  if (!mask)
    return op.filled(op.size(ids, 0), ElementType::Int32, Scalars{op.b, op.loc, ElementType::Int32}.constant(0));
  return op.reduce(mask, 1, false, ElementType::Int32, zero,
                   [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
}

LogicalResult embedLayerNormalization(Op &op) {
  Tensor ids = op.input(0), positions = op.input(3);
  SmallVector<Tensor> terms{embedded(op, op.input(2), ids)};
  terms.push_back(op.has(8) ? embedded(op, positions, op.input(8)) : firstRows(op, positions, ids));
  if (op.has(1) && op.has(4))
    terms.push_back(embedded(op, op.input(4), op.input(1)));
  Tensor sum = sumOf(op, terms);
  auto y = skipNormalized(op, sum, op.input(5), op.input(6), false, 1);
  if (failed(y))
    return failure();
  Tensor lengths = op.wants(1) ? maskLengthsOf(op, ids, op.inputOrNone(7)) : Tensor();
  return op.results({(*y)[0], lengths, sum});
}

/// Tables, gamma and beta of integers: rows are chosen first, and then made floats.
LogicalResult quantizedEmbedLayerNormalization(Op &op) {
  Tensor ids = op.input(0);
  auto floats = [&](Tensor x, unsigned scale, unsigned zero) {
    Tensor factor = op.reshape(op.input(scale), ArrayRef<Size>()),
           offset = op.reshape(op.input(zero), ArrayRef<Size>());
    return op.elementwise({op.cast(x, ElementType::Float), op.cast(offset, ElementType::Float), factor},
                          ElementType::Float,
                          [](const Scalars &s, ValueRange v) { return s.mul(s.sub(v[0], v[1]), v[2]); });
  };
  SmallVector<Tensor> terms{floats(embedded(op, op.input(2), ids), 8, 13),
                            floats(firstRows(op, op.input(3), ids), 9, 14)};
  if (op.has(1))
    terms.push_back(floats(embedded(op, op.input(4), op.input(1)), 10, 15));
  auto y = skipNormalized(op, sumOf(op, terms), floats(op.input(5), 11, 16), floats(op.input(6), 12, 17), false, 1);
  if (failed(y))
    return failure();
  return op.results({(*y)[0], op.wants(1) ? maskLengthsOf(op, ids, op.inputOrNone(7)) : Tensor()});
}
} // namespace

void register_contrib_skip_layer_normalization(Registry &registry) {
  registry.onOp("SkipLayerNormalization", {1},
                "input[N,S,C]|[S,C] skip[N|1,S,C]|[S,C] rank(skip)<=rank(input) gamma[C] beta[C] bias[C]",
                skipLayerNormalization<false>, microsoftDomain);
  registry.onOp("SkipSimplifiedLayerNormalization", {1},
                "input[N,S,C]|[S,C] skip[N|1,S,C]|[S,C] rank(skip)<=rank(input) gamma[C] bias[C]",
                skipLayerNormalization<true>, microsoftDomain);
  registry.onOp("EmbedLayerNormalization", {1},
                "input_ids[N,S] segment_ids[N,S] word_embedding[_,H] position_embedding[P,H] segment_embedding[_,H] "
                "gamma[H] beta[H] mask[N,S] position_ids[N|1,S] {has(position_ids)=0}S<=P",
                embedLayerNormalization, microsoftDomain);
  registry.onOp("QEmbedLayerNormalization", {1},
                "input_ids[N,S] segment_ids[N,S] word_embedding_quant[_,H] position_embedding_quant[P,H] S<=P "
                "segment_embedding[_,H] gamma_quant[H] beta_quant[H] mask[N,S] word_embedding_scale[]|[1] "
                "position_embedding_scale[]|[1] segment_embedding_scale[]|[1] gamma_scale[]|[1] beta_scale[]|[1] "
                "word_embedding_zero_point[]|[1] position_embedding_zero_point[]|[1] "
                "segment_embedding_zero_point[]|[1] gamma_zero_point[]|[1] beta_zero_point[]|[1] "
                "has(segment_embedding)=has(segment_ids) has(segment_embedding_scale)=has(segment_ids) "
                "has(segment_embedding_zero_point)=has(segment_ids)",
                quantizedEmbedLayerNormalization, microsoftDomain);
}

} // namespace sinter
