// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pad with zeros on spatial dims, read by one Conv, or AveragePool that counts what it pads, which states its pads as
// numbers.
#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

/// The pads of a Pad with zeros, begins before ends.
std::optional<std::vector<int64_t>> zeroPads(const Work &work, const onnx::NodeProto &pad) {
  StringRef mode = stringOf(pad, "mode");
  bool hasAxes = pad.input_size() > 3 && !pad.input(3).empty();
  if ((!mode.empty() && mode != "constant") || hasAxes)
    return std::nullopt;
  if (const onnx::AttributeProto *pads = attributeOf(pad, "pads")) {
    if (quantize::floatOf(pad, "value", 0) != 0)
      return std::nullopt;
    return std::vector<int64_t>(pads->ints().begin(), pads->ints().end());
  }
  bool hasValue = pad.input_size() > 2 && !pad.input(2).empty();
  if (pad.input_size() < 2 || (hasValue && work.number(pad.input(2)) != 0.0))
    return std::nullopt;
  return work.integers(pad.input(1));
}
/// A window of a pool is larger than what it pads on either side.
bool isWithinWindow(const onnx::NodeProto &pool, ArrayRef<int64_t> pads) {
  const onnx::AttributeProto *window = attributeOf(pool, "kernel_shape");
  auto rank = static_cast<int>(pads.size() / 2);
  return window && window->ints_size() == rank &&
         llvm::all_of(seq(0, 2 * rank), [&](int i) { return pads[static_cast<size_t>(i)] < window->ints(i % rank); });
}
} // namespace

int64_t joinPads(Work &work) {
  int64_t joined = 0;
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node()) {
    bool isPool = isStandard(node, "AveragePool") && integerOf(node, "count_include_pad", 0) != 0 &&
                  integerOf(node, "ceil_mode", 0) == 0;
    onnx::NodeProto *pad = isPool || isStandard(node, "Conv") ? work.makerOf(node.input(0), "Pad") : nullptr;
    StringRef automatic = stringOf(node, "auto_pad");
    if (!pad || !work.hasOneReader(node.input(0)) || !(automatic.empty() || automatic == "NOTSET"))
      continue;
    auto pads = zeroPads(work, *pad);
    size_t rank = pads ? pads->size() / 2 : 0;
    if (rank < 3 ||
        llvm::any_of(
            *pads, [](int64_t n) { return n < 0; }) ||
        (*pads)[0] || (*pads)[1] || (*pads)[rank] || (*pads)[rank + 1])
      continue;
    const onnx::AttributeProto *own = attributeOf(node, "pads");
    std::vector<int64_t> sum;
    for (size_t i = 0; i < 2 * rank; ++i)
      if (i % rank >= 2)
        sum.push_back((*pads)[i] + (own && static_cast<int>(sum.size()) < own->ints_size()
                                        ? own->ints(static_cast<int>(sum.size()))
                                        : 0));
    if (isPool && !isWithinWindow(node, sum))
      continue;
    quantize::removeAttribute(node, "pads");
    setIntegerList(node, "pads", sum);
    node.set_input(0, pad->input(0));
    ++joined;
  }
  return joined;
}

} // namespace sinter::simplify
