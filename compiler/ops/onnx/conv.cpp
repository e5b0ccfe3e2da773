// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conv: sinter.conv in ONNX's own layout, and the bias as an elementwise op that a fusion pass moves into its epilogue.
#include "ops/quantized_contractions.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerConv(Op &op) {
  Tensor x = op.input(0), w = op.input(1);
  int64_t group = op.integer("group", 1);
  if (x.rank() < 3 || w.rank() != x.rank())
    return op.fail(Code::ShapeMismatch, "input of rank " + Twine(x.rank()) + " and filter of rank " + Twine(w.rank()));
  std::optional<int64_t> channels = constantOf(op.size(x, 1)), perGroup = constantOf(op.size(w, 1)),
                         filters = constantOf(op.size(w, 0));
  if (group < 1 || (channels && perGroup && *channels != *perGroup * group) || (filters && *filters % group))
    return op.fail(Code::ShapeMismatch, "channels, filters and group " + Twine(group) + " do not fit together");
  Sizes image = op.sizes(x), filter = op.sizes(w);
  FailureOr<Window> window = windowOf(op, ArrayRef(image).drop_front(2), ArrayRef(filter).drop_front(2));
  if (failed(window))
    return failure();
  std::optional<Tensor> bias = op.has(2) ? std::optional(op.input(2)) : std::nullopt;
  if (auto integers = integerOperands(op, 0, 1, 0)) {
    const Dequantized &left = integers->left, &right = integers->right;
    FailureOr<Tensor> sums = quantizedConvolve(op, left.x, left.zero, right.x, right.zero, *window, group);
    if (failed(sums))
      return failure();
    Tensor y = rescaled(op, *sums, *integers, 1, x.element);
    return op.result(bias ? addChannelBias(op, y, *bias) : y);
  }
  return op.result(convolveWithBias(op, x, w, *window, group, bias));
}
} // namespace

void register_conv(Registry &registry) {
  registry.onOp(
      "Conv", {1, 11, 22},
      "X[N,C,D+] W[M,C/group,K+] B[M] #K=#D K>=1 group>=1 M%group=0 kernel_shape[#D] kernel_shape=K strides[#D] "
      "strides>=1 dilations[#D] dilations>=1 pads[2*#D] pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID",
      lowerConv);
}

} // namespace sinter
