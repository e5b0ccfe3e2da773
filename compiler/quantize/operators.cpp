// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of operators, and the forms of them that stay float.
#include "quantize/operators.h"

#include "frontend/schema.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace sinter::quantize {

Kind kindOf(const onnx::NodeProto &node) {
  if (!canonicalDomain(node.domain()).empty() || node.output_size() == 0 || node.input_size() == 0)
    return Kind::None;
  StringRef type = node.op_type();
  if (type == "Resize")
    return stringOf(node, "mode") == "linear"  ? Kind::Average
           : stringOf(node, "mode") == "cubic" ? Kind::None
                                               : Kind::Move;
  // Zeros of other pads would need a place in the range.
  if (type == "Pad")
    return node.input_size() > 2 && !node.input(2).empty() ? Kind::None : Kind::Move;
  if ((type == "MaxPool" || type == "Dropout") && node.output_size() > 1 && !node.output(1).empty())
    return Kind::None;
  if (type == "Gemm" && integerOf(node, "transA", 0))
    return Kind::None;
  return llvm::StringSwitch<Kind>(type)
      .Cases("Conv", "ConvTranspose", "Gemm", "MatMul", Kind::Contraction)
      .Cases("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Split", "Identity", Kind::Move)
      .Cases("Expand", "Tile", "DepthToSpace", "SpaceToDepth", "Gather", "MaxPool", "GlobalMaxPool", Kind::Move)
      .Cases("Concat", "ReduceMax", "ReduceMin", "Dropout", Kind::Move)
      .Cases("AveragePool", "GlobalAveragePool", "ReduceMean", Kind::Average)
      .Cases("Add", "Sub", "Mul", "Relu", "Clip", "LeakyRelu", "PRelu", Kind::Elementwise)
      .Cases("Sigmoid", "Tanh", "HardSigmoid", "HardSwish", Kind::Elementwise)
      .Default(Kind::None);
}

int dataInputs(const onnx::NodeProto &node) {
  StringRef type = node.op_type();
  if (type == "Concat")
    return node.input_size();
  return type == "Add" || type == "Sub" || type == "Mul" || kindOf(node) == Kind::Contraction
             ? std::min(2, node.input_size())
             : 1;
}

bool isClamp(const onnx::NodeProto &node) { return isStandard(node, "Relu") || isStandard(node, "Clip"); }

} // namespace sinter::quantize
