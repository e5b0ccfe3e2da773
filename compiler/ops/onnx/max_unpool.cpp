// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MaxUnpool: values scattered to their places in a zero tensor; an output_shape adds zeros behind.
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerMaxUnpool(Op &op) {
  Tensor x = op.input(0), places = op.input(1);
  int64_t rank = x.rank() - 2;
  if (rank < 1)
    return op.fail(Code::ShapeMismatch, "MaxUnpool takes a tensor of rank 3 or more");
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0), kernel = op.integers("kernel_shape");
  SmallVector<int64_t> strides = op.integers("strides", ones), pads = op.integers("pads", zeros);
  if (static_cast<int64_t>(kernel.size()) != rank || static_cast<int64_t>(strides.size()) != rank ||
      static_cast<int64_t>(pads.size()) != 2 * rank)
    return op.fail(Code::ShapeMismatch, "kernel_shape, strides or pads do not fit " + Twine(rank) + " spatial dims");
  Sizes own = op.sizes(x), sizes(own.begin(), own.begin() + 2);
  for (int64_t i = 0; i < rank; ++i) {
    Size steps = mul(op.b, op.loc, sub(op.b, op.loc, own[i + 2], sizeOf(op.b, 1)), sizeOf(op.b, strides[i]));
    sizes.push_back(add(op.b, op.loc, steps, sizeOf(op.b, kernel[i] - pads[i] - pads[rank + i])));
  }
  Size total = product(op.b, op.loc, sizes), count = product(op.b, op.loc, own);
  Value zero = narrow(op.b, op.loc, x.element, Scalars{op.b, op.loc, x.element}.constant(0));
  Tensor flat = op.kernel("scatter_elements",
                          {op.filled({total}, x.element, zero), op.reshape(places, {count}), op.reshape(x, {count})},
                          {{{total}, x.element}}, {op.param("axis", int64_t(0)), op.param("reduction", int64_t(0))})[0];
  Tensor y = op.reshape(flat, sizes);
  if (!op.has(2))
    return op.result(y);
  FailureOr<Sizes> asked = op.elements(2, "output_shape");
  if (failed(asked))
    return failure();
  FailureOr<Sizes> bounded = boundedSizes(op, *asked);
  if (failed(bounded) || bounded->size() != sizes.size())
    return failed(bounded) ? failure() : op.fail(Code::ShapeMismatch, "'output_shape' does not name every dim");
  Sizes low(sizes.size(), sizeOf(op.b, 0)), high;
  for (auto [have, want] : llvm::zip(sizes, *bounded)) {
    if (failed(mustHold(op, relationHolds(op, ">=", want, have), "'output_shape' is smaller than what is unpooled")))
      return failure();
    Size missing = sub(op.b, op.loc, want, have);
    high.push_back(certainlyNonNegative(missing) ? missing : maximum(op.b, op.loc, missing, sizeOf(op.b, 0)));
  }
  return op.result(op.pad(y, low, high, zero));
}
} // namespace

void register_max_unpool(Registry &registry) {
  registry.onOp(
      "MaxUnpool", {9, 11, 22},
      "X[N,C,D+] I[N,C,D*] kernel_shape[#D] kernel_shape>=1 strides[#D] strides>=1 pads[2*#D] output_shape[#D+2]",
      lowerMaxUnpool);
}

} // namespace sinter
