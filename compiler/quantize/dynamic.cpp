// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One contraction at a time.
#include "quantize/dynamic.h"

#include "quantize/weights.h"

#include <cmath>

using namespace llvm;

namespace sinter::quantize {
namespace {

/// [N, K] to [K, N], as MatMulInteger has it.
FloatTensor transposed(const FloatTensor &matrix) {
  int64_t rows = matrix.dims[0], columns = matrix.dims[1];
  FloatTensor result{{columns, rows}, std::vector<float>(matrix.values.size())};
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      result.values[static_cast<size_t>(c * rows + r)] = matrix.values[static_cast<size_t>(r * columns + c)];
  return result;
}

class Dynamic {
public:
  Dynamic(GraphEdit &edit, bool perChannel) : edit(edit), perChannel(perChannel) {}

  std::vector<WeightReport> run() {
    for (const onnx::NodeProto &node : edit.graph.node()) {
      std::optional<int64_t> axis = channelAxis(edit, node);
      if (axis && isSuitable(node))
        replace(node, *axis);
      else
        nodes.push_back(node);
    }
    edit.setNodes(std::move(nodes));
    edit.dropUnread();
    return std::move(reports);
  }

private:
  bool isSuitable(const onnx::NodeProto &node) const {
    if (isStandard(node, "Gemm")) // C of another shape than a row would need more than an Add
      return floatOf(node, "beta", 1) == 1;
    return isStandard(node, "MatMul") || isStandard(node, "Conv");
  }

  /// Integers, scale, zero point of a value; made where it is first read.
  const std::array<std::string, 3> &integersOf(const std::string &value) {
    auto [entry, isNew] = quantized.try_emplace(value);
    if (isNew) {
      entry->second = {edit.freshName(value + "_quantized"), edit.freshName(value + "_scale"),
                       edit.freshName(value + "_zero_point")};
      nodes.push_back(makeNode("DynamicQuantizeLinear", {value}, entry->second, value + "_DynamicQuantizeLinear"));
    }
    return entry->second;
  }

  void replace(const onnx::NodeProto &node, int64_t axis) {
    bool isConv = isStandard(node, "Conv"), isGemm = isStandard(node, "Gemm");
    const std::string &base = node.input(1);
    std::string name = nameOf(node);
    FloatTensor weight = *edit.floats(base);
    edit.release();
    if (isGemm && axis == 0) {
      weight = transposed(weight);
      axis = 1;
    }
    IntegerWeights integers = quantizeWeights(weight, axis, perChannel, WeightRange::Mse);
    reports.push_back({name, node.op_type(), static_cast<int64_t>(weight.values.size() * sizeof(float)),
                       static_cast<int64_t>(integers.values.size() + integers.scales.size() * sizeof(float)),
                       lossOf(weight.values, dequantized(integers, weight.dims, axis)), outlineOf(weight.values)});
    // Scales of channels as they broadcast over the result: the last dim of a matrix, the second of a convolution.
    std::vector<int64_t> scaleDims = {static_cast<int64_t>(integers.scales.size())};
    if (isConv)
      scaleDims.resize(weight.dims.size() - 1, 1);
    std::string weights = edit.addConstant(rawTensor(base + "_quantized", onnx::TensorProto::INT8, weight.dims,
                                                     std::string(integers.values.begin(), integers.values.end())));
    std::string weightScale = edit.addConstant(floatTensor(base + "_scale", scaleDims, integers.scales));
    const auto &[values, scale, zero] = integersOf(node.input(0));

    auto add = [&](onnx::NodeProto made, const std::string &result) {
      made.set_name(result);
      made.set_output(0, result);
      nodes.push_back(std::move(made));
      return result;
    };
    onnx::NodeProto contraction = isConv ? node : onnx::NodeProto();
    contraction.set_op_type(isConv ? "ConvInteger" : "MatMulInteger");
    contraction.clear_input();
    contraction.clear_output();
    for (const std::string &input : {values, weights, zero})
      contraction.add_input(input);
    contraction.add_output("");
    std::string sums = add(contraction, edit.freshName(name + "_sums"));
    onnx::NodeProto cast = makeNode("Cast", {sums}, {""}, "");
    setInteger(cast, "to", onnx::TensorProto::FLOAT);
    std::string floats = add(cast, edit.freshName(name + "_cast"));
    std::string scales = add(makeNode("Mul", {scale, weightScale}, {""}, ""), edit.freshName(name + "_scales"));
    std::string bias = node.input_size() > 2 ? node.input(2) : "";
    onnx::NodeProto scaled = makeNode("Mul", {floats, scales}, {node.output(0)}, name);
    if (bias.empty()) {
      nodes.push_back(std::move(scaled));
      return;
    }
    std::string result = add(scaled, edit.freshName(name + "_scaled"));
    if (isConv) { // [C] to [C, 1, 1]
      std::string shaped = edit.freshName(bias + "_shaped");
      std::vector<int64_t> shape(weight.dims.size() - 1, 1);
      shape[0] = -1;
      nodes.push_back(
          makeNode("Reshape", {bias, edit.addConstant(int64Tensor(bias + "_shape", shape))}, {shaped}, shaped));
      bias = shaped;
    }
    nodes.push_back(makeNode("Add", {result, bias}, {node.output(0)}, name));
  }

  GraphEdit &edit;
  bool perChannel;
  std::vector<onnx::NodeProto> nodes;
  std::vector<WeightReport> reports;
  StringMap<std::array<std::string, 3>> quantized;
};
} // namespace

std::vector<WeightReport> quantizeDynamically(GraphEdit &edit, bool perChannel) {
  return Dynamic(edit, perChannel).run();
}

} // namespace sinter::quantize
