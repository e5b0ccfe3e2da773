// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output_step.h"

using namespace mlir;

namespace sinter {

namespace {
bool movesElements(NodeOp node) {
  return node.getDomain().empty() &&
         llvm::is_contained({"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Split",
                             "Gather", "Concat", "Expand", "Tile", "DepthToSpace", "SpaceToDepth"},
                            node.getOpType());
}
/// Operators whose results differ by no more than their operands do.
bool keepsDifferences(NodeOp node) {
  return node.getDomain().empty() &&
         llvm::is_contained({"Softmax", "Sigmoid", "Tanh", "Relu", "LeakyRelu", "Clip", "Max", "Min", "MaxPool",
                             "AveragePool", "GlobalMaxPool", "GlobalAveragePool", "ReduceMax", "ReduceMin",
                             "ReduceMean", "Resize"},
                            node.getOpType());
}
bool isQuantizing(NodeOp node) {
  return node.getOpType() == "QuantizeLinear" || node.getOpType() == "QGemm" || node.getOpType().starts_with("QLinear");
}

/// A number of each value, found from those of its operands. Each value is looked at once: they share operands.
class NumberOfValues {
public:
  virtual ~NumberOfValues() = default;

  double of(Value value) {
    auto [known, isNew] = numbers.try_emplace(value, 0);
    if (!isNew)
      return known->second;
    double number = compute(value);
    numbers[value] = number;
    return number;
  }

private:
  virtual double compute(Value value) = 0;
  DenseMap<Value, double> numbers;
};

class StepsOfValues : public NumberOfValues {
public:
  explicit StepsOfValues(Conversion &conversion) : conversion(conversion) {}

private:
  double compute(Value value) override {
    auto node = value.getDefiningOp<NodeOp>();
    const Converted *converted = conversion.find(value);
    if (!node || !converted || !converted->tensor)
      return 0;
    if (isInteger(converted->tensor.element)) {
      bool isNarrow = bitWidth(converted->tensor.element) <= 16;
      return movesElements(node) ? of(node.getInputs()[0]) : isNarrow && isQuantizing(node) ? 1 : 0;
    }
    if (node.getOpType() == "DequantizeLinear") { // numbers of the model's own are what they are
      Value integers = node.getInputs()[0];
      return isKnown(integers) && of(integers) == 0 ? 0 : largestScale(node.getInputs()[1]);
    }
    double largest = 0;
    if (movesElements(node) || keepsDifferences(node))
      for (Value input : node.getInputs())
        largest = std::max(largest, of(input));
    return largest;
  }

  bool isKnown(Value value) {
    const Converted *converted = conversion.find(value);
    return converted && converted->tensor && isConstant(converted->tensor.value, conversion.evaluations);
  }

  double largestScale(Value scale) {
    const Converted *converted = conversion.find(scale);
    std::optional<HostTensor> numbers =
        converted ? contentsOf(converted->tensor, conversion.evaluations) : std::nullopt;
    double largest = 0;
    for (int64_t i = 0; numbers && i < numbers->size(); ++i)
      largest = std::max(largest, numbers->numberAt(i));
    return largest;
  }

  Conversion &conversion;
};

class Spacings : public NumberOfValues {
public:
  explicit Spacings(Conversion &conversion) : conversion(conversion) {}

private:
  double compute(Value value) override {
    const Converted *converted = conversion.find(value);
    if (!converted || !converted->tensor)
      return 0;
    if (converted->tensor.element == ElementType::Float16)
      return 0x1p-10;
    if (converted->tensor.element == ElementType::BFloat16)
      return 0x1p-7;
    auto node = value.getDefiningOp<NodeOp>();
    double largest = 0;
    if (node && (node.getOpType() == "Cast" || movesElements(node) || keepsDifferences(node)))
      for (Value input : node.getInputs())
        largest = std::max(largest, of(input));
    return largest;
  }

  Conversion &conversion;
};

class RangesOfValues : public NumberOfValues {
private:
  double compute(Value value) override {
    auto node = value.getDefiningOp<NodeOp>();
    if (!node || !node.getDomain().empty())
      return 0;
    StringRef name = node.getOpType();
    if (llvm::is_contained({"Sigmoid", "HardSigmoid", "Softmax", "Tanh", "Softsign", "Erf", "Sin", "Cos"}, name))
      return 1;
    if (name == "Mul")
      return of(node.getInputs()[0]) * of(node.getInputs()[1]);
    if (!movesElements(node))
      return 0;
    double range = of(node.getInputs()[0]);
    if (name == "Concat")
      for (Value input : node.getInputs().drop_front())
        range = std::min(range, of(input));
    return range;
  }
};
} // namespace

double outputRange(Value value) { return RangesOfValues().of(value); }

double outputSpacing(Value value, Conversion &conversion) { return Spacings(conversion).of(value); }

double outputStep(Value value, Conversion &conversion) { return StepsOfValues(conversion).of(value); }

} // namespace sinter
