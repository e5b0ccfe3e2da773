// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scales and shifts the result of a contraction goes into its operands. Results differ by roundings.
#include "simplify/work.h"

#include "quantize/normalize.h"

using namespace llvm;

namespace sinter::simplify {

int64_t joinBatchNorms(Work &work) { return quantize::foldBatchNorms(work.edit); }

namespace {

bool isFloatOfGemm(ElementType type) {
  return type == ElementType::Float || type == ElementType::Double || type == ElementType::Float16;
}

/// y = MatMul(a, b) + bias of two dims.
bool joinMatMul(Work &work, onnx::NodeProto &add, int i) {
  onnx::NodeProto *product = work.makerOf(add.input(i), "MatMul");
  auto a = product ? work.dims(product->input(0)) : std::nullopt, y = work.dims(add.input(i)),
       bias = work.dims(add.input(1 - i)), b = product ? work.dims(product->input(1)) : std::nullopt;
  if (!a || !b || !y || !bias || a->size() != 2 || b->size() != 2 || bias->size() > 2 || work.opset < 7 ||
      !work.edit.constant(add.input(1 - i)) || !isFloatOfGemm(work.element(product->input(0))))
    return false;
  for (size_t d = 0; d < bias->size(); ++d) {
    const SizeFact &dim = (*bias)[bias->size() - 1 - d];
    if (dim.number != 1 && !(dim == (*y)[1 - d]))
      return false;
  }
  onnx::NodeProto gemm = quantize::makeNode("Gemm", {product->input(0), product->input(1), add.input(1 - i)},
                                            {add.output(0)}, product->name());
  gemm.set_doc_string(product->doc_string());
  product->set_name(product->name() + "_joined");
  add = std::move(gemm);
  return true;
}

/// y = Conv(x, w, before) + bias, a constant per channel.
bool joinConv(Work &work, onnx::NodeProto &add, int i) {
  onnx::NodeProto *conv = work.makerOf(add.input(i), "Conv");
  const onnx::TensorProto *bias = conv ? work.edit.constant(add.input(1 - i)) : nullptr;
  auto y = work.dims(add.input(i)), w = conv ? work.dims(conv->input(1)) : std::nullopt;
  if (!bias || !y || !w || bias->dims_size() > static_cast<int>(y->size()))
    return false;
  int64_t channels = 1;
  for (int d = 0; d < bias->dims_size(); ++d) {
    bool isChannel = d == bias->dims_size() - static_cast<int>(y->size()) + 1;
    if (!isChannel && bias->dims(d) != 1)
      return false;
    if (isChannel)
      channels = bias->dims(d);
  }
  if ((*w)[0].number != channels)
    return false;
  onnx::TensorProto flat = *bias;
  if (conv->input_size() > 2 && !conv->input(2).empty()) {
    auto before = work.edit.floats(conv->input(2)), more = work.edit.floats(bias->name());
    if (!before || !more || before->values.size() != more->values.size())
      return false;
    for (auto [sum, term] : zip(before->values, more->values))
      sum += term;
    flat = quantize::floatTensor("", {channels}, before->values);
  }
  flat.clear_dims();
  flat.add_dims(channels);
  onnx::NodeProto joined = *conv;
  joined.set_output(0, add.output(0));
  flat.set_name(bias->name() + "_flat");
  while (joined.input_size() <= 2)
    joined.add_input("");
  joined.set_input(2, work.edit.addConstant(std::move(flat)));
  conv->set_name(conv->name() + "_joined");
  add = std::move(joined);
  return true;
}
} // namespace

int64_t joinBiases(Work &work) {
  int64_t joined = 0;
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node()) {
    if (!isStandard(node, "Add"))
      continue;
    for (int i : {0, 1})
      if (work.hasOneReader(node.input(i)) && (joinMatMul(work, node, i) || joinConv(work, node, i))) {
        ++joined;
        break;
      }
  }
  return joined;
}

} // namespace sinter::simplify
