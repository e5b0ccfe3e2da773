// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's operators around the decoding of speech and text: BifurcationDetector (which predicted tokens hold),
// DynamicTimeWarping (which tokens belong to which frames). Source: onnxruntime's CPU kernels.
#include "ops/domains.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {
constexpr ElementType index = ElementType::Int64;

LogicalResult bifurcationDetector(Op &op) {
  Tensor source = op.input(0), current = op.input(1), previous = op.input(2);
  Tensor predicted = op.inputOr(3, [&] { return op.empty({sizeOf(op.b, 0)}, index); });
  Size room = add(op.b, op.loc, op.size(current, 0), op.size(predicted, 0));
  Sizes places = op.sizes(previous);
  NamedAttribute params[] = {op.param("least", op.integer("min_ngram_size", 1)),
                             op.param("most", op.integer("max_ngram_size", 3))};
  SmallVector<Tensor> made =
      op.kernel("bifurcation", {source, current, op.reshape(previous, {sizeOf(op.b, 1)}), predicted},
                {{{room}, index}, {{}, index}, {{sizeOf(op.b, 1)}, index}}, params);
  return op.results({op.has(3) ? takeCount(op, made[0], made[1], 0) : made[0], op.reshape(made[2], places)});
}

LogicalResult dynamicTimeWarping(Op &op) {
  Tensor costs = op.input(0);
  if (costs.rank() == 3)
    costs = op.squeeze(costs, {0});
  Size one = sizeOf(op.b, 1);
  Size rows = add(op.b, op.loc, op.size(costs, 0), one), columns = add(op.b, op.loc, op.size(costs, 1), one);
  Size longest = sub(op.b, op.loc, add(op.b, op.loc, op.size(costs, 0), op.size(costs, 1)), one);
  if (!certainlyNonNegative(longest))
    longest = maximum(op.b, op.loc, longest, sizeOf(op.b, 0));
  SmallVector<Tensor> made = op.kernel("time_warp", {costs},
                                       {{{sizeOf(op.b, 2), longest}, ElementType::Int32},
                                        {{}, index},
                                        {{rows, columns}, costs.element},
                                        {{rows, columns}, ElementType::Int8}});
  return op.result(takeCount(op, made[0], made[1], 1));
}
} // namespace

void register_contrib_decoding(Registry &registry) {
  registry.onOp("BifurcationDetector", {1},
                "src_tokens[_] cur_tokens[_] prev_suffix_match_idx[]|[1] pred_tokens[_] min_ngram_size>=1 "
                "max_ngram_size>=min_ngram_size",
                bifurcationDetector, microsoftDomain);
  registry.onOp("DynamicTimeWarping", {1}, "input[_,_]|[1,_,_]", dynamicTimeWarping, microsoftDomain);
}

} // namespace sinter
