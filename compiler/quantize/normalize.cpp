// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact rewrites of the float model.
#include "quantize/normalize.h"

#include "quantize/weights.h"

#include <cmath>

using namespace llvm;

namespace sinter::quantize {

void collectConstants(GraphEdit &edit) {
  std::vector<onnx::NodeProto> kept;
  for (onnx::NodeProto &node : *edit.graph.mutable_node()) {
    onnx::TensorProto tensor;
    if (std::optional<onnx::TensorProto> constant = constantOf(node))
      tensor = std::move(*constant);
    else if (const onnx::TensorProto *source = isStandard(node, "Identity") ? edit.constant(node.input(0)) : nullptr)
      tensor = *source;
    else {
      kept.push_back(std::move(node));
      continue;
    }
    tensor.set_name(node.output(0));
    *edit.graph.add_initializer() = std::move(tensor);
  }
  edit.setNodes(std::move(kept));
  edit.dropUnread();
}

void foldGemmFactors(GraphEdit &edit) {
  for (onnx::NodeProto &node : *edit.graph.mutable_node()) {
    if (!isStandard(node, "Gemm"))
      continue;
    for (auto [factor, input] : {std::pair<const char *, int>("alpha", 1), {"beta", 2}}) {
      float value = floatOf(node, factor, 1);
      std::optional<FloatTensor> data =
          input < node.input_size() && value != 1 ? edit.floats(node.input(input)) : std::nullopt;
      if (!data)
        continue;
      for (float &v : data->values)
        v *= value;
      edit.setConstant(node, input, floatTensor(node.input(input), data->dims, data->values));
      removeAttribute(node, factor);
    }
  }
  edit.index();
}

namespace {
/// Folds node `n`, a BatchNormalization; whether it could.
bool foldInto(GraphEdit &edit, int n) {
  const onnx::NodeProto batchNorm = edit.node(n);
  if (batchNorm.output_size() != 1 || batchNorm.input_size() != 5 || integerOf(batchNorm, "training_mode", 0))
    return false;
  int p = edit.maker(batchNorm.input(0));
  if (p < 0 || edit.readers(batchNorm.input(0)).size() != 1)
    return false;
  onnx::NodeProto &contraction = edit.node(p);
  std::optional<int64_t> axis = channelAxis(edit, contraction);
  if (!axis || isStandard(contraction, "MatMul") || floatOf(contraction, "beta", 1) != 1)
    return false;
  std::optional<FloatTensor> weight = edit.floats(contraction.input(1)), bias, statistics[4];
  if (!weight)
    return false;
  bool hasBias = contraction.input_size() > 2 && !contraction.input(2).empty();
  if (hasBias)
    bias = edit.floats(contraction.input(2));
  Axis shape = axisOf(weight->dims, *axis);
  auto channels = static_cast<size_t>(shape.channels);
  if (!hasBias)
    bias = FloatTensor{{shape.channels}, std::vector<float>(channels, 0)};
  if (!bias || bias->values.size() != channels)
    return false;
  for (int i = 0; i < 4; ++i) {
    statistics[i] = edit.floats(batchNorm.input(i + 1));
    if (!statistics[i] || statistics[i]->values.size() != channels)
      return false;
  }
  double epsilon = floatOf(batchNorm, "epsilon", 1e-5f);
  std::vector<double> factors(channels);
  for (size_t c = 0; c < channels; ++c) {
    auto at = [&](int i) { return static_cast<double>(statistics[i]->values[c]); };
    factors[c] = at(0) / std::sqrt(at(3) + epsilon);
    bias->values[c] = static_cast<float>((static_cast<double>(bias->values[c]) - at(2)) * factors[c] + at(1));
  }
  for (size_t i = 0; i < weight->values.size(); ++i)
    weight->values[i] = static_cast<float>(static_cast<double>(weight->values[i]) *
                                           factors[i / static_cast<size_t>(shape.inner) % channels]);
  edit.setConstant(contraction, 1, floatTensor(contraction.input(1), weight->dims, weight->values));
  std::string biasName = hasBias ? contraction.input(2) : contraction.input(1) + "_bias";
  edit.setConstant(contraction, 2, floatTensor(biasName, {shape.channels}, bias->values));
  contraction.set_output(0, batchNorm.output(0));
  return true;
}
} // namespace

int foldBatchNorms(GraphEdit &edit) {
  int folded = 0;
  for (int n = 0; n < edit.nodes();) {
    if (!isStandard(edit.node(n), "BatchNormalization") || !foldInto(edit, n)) {
      ++n;
      continue;
    }
    edit.graph.mutable_node()->DeleteSubrange(n, 1);
    edit.index();
    ++folded;
  }
  edit.dropUnread();
  return folded;
}

} // namespace sinter::quantize
