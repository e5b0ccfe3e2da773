// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CausalConvWithState: a depthwise convolution over the last positions of the call before (zeros where there are none)
// and the new ones; it hands on the last of both.
#include "ops/channels_last.h"
#include "ops/math.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerCausalConvWithState(Op &op) {
  if (op.integer("ndim", 1) != 1 || op.integer("state_window", 0))
    return op.unsupported("ndim or state_window", "export with one dim and one state");
  if (op.integer("channels_last", 0))
    return lowerChannelsLast(op, {0, 3}, "CausalConvWithState", 1, "com.microsoft");
  Tensor x = op.input(0), weight = op.input(1);
  std::optional<int64_t> channels = constantOf(op.size(weight, 0));
  if (!channels)
    return op.fail(Code::ShapeNotConstant, "the number of channels is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  Sizes held = op.sizes(x);
  int64_t dilation = op.integer("dilation", 1);
  held[2] = mul(op.b, op.loc, sub(op.b, op.loc, op.size(weight, 2), sizeOf(op.b, 1)), sizeOf(op.b, dilation));
  Tensor past = op.inputOr(3, [&] {
    return op.filled(held, x.element, narrow(op.b, op.loc, x.element, Scalars{op.b, op.loc, x.element}.constant(0)));
  });
  Tensor sequence = op.concat({past, x}, 2);
  auto made = op.call("Conv", 22, {sequence, weight, op.inputOrNone(2)},
                      {op.param("group", *channels), op.param("dilations", ArrayRef<int64_t>(dilation))});
  if (failed(made))
    return failure();
  Tensor y = (*made)[0];
  if (op.string("activation") != "none")
    y = op.elementwise({y}, y.element, [](const Scalars &s, ValueRange v) { return s.mul(v[0], sigmoid(s, v[0])); });
  SmallVector<Tensor> results{y, partOf(op, sequence, 2, op.size(x, 2), held[2])};
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

void register_causal_conv_with_state(Registry &registry) {
  const std::string rule = "weight[C,1,K] bias[C] activation=none|silu|swish ";
  registry.onOp("CausalConvWithState", {27}, rule + "input[N,C,L] past_state[N,C,K-1]", lowerCausalConvWithState);
  registry.onOp("CausalConvWithState", {1},
                rule + "input[N,C,L]|{channels_last}[N,L,C] dilation>=1 channels_last=0|1 "
                       "past_state[N,C,dilation*(K-1)]|{channels_last}[N,dilation*(K-1),C]",
                lowerCausalConvWithState, "com.microsoft");
}

} // namespace sinter
